#include "compiler/syntax/source_tokens.hpp"

#include "compiler/syntax/tokens.hpp"

namespace nsmc {
namespace {

static_assert(static_cast<int>(Enclosure::unit) == static_cast<int>(Bracket::unit) &&
              static_cast<int>(Enclosure::call) == static_cast<int>(Bracket::call));

TokenKind kind_of(std::size_t type) {
  switch (type) {
    case NsmParser::NAME: return TokenKind::name;
    case NsmParser::LABEL: return TokenKind::label;
    case NsmParser::NUMBER: return TokenKind::number;
    case NsmParser::STRING: return TokenKind::string;
    case NsmParser::LINE_COMMENT:
    case NsmParser::BLOCK_COMMENT: return TokenKind::comment;
    default: break;
  }
  if (is_word(type)) return TokenKind::keyword;
  return opens(type) ? TokenKind::opening : closes(type) ? TokenKind::closing : TokenKind::sign;
}

// Bytes that are no UTF-8 as question marks: places stay what they are.
std::string readable(std::string_view text) {
  std::string result(text);
  for (std::size_t bad = find_invalid_utf8(result), from = 0; bad != std::string::npos;) {
    result[from + bad] = '?';
    from += bad + 1;
    bad = find_invalid_utf8(std::string_view(result).substr(from));
  }
  return result;
}

class Reading {
 public:
  explicit Reading(std::string_view text)
      : file_(sources_.add("", readable(text))), reader_(sources_, file_, unheard_, TokenReader::Comments::keep) {}

  std::vector<SourceToken> run() {
    try {
      for (TokenPtr token = reader_.next(); token->getType() != antlr4::Token::EOF; token = reader_.next()) {
        if (begins_anew(*token)) {
          reader_.restart(*token);
          token = reader_.next();
        }
        add(*token);
      }
    } catch (const TooManyErrors&) {  // no model: what is there will do
    }
    return std::move(tokens_);
  }

 private:
  // A keyword that stands as far left as the declaration did whose brackets are still open: they will not be closed.
  bool begins_anew(const LexerToken& token) const {
    const bool first = tokens_.empty() || token.getLine() > line_;
    if (!is_declaration_keyword(token.getType()) || !first || depth_before_ == 0) return false;
    const bool of_body =
        token.getType() == NsmParser::LET || token.getType() == NsmParser::FORCE || token.getType() == NsmParser::LAW;
    if (of_body && innermost_ == Bracket::brace) return false;
    return token.getCharPositionInLine() <= margin_;
  }

  void add(const LexerToken& token) {
    const std::size_t type = token.getType();
    const Span span = reader_.span(token);
    const bool of_opening = opens(type);
    const std::vector<Bracket>& open = reader_.open();
    SourceToken& added = tokens_.emplace_back();
    added.kind = kind_of(type);
    added.begin = span.begin;
    added.end = span.end;
    added.begins_line = tokens_.size() == 1 || token.getLine() > line_;
    added.operand = ends_operand(type);
    const std::size_t outside = open.size() - (of_opening && !open.empty() ? 1 : 0);
    if (of_opening && !open.empty()) added.opens = static_cast<Enclosure>(open.back());
    if (outside > 0) added.within = static_cast<Enclosure>(open[outside - 1]);
    added.declares = outside == 0 && is_declaration_keyword(type);
    if (added.declares) margin_ = token.getCharPositionInLine();
    line_ = token.getLine();
    for (std::uint32_t at = span.begin; at < span.end; ++at) {
      if (sources_.file(file_).text()[at] == '\n') ++line_;
    }
    depth_before_ = open.size();
    if (!open.empty()) innermost_ = open.back();
  }

  Sources sources_;
  Diagnostics unheard_;
  FileId file_;
  TokenReader reader_;
  std::vector<SourceToken> tokens_;
  std::size_t line_ = 0, margin_ = 0;
  std::size_t depth_before_ = 0;
  Bracket innermost_ = Bracket::brace;
};

}  // namespace

std::vector<SourceToken> source_tokens(std::string_view text) { return Reading(text).run(); }

const std::vector<std::string>& keywords() {
  static const std::vector<std::string> all = [] {
    antlr4::ANTLRInputStream nothing{std::string()};
    const NsmLexer lexer(&nothing);
    std::vector<std::string> words;
    for (std::size_t type = NsmParser::MODEL; type <= NsmParser::SUPPORT; ++type) {
      const std::string quoted = lexer.getVocabulary().getLiteralName(type);
      words.push_back(quoted.size() > 2 ? quoted.substr(1, quoted.size() - 2) : "in");  // ∈ is its other form
    }
    return words;
  }();
  return all;
}

const std::vector<std::string>& declaration_keywords() {
  static const std::vector<std::string> words(keywords().begin(),
                                              keywords().begin() + (last_declaration_keyword - NsmParser::MODEL + 1));
  return words;
}

}  // namespace nsmc
