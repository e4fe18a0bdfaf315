// Runs that are saved and go on: what stands behind --save, --from, --checkpoint and --resume of `nsmc run`, and behind
// --from of `nsmc inspect`. The file itself is runtime/output/state_file.hpp.
#pragma once

#include <optional>
#include <string>

#include "compiler/driver/commands.hpp"
#include "nsmc/run_files.hpp"

namespace nsmc {

// The state that a run goes on from, if any: --from, or with --resume the last checkpoint. What was given then and is
// not given now, is taken over into the choices. UsageError for options that do not go together, and with --resume for
// those that the interrupted run did not have.
std::optional<SavedState> state_to_go_on_from(RunOptions& run);
SavedState read_state(const std::string& path, ModelChoices& choices);

// How a file of rows of a run is opened. UsageError if --resume goes on with a run that did not write to it.
FileMode file_mode(const RunOptions& run, const std::optional<SavedState>& from, const std::string& path);

// Takes a run to its end and saves it on the way.
class RunSaver {
 public:
  RunSaver(const RunOptions& options, RowFile* rows, EventFile* events);

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
  RowFile* rows_;      // null: there is none
  EventFile* events_;  // likewise
  double every_ = 0;   // of simulated time; 0: no checkpoints
};

}  // namespace nsmc
