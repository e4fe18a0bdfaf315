#include "compiler/lsp/positions.hpp"

#include <doctest/doctest.h>

#include <string>

#include "compiler/lsp/documents.hpp"
#include "compiler/lsp/uris.hpp"

namespace nsmc::lsp {
namespace {

// Of 1, 2, 3 and 4 bytes; in UTF-16 the last is a pair.
const std::string kMixed = "aä∈𝜔b\nx\r\ny\rz";

TEST_CASE("positions count in UTF-16 or UTF-8") {
  const Lines lines(kMixed);
  CHECK(lines.count() == 4);
  const auto at = [&](std::uint32_t line, std::uint32_t character, Encoding e) {
    return lines.offset(kMixed, {line, character}, e);
  };
  CHECK(at(0, 0, Encoding::utf16) == 0);
  CHECK(at(0, 1, Encoding::utf16) == 1);
  CHECK(at(0, 2, Encoding::utf16) == 3);
  CHECK(at(0, 3, Encoding::utf16) == 6);
  CHECK(at(0, 5, Encoding::utf16) == 10);
  CHECK(at(0, 6, Encoding::utf8) == 6);
  CHECK(at(0, 10, Encoding::utf8) == 10);
  CHECK(lines.position(kMixed, 10, Encoding::utf16) == Position{0, 5});
  CHECK(lines.position(kMixed, 10, Encoding::utf8) == Position{0, 10});
  CHECK(lines.position(kMixed, 6, Encoding::utf16) == Position{0, 3});
}

TEST_CASE("the middle of a character is its start, and what lies beyond is the end") {
  const Lines lines(kMixed);
  CHECK(lines.offset(kMixed, {0, 4}, Encoding::utf16) == 6);     // between two surrogates
  CHECK(lines.offset(kMixed, {0, 5}, Encoding::utf8) == 3);      // inside of ∈
  CHECK(lines.offset(kMixed, {0, 400}, Encoding::utf16) == 11);  // before the line break
  CHECK(lines.offset(kMixed, {1, 400}, Encoding::utf16) == 13);  // before \r\n
  CHECK(lines.offset(kMixed, {400, 0}, Encoding::utf16) == kMixed.size());
  CHECK(lines.position(kMixed, 4000, Encoding::utf16) == Position{3, 1});
}

TEST_CASE("lines end with \\n, \\r\\n or \\r") {
  const Lines lines(kMixed);
  CHECK(lines.position(kMixed, 15, Encoding::utf16) == Position{2, 0});
  CHECK(lines.position(kMixed, 17, Encoding::utf16) == Position{3, 0});
  CHECK(Lines("").count() == 1);
  CHECK(Lines("\n").count() == 2);
}

TEST_CASE("every place of a text goes to a position and back") {
  const Lines lines(kMixed);
  for (const Encoding e : {Encoding::utf16, Encoding::utf8}) {
    for (const std::uint32_t offset : {0U, 1U, 3U, 6U, 10U, 11U, 12U, 13U, 15U, 16U, 17U, 18U}) {
      const Position position = lines.position(kMixed, offset, e);
      CHECK(lines.offset(kMixed, position, e) == offset);
    }
  }
}

TEST_CASE("bytes that are no UTF-8 count one each") {
  const std::string broken =
      "a\xFF\xE2\x88"
      "b";
  CHECK(units(broken, Encoding::utf16) == 5);
  CHECK(units(broken, Encoding::utf8) == 5);
}

TEST_CASE("changes are applied in their order") {
  Documents documents;
  documents.open("file:///tmp/a.nsm", "param ω = 1\nlet b = 2\n", 1);
  const Json changes =
      Json::array({{{"range", {{"start", {{"line", 0}, {"character", 7}}}, {"end", {{"line", 0}, {"character", 7}}}}},
                    {"text", "x"}},
                   {{"range", {{"start", {{"line", 1}, {"character", 0}}}, {"end", {{"line", 9}, {"character", 9}}}}},
                    {"text", ""}}});
  const Document* changed = documents.change("file:///tmp/a.nsm", changes, 2, Encoding::utf16);
  REQUIRE(changed != nullptr);
  CHECK(changed->text->text == "param ωx = 1\n");
  CHECK(changed->stamp == 2);
  CHECK(documents.change("file:///tmp/none.nsm", changes, 2, Encoding::utf16) == nullptr);
}

TEST_CASE("addresses and paths") {
  CHECK(path_of_uri("file:///tmp/a%20b/%CF%89.nsm") == "/tmp/a b/ω.nsm");
  CHECK(uri_of_path("/tmp/a b/ω.nsm") == "file:///tmp/a%20b/%CF%89.nsm");
  CHECK(path_of_uri("file://host/tmp/a.nsm") == "/tmp/a.nsm");
  CHECK_FALSE(path_of_uri("untitled:Untitled-1").has_value());
  CHECK_FALSE(path_of_uri("file:///tmp/%0").has_value());
  CHECK_FALSE(path_of_uri("file:///tmp/%zz").has_value());
  CHECK_FALSE(path_of_uri("file:///tmp/%00").has_value());
}

}  // namespace
}  // namespace nsmc::lsp
