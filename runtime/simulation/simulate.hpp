// Runs a model from its initial state to a given time, records rows on the way and sums up what happened.
//
// Times are t_k = t_0 + k dt, by multiplication, so that they do not drift. If `until` is none of them, the last step
// is shortened to end there; within 1e-9 dt it is a step like all others, and ends at `until` by name.
//
// Between two steps, a run can be saved, and goes on bit for bit from what was saved (runtime/saved_run.hpp).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/evaluation/work_account.hpp"
#include "runtime/methods/integrator.hpp"
#include "runtime/output/observation.hpp"
#include "runtime/output/recorder.hpp"
#include "runtime/saved_run.hpp"
#include "runtime/simulation/warnings.hpp"
#include "runtime/solvers/solve.hpp"
#include "runtime/state.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

// The name of what a SavedRun has of inputs that follow samples.
inline constexpr const char* inputs_block = "inputs";

struct Progress {
  double t;
  double until;
  std::uint64_t step;
  std::uint64_t n_steps;
};

struct SimulationOptions {
  double until = 1;
  double step = 1e-3;
  Method method = Method::moreau;
  IntegratorOptions integrator;                   // what single methods want to know
  SolverOptions solver;                           // kind, omega, tolerance, max_iterations
  std::uint64_t record_every = 1;                 // every Nth step; 0: the first and the last row only
  double record_dt = 0;                           // > 0: instead, the first step at or after each multiple of it
  bool stabilises = true;                         // moreau, rk: contacts do not sink (contact_watch.hpp)
  bool strict = false;                            // the first warning ends the run
  bool default_steps = false;                     // for reports: nobody chose a method, a step or an accuracy
  const std::atomic<bool>* stop = nullptr;        // set from outside, asks the run to end
  std::function<void(const Progress&)> progress;  // called about every 0.1 s
  // Whether the work of all forces is counted (Workspace::account): always if the rows have it.
  enum class CountWork : std::uint8_t { if_recorded, if_cheap, yes };
  CountWork count_work = CountWork::if_recorded;
  // The names of the columns, for words; kept by the caller.
  const std::vector<std::string>* columns = nullptr;
  // By contact class: whether a step may pass it unseen (PassWatch). Empty: it is not asked.
  std::vector<std::uint8_t> passable;
  std::vector<InputSamples> inputs;  // of inputs that follow samples
  RowParts parts;                    // which parts of a row the recorder reads; the others are not computed
};

enum class EndReason : std::uint8_t { finished, interrupted, numerical_failure, strict_failure, invalid_options };

struct Summary {
  std::uint64_t steps = 0;
  std::uint64_t steps_with_contact = 0;
  std::uint32_t closed_max = 0;
  double closed_mean = 0;  // closed contacts per step
  int iterations_max = 0;
  double iterations_mean = 0;  // per step with contact; event-driven: with a contact problem
  std::uint64_t iterations_total = 0;
  std::uint64_t newton_steps = 0;  // of all iterations
  std::uint64_t unconverged_steps = 0;
  double worst_residual = 0;
  double worst_time = 0;                   // end of the step it belongs to
  std::uint32_t worst_contact = NSM_NONE;  // with its name below
  std::string worst_contact_name;
  // Constraints with positions: the largest |g| after a step, where and when, and the largest |g| and |W^T u + chi| of
  // the initial state as it was given; the run starts from the nearest state that satisfies them.
  double position_error = 0;
  double position_time = 0;
  std::uint32_t position_contact = NSM_NONE;  // NSM_NONE: there are none
  std::string position_contact_name;
  double position_error_first = 0, velocity_error_first = 0;
  // Event-driven integration.
  std::uint64_t internal_steps = 0, evaluations = 0;
  std::array<std::uint64_t, n_event_kinds> events{};
  // Steps by accuracy: internal_steps, of which so many had a switching point; see StepReport.
  std::uint64_t rejected = 0, switches = 0, forced = 0;
  double shortest = 0, longest = 0;
  // Over the recorded rows.
  double energy_first = 0, energy_last = 0, energy_min = 0, energy_max = 0;
  // Where it went, if it was counted: by row of the contacts, and the rest.
  std::optional<Work> work;
  double energy_rest = 0;
  // By looks between steps (contact_watch.hpp), of moreau and rk: the deepest gap below zero, where and when, how
  // often positions of contacts were put right, and how far the energy rose above its lowest value before.
  std::string stopped_by;  // `stop when`: the reason that the model gives; empty: it did not end the run
  bool stopped = false;
  double stop_time = 0;
  bool watched = false;
  double penetration = 0, penetration_time = 0;
  std::string penetration_contact;
  std::uint64_t corrections = 0;
  double energy_rise = 0;
  double wall_seconds = 0;  // of this process
  Warnings warnings;
  std::vector<Warning> warning_words;

  // What is added up from step to step; the rest is filled in at the end.
  void remember(Memory& memory) {
    memory(steps, newton_steps, unconverged_steps, position_error, position_time, position_contact);
    memory(position_error_first, velocity_error_first, internal_steps, evaluations);
    for (std::uint64_t& count : events) memory(count);
    memory(rejected, switches, forced, shortest, longest);
    memory(energy_first, energy_last, energy_min, energy_max, warnings);
  }
};

struct SimulationResult {
  EndReason reason = EndReason::finished;
  std::string message;  // of a failure: what, in which step, at which time, where
  Summary summary;
};

// The initial state is recorded with zero forces, the last good state always, however the run ended. Exceptions of the
// recorder (OutputError) pass through.
SimulationResult simulate(const System& system, State& state, const SimulationOptions& options, Recorder& recorder);

// The same run in pieces, and for somebody else to take the steps:
//     while (auto dt = run.next_step()) { report = ...; if (run.took_step(report)) run.record(); }
//     result = run.finish();
// The state is up to date wherever it is recorded, and its time always.
class Simulation {
 public:
  // Steps between two looks at whether the run should end.
  static constexpr std::uint64_t longest_stretch = 1024;

  Simulation(const System& system, State& state, const SimulationOptions& options, Recorder& recorder);

  // Goes on where `from` was saved; the state is that one then. Its first row was recorded then, and what has been
  // counted is counted on. With another step, times and counts begin anew. Throws SavedRunError if `from` is of another
  // model or method.
  Simulation(const System& system, State& state, const SimulationOptions& options, Recorder& recorder,
             const SavedRun& from, Integrator& integrator);
  ~Simulation();

  // After a good step, or before the first one.
  SavedRun save(Integrator& integrator);

  Workspace& work();
  // The one of this run: with its candidates, where there are families of contacts.
  System& system();

  // A step, or a stretch of at most so many, by the integrator, recorded. False if the run is over.
  bool go_on(Integrator& integrator, std::uint64_t most = longest_stretch);

  // Steps that are done since times began, and the number of the first one that ends at t or later. `until` ends with a
  // step of another length if it is not among the times of the run.
  std::uint64_t steps() const;
  std::uint64_t step_at(double t) const;
  bool ends_between_times() const;
  bool is_over() const;
  bool is_interrupted() const;

  // The length of the next step; nothing if the run is over. The same until the step was taken.
  std::optional<double> next_step();

  // Whether took_step will look at the state as a whole, and may change it.
  bool looks_after_next_step() const;

  // Sets the time. True if the state is to be recorded.
  bool took_step(const StepReport& report);
  void record();

  // Records the last good state, if it was not.
  SimulationResult finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nsmc::rt
