// nsmc manual and nsmc completion: what they print is what the program takes.
#include <doctest/doctest.h>

#include <regex>
#include <set>

#include "tests/cli/program.hpp"

using namespace nsmc::test;

namespace {

// "--step" and the like, as they stand at the beginning of the lines of --help.
std::set<std::string> options_of(const Workplace& place, const Names& command) {
  std::set<std::string> found;
  const std::regex option("(?:^|,)(--?[a-z][a-z-]*)");
  for (const std::string& line : lines(place.run(command + Names{"--help"}).out)) {
    if (!line.starts_with("  -")) continue;
    const std::string names = line.substr(2, line.find(' ', 2) - 2);
    for (std::sregex_iterator at(names.begin(), names.end(), option), end; at != end; ++at) found.insert((*at)[1]);
  }
  return found;
}

Names commands_of(const Workplace& place) {
  Names found;
  bool listed = false;
  for (const std::string& line : lines(place.run({"--help"}).out)) {
    if (listed && line.starts_with("  ")) found.push_back(line.substr(2, line.find(' ', 2) - 2));
    if (line == "Subcommands:") listed = true;
  }
  return found;
}

std::string without_escapes(std::string page) {
  for (std::size_t at; (at = page.find("\\-")) != std::string::npos;) page.replace(at, 2, "-");
  return page;
}

// What bash offers for the last word.
std::set<std::string> completed(const Workplace& place, const std::string& words, int last) {
  Start start;
  start.program = "/bin/bash";
  start.folder = place.path();
  start.arguments = {"-c", "source completion; COMP_WORDS=(" + words + "); COMP_CWORD=" + std::to_string(last) +
                               "; _nsmc; printf '%s\\n' \"${COMPREPLY[@]}\""};
  const Finished run = Process(start).wait();
  REQUIRE_MESSAGE(run.code == 0, run.err);
  CHECK(run.err == "");
  std::set<std::string> found;
  for (const std::string& line : lines(run.out)) {
    if (!line.empty()) found.insert(line);
  }
  return found;
}

}  // namespace

TEST_CASE("manual pages name every option of their command, and no others") {
  const Workplace place;
  const Names commands = commands_of(place);
  CHECK(commands.size() >= 13);
  const std::string program = without_escapes(place.run({"manual"}).out);
  for (const std::string& command : commands) {
    CAPTURE(command);
    CHECK(contains(program, "\\fBnsmc-" + command + "\\fR(1)"));
    const std::string page = without_escapes(place.run({"manual", command}).out);
    std::set<std::string> named;
    const std::regex option("\\\\fB(--?[a-z][a-z-]*)\\\\fR");
    for (const std::string& line : lines(page)) {
      if (!line.starts_with("\\fB-")) continue;
      for (std::sregex_iterator at(line.begin(), line.end(), option), end; at != end; ++at) named.insert((*at)[1]);
    }
    CHECK(named == options_of(place, {command}));
  }
  CHECK(place.run({"manual", "frobnicate"}).code == 2);
}

TEST_CASE("bash completes commands, every option of each, the words that an option takes, models and folders") {
  const Workplace place;
  place.write("completion", place.run({"completion", "bash"}).out);
  place.write("ball.nsm", kBall);
  place.write("notes.txt", "");
  const Names commands = commands_of(place);
  std::set<std::string> expected(commands.begin(), commands.end());
  expected.merge(options_of(place, {}));
  CHECK(completed(place, "nsmc ''", 1) == expected);
  for (const std::string& command : commands) {
    CAPTURE(command);
    CHECK(completed(place, "nsmc " + command + " -", 2) == options_of(place, {command}));
  }
  using Set = std::set<std::string>;
  CHECK(completed(place, "nsmc run --method ''", 3) == Set{"moreau", "rk", "event", "lie"});
  CHECK(completed(place, "nsmc run --method = r", 4) == Set{"rk"});
  CHECK(completed(place, "nsmc run --step ''", 3) == Set{});
  CHECK(completed(place, "nsmc run ''", 2) == Set{"ball.nsm"});
  CHECK(completed(place, "nsmc run -o n", 3) == Set{"notes.txt"});
}

TEST_CASE("zsh is told every option of every command") {
  const Workplace place;
  const std::string script = place.run({"completion", "zsh"}).out;
  CHECK(script.starts_with("#compdef nsmc\n"));
  for (const std::string& command : commands_of(place)) {
    CAPTURE(command);
    const std::size_t begin = script.find("\n    " + command + ")\n");
    REQUIRE(begin != std::string::npos);
    const std::string part = script.substr(begin, script.find(";;", begin) - begin);
    std::set<std::string> named;
    const std::regex option("'\\*?(--?[a-z][a-z-]*)=?\\[");
    for (std::sregex_iterator at(part.begin(), part.end(), option), end; at != end; ++at) named.insert((*at)[1]);
    CHECK(named == options_of(place, {command}));
  }
}
