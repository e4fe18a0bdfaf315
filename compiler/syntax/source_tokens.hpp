// The tokens of a text that is being written, as plain values: for colours, folding, and what fits at the cursor. There
// are no errors here. A declaration that is broken does not spoil those after it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/support/source.hpp"

namespace nsmc {

enum class TokenKind : std::uint8_t {
  keyword,
  name,
  label,  // a word before '=' in a call
  number,
  string,
  comment,
  opening,  // ( [ {
  closing,
  sign,  // all others
};

// What a bracket opens.
enum class Enclosure : std::uint8_t { body, parentheses, call, vector, index, unit };

struct SourceToken {
  TokenKind kind{};
  std::uint32_t begin = 0, end = 0;  // bytes
  bool begins_line = false;
  bool declares = false;              // the keyword of a declaration
  bool operand = false;               // an operand ends with it
  std::optional<Enclosure> within{};  // the innermost bracket that it stands in
  std::optional<Enclosure> opens{};   // of a bracket
};

std::vector<SourceToken> source_tokens(std::string_view text);

// Every word of the language that Nsm.g4 has, and of these the ones that begin declarations.
const std::vector<std::string>& keywords();
const std::vector<std::string>& declaration_keywords();

}  // namespace nsmc
