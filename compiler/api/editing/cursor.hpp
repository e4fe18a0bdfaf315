// What stands at and before a place of a text: the word under the cursor, the declaration, the open brackets, the call
// and its argument. From tokens alone, since a text at which somebody writes seldom parses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/syntax/source_tokens.hpp"

namespace nsmc {

class Cursor {
 public:
  Cursor(std::string_view text, std::uint32_t offset);

  // In a comment, a string or a number nothing fits. The string, if it is one that is open.
  bool silent() const { return silent_; }
  bool in_string() const { return in_string_; }
  // The word that was begun.
  std::uint32_t begin() const { return begin_; }
  std::uint32_t end() const { return end_; }
  bool begins_line() const { return begins_line_; }

  // Tokens before the word, the nearest first: 0 is the one directly before. Empty if there is none.
  std::string_view before(std::size_t k = 0) const;
  const SourceToken* token(std::size_t k = 0) const;
  bool after_operand() const;  // an expression could end here

  std::string_view declaration() const { return declaration_; }  // its keyword; empty before the first
  // The tokens of the declaration up to the word.
  const SourceToken* declaration_begin() const { return tokens_.data() + declaration_at_; }
  const SourceToken* declaration_end() const { return tokens_.data() + tokens_.size(); }
  std::string_view text(const SourceToken& token) const { return text_.substr(token.begin, token.end - token.begin); }

  std::size_t depth() const { return open_.size(); }  // open brackets
  std::optional<Enclosure> enclosure() const;         // the innermost one
  std::string_view opener() const;                    // the word before it: a callee, `piecewise`
  std::size_t argument() const { return argument_; }  // commas since it
  std::string_view label() const { return label_; }   // of the argument that is being written
  bool begins_argument() const;                       // directly behind '(' or ','
  std::string_view owner() const;                     // the name before a dot, its indices left out

 private:
  void find_brackets();

  std::string_view text_;
  std::vector<SourceToken> tokens_;  // before the word, without comments
  std::vector<std::size_t> open_;    // which of them are brackets without their end
  std::uint32_t begin_, end_;
  std::size_t declaration_at_ = 0;
  std::size_t argument_ = 0;
  std::string_view declaration_, label_;
  bool silent_ = false, in_string_ = false, begins_line_ = true;
};

}  // namespace nsmc
