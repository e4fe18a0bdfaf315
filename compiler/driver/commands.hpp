// The commands of nsmc. Each prints for a person, and returns an exit code (exit_codes.hpp). FileError, UsageError,
// SettingError and rt::OutputError pass through to main.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/driver/problem_dump.hpp"
#include "compiler/driver/usage_error.hpp"
#include "nsmc/model.hpp"
#include "nsmc/settings.hpp"
#include "nsmc/study.hpp"

namespace nsmc {

struct CheckOptions {
  std::string file;
  bool json = false;
};
int check_command(const CheckOptions& options);

// How a model is taken by every command that runs it.
struct ModelChoices {
  std::string file;  // "-": standard input
  Overrides overrides;
  Settings settings;
  bool no_cache = false;  // neither read nor write compiled kernels
};

// The same for the library.
ModelOptions model_options(const ModelChoices& choices);

// Runs that are saved and go on (saved_state.hpp).
struct SaveOptions {
  std::string save, from;  // files; empty: none
  std::string checkpoint;  // a time; empty: no checkpoints
  bool resume = false;
};

struct RunOptions {
  ModelChoices model;
  std::string output;                // empty: no file, "-": standard output
  std::string events;                // likewise, of method event
  std::vector<std::string> outputs;  // columns to record; empty: all
  bool quiet = false, stream = false;
  bool estimate = false;  // of the error, by a second run
  DumpOptions dump;
  SaveOptions saving;
};
int run_command(RunOptions options);

struct InspectOptions {
  ModelChoices model;
  std::string at, from;  // a time and a saved state; empty: the initial state
  bool json = false;
};
int inspect_command(InspectOptions options);

struct SweepOptions {
  ModelChoices model;
  StudyRequest study;  // what it has in common with the model is taken from there
  std::string output = "-";
  std::optional<int> threads;  // absent: one for each core
  bool resume = false, restart = false, quiet = false;
};
int sweep_command(SweepOptions options);

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
