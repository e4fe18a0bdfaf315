// The command lines of the benchmarks, and main() around them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace nsmc::bench {

// main() of a benchmark whose options `app` has. Exit codes: 0, 1 if `benchmark` returns false (what was to agree does
// not) or throws, 2 for wrong usage.
int run(CLI::App& app, int argc, char** argv, const std::function<bool()>& benchmark);

// --quick: calls `shorten`. Options that are added later are stronger: --quick --repeats 20 repeats 20 times.
void add_quick(CLI::App& app, const std::string& what, const std::function<void()>& shorten);

// A number of at least 1 with the default that it has.
void add_number(CLI::App& app, const std::string& option, int& number, const std::string& what);
void add_repeats(CLI::App& app, int& repeats, const std::string& what = "how often each is timed");

// The names that the members of `cases` have.
template <class Cases>
std::vector<std::string> names_of(const Cases& cases) {
  std::vector<std::string> names;
  for (const auto& c : cases) names.emplace_back(c.name);
  return names;
}

// An option that chooses one of `cases` by its name; for each_case.
void add_choice(CLI::App& app, const std::string& option, std::string& only, const std::vector<std::string>& names,
                const std::string& what);

// Measures all cases, or the one that was chosen. True if `measure` was for each of them.
template <class Cases, class Measure>
bool each_case(const Cases& cases, const std::string& only, Measure&& measure) {
  bool good = true;
  for (const auto& c : cases) {
    if (only.empty() || only == c.name) good = measure(c) && good;
  }
  return good;
}

}  // namespace nsmc::bench
