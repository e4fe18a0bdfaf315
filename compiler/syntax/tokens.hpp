// Source text in, classified tokens out, one at a time: the generated lexer plus the few decisions that depend on
// blanks, lines or the place of a word (see the head of grammar/Nsm.g4). Reports what no token can be made of.
#pragma once

#include <NsmLexer.h>
#include <NsmParser.h>

#include <deque>
#include <memory>
#include <string_view>
#include <vector>

#include "compiler/support/diagnostics.hpp"
#include "compiler/support/source.hpp"

namespace nsmc {

using nsmc_grammar::NsmLexer;
using nsmc_grammar::NsmParser;  // also for the types of tokens: the classified ones exist only there
using LexerToken = antlr4::CommonToken;
using TokenPtr = std::unique_ptr<LexerToken>;

// ANTLR counts code points, spans count bytes. The table holds every 64th code point: small, and near enough to walk.
class ByteOffsets {
 public:
  ByteOffsets(std::string_view text, std::uint32_t base);
  std::uint32_t operator()(std::size_t code_point) const;

 private:
  static constexpr std::size_t stride = 64;
  std::string_view text_;
  std::uint32_t base_;
  bool ascii_;
  std::vector<std::uint32_t> every_;
};

enum class Bracket : std::uint8_t { brace, paren, call, vector, index, unit };

// Thrown where reading further makes no sense: a file of another kind, not a slip of the pen.
struct TooManyErrors {};

class TokenReader {
 public:
  enum class Comments { drop, keep };

  // The text must be valid UTF-8. A byte order mark at its start is skipped.
  TokenReader(const Sources& sources, Span part, Diagnostics& diagnostics, Comments comments);
  TokenReader(const Sources& sources, FileId file, Diagnostics& diagnostics, Comments comments);

  TokenPtr next();  // EOF at the end, again and again
  // Reads again from this token on, as if it were the first of the file.
  void restart(const antlr4::Token& at);

  // The brackets that are open after the last token read, innermost last.
  const std::vector<Bracket>& open() const { return open_; }
  std::size_t lexical_errors() const { return lexical_errors_; }

  Span span(const antlr4::Token& first, const antlr4::Token& last) const;
  Span span(const antlr4::Token& token) const { return span(token, token); }
  std::string_view text(const antlr4::Token& token) const;

 private:
  TokenPtr read();  // from the lexer, errors reported and left out
  void classify(LexerToken& token);
  void classify_word(LexerToken& token);
  bool is_clause(std::size_t type) const;
  bool begins_declaration(const LexerToken& token);
  bool introduces_array() const;
  bool range_follows();
  std::size_t classify_bracket(const LexerToken& token);
  void follow_brackets(std::size_t type);
  bool after_operand() const;
  // The type, not yet classified, of the n-th token after the current one, from 0; comments do not count.
  std::size_t type_ahead(std::size_t n);
  void report_unknown(const LexerToken& token);
  std::string_view behind(const LexerToken& token) const;
  bool digit_follows(const LexerToken& token) const;
  bool is_new(const LexerToken& token);

  const Sources& sources_;
  FileId file_;
  Diagnostics& diagnostics_;
  Comments comments_;
  std::string_view text_;  // without the byte order mark
  ByteOffsets bytes_;
  antlr4::ANTLRInputStream input_;
  NsmLexer lexer_;
  std::deque<TokenPtr> ahead_;

  std::size_t lexical_errors_ = 0;
  std::size_t reported_to_ = 0;    // code points up to here have had their errors reported
  std::size_t unknown_count_ = 0;  // reported so far; a broken file has more than anyone reads
  std::size_t comment_line_ = 0;   // the rest of this line is a comment in another language
  std::size_t bar_line_ = 0;       // an absolute value between bars has begun here
  std::size_t unknown_end_ = 0;    // end of the last unknown character, to report a run of them once

  // What decides about the next token.
  std::vector<Bracket> open_;
  Bracket closed_ = Bracket::paren;  // the kind of bracket that the last closing one closed
  std::size_t declaration_ = 0;      // the keyword of the current declaration
  std::size_t previous_ = 0;         // the types of the last two tokens
  std::size_t before_previous_ = 0;
  std::size_t previous_end_ = 0;
  std::size_t previous_line_ = 0;
  bool in_law_forces_ = false;  // in the list of `force T[2], tau`
  bool previous_names_setting_ = false;
  bool in_table_ = false;  // behind the '=' of a table
  bool in_range_ = false;  // between the '[' of an index range after `coord` or `output` and the token after its ']'
};

inline constexpr std::size_t last_declaration_keyword = NsmParser::STOP;
bool is_declaration_keyword(std::size_t type);
bool is_word(std::size_t type);  // a keyword or a name
// Brackets of all kinds.
bool opens(std::size_t type);
bool closes(std::size_t type);
bool ends_operand(std::size_t type);  // an operand may end with it

}  // namespace nsmc
