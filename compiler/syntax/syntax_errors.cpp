#include "compiler/syntax/syntax_errors.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/support/habits.hpp"
#include "compiler/syntax/source_tokens.hpp"

namespace nsmc {

namespace {

constexpr std::size_t shown_length = 24;

std::string join_or(const std::vector<std::string>& words) {
  std::string result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) result += i + 1 == words.size() ? " or " : ", ";
    result += words[i];
  }
  return result;
}

bool is_comparison(std::size_t type) {
  return type == NsmParser::EQUAL || type == NsmParser::NOT_EQUAL || type == NsmParser::LESS_EQUAL ||
         type == NsmParser::GREATER_EQUAL || type == NsmParser::LESS || type == NsmParser::GREATER;
}

// Everything the wording looks at.
class Wording {
 public:
  Wording(const SyntaxFailure& failure, const DeclarationTokens& declaration, const TokenReader& reader,
          Diagnostics& diagnostics)
      : failure_(failure), tokens_(declaration), reader_(reader), diagnostics_(diagnostics) {}

  void report() const;

 private:
  const LexerToken& found() const { return tokens_.at(failure_.at); }
  std::size_t found_type() const { return found().getType(); }
  std::size_t previous_type() const { return failure_.at > 0 ? tokens_.at(failure_.at - 1).getType() : 0; }
  bool expects(std::size_t type) const { return failure_.expected.contains(type); }
  bool expects_only(std::size_t type) const { return failure_.expected.size() == 1 && expects(type); }
  bool expects_expression() const { return expects(NsmParser::NUMBER) && expects(NsmParser::LPAREN); }

  Span place(std::size_t at) const;
  std::string quoted(const antlr4::Token& token) const;
  std::string found_text() const;
  std::string after() const;
  std::string expected() const;
  std::optional<std::size_t> unclosed() const;
  bool misses_comma() const;
  bool in_bracket() const;  // of an expression
  bool list_may_go_on(std::optional<std::size_t> open) const;
  bool in_range() const;
  std::string_view token_name(std::size_t type) const;
  std::string hint() const;
  std::string hint_for_name() const;
  std::string hint_for_range() const;
  std::string hint_for_bodies() const;
  std::string hint_for_parts() const;

  std::optional<SignAdvice> habit_here() const;
  void say(Span where, std::string message, std::string hint) const;
  bool report_missing_brace() const;
  bool report_misplaced_word() const;

  const SyntaxFailure& failure_;
  const DeclarationTokens& tokens_;
  const TokenReader& reader_;
  Diagnostics& diagnostics_;
};

// Where something is missing at the end of a line, this end is shown, and not what stands on a line below: the next
// declaration, the next argument or part of a contact, a closing brace, the end of the file.
Span Wording::place(std::size_t at) const {
  Span span = reader_.span(tokens_.at(at));
  const std::size_t type = tokens_.at(at).getType();
  const bool next = at >= tokens_.tokens.size() || (type == NsmParser::RBRACE && !expects(NsmParser::RBRACE)) ||
                    (expects_expression() && is_word(type) && type != NsmParser::NAME) ||
                    expects_only(NsmParser::RPAREN) || expects_only(NsmParser::RBRACK) ||
                    expects_only(NsmParser::LBRACE);
  if (at > 0 && (type == antlr4::Token::EOF || (next && tokens_.begins_line(at))))
    span.begin = span.end = reader_.span(tokens_.at(at - 1)).end;
  return span;
}

std::string Wording::quoted(const antlr4::Token& token) const {
  if (token.getType() == NsmParser::PRIME) return "the derivative sign '";
  std::string text(reader_.text(token));
  if (text.size() > shown_length) {
    std::size_t cut = shown_length;
    while ((static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;  // not inside a code point
    text = text.substr(0, cut) + "...";
  }
  return token.getType() == NsmParser::STRING ? text : fmt::format("'{}'", text);
}

std::string Wording::found_text() const {
  if (found_type() == antlr4::Token::EOF) return "the end of the file";
  if (found_type() == NsmParser::STRING) return fmt::format("the string {}", quoted(found()));
  if (is_declaration_keyword(found_type())) return fmt::format("the keyword {}", quoted(found()));
  return quoted(found());
}

std::string Wording::after() const {
  return failure_.at > 0 ? fmt::format(" after {}", quoted(tokens_.at(failure_.at - 1))) : std::string();
}

// The innermost bracket that is open where the parser gave up.
std::optional<std::size_t> Wording::unclosed() const {
  std::size_t closed = 0;
  for (std::size_t i = std::min(failure_.at, tokens_.tokens.size()); i-- > 0;) {
    const std::size_t type = tokens_.at(i).getType();
    if (closes(type)) ++closed;
    if (opens(type) && closed-- == 0) return i;
  }
  return std::nullopt;
}

// Was the word `in` of a range the last keyword before? Then the parser reads its ends: i in 1..n.
bool Wording::in_range() const {
  for (std::size_t i = std::min(failure_.at, tokens_.tokens.size()); i-- > 0;) {
    const std::size_t type = tokens_.at(i).getType();
    if (type == NsmParser::IN) return tokens_.at(0).getType() != NsmParser::LAW;
    if (opens(type) || type == NsmParser::FOR) return false;
  }
  return false;
}

// The next argument stands on the next line, where only a comma or ')' may.
bool Wording::misses_comma() const {
  return expects_only(NsmParser::RPAREN) && is_word(found_type()) && failure_.at < tokens_.tokens.size() &&
         tokens_.begins_line(failure_.at);
}

bool Wording::in_bracket() const {
  const std::optional<std::size_t> open = unclosed();
  return open && tokens_.at(*open).getType() != NsmParser::LBRACE;
}

// Vectors and indices are lists; ranges, [*] and the elements that a declaration refers to are not.
bool Wording::list_may_go_on(std::optional<std::size_t> open) const {
  if (!open || in_range() || previous_type() == NsmParser::STAR) return false;
  const std::size_t type = tokens_.at(*open).getType();
  return type == NsmParser::LBRACK || type == NsmParser::INDEX;
}

std::string_view Wording::token_name(std::size_t type) const {
  switch (type) {
    case NsmParser::NAME: return "a name";
    case NsmParser::STRING: return "a string";
    case NsmParser::UNIT: return "a unit";
    case NsmParser::NUMBER: return "a number";
    case NsmParser::CALL:
    case NsmParser::LPAREN: return "'('";
    case NsmParser::INDEX:
    case NsmParser::LBRACK: return "'['";
    case NsmParser::RPAREN: return "')'";
    case NsmParser::RBRACK: return "']'";
    case NsmParser::LBRACE: return "'{'";
    case NsmParser::RBRACE: return "'}'";
    case NsmParser::COLON: return "':'";
    case NsmParser::COMMA: return "','";
    case NsmParser::ASSIGN: return "'='";
    case NsmParser::BECOMES: return "':='";
    case NsmParser::WHEN: return "'when'";
    case NsmParser::PRIME: return "the derivative sign '";
    case NsmParser::IN: return "'in'";
    case NsmParser::ELSE: return "'else'";
    case NsmParser::AND: return "'and'";
    case NsmParser::DOTS: return "'..'";
    case NsmParser::ON: return "'on'";
    case NsmParser::AT: return "'at'";
    case NsmParser::FOR: return "'for'";
    case NsmParser::BETWEEN: return "'between'";
    case NsmParser::DAMPING: return "'damping'";
    default: return {};
  }
}

std::string Wording::expected() const {
  if (expects_expression()) {
    if (expects(NsmParser::RPAREN)) return "an argument or ')'";
    if (expects(NsmParser::ELSE)) return "a condition or 'else'";
    return "an expression";
  }
  const std::optional<std::size_t> open = unclosed();
  const std::size_t bracket = open ? tokens_.at(*open).getType() : 0;
  if (expects_only(NsmParser::RPAREN) && bracket == NsmParser::CALL)
    return previous_type() == NsmParser::CALL ? "an argument or ')'" : "',' or ')'";
  if (expects_only(NsmParser::RBRACK) && list_may_go_on(open)) return "',' or ']'";
  if (expects_only(NsmParser::RBRACE) && open) {
    const auto body = std::find_if(tokens_.tokens.begin(), tokens_.tokens.end(),
                                   [](const TokenPtr& token) { return token->getType() == NsmParser::LBRACE; });
    const bool in_body = body == tokens_.tokens.begin() + static_cast<std::ptrdiff_t>(*open);
    const std::size_t keyword = in_body ? tokens_.at(0).getType() : 0;
    if (keyword == NsmParser::CONTACT || keyword == NsmParser::CONSTRAINT || keyword == NsmParser::JOINT)
      return "gap, slip, spin, roll, law, let or '}'";
    if (keyword == NsmParser::LAW) return "force, let, an inclusion or '}'";
    if (keyword == NsmParser::SIMULATE) return "the name of a setting or '}'";
    if (keyword == NsmParser::WHEN || keyword == NsmParser::EVERY) return "an assignment or '}'";
  }
  std::vector<std::string> names;
  for (const ssize_t type : failure_.expected.toList()) {
    const std::string_view name = type < 0 ? std::string_view() : token_name(static_cast<std::size_t>(type));
    if (name.empty()) return {};
    names.emplace_back(name);
  }
  return names.size() > 5 ? std::string() : join_or(names);
}

// How a range is written, where one is broken or missing.
std::string Wording::hint_for_range() const {
  const std::size_t keyword = tokens_.at(0).getType();
  const std::size_t previous = previous_type();
  const std::optional<std::size_t> open = unclosed();
  const std::size_t bracket = open ? tokens_.at(*open).getType() : 0;
  if (bracket == NsmParser::UNIT && (found_type() == NsmParser::DOTS || found_type() == NsmParser::IN)) {
    const bool array = keyword == NsmParser::COORD || keyword == NsmParser::OUTPUT;
    return array ? "the range of an array touches its name: z[i in 1..n]"
                 : "only coordinates, outputs, contacts, constraints and what belongs to bodies can be arrays";
  }
  if (expects_only(NsmParser::DOTS)) return "a range has two ends: i in 1..n";
  if (previous == NsmParser::FOR || (failure_.at > 1 && tokens_.at(failure_.at - 2).getType() == NsmParser::FOR))
    return "a range is written for i in 1..n";
  const bool in_index = bracket == NsmParser::INDEX && open && *open == 2;  // right after the name
  if (in_index && (expects_only(NsmParser::IN) || (expects_only(NsmParser::NAME) && previous == NsmParser::INDEX)))
    return "the range of an array is written [i in 1..n]";
  if (found_type() == NsmParser::DOTS) return "a range follows 'in': z[i in 1..n], or for i in 1..n";
  const bool loops = found_type() == NsmParser::NAME && reader_.text(found()) == "for";
  const bool array = keyword == NsmParser::COORD || keyword == NsmParser::INITIAL || keyword == NsmParser::OUTPUT ||
                     keyword == NsmParser::CONSTRAINT || keyword == NsmParser::BODY || keyword == NsmParser::SHAPE ||
                     keyword == NsmParser::JOINT || keyword == NsmParser::SPRING || keyword == NsmParser::DAMPER ||
                     keyword == NsmParser::DRAW;
  if (loops && array && failure_.at > 1)
    return fmt::format("the range of an array follows its name: {} {}[i in 1..n]", reader_.text(tokens_.at(0)),
                       reader_.text(tokens_.at(1)));
  return {};
}

// How the declarations about bodies are written.
std::string Wording::hint_for_bodies() const {
  const std::size_t type = found_type();
  const std::string_view text = reader_.text(found());
  switch (tokens_.at(0).getType()) {
    case NsmParser::CONTACT:
      if ((type == NsmParser::ON || type == NsmParser::ASSIGN) && previous_type() == NsmParser::RBRACK)
        return "many contacts of shapes are written contact a[i] on b[i] for i in 1..n { ... }";
      if (expects_only(NsmParser::LBRACE) && type == NsmParser::NAME)
        return "a contact of two shapes is written contact a on b { ... }";
      return {};
    case NsmParser::FORCE:
      if (type == NsmParser::FOR) return "a force on each element is written force z[i] : value for i in 1..n";
      return {};
    case NsmParser::TORQUE:
      if (expects_only(NsmParser::COLON) && text == "at") return "a torque acts on the whole body, not at a point";
      if (type == NsmParser::ASSIGN) return "a torque is written torque top : value";
      return {};
    case NsmParser::SPRING:
      if (expects(NsmParser::BETWEEN))
        return "a spring is written spring s between p and q ..., or spring s on hinge ...";
      if (type == NsmParser::NAME && failure_.expected.size() == 0)
        return did_you_mean(text, std::vector<std::string>{"stiffness", "length", "angle", "damping"});
      return {};
    case NsmParser::DRAW:
      if (expects_only(NsmParser::STRING)) return "a colour is a text: color \"red\", color \"#3366cc\"";
      if (type == NsmParser::STRING)
        return "a drawing ends with its documentation; a text is drawn by text(\"...\") at p";
      if (type == NsmParser::NAME && failure_.expected.size() == 0)
        return did_you_mean(text, std::vector<std::string>{"at", "along", "turned", "color"});
      return {};
    case NsmParser::STATE:
      if (expects_only(NsmParser::PRIME) || type == antlr4::Token::EOF || is_declaration_keyword(type))
        return "a state has its rate: state s = 0  s' = ...";
      return {};
    case NsmParser::WHEN:
    case NsmParser::EVERY:
      if (type == NsmParser::ASSIGN) return "an event gives new values: s := 0";
      return {};
    case NsmParser::DAMPER:
      if (expects(NsmParser::BETWEEN))
        return "a damper is written damper c between p and q damping d, or damper c on hinge ...";
      if (type == NsmParser::STIFFNESS || type == NsmParser::LENGTH || type == NsmParser::ANGLE)
        return "a damper has a damping only; a spring may have one too";
      return {};
    default: return {};
  }
}

// A word that begins no part of a contact or a law.
std::string Wording::hint_for_parts() const {
  const std::size_t keyword = tokens_.at(0).getType();
  const std::vector<std::string> of_laws{"force", "let"};
  if (keyword == NsmParser::LAW && expects_only(NsmParser::IN) && previous_type() == NsmParser::NAME)
    return did_you_mean(reader_.text(tokens_.at(failure_.at - 1)), of_laws);
  if (found_type() != NsmParser::NAME || !expects_only(NsmParser::RBRACE) || !unclosed()) return {};
  if (keyword == NsmParser::CONTACT || keyword == NsmParser::CONSTRAINT || keyword == NsmParser::JOINT)
    return did_you_mean(reader_.text(found()), std::vector<std::string>{"gap", "slip", "spin", "roll", "law", "let"});
  return keyword == NsmParser::LAW ? did_you_mean(reader_.text(found()), of_laws) : std::string();
}

// Slips that are common enough to be answered in particular.
std::string Wording::hint() const {
  if (misses_comma()) return "arguments are separated by commas";
  if (std::string help = hint_for_range(); !help.empty()) return help;
  if (std::string help = hint_for_bodies(); !help.empty()) return help;
  if (std::string help = hint_for_parts(); !help.empty()) return help;
  const std::size_t type = found_type();
  const std::size_t previous = previous_type();
  const std::size_t keyword = tokens_.at(0).getType();
  const bool expression_ended = !expects_expression();
  if (type == NsmParser::STAR && previous == NsmParser::INDEX)
    return "only the shapes of a contact are taken all at once: contact grain[*] on floor { ... }";
  if (type == NsmParser::LABEL) return "arguments after a '.' have no names";
  if (type == NsmParser::ASSIGN && !in_range() && (!expression_ended || failure_.at > 2)) return "use == to compare";
  if (type == NsmParser::PLUS && !expression_ended) return "a number needs no sign +";
  if (is_comparison(type) && expression_ended) return "comparisons do not chain: write a < b and b < c";
  if (type == NsmParser::LBRACK && expression_ended)
    return "units follow numbers: 3 [m]; an index touches its vector: x[1]";
  if (expects_only(NsmParser::IN) && previous == NsmParser::RBRACK) return "an index touches its vector: T[2]";
  if (type == NsmParser::IN && keyword == NsmParser::LAW && expects(NsmParser::RBRACE))
    return "put the left side of an inclusion in parentheses if it starts with a minus sign";
  if (expects_only(NsmParser::RBRACK) && list_may_go_on(unclosed()) &&
      (type == NsmParser::NAME || type == NsmParser::NUMBER || type == NsmParser::LPAREN))
    return "components are separated by commas: [x, y]";
  if (type == NsmParser::DOT && previous == NsmParser::NUMBER) return "write digits after the point: 1.0";
  if (type == NsmParser::DOT && !expression_ended) return "write a digit before the point: 0.5";
  if (previous == NsmParser::NUMBER && type == NsmParser::NAME && expression_ended && !tokens_.begins_line(failure_.at))
    return "a unit stands in brackets, 2 [m], and a product has its sign, 2*m";
  if (previous == NsmParser::NAME && type == NsmParser::NAME && expression_ended && keyword != NsmParser::CONTACT &&
      failure_.expected.size() == 0 && !tokens_.begins_line(failure_.at))
    return "a product has its sign: m*g";
  if (type == NsmParser::RBRACE && !unclosed()) return "there is no open '{' for it";
  if (type == NsmParser::RPAREN && !in_bracket()) return "there is no open '(' for it";
  if (type == NsmParser::RBRACK && !in_bracket()) return "there is no open '[' for it";
  if ((type == NsmParser::CDOT || type == NsmParser::DEGREE) && expression_ended) return "outside units write *";
  return {};
}

// The tokens from the beginning of the declaration to a few behind the place of the failure.
std::optional<SignAdvice> Wording::habit_here() const {
  constexpr std::size_t kBehind = 6;
  const std::size_t count = std::min(tokens_.tokens.size() + 1, failure_.at + kBehind);
  std::vector<HabitToken> tokens;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t type = tokens_.at(i).getType();
    const auto kind = type == NsmParser::NUMBER                ? HabitToken::Kind::number
                      : type == NsmParser::STRING              ? HabitToken::Kind::string
                      : is_declaration_keyword(type)           ? HabitToken::Kind::keyword
                      : is_word(type) && type != NsmParser::IN ? HabitToken::Kind::name
                                                               : HabitToken::Kind::sign;
    tokens.push_back({reader_.text(tokens_.at(i)), kind, tokens_.begins_line(i)});
  }
  return sign_habit(tokens, failure_.at);
}

// With the advice of a habit in the place of the hint, if there is one.
void Wording::say(Span where, std::string message, std::string hint) const {
  const std::optional<SignAdvice> habit = misses_comma() ? std::nullopt : habit_here();
  Diagnostic& d =
      diagnostics_.report(Kind::unexpected_token, where, std::move(message), habit ? habit->hint : std::move(hint));
  if (habit && habit->write)
    d.replacement = {join(reader_.span(tokens_.at(habit->first)), reader_.span(tokens_.at(habit->last))),
                     *habit->write};
}

std::string Wording::hint_for_name() const {
  if (is_word(found_type()) && found_type() != NsmParser::NAME)
    return fmt::format("{} is a word of the language; choose another name, such as '{}_0'", quoted(found()),
                       reader_.text(found()));
  return {};
}

bool Wording::report_missing_brace() const {
  const std::size_t keyword = missing_brace(failure_, tokens_);
  std::optional<std::size_t> open;
  if (keyword < tokens_.tokens.size()) {
    for (std::size_t i = 0; i < keyword && !open; ++i)
      if (tokens_.at(i).getType() == NsmParser::LBRACE) open = i;
  } else if (failure_.at == tokens_.tokens.size()) {
    open = unclosed();
    if (open && !expects(NsmParser::RBRACE) && !expects(NsmParser::RPAREN) && !expects(NsmParser::RBRACK)) open.reset();
  }
  if (!open) return false;
  const LexerToken& before = tokens_.at(keyword);
  const std::size_t bracket = tokens_.at(*open).getType();
  const char close = bracket == NsmParser::LBRACE                                 ? '}'
                     : bracket == NsmParser::LPAREN || bracket == NsmParser::CALL ? ')'
                                                                                  : ']';
  const bool end = before.getType() == antlr4::Token::EOF;
  const std::string what = end ? "the end of the file" : quoted(before);
  // rigid(mass m): what looks like the next declaration is an argument.
  const bool argument = bracket == NsmParser::CALL && !end && !tokens_.begins_line(keyword);
  diagnostics_
      .report(Kind::unexpected_token, place(keyword), fmt::format("expected '{}' before {}", close, what),
              argument ? fmt::format("an argument has its name and =: {0} = ...", reader_.text(before)) : "")
      .labels.push_back(
          {reader_.span(tokens_.at(*open)), fmt::format("this {} is not closed", quoted(tokens_.at(*open)))});
  return true;
}

// A name at the start of a line after a complete declaration, or at the start of the file: a keyword misspelt?
bool Wording::report_misplaced_word() const {
  const bool starts = failure_.at == 0 || (failure_.expected.size() == 0 && tokens_.begins_line(failure_.at));
  if (!starts || closes(found_type())) return false;
  const auto known = is_word(found_type()) ? habit(HabitOf::declaration, reader_.text(found())) : std::nullopt;
  std::string hint = known                   ? known->hint
                     : is_word(found_type()) ? did_you_mean(reader_.text(found()), declaration_keywords())
                                             : std::string();
  if (hint.empty() && failure_.at > 0 && !is_word(found_type())) return false;
  if (hint.empty()) hint = "every declaration starts with a keyword, such as param, coord, let or contact";
  std::string message = fmt::format("expected a declaration, found {}", found_text());
  if (known) {
    diagnostics_.report(Kind::unexpected_token, place(failure_.at), std::move(message), std::move(hint));
  } else {
    say(place(failure_.at), std::move(message), std::move(hint));
  }
  return true;
}

void Wording::report() const {
  if (report_missing_brace() || report_misplaced_word()) return;
  const std::string wanted = expected();
  if (wanted.empty()) {
    std::string what = found_text();
    if (what.starts_with("the ")) what.erase(0, 4);  // unexpected string "kg"
    say(place(failure_.at), fmt::format("unexpected {}{}", what, after()), hint());
    return;
  }
  std::string help = hint();
  if (help.empty() && expects(NsmParser::NAME) && !expects_expression()) help = hint_for_name();
  say(place(failure_.at), fmt::format("expected {}{}, found {}", wanted, after(), found_text()), std::move(help));
}

}  // namespace

void report(const SyntaxFailure& failure, const DeclarationTokens& declaration, const TokenReader& reader,
            Diagnostics& diagnostics) {
  Wording(failure, declaration, reader, diagnostics).report();
}

std::size_t missing_brace(const SyntaxFailure& failure, const DeclarationTokens& declaration) {
  const std::size_t none = declaration.tokens.size();
  const std::size_t margin = declaration.at(0).getCharPositionInLine();
  std::size_t depth = 0;
  bool indented = false;  // only an author who indents bodies tells us something by not indenting
  for (std::size_t i = 1; i < none && i <= failure.at; ++i) {
    const LexerToken& token = declaration.at(i);
    const bool begins = declaration.begins_line(i);
    if (depth > 0 && begins && token.getType() != NsmParser::RBRACE) {
      if (token.getCharPositionInLine() > margin) indented = true;
      if (indented && token.getCharPositionInLine() <= margin && is_declaration_keyword(token.getType())) return i;
    }
    if (token.getType() == NsmParser::LBRACE) ++depth;
    if (token.getType() == NsmParser::RBRACE && depth > 0) --depth;
  }
  return none;
}

}  // namespace nsmc
