// Places in source files: lines and columns in code points, line ends, UTF-8.
#include <doctest/doctest.h>

#include "compiler/support/source.hpp"

using namespace nsmc;

namespace {

std::string at(const SourceFile& file, std::uint32_t offset) {
  const Position p = file.position(offset);
  return std::to_string(p.line) + ":" + std::to_string(p.column);
}

}  // namespace

TEST_CASE("positions count lines and code points from 1") {
  const SourceFile file("a.nsm", "ab\n\ncθd\n");
  CHECK(at(file, 0) == "1:1");
  CHECK(at(file, 1) == "1:2");
  CHECK(at(file, 2) == "1:3");  // the line break belongs to its line
  CHECK(at(file, 3) == "2:1");
  CHECK(at(file, 4) == "3:1");
  CHECK(at(file, 5) == "3:2");
  CHECK(at(file, 7) == "3:3");  // θ has two bytes
  CHECK(at(file, 9) == "4:1");
  CHECK(at(file, 1000) == "4:1");  // beyond the end: the end
}

TEST_CASE("the empty file has one place") {
  const SourceFile file("a.nsm", "");
  CHECK(at(file, 0) == "1:1");
  CHECK(file.line(1) == "");
  CHECK(file.line(2) == "");
  CHECK(file.line(0) == "");
}

TEST_CASE("lines come without their ends") {
  const SourceFile file("a.nsm", "one\r\ntwo\n\nfour");
  CHECK(file.line(1) == "one");
  CHECK(file.line(2) == "two");
  CHECK(file.line(3) == "");
  CHECK(file.line(4) == "four");
  CHECK(file.line(5) == "");
}

TEST_CASE("letters of one to four bytes are one column each") {
  const SourceFile file("a.nsm", "aé∈𝒳z");
  CHECK(at(file, 1) == "1:2");
  CHECK(at(file, 3) == "1:3");
  CHECK(at(file, 6) == "1:4");
  CHECK(at(file, 10) == "1:5");
}

TEST_CASE("spans join, and name the text of their file") {
  Sources sources;
  const FileId first = sources.add("a.nsm", "param a = 1");
  const FileId second = sources.add("b.nsm", "coord z = 2");
  CHECK(sources.size() == 2);
  CHECK(sources.text({0, 5, first}) == "param");
  CHECK(sources.text({6, 7, second}) == "z");
  CHECK(join({0, 5, second}, {6, 7, second}) == Span{0, 7, second});
  const SourceFile& kept = sources.file(first);
  for (int i = 0; i < 1000; ++i) sources.add("c.nsm", "");
  CHECK(kept.name() == "a.nsm");  // references stay valid
}

TEST_CASE("valid and invalid UTF-8") {
  constexpr std::size_t fine = std::string_view::npos;
  CHECK(find_invalid_utf8("") == fine);
  CHECK(find_invalid_utf8("plain") == fine);
  CHECK(find_invalid_utf8("é∈𝒳") == fine);
  CHECK(find_invalid_utf8("\xEF\xBB\xBF x") == fine);
  CHECK(find_invalid_utf8("\xF4\x8F\xBF\xBF") == fine);  // U+10FFFF
  CHECK(find_invalid_utf8("ab\x80") == 2);               // a continuation alone
  CHECK(find_invalid_utf8("ab\xC3") == 2);               // cut off at the end
  CHECK(find_invalid_utf8("\xC3(") == 0);                // cut off within
  CHECK(find_invalid_utf8("\xC0\xAF") == 0);             // overlong, two bytes
  CHECK(find_invalid_utf8("\xE0\x80\xAF") == 0);         // three
  CHECK(find_invalid_utf8("\xF0\x80\x80\xAF") == 0);     // four
  CHECK(find_invalid_utf8("x\xED\xA0\x80") == 1);        // a surrogate
  CHECK(find_invalid_utf8("\xF4\x90\x80\x80") == 0);     // beyond U+10FFFF
  CHECK(find_invalid_utf8("\xFE") == 0);
  CHECK(find_invalid_utf8(std::string_view("a\0b", 3)) == fine);
}
