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
  std::string method, tableau, solver;
  std::optional<double> omega, tolerance;
  std::optional<double> rtol, atol;  // of method event, and so is
  std::string form;                  // lambda or kappa
  std::optional<int> max_iterations;
  std::optional<int> inner_steps;  // of method lie
  std::optional<double> rho;       // of solver multiplier
  bool scaled = false, strict = false;
  bool no_cache = false;  // neither read nor write compiled kernels
};

// Contact problems to files.
struct DumpOptions {
  std::string directory;               // empty: none
  std::uint64_t count = 20;            // at most
  std::optional<std::uint64_t> every;  // every Nth; otherwise the hardest
};

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

// An axis as it was written, with the option that it was written behind.
struct AxisText {
  std::string option;  // --vary or --list
  std::string text;    // study_axes.hpp
};

struct SweepOptions {
  std::string file;
  SimulationChoices choices;
  std::vector<AxisText> vary;         // in the order of the command line
  std::vector<std::string> measures;  // measure_text.hpp
  std::string output = "-";
  std::optional<int> threads;  // absent: one for each core
  std::optional<int> lanes;    // runs at once on each of them, where the model allows; absent: as the processor has
  bool reproducible = false;   // rows have the bits of single runs
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
