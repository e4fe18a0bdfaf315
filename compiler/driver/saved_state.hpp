// Runs that are saved and go on: what stands behind --save, --from, --checkpoint and --resume of `nsmc run`, and behind
// --from of `nsmc inspect`. The file itself is runtime/output/state_file.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "compiler/driver/commands.hpp"
#include "nsmc/run.hpp"
#include "runtime/output/csv_writer.hpp"
#include "runtime/output/event_log.hpp"

namespace nsmc {

// The state that a run goes on from, if any: --from, or with --resume the last checkpoint. What was given then and is
// not given now, is taken over into the choices. UsageError for options that do not go together, and with --resume for
// those that the interrupted run did not have.
std::optional<SavedState> state_to_go_on_from(RunOptions& run);
SavedState read_state(const std::string& path, ModelChoices& choices);

// A file of rows of a run: as it is opened, and how much of it a checkpoint has kept. UsageError if --resume goes on
// with a run that did not write to it.
struct KeptOutput {
  rt::OutputMode mode;
  std::uint64_t rows = 0;
};
KeptOutput kept_output(const RunOptions& run, const std::optional<SavedState>& from, const std::string& path);
// UsageError if the part of the file that is kept has other columns.
void require_same_columns(const std::string& path, std::span<const std::string> header);

// Takes a run to its end and saves it on the way.
class RunSaver {
 public:
  struct Outputs {
    rt::CsvWriter* rows = nullptr;
    const std::uint64_t* n_rows = nullptr;
    rt::EventLog* events = nullptr;
  };
  RunSaver(const RunOptions& options, Outputs outputs);

  void run_to_end(Run& run);

  // Whether the run was interrupted and has checkpoints: files are left as they are. To be asked before the last row.
  bool waits_for_resume(const Run& run) const;
  // Once all rows are in their place: checkpoints have served; a state that was asked for stays.
  void clear() const;

  const std::string& path() const { return path_; }

 private:
  void write(Run& run, bool with_outputs);

  const RunOptions& options_;
  std::string path_;
  Outputs outputs_;
  double every_ = 0;  // of simulated time; 0: no checkpoints
};

}  // namespace nsmc
