// Positions of the protocol, a line and a place in it counted in UTF-16 (or UTF-8, if the client offers it), and byte
// offsets, in which nsmc counts.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace nsmc::lsp {

enum class Encoding : std::uint8_t { utf16, utf8 };

struct Position {
  std::uint32_t line = 0, character = 0;  // from 0
  friend bool operator==(const Position&, const Position&) = default;
};

struct Range {
  Position start, end;
  friend bool operator==(const Range&, const Range&) = default;
};

// Where the lines of a text begin. A line ends with \n, \r\n or \r.
class Lines {
 public:
  explicit Lines(std::string_view text);

  // What lies beyond a line is its end, beyond the text the end of the text; the middle of a character is its start.
  std::uint32_t offset(std::string_view text, Position position, Encoding encoding) const;
  Position position(std::string_view text, std::uint32_t offset, Encoding encoding) const;
  std::size_t count() const { return starts_.size(); }
  std::uint32_t start(std::size_t line) const { return starts_[line]; }

 private:
  std::vector<std::uint32_t> starts_;
};

// Units of the encoding in a text; a byte that is no UTF-8 counts as one.
std::uint32_t units(std::string_view text, Encoding encoding);

}  // namespace nsmc::lsp
