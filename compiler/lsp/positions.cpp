#include "compiler/lsp/positions.hpp"

#include <algorithm>

namespace nsmc::lsp {
namespace {

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// The bytes of the character that begins here; 1 for a byte that begins none.
std::size_t bytes_at(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t wanted = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  std::size_t found = 1;
  while (found < wanted && at + found < text.size() && continues(text[at + found])) ++found;
  return found == wanted ? wanted : 1;
}

std::uint32_t units_of(std::size_t bytes, Encoding encoding) {
  if (encoding == Encoding::utf8) return static_cast<std::uint32_t>(bytes);
  return bytes == 4 ? 2 : 1;  // a pair of surrogates
}

}  // namespace

std::uint32_t units(std::string_view text, Encoding encoding) {
  std::uint32_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = bytes_at(text, at);
    count += units_of(bytes, encoding);
    at += bytes;
  }
  return count;
}

Lines::Lines(std::string_view text) : starts_{0} {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool returned = text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n');
    if (text[i] == '\n' || returned) starts_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

std::uint32_t Lines::offset(std::string_view text, Position position, Encoding encoding) const {
  if (position.line >= starts_.size()) return static_cast<std::uint32_t>(text.size());
  std::size_t at = starts_[position.line];
  const std::size_t next = position.line + 1 < starts_.size() ? starts_[position.line + 1] : text.size();
  std::uint32_t left = position.character;
  while (at < next && text[at] != '\n' && text[at] != '\r') {
    const std::size_t bytes = bytes_at(text, at);
    const std::uint32_t width = units_of(bytes, encoding);
    if (width > left) break;
    left -= width;
    at += bytes;
  }
  return static_cast<std::uint32_t>(at);
}

Position Lines::position(std::string_view text, std::uint32_t offset, Encoding encoding) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text.size()));
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto line = static_cast<std::uint32_t>(next - starts_.begin() - 1);
  return {line, units(text.substr(starts_[line], offset - starts_[line]), encoding)};
}

}  // namespace nsmc::lsp
