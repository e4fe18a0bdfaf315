#include "compiler/syntax/tokens.hpp"

#include "compiler/support/habits.hpp"
#include "compiler/syntax/limits.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>

namespace nsmc {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::string_view without_mark(std::string_view text) {
  // All of them: ANTLR's input stream would drop a second one silently and shift every position.
  while (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return text;
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Keywords of declarations that are names where none can begin.
bool is_soft_keyword(std::size_t type) { return type >= NsmParser::TORQUE && type <= last_declaration_keyword; }

// A name, or a word that is one in most places.
bool may_be_name(std::size_t type) {
  return type == NsmParser::NAME || is_soft_keyword(type) || (type >= NsmParser::GAP && type <= NsmParser::BEYOND);
}

char32_t decode(std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes[0]);
  if (lead < 0x80) return lead;
  char32_t value = lead & (0x7Fu >> bytes.size());
  for (char c : bytes.substr(1)) value = (value << 6) | (static_cast<unsigned char>(c) & 0x3Fu);
  return value;
}

}  // namespace

static_assert(NsmParser::TORQUE - NsmParser::MODEL == 26 && last_declaration_keyword - NsmParser::TORQUE == 8 &&
                  NsmParser::GAP > last_declaration_keyword && NsmParser::BEYOND - NsmParser::GAP == 18 &&
                  NsmParser::SUPPORT > NsmParser::BEYOND,
              "the order of the keywords in Nsm.g4 is used here");

bool is_declaration_keyword(std::size_t type) { return type >= NsmParser::MODEL && type <= last_declaration_keyword; }

bool is_word(std::size_t type) {
  return (type >= NsmParser::MODEL && type <= NsmParser::SUPPORT) || type == NsmParser::NAME ||
         type == NsmParser::LABEL;
}

ByteOffsets::ByteOffsets(std::string_view text, std::uint32_t base)
    : text_(text), base_(base), ascii_(std::none_of(text.begin(), text.end(), continues)) {
  if (ascii_) return;
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (continues(text[i])) continue;
    if (count++ % stride == 0) every_.push_back(static_cast<std::uint32_t>(i));
  }
}

std::uint32_t ByteOffsets::operator()(std::size_t code_point) const {
  if (ascii_) return base_ + static_cast<std::uint32_t>(std::min(code_point, text_.size()));
  const std::size_t slot = code_point / stride;
  if (slot >= every_.size()) return base_ + static_cast<std::uint32_t>(text_.size());
  std::size_t offset = every_[slot];
  for (std::size_t left = code_point % stride; left > 0 && offset < text_.size(); --left) {
    ++offset;
    while (offset < text_.size() && continues(text_[offset])) ++offset;
  }
  return base_ + static_cast<std::uint32_t>(offset);
}

TokenReader::TokenReader(const Sources& sources, FileId file, Diagnostics& diagnostics, Comments comments)
    : TokenReader(sources, Span{0, static_cast<std::uint32_t>(sources.file(file).text().size()), file}, diagnostics,
                  comments) {}

TokenReader::TokenReader(const Sources& sources, Span part, Diagnostics& diagnostics, Comments comments)
    : sources_(sources),
      file_(part.file),
      diagnostics_(diagnostics),
      comments_(comments),
      text_(without_mark(sources.text(part))),
      bytes_(text_, static_cast<std::uint32_t>(part.end - text_.size())),
      input_(text_.data(), text_.size()),
      lexer_(&input_) {
  lexer_.removeErrorListeners();
}

Span TokenReader::span(const antlr4::Token& first, const antlr4::Token& last) const {
  const std::uint32_t begin = bytes_(first.getStartIndex());
  // The stop of EOF lies before its start.
  const std::uint32_t end = last.getType() == antlr4::Token::EOF ? begin : bytes_(last.getStopIndex() + 1);
  return Span{begin, std::max(begin, end), file_};
}

std::string_view TokenReader::text(const antlr4::Token& token) const { return sources_.text(span(token)); }

void TokenReader::restart(const antlr4::Token& at) {
  lexer_.reset();
  input_.seek(at.getStartIndex());
  lexer_.setLine(at.getLine());
  lexer_.setCharPositionInLine(at.getCharPositionInLine());
  ahead_.clear();
  open_.clear();
  declaration_ = previous_ = before_previous_ = previous_end_ = previous_line_ = 0;
  previous_names_setting_ = in_range_ = in_table_ = false;
}

bool TokenReader::is_new(const LexerToken& token) {
  if (token.getStartIndex() < reported_to_) return false;
  reported_to_ = token.getStopIndex() + 1;
  ++lexical_errors_;
  return true;
}

void TokenReader::report_unknown(const LexerToken& token) {
  const bool continues_run = unknown_end_ == token.getStartIndex() && unknown_end_ > 0;
  unknown_end_ = token.getStopIndex() + 1;
  if (!is_new(token) || continues_run) return;
  if (++unknown_count_ > max_syntax_errors) throw TooManyErrors{};
  const std::string_view character = text(token);
  const bool operand = after_operand() && ahead_.empty() && previous_line_ == token.getLine();
  const bool in_list = !open_.empty() && open_.back() != Bracket::brace;
  if (character == "#") comment_line_ = token.getLine();
  if (character == "%" && !digit_follows(token)) comment_line_ = token.getLine();
  // A semicolon behind a declaration is no cause of what else is wrong with it.
  if (character == ";" && !in_list) --lexical_errors_;
  if (character == "|") {  // the other end of |x| is no second error
    if (operand && bar_line_ == token.getLine()) return;
    if (!operand) bar_line_ = token.getLine();
  }
  const char32_t code = decode(character);
  const bool visible = code > 0x20 && !(code >= 0x7F && code < 0xA1) && code != 0xFEFF;
  const std::string shown = visible ? fmt::format("'{}'", character) : fmt::format("U+{:04X}", static_cast<int>(code));
  diagnostics_.report(Kind::unexpected_character, span(token), fmt::format("unexpected character {}", shown),
                      std::string(character_habit(character, behind(token), operand, in_list)));
}

std::string_view TokenReader::behind(const LexerToken& token) const {
  return text_.substr(std::min<std::size_t>(text_.size(), span(token).end - (bytes_(0))));
}

bool TokenReader::digit_follows(const LexerToken& token) const {
  std::string_view rest = behind(token);
  rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(' ')));
  return !rest.empty() && (rest[0] == '(' || (rest[0] >= '0' && rest[0] <= '9'));
}

TokenPtr TokenReader::read() {
  while (true) {
    std::unique_ptr<antlr4::Token> generic = lexer_.nextToken();
    TokenPtr token(static_cast<LexerToken*>(generic.release()));  // the lexer's factory makes no other kind
    if (token->getLine() == comment_line_ && token->getType() != antlr4::Token::EOF) continue;
    switch (token->getType()) {
      case NsmParser::UNKNOWN: report_unknown(*token); break;
      case NsmParser::UNTERMINATED_COMMENT:
        if (is_new(*token)) {
          Span place = span(*token);
          place.end = place.begin + 2;
          diagnostics_.report(Kind::unterminated_comment, place, "comment without its end", "close it with */");
        }
        break;
      case NsmParser::UNTERMINATED_STRING:
        if (is_new(*token))
          diagnostics_.report(Kind::unterminated_string, span(*token), "string without its closing quote",
                              "a string ends with \" on the line where it starts");
        token->setType(NsmParser::STRING);
        return token;
      case NsmParser::LINE_COMMENT:
      case NsmParser::BLOCK_COMMENT:
        if (comments_ == Comments::keep) return token;
        break;
      default: return token;
    }
  }
}

TokenPtr TokenReader::next() {
  TokenPtr token;
  if (ahead_.empty()) {
    token = read();
  } else {
    token = std::move(ahead_.front());
    ahead_.pop_front();
  }
  if (token->getChannel() == antlr4::Token::DEFAULT_CHANNEL) classify(*token);
  return token;
}

std::size_t TokenReader::type_ahead(std::size_t n) {
  for (std::size_t i = 0;; ++i) {
    if (i == ahead_.size()) ahead_.push_back(read());
    if (ahead_[i]->getChannel() == antlr4::Token::DEFAULT_CHANNEL && n-- == 0) return ahead_[i]->getType();
  }
}

bool TokenReader::after_operand() const {
  switch (previous_) {
    case NsmParser::NAME: return !previous_names_setting_;
    case NsmParser::NUMBER:
    case NsmParser::RPAREN:
    case NsmParser::RBRACK:
    case NsmParser::RBRACE:
    case NsmParser::PRIME: return true;
    default: return false;
  }
}

void TokenReader::classify(LexerToken& token) {
  const bool was_setting = previous_names_setting_;
  bool names_setting = false;
  if (is_word(token.getType())) {
    classify_word(token);
    names_setting = token.getType() == NsmParser::NAME && declaration_ == NsmParser::SIMULATE && open_.size() == 1 &&
                    !was_setting && (previous_ == NsmParser::LBRACE || after_operand());
  } else if (token.getType() == NsmParser::MINUS) {
    if (!after_operand() || (in_law_forces_ && open_.size() == 1)) token.setType(NsmParser::NEGATE);
  } else if (token.getType() == NsmParser::LPAREN || token.getType() == NsmParser::LBRACK) {
    token.setType(classify_bracket(token));
  }
  // The names after `force` in a law end where anything but a name, a comma or a size begins: -slip in ... may follow.
  if (open_.size() == 1) {
    const std::size_t type = token.getType();
    const bool of_list =
        type == NsmParser::NAME || type == NsmParser::COMMA || type == NsmParser::INDEX || type == NsmParser::RBRACK;
    in_law_forces_ = declaration_ == NsmParser::LAW && (type == NsmParser::FORCE || (in_law_forces_ && of_list));
  }
  if (declaration_ == NsmParser::TABLE && open_.empty())
    in_table_ = token.getType() != NsmParser::TABLE && (in_table_ || token.getType() == NsmParser::ASSIGN);
  if (open_.empty()) in_range_ = token.getType() == NsmParser::INDEX && introduces_array();
  follow_brackets(token.getType());
  before_previous_ = previous_;
  previous_ = token.getType();
  previous_end_ = token.getStopIndex() + 1;
  previous_line_ = token.getLine();
  previous_names_setting_ = names_setting;
}

void TokenReader::classify_word(LexerToken& token) {
  const std::size_t type = token.getType();
  const bool same_line = token.getLine() == previous_line_;
  const bool letters = type != NsmParser::IN || text(token) == "in";
  const bool in_body = open_.size() == 1 && open_[0] == Bracket::brace;
  const bool in_contact =
      declaration_ == NsmParser::CONTACT || declaration_ == NsmParser::CONSTRAINT || declaration_ == NsmParser::JOINT;
  // Words on a new line keep their meaning, so that a forgotten ']' does not swallow the next declaration.
  const bool free_word =
      same_line && letters &&
      ((!open_.empty() && open_.back() == Bracket::unit) || (previous_ == NsmParser::DOT && type != NsmParser::NAME));
  if (free_word) {
    token.setType(NsmParser::NAME);
  } else if (letters && !open_.empty() && open_.back() == Bracket::call &&
             (previous_ == NsmParser::CALL || previous_ == NsmParser::COMMA) && type_ahead(0) == NsmParser::ASSIGN) {
    token.setType(NsmParser::LABEL);
  } else if (type == NsmParser::GAP || type == NsmParser::SLIP || type == NsmParser::SPIN || type == NsmParser::ROLL) {
    // At the start of a line it begins an item even after a '+' that lacks its operand, for the sake of the message.
    const bool begins_item = in_body && in_contact && previous_ != NsmParser::DOT && previous_ != NsmParser::LET &&
                             (previous_ == NsmParser::LBRACE || after_operand() || !same_line);
    if (!begins_item) token.setType(NsmParser::NAME);
  } else if (type == NsmParser::RESTITUTION || type == NsmParser::SOLVE) {
    if (!(in_body && declaration_ == NsmParser::LAW && after_operand())) token.setType(NsmParser::NAME);
  } else if (type >= NsmParser::ON && type <= NsmParser::BEYOND) {
    if (!is_clause(type)) token.setType(NsmParser::NAME);
  } else if (type == NsmParser::WHEN && previous_ == NsmParser::STOP) {  // stop when
  } else if (is_soft_keyword(type) && !begins_declaration(token)) {
    token.setType(NsmParser::NAME);
  } else if (is_declaration_keyword(type) && open_.empty()) {
    declaration_ = type;
  }
}

// `on`, `for`, `stiffness` and the like: words of certain declarations where an operand cannot stand.
bool TokenReader::is_clause(std::size_t type) const {
  if (type == NsmParser::FOR && !open_.empty() && open_.back() == Bracket::call) return after_operand();
  const bool after_text =
      (declaration_ == NsmParser::DRAW || declaration_ == NsmParser::TABLE) && previous_ == NsmParser::STRING;
  if (!open_.empty() || (!after_operand() && !after_text)) return false;
  const bool of_spring = declaration_ == NsmParser::SPRING || declaration_ == NsmParser::DAMPER;
  switch (type) {
    case NsmParser::ON: return of_spring || declaration_ == NsmParser::SHAPE || declaration_ == NsmParser::CONTACT;
    case NsmParser::AT:
      return declaration_ == NsmParser::SHAPE || declaration_ == NsmParser::FORCE || declaration_ == NsmParser::DRAW;
    case NsmParser::ALONG:
    case NsmParser::TURNED:
    case NsmParser::COLOR: return declaration_ == NsmParser::DRAW;
    case NsmParser::WHILE:
      return declaration_ == NsmParser::CONTACT || declaration_ == NsmParser::CONSTRAINT ||
             declaration_ == NsmParser::JOINT;
    case NsmParser::BEYOND: return declaration_ == NsmParser::TABLE;
    case NsmParser::FOR:
      return declaration_ == NsmParser::KINETIC || declaration_ == NsmParser::POTENTIAL ||
             declaration_ == NsmParser::DISSIPATION || declaration_ == NsmParser::FORCE ||
             declaration_ == NsmParser::TORQUE || declaration_ == NsmParser::CONTACT;
    default: return of_spring;
  }
}

// Two names side by side are no expression: a torque, a drawing or a state begins, where a declaration can. On a new
// line it begins even after a '+' that lacks its operand or in parentheses that lack their end, for the sake of the
// message.
bool TokenReader::begins_declaration(const LexerToken& token) {
  const bool new_line = token.getLine() != previous_line_;
  const bool complete = previous_ == 0 || previous_ == NsmParser::STRING || after_operand();
  if (open_.empty() ? !complete && !new_line : open_.back() == Bracket::brace || !new_line) return false;
  const std::size_t next = type_ahead(0);
  const std::size_t type = token.getType();
  if (type == NsmParser::STOP) return next == NsmParser::WHEN;
  if (type == NsmParser::WHEN || type == NsmParser::EVERY)
    return complete && previous_ != NsmParser::STOP && next != NsmParser::ASSIGN;
  if (next == NsmParser::NAME) return true;
  // The target may be called `length`; but in `kinetic torque for i in 1..n` a clause follows.
  const std::size_t after = may_be_name(next) ? type_ahead(1) : 0;
  const std::size_t sign = type == NsmParser::TORQUE ? NsmParser::COLON : NsmParser::ASSIGN;
  if (type == NsmParser::TABLE && after == NsmParser::LPAREN) return true;  // table torque(...)
  return after == sign || after == NsmParser::LBRACK;
}

// After the name that `coord` or `output` introduces.
bool TokenReader::introduces_array() const {
  return previous_ == NsmParser::NAME &&
         (before_previous_ == NsmParser::COORD || before_previous_ == NsmParser::OUTPUT);
}

// After a '[' that was just read: [i in 1..n], but not the units [m in], [m in/s].
bool TokenReader::range_follows() {
  if (!may_be_name(type_ahead(0)) || type_ahead(1) != NsmParser::IN) return false;
  switch (type_ahead(2)) {
    case NsmParser::RBRACK:
    case NsmParser::STAR:
    case NsmParser::SLASH:
    case NsmParser::CDOT:
    case NsmParser::CARET: return false;
    default: return true;
  }
}

std::size_t TokenReader::classify_bracket(const LexerToken& token) {
  const bool same_line = token.getLine() == previous_line_;
  if (token.getType() == NsmParser::LPAREN) {
    const bool callable = (previous_ == NsmParser::NAME && !previous_names_setting_) || previous_ == NsmParser::GAUGE ||
                          previous_ == NsmParser::SUPPORT;
    return callable && same_line ? NsmParser::CALL : NsmParser::LPAREN;
  }
  const bool after_vector = previous_ == NsmParser::RBRACK && closed_ == Bracket::vector;
  if (same_line && (previous_ == NsmParser::NUMBER || after_vector)) return NsmParser::UNIT;
  const bool touches = token.getStartIndex() == previous_end_;
  const bool introduces =
      introduces_array() || (previous_ == NsmParser::NAME &&
                             (before_previous_ == NsmParser::PARAM || before_previous_ == NsmParser::VELOCITY ||
                              before_previous_ == NsmParser::STATE || before_previous_ == NsmParser::INPUT ||
                              before_previous_ == NsmParser::DISCRETE));
  if (open_.empty() && introduces)
    return introduces_array() && touches && range_follows() ? NsmParser::INDEX : NsmParser::UNIT;
  if (open_.empty() && in_range_) return NsmParser::UNIT;
  // table torque(angle [rad]) [N m]
  const bool in_head = declaration_ == NsmParser::TABLE && !in_table_;
  if (in_head && (open_.empty() ? previous_ == NsmParser::RPAREN : open_.back() == Bracket::call))
    return NsmParser::UNIT;
  const bool indexable = after_operand() && previous_ != NsmParser::NUMBER && previous_ != NsmParser::RBRACE &&
                         !(previous_ == NsmParser::RBRACK && closed_ != Bracket::index);
  return indexable && touches ? NsmParser::INDEX : NsmParser::LBRACK;
}

void TokenReader::follow_brackets(std::size_t type) {
  switch (type) {
    case NsmParser::LBRACE: open_.push_back(Bracket::brace); break;
    case NsmParser::LPAREN: open_.push_back(Bracket::paren); break;
    case NsmParser::CALL: open_.push_back(Bracket::call); break;
    case NsmParser::LBRACK: open_.push_back(Bracket::vector); break;
    case NsmParser::INDEX: open_.push_back(Bracket::index); break;
    case NsmParser::UNIT: open_.push_back(Bracket::unit); break;
    case NsmParser::RBRACE:
    case NsmParser::RPAREN:
    case NsmParser::RBRACK:
      if (open_.empty()) break;
      closed_ = open_.back();
      open_.pop_back();
      break;
    default: break;
  }
}

bool opens(std::size_t type) {
  return type == NsmParser::LBRACE || type == NsmParser::LPAREN || type == NsmParser::CALL ||
         type == NsmParser::LBRACK || type == NsmParser::INDEX || type == NsmParser::UNIT;
}

bool closes(std::size_t type) {
  return type == NsmParser::RBRACE || type == NsmParser::RPAREN || type == NsmParser::RBRACK;
}

bool ends_operand(std::size_t type) {
  return type == NsmParser::NAME || type == NsmParser::NUMBER || type == NsmParser::PRIME || closes(type);
}

}  // namespace nsmc
