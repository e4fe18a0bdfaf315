// The parse loop: takes the tokens of one declaration after the other, lets the generated parser read them, builds the
// abstract syntax and throws the parse tree away. After an error it continues at the next declaration.
#include "compiler/syntax/parse.hpp"

#include <NsmParser.h>
#include <fmt/core.h>

#include <utility>

#include "compiler/syntax/build_ast.hpp"
#include "compiler/syntax/declaration_tokens.hpp"
#include "compiler/syntax/limits.hpp"
#include "compiler/syntax/syntax_errors.hpp"
#include "compiler/syntax/tokens.hpp"

namespace nsmc {

namespace {

// Notes the first error and gives up: recovery is the loop's, which knows where declarations begin.
class GiveUp final : public antlr4::ANTLRErrorStrategy {
 public:
  void reset(antlr4::Parser*) override {}
  void sync(antlr4::Parser*) override {}
  bool inErrorRecoveryMode(antlr4::Parser*) override { return false; }
  void reportMatch(antlr4::Parser*) override {}
  antlr4::Token* recoverInline(antlr4::Parser* parser) override { throw antlr4::InputMismatchException(parser); }
  void reportError(antlr4::Parser* parser, const antlr4::RecognitionException& e) override {
    const antlr4::Token* token = e.getOffendingToken();
    failure_.at = token->getType() == antlr4::Token::EOF ? parser->getTokenStream()->size() : token->getTokenIndex();
    failure_.expected = parser->getExpectedTokens();
  }
  void recover(antlr4::Parser*, std::exception_ptr) override { throw std::exchange(failure_, {}); }

 private:
  SyntaxFailure failure_;
};

// The generated parser with a bound on its recursion.
class BoundedParser final : public NsmParser {
 public:
  using NsmParser::NsmParser;
  void begin() {
    reset();
    getTreeTracker().reset();
    under_way_.clear();
  }
  void enterRule(antlr4::ParserRuleContext* context, std::size_t state, std::size_t rule) override {
    // Leaving a rule cannot be observed, so what was left meanwhile is dropped here.
    while (!under_way_.empty() && under_way_.back() != context->parent) under_way_.pop_back();
    if (under_way_.size() >= max_rule_depth) throw NestingTooDeep{getCurrentToken()};
    under_way_.push_back(context);
    NsmParser::enterRule(context, state, rule);
  }

 private:
  std::vector<const antlr4::tree::ParseTree*> under_way_;
};

class ParseLoop {
 public:
  ParseLoop(const Sources& sources, Span part, Diagnostics& diagnostics)
      : diagnostics_(diagnostics),
        reader_(sources, part, diagnostics, TokenReader::Comments::drop),
        tokens_(nullptr),
        parser_(&tokens_),
        builder_(reader_, diagnostics, model_) {
    model_.file = part.file;
    parser_.removeErrorListeners();
    parser_.setErrorHandler(std::make_shared<GiveUp>());
    parser_.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(antlr4::atn::PredictionMode::SLL);
  }

  PartlyParsed run();

 private:
  bool read_declaration();
  bool ends_declaration(const LexerToken& token) const;
  bool parse_declaration();
  void resume_after(const SyntaxFailure& failure);
  bool refuse(Kind kind, const antlr4::Token& at, std::string message, std::string hint);

  Diagnostics& diagnostics_;
  TokenReader reader_;
  DeclarationTokens tokens_;
  BoundedParser parser_;
  ast::Model model_;
  AstBuilder builder_;
  std::size_t errors_before_ = 0;
};

bool ParseLoop::refuse(Kind kind, const antlr4::Token& at, std::string message, std::string hint) {
  diagnostics_.report(kind, reader_.span(at), std::move(message), std::move(hint));
  return false;
}

// A keyword of a declaration ends the one before it, except where the grammar has it inside a body. Inside brackets it
// can only be an error, and ends the declaration too.
bool ParseLoop::ends_declaration(const LexerToken& token) const {
  if (!is_declaration_keyword(token.getType())) return false;
  const bool stop_when = token.getType() == NsmParser::WHEN && tokens_.tokens.back()->getType() == NsmParser::STOP;
  if (stop_when) return false;
  const bool of_body =
      token.getType() == NsmParser::LET || token.getType() == NsmParser::FORCE || token.getType() == NsmParser::LAW;
  return reader_.open().empty() || reader_.open().back() != Bracket::brace || !of_body;
}

// Fills tokens_ from tokens_.following on. False if the declaration is beyond the limits.
bool ParseLoop::read_declaration() {
  tokens_.tokens.clear();
  do {
    tokens_.following->setTokenIndex(tokens_.tokens.size());
    tokens_.tokens.push_back(std::move(tokens_.following));
    if (reader_.open().size() > max_nesting)
      return refuse(Kind::nesting_too_deep, *tokens_.tokens.back(),
                    fmt::format("more than {} brackets are open", max_nesting),
                    "name parts of the expression with let");
    if (tokens_.tokens.size() > max_declaration_tokens)
      return refuse(Kind::model_too_large, *tokens_.tokens.front(),
                    fmt::format("declaration of more than {} words and signs", max_declaration_tokens),
                    "name parts of it with let");
    tokens_.following = reader_.next();
  } while (tokens_.following->getType() != antlr4::Token::EOF && !ends_declaration(*tokens_.following));
  return true;
}

// False if parsing cannot go on.
bool ParseLoop::parse_declaration() {
  const std::size_t lexical_errors = reader_.lexical_errors();
  if (!read_declaration()) return false;
  try {
    parser_.begin();
    NsmParser::DeclarationContext* tree = parser_.declaration();
    if (tokens_.index() < tokens_.size()) throw SyntaxFailure{tokens_.index(), {}};
    builder_.add(tree);
  } catch (const SyntaxFailure& failure) {
    // A character that was left out has been reported already, and may well be the cause.
    if (reader_.lexical_errors() == lexical_errors) report(failure, tokens_, reader_, diagnostics_);
    resume_after(failure);
  } catch (const NestingTooDeep& nesting) {
    const antlr4::Token& at = nesting.at->getType() == antlr4::Token::EOF ? tokens_.at(tokens_.size()) : *nesting.at;
    return refuse(Kind::nesting_too_deep, at, fmt::format("expression nested more than {} levels deep", max_nesting),
                  "name parts of the expression with let");
  }
  return true;
}

// Sets tokens_.following to the next declaration keyword that begins a line no further right than the broken
// declaration began, so that the rest of a broken body is not taken for declarations.
void ParseLoop::resume_after(const SyntaxFailure& failure) {
  const std::size_t margin = tokens_.at(0).getCharPositionInLine();
  auto fits = [&](const LexerToken& token, bool begins_line) {
    return token.getType() == antlr4::Token::EOF ||
           (begins_line && is_declaration_keyword(token.getType()) && token.getCharPositionInLine() <= margin);
  };
  const std::size_t brace = missing_brace(failure, tokens_);
  std::size_t i = brace < tokens_.size() ? brace : failure.at;
  if (i == 0) i = 1;  // the broken declaration itself
  for (; i <= tokens_.size(); ++i)
    if (fits(tokens_.at(i), tokens_.begins_line(i))) break;

  TokenPtr found = std::move(i < tokens_.size() ? tokens_.tokens[i] : tokens_.following);
  std::size_t line = found->getLine();
  if (i > tokens_.size()) {
    do {
      line = found->getLine();
      found = reader_.next();
    } while (!fits(*found, found->getLine() > line));
  }
  if (found->getType() != antlr4::Token::EOF) {
    reader_.restart(*found);  // brackets left open by the broken declaration are forgotten
    found = reader_.next();
  }
  tokens_.following = std::move(found);
}

PartlyParsed ParseLoop::run() {
  errors_before_ = diagnostics_.error_count();
  try {
    tokens_.following = reader_.next();
    if (tokens_.following->getType() == antlr4::Token::EOF && diagnostics_.error_count() == errors_before_)
      diagnostics_.report(Kind::empty_model, Span{0, 0, model_.file}, "the file declares nothing",
                          "a model needs coordinates and energies");
    while (tokens_.following->getType() != antlr4::Token::EOF && parse_declaration() &&
           diagnostics_.error_count() - errors_before_ < max_syntax_errors)
      ;
  } catch (const TooManyErrors&) {  // those reported are enough
  }
  return {std::move(model_), diagnostics_.error_count() == errors_before_};
}

std::optional<ast::Model> if_whole(PartlyParsed parsed) {
  if (!parsed.whole) return std::nullopt;
  return std::move(parsed.model);
}

}  // namespace

PartlyParsed parse_partly(const Sources& sources, FileId file, Diagnostics& diagnostics) {
  const std::string& text = sources.file(file).text();
  PartlyParsed nothing;
  nothing.model.file = file;
  if (text.size() > max_file_bytes) {
    diagnostics.report(Kind::file_too_large, Span{0, 0, file},
                       fmt::format("file of {} bytes; nsmc reads up to {} MiB", text.size(), max_file_bytes >> 20));
    return nothing;
  }
  if (const std::size_t bad = find_invalid_utf8(text); bad != std::string::npos) {
    const auto at = static_cast<std::uint32_t>(bad);
    diagnostics.report(Kind::invalid_utf8, Span{at, at + 1, file},
                       fmt::format("byte 0x{:02X} is not valid UTF-8", static_cast<unsigned char>(text[bad])),
                       "save the file as UTF-8");
    return nothing;
  }
  return ParseLoop(sources, Span{0, static_cast<std::uint32_t>(text.size()), file}, diagnostics).run();
}

std::optional<ast::Model> parse(const Sources& sources, FileId file, Diagnostics& diagnostics) {
  return if_whole(parse_partly(sources, file, diagnostics));
}

std::optional<ast::Model> parse(const Sources& sources, Span part, Diagnostics& diagnostics) {
  return if_whole(ParseLoop(sources, part, diagnostics).run());
}

}  // namespace nsmc
