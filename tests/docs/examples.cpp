// Every ```nsm block of README.md and docs/ is a complete model that passes `check`: documentation that lies fails
// here.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "compiler/driver/pipeline.hpp"

namespace fs = std::filesystem;

namespace {

struct Example {
  std::string text;
  int line = 0;
};

std::vector<Example> examples(const fs::path& page) {
  std::vector<Example> found;
  std::ifstream in(page);
  std::string line;
  bool inside = false;
  for (int number = 1; std::getline(in, line); ++number) {
    if (!inside && line == "```nsm") {
      inside = true;
      found.push_back({"", number + 1});
    } else if (inside && line == "```") {
      inside = false;
    } else if (inside) {
      found.back().text += line + "\n";
    }
  }
  return found;
}

}  // namespace

TEST_CASE("documentation: every example passes check") {
  const fs::path root = NSMC_SOURCE_DIR;
  std::vector<fs::path> pages{root / "README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  const fs::path model = fs::temp_directory_path() / ("nsmc-example-" + std::to_string(::getpid()) + ".nsm");
  int count = 0;
  for (const fs::path& page : pages) {
    for (const Example& example : examples(page)) {
      std::ofstream(model) << example.text;
      nsmc::Pipeline pipeline(model.string());
      const bool good = pipeline.derived() != nullptr;
      CHECK_MESSAGE(good, page.string() << ":" << example.line << "\n"
                                        << nsmc::render(pipeline.diagnostics(), pipeline.sources(), false));
      ++count;
    }
  }
  fs::remove(model);
  CHECK(count >= 20);  // a page that is no longer found would pass silently
}
