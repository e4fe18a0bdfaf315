// Runs that are saved and go on: what stands behind --save, --from, --checkpoint and --resume of `nsmc run`, and behind
// --from of `nsmc inspect`. The file itself is runtime/output/state_file.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/api/model_identity.hpp"
#include "compiler/codegen/kernels.hpp"
#include "compiler/driver/commands.hpp"
#include "runtime/output/csv_writer.hpp"
#include "runtime/output/event_log.hpp"
#include "runtime/output/state_file.hpp"
#include "runtime/simulation/run.hpp"

namespace nsmc {

// The state that a run goes on from, if any: --from, or with --resume the last checkpoint. What was given then and is
// not given now, is taken over into the choices. UsageError for options that do not go together.
std::optional<rt::StateFile> state_to_go_on_from(RunOptions& run);
rt::StateFile read_state(const std::string& path, ModelChoices& choices);

// Whether a state is read or written.
bool is_saved(const RunOptions& run);

// Throws UsageError if the state is of another model.
void require_same_model(const rt::StateFile& state, const std::string& identity);

// A run that goes on from the state, with these parameters from the next step on. Throws UsageError if it cannot.
rt::Run go_on(const Kernels& kernels, const Equations& equations, const sym::ExprPool& pool, const rt::StateFile& from,
              const std::vector<double>& p, const rt::SimulationOptions& options, rt::Recorder& recorder);

// The files of rows of a run: as they are opened, and how much of them a checkpoint has kept.
rt::OutputMode output_mode(const RunOptions& run, const std::optional<rt::StateFile>& from, const std::string& path);
std::uint64_t rows_kept(const RunOptions& run, const std::optional<rt::StateFile>& from, const std::string& path);

// Takes a run to its end and saves it on the way.
class RunSaver {
 public:
  struct Outputs {
    rt::CsvWriter* rows = nullptr;
    const std::uint64_t* n_rows = nullptr;
    rt::EventLog* events = nullptr;
  };
  RunSaver(const RunOptions& run, std::string identity, Outputs outputs);

  void run_to_end(rt::Run& simulation, double until);

  // Whether the run was interrupted and has checkpoints: files are left as they are. To be asked before the last row.
  bool waits_for_resume(const rt::Run& simulation) const;
  // Once all rows are in their place: checkpoints have served; a state that was asked for stays.
  void clear() const;

  const std::string& path() const { return path_; }

 private:
  void write(rt::Run& simulation, bool with_outputs);

  const RunOptions& run_;
  std::string identity_, path_;
  Outputs outputs_;
  double every_ = 0;  // of simulated time; 0: no checkpoints
};

}  // namespace nsmc
