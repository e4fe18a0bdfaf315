// The commands of nsmc. Each prints for a person, and returns an exit code (exit_codes.hpp). FileError, UsageError
// and rt::OutputError pass through to main.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace nsmc {

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct CheckOptions {
  std::string file;
  bool json = false;
};
int check_command(const CheckOptions& options);

// What every simulation can be told. Texts carry units; what is empty is as the model says.
struct SimulationChoices {
  std::vector<std::string> set;  // name=value[unit]
  std::string until, step;
  std::string method, solver;
  std::optional<double> omega, tolerance;
  std::optional<int> max_iterations;
  std::optional<int> inner_steps;  // of method lie
  std::optional<double> rho;       // of solver multiplier
  bool scaled = false, strict = false;
};

struct RunOptions {
  std::string file;
  SimulationChoices choices;
  std::string output;  // empty: no file, "-": standard output
  std::string record;
  std::optional<std::uint64_t> every;
  std::vector<std::string> outputs;  // columns to record; empty: all
  bool quiet = false, stream = false;
};
int run_command(const RunOptions& options);

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
