// The program of docs/library.md is the one that is built against the installed library, with what it prints.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(NSMC_SOURCE_DIR "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("docs: the program of library.md is the one that is tested") {
  const std::string document = text_of("docs/library.md");
  CHECK(document.find("```cpp\n" + text_of("tests/library/example.cpp") + "```") != std::string::npos);
  CHECK(document.find("```text\n" + text_of("tests/library/expected.txt") + "```") != std::string::npos);
}
