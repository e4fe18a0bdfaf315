// The commands of nsmc. Each prints for a person, and returns an exit code (exit_codes.hpp). FileError, UsageError,
// SettingError and rt::OutputError (of a sweep's table and journal) pass through to main.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/driver/usage_error.hpp"
#include "nsmc/model.hpp"
#include "nsmc/run_files.hpp"
#include "nsmc/settings.hpp"
#include "nsmc/study.hpp"

namespace nsmc {

struct CommandLine;

// The model of a command, and the folders that its imports may come from besides its own.
struct ModelFile {
  std::string path;  // "-": standard input
  std::vector<std::string> import_paths;
};

struct CheckOptions {
  ModelFile file;
  Overrides overrides;
  bool json = false;
  bool strict = false;  // warnings are failures
};
int check_command(const CheckOptions& options);

// How a model is taken by every command that runs it.
struct ModelChoices {
  ModelFile file;
  Overrides overrides;
  Settings settings;
  Inputs inputs;
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
  bool estimate = false;          // of the error, by a second run
  ContactProblemChoice problems;  // no directory: none
  SaveOptions saving;
};
int run_command(RunOptions options);

struct ViewOptions {
  ModelChoices model;
  std::vector<std::string> vary;     // several runs in one page
  std::vector<std::string> outputs;  // columns that plots offer; empty: all
  std::string output;                // empty: NAME.html
  std::size_t frames = 0;            // 0: as many as a page should carry
  bool no_open = false, quiet = false;
};
int view_command(ViewOptions options);

struct StudioOptions {
  std::string place;  // a folder or a model; empty: here
  int port = 0;       // 0: any that is free
  bool no_open = false;
};
int studio_command(const StudioOptions& options);

struct LspOptions {
  std::vector<std::string> import_paths;
};
int lsp_command(const LspOptions& options);

struct PlotOptions {
  ModelChoices model;             // the file may be a table, too
  std::vector<std::string> more;  // other models and tables in the same figure
  std::vector<std::string> y;     // columns
  std::string x = "t", set_of;    // set_of: the contact whose set is drawn
  std::vector<std::string> vary;
  std::string by;                   // a column of a table: a curve for each of its values
  std::vector<std::string> log;     // axes: x, y
  std::vector<std::string> labels;  // of the curves, in their order; empty: from files, columns and values
  std::string title, output;        // output: empty: in the terminal
  double at = -1;                   // the time of a set; negative: where it has its usual size
};
int plot_command(const PlotOptions& options);

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
  std::string report;   // a page with the table; empty: none
  bool curves = false;  // the page has the runs, too
};
int sweep_command(SweepOptions options);

struct EmitOptions {
  ModelFile file;
  std::string stage = "equations";
  bool latex = false;
};
int emit_command(const EmitOptions& options);

int describe_command(const ModelFile& file);

struct FormatOptions {
  std::vector<std::string> files;
  bool check = false;  // only say which files would change
};
int format_command(const FormatOptions& options);

// What the program can be told, as text for man and for shells (command_line.hpp).
int manual_command(const CommandLine& line, const std::string& command);
int completion_command(const CommandLine& line, const std::string& shell);

}  // namespace nsmc
