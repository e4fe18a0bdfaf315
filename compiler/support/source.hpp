// Source files and places in them. A Span is a range of bytes in one file of a Sources; every node and every
// diagnostic carries one, and only rendering turns it into lines and columns.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace nsmc {

using FileId = std::uint32_t;

struct Span {
  std::uint32_t begin = 0;  // byte offsets, half open
  std::uint32_t end = 0;
  FileId file = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

// From the start of `first` to the end of `last` (both in one file).
Span join(Span first, Span last);

struct Position {
  std::uint32_t line = 1;    // from 1
  std::uint32_t column = 1;  // from 1, in code points
};

class SourceFile {
 public:
  SourceFile(std::string name, std::string text);

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }
  Position position(std::uint32_t offset) const;
  std::string_view line(std::uint32_t number) const;  // without its line break
  std::uint32_t line_start(std::uint32_t number) const { return line_starts_.at(number - 1); }

 private:
  std::string name_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_;
};

// All files of one compilation: the model, what it imports, the standard library.
class Sources {
 public:
  FileId add(std::string name, std::string text);
  const SourceFile& file(FileId id) const { return files_.at(id); }
  std::size_t size() const { return files_.size(); }
  std::string_view text(Span span) const;

 private:
  std::deque<SourceFile> files_;  // a deque: references stay valid while files are added
};

// Offset of the first byte that is not valid UTF-8 (overlong forms and surrogates included), or npos.
std::size_t find_invalid_utf8(std::string_view text);

}  // namespace nsmc
