// Every `$ nsmc sweep` of README.md and docs/ runs, and prints the table that stands below it.
#include <doctest/doctest.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

struct Example {
  std::string command;  // after "nsmc "
  std::vector<std::string> output;
  int line = 0;
};

std::vector<Example> sweeps(const fs::path& page) {
  std::vector<Example> found;
  std::ifstream in(page);
  std::string line;
  bool inside = false;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.starts_with("$ nsmc sweep ")) {
      found.push_back({line.substr(7), {}, number});
      inside = true;
    } else if (line == "```") {
      inside = false;
    } else if (inside) {
      found.back().output.push_back(line);
    }
  }
  return found;
}

std::vector<std::string> run(const std::string& command) {
  const std::string folder = NSMC_SOURCE_DIR;
  FILE* const pipe = ::popen(("cd '" + folder + "' && '" NSMC_PROGRAM "' " + command + " --quiet").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  CHECK(::pclose(pipe) == 0);
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Numbers may differ in their last digits from machine to machine.
bool same_cell(const std::string& a, const std::string& b) {
  if (a == b) return true;
  char *end_a = nullptr, *end_b = nullptr;
  const double x = std::strtod(a.c_str(), &end_a), y = std::strtod(b.c_str(), &end_b);
  return !a.empty() && !b.empty() && *end_a == '\0' && *end_b == '\0' && std::abs(x - y) <= 1e-7 * (1 + std::abs(x));
}

bool same_row(const std::string& a, const std::string& b) {
  std::istringstream in_a(a), in_b(b);
  std::string x, y;
  for (;;) {
    const bool more_a = static_cast<bool>(std::getline(in_a, x, ',')),
               more_b = static_cast<bool>(std::getline(in_b, y, ','));
    if (!more_a || !more_b) return more_a == more_b;
    if (!same_cell(x, y)) return false;
  }
}

}  // namespace

TEST_CASE("documentation: every sweep prints its table") {
  const fs::path root = NSMC_SOURCE_DIR;
  std::vector<fs::path> pages{root / "README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  int count = 0;
  for (const fs::path& page : pages) {
    for (const Example& example : sweeps(page)) {
      CAPTURE(page.string());
      CAPTURE(example.line);
      const std::vector<std::string> printed = run(example.command);
      REQUIRE(printed.size() == example.output.size());
      for (std::size_t k = 0; k < printed.size(); ++k) {
        CHECK_MESSAGE(same_row(printed[k], example.output[k]), printed[k] << " instead of " << example.output[k]);
      }
      ++count;
    }
  }
  CHECK(count >= 3);
}
