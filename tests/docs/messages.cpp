// Messages that the documents quote are messages of nsmc: each is what some model of tests/errors gets, word for word.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "compiler/api/pipeline.hpp"

namespace fs = std::filesystem;

namespace {

// By code; places in the standard library stand before the message.
std::map<std::string, std::set<std::string>> messages_of_models() {
  std::map<std::string, std::set<std::string>> found;
  const fs::path before = fs::current_path();
  fs::current_path(NSMC_SOURCE_DIR "/tests/errors");  // messages may name the file
  for (const auto& entry : fs::directory_iterator(".")) {
    if (entry.path().extension() != ".nsm") continue;
    nsmc::Pipeline pipeline(entry.path().filename().string());
    pipeline.derived();
    std::istringstream text(nsmc::render(pipeline.diagnostics(), pipeline.sources(), false));
    const std::regex first(R"((\S+:\d+:\d+): (error|warning)\[(N\d+)\]: (.*))");
    std::smatch parts;
    for (std::string line; std::getline(text, line);) {
      if (!std::regex_match(line, parts, first)) continue;
      found[parts[3]].insert(parts[4]);
      if (parts[1].str().starts_with("std/")) found[parts[3]].insert(parts[1].str() + ": " + parts[4].str());
    }
  }
  fs::current_path(before);
  return found;
}

}  // namespace

TEST_CASE("documentation: the messages it quotes are true") {
  const auto known = messages_of_models();
  REQUIRE(known.size() > 50);
  int quoted = 0;
  const auto check = [&](const std::string& code, const std::string& message, const std::string& where) {
    const auto of_code = known.find(code);
    if (of_code == known.end()) return;  // made in C++: files that are too large, for example
    CHECK_MESSAGE(of_code->second.contains(message),
                  where << ": no model of tests/errors gets " << code << ": " << message);
    ++quoted;
  };
  for (const char* name : {"laws.md", "diagnostics.md", "language.md", "commands.md"}) {
    std::ifstream page(std::string(NSMC_SOURCE_DIR "/docs/") + name);
    REQUIRE(page.good());
    const std::regex in_text(R"((\S+:\d+:\d+): (error|warning)\[(N\d+)\]: (.*))");
    const std::regex in_table(R"(\| (N\d+) \| [^|]* \| (.*) \| [^|]* \|)");
    std::smatch parts;
    std::string line;
    for (int number = 1; std::getline(page, line); ++number) {
      const std::string where = std::string(name) + ":" + std::to_string(number);
      if (std::regex_match(line, parts, in_text)) {
        const std::string place = parts[1];
        check(parts[3], (place.starts_with("std/") ? place + ": " : "") + parts[4].str(), where);
      } else if (std::regex_match(line, parts, in_table)) {
        const std::string code = parts[1];
        const std::string cell = parts[2];
        for (std::size_t from = cell.find('`'); from != std::string::npos;) {
          const std::size_t to = cell.find('`', from + 1);
          if (to == std::string::npos) break;
          check(code, cell.substr(from + 1, to - from - 1), where);
          from = cell.find('`', to + 1);
        }
      }
    }
  }
  CHECK(quoted > 60);
}
