// The commands of nsmc. Each prints for a person, and returns an exit code (exit_codes.hpp). FileError, UsageError
// and rt::OutputError pass through to main.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/api/problem_dump.hpp"
#include "compiler/api/simulation_setup.hpp"
#include "compiler/api/study.hpp"

namespace nsmc {

struct CheckOptions {
  std::string file;
  bool json = false;
};
int check_command(const CheckOptions& options);

struct RunOptions {
  std::string file;
  SimulationChoices choices;
  std::string output;  // empty: no file, "-": standard output
  std::string events;  // likewise, of method event
  std::string record;
  std::optional<std::uint64_t> every;
  std::vector<std::string> outputs;  // columns to record; empty: all
  bool quiet = false, stream = false;
  DumpOptions dump;
};
int run_command(const RunOptions& options);

struct SweepOptions {
  StudyRequest study;
  std::string output = "-";
  std::optional<int> threads;  // absent: one for each core
  bool resume = false, restart = false, quiet = false;
};
int sweep_command(const SweepOptions& options);

struct EmitOptions {
  std::string file;
  std::string stage = "equations";
  bool latex = false;
};
int emit_command(const EmitOptions& options);

int describe_command(const std::string& file);

struct FormatOptions {
  std::vector<std::string> files;
  bool check = false;  // only say which files would change
};
int format_command(const FormatOptions& options);

}  // namespace nsmc
