// Every ```nsm block of README.md and docs/ is a complete model that passes `check` without a warning, and those of
// docs/laws.md run: documentation that lies fails here.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "compiler/api/pipeline.hpp"

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
    if (!inside && (line == "```nsm" || line.starts_with("```nsm title="))) {
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

namespace {

// Every page with examples.
std::vector<fs::path> pages() {
  const fs::path root = NSMC_SOURCE_DIR;
  std::vector<fs::path> found{root / "README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  }
  return found;
}

}  // namespace

TEST_CASE("documentation: every example passes check") {
  const fs::path model = fs::temp_directory_path() / ("nsmc-example-" + std::to_string(::getpid()) + ".nsm");
  int count = 0;
  for (const fs::path& page : pages()) {
    for (const Example& example : examples(page)) {
      std::ofstream(model) << example.text;
      nsmc::Pipeline pipeline(model.string());
      const bool good = pipeline.derived() != nullptr && pipeline.diagnostics().sorted().empty();
      CHECK_MESSAGE(good, page.string() << ":" << example.line << "\n"
                                        << nsmc::render(pipeline.diagnostics(), pipeline.sources(), false));
      ++count;
    }
  }
  fs::remove(model);
  CHECK(count >= 20);  // a page that is no longer found would pass silently
}

TEST_CASE("documentation: every example of the guide to laws runs") {
  const fs::path folder = fs::temp_directory_path() / ("nsmc-examples-" + std::to_string(::getpid()));
  fs::create_directory(folder);
  int count = 0;
  for (const Example& example : examples(fs::path(NSMC_SOURCE_DIR) / "docs/laws.md")) {
    const std::string model = (folder / "example.nsm").string();
    std::ofstream(model) << example.text;
    const std::string command = std::string(NSMC_PROGRAM " run ") + model + " --strict --no-cache -o " +
                                (folder / "out.csv").string() + " > " + (folder / "log").string() + " 2>&1";
    const int code = std::system(command.c_str());
    std::ostringstream log;
    log << std::ifstream(folder / "log").rdbuf();
    CHECK_MESSAGE(code == 0, "docs/laws.md:" << example.line << "\n" << log.str());
    ++count;
  }
  fs::remove_all(folder);
  CHECK(count >= 12);
}

// Every example runs by every method, or says why not; what takes longer than the test has time for ends when it is
// asked to, which a method that loops somewhere does not.
TEST_CASE("documentation: every example runs by every method, and ends when it is asked to") {
  constexpr int done = 0, usage = 2, numerical = 3, interrupted = 130;
  const fs::path folder = fs::temp_directory_path() / ("nsmc-methods-" + std::to_string(::getpid()));
  fs::create_directory(folder);
  int count = 0, ended = 0;
  for (const fs::path& page : pages()) {
    for (const Example& example : examples(page)) {
      const std::string model = (folder / "example.nsm").string();
      std::ofstream(model) << example.text;
      for (const std::string method : {"moreau", "rk", "lie", "event"}) {
        const std::string command =
            "timeout --preserve-status -s INT -k 60 10 " NSMC_PROGRAM " run " + model + " --quiet --method " + method +
            (example.text.find("until") == std::string::npos ? " --until 0.1 --step 1e-3" : "") + " > " +
            (folder / "log").string() + " 2>&1";
        const int status = std::system(command.c_str());
        const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        std::ostringstream log;
        log << std::ifstream(folder / "log").rdbuf();
        const bool good =
            code == done || code == interrupted || ((code == usage || code == numerical) && !log.str().empty());
        CHECK_MESSAGE(good, page.string() << ":" << example.line << " by " << method << " ends with " << code << "\n"
                                          << log.str());
        ++count;
        if (code == done) ++ended;
      }
    }
  }
  fs::remove_all(folder);
  CHECK(count >= 120);
  CHECK(ended > count * 9 / 10);
}
