// Runs the real program (NSMC_PROGRAM) as a user would: its own process, its own folder, real files and signals. Every
// run is killed after a minute, so that a hang is a failed test.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/temporary_folder.hpp"

namespace nsmc::test {

using Names = std::vector<std::string>;

inline Names operator+(Names a, const Names& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Memory and time are those of a plain build; a build with sanitizers needs more of both.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

struct Finished {
  int code = -1;        // exit code, -1 if a signal ended it
  int signal = 0;       // 0: it ended by itself
  bool killed = false;  // it took longer than a minute
  std::string out, err;
  long megabytes = 0;  // largest resident size
};

// A folder of its own, removed at the end of the test, in which the program runs.
class Workplace {
 public:
  const std::string& path() const { return folder_.path(); }
  std::string path(const std::string& name) const { return folder_ / name; }
  std::string write(const std::string& name, const std::string& text) const { return folder_.write(name, text); }
  std::string read(const std::string& name) const;  // fails the test if there is no such file
  bool has(const std::string& name) const;
  std::string files() const;  // their names, sorted, with blanks between

  Finished run(std::vector<std::string> arguments) const;

 private:
  TemporaryFolder folder_;
};

struct Start {
  std::string program = NSMC_PROGRAM;
  std::vector<std::string> arguments;
  std::string folder;
  std::optional<std::string> input;       // standard input; otherwise empty
  std::string output;                     // standard output to this file, otherwise kept
  int output_descriptor = -1;             // or to this descriptor
  std::optional<std::size_t> file_limit;  // ulimit -f in bytes
  // Added to the environment. A process has a cache of compiled kernels of its own, unless this says otherwise.
  std::map<std::string, std::string> environment;
  int seconds = 60;  // then it is killed
};

// A program under way.
class Process {
 public:
  explicit Process(const Start& start);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal) const;
  Finished wait();

 private:
  pid_t pid_ = -1;
  TemporaryFolder folder_;  // of what it prints
  bool own_output_ = true;
  int seconds_ = 60;
};

// A CSV file as columns by name, in the order of the file.
struct Table {
  std::vector<std::string> names;
  std::map<std::string, std::vector<double>> columns;
  std::vector<std::string> first_row;  // as text
  std::size_t rows = 0;
};
Table read_csv(const std::string& text);  // fails the test if a row is not complete

std::vector<std::string> lines(const std::string& text);
bool contains(const std::string& text, const std::string& part);

// A ball that falls on a table, 100 steps; parameters m, e, h0.
extern const char* const kBall;
// A block that slides on a table in two directions, 100 steps.
extern const char* const kBlock;

}  // namespace nsmc::test
