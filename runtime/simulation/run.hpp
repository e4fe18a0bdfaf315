// A run in the hand of its caller, who owns nothing else: start, step, look, change parameters, save, go on.
//
//     Run run(model, parameters, initial_state(...), options, recorder);
//     run.advance(1.5);                       // to the first time of the run at 1.5 s or later
//     run.row();                              // all recorded columns there
//     const SavedRun saved = run.save();      // from here, another Run goes on bit for bit
//
// Times are those of simulate.hpp; rows go to the recorder as the options say. Numerical trouble is a value: step() and
// advance() end, and result() says why.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "runtime/evaluation/step_numbers.hpp"
#include "runtime/output/recorder.hpp"
#include "runtime/saved_run.hpp"
#include "runtime/simulation/simulate.hpp"
#include "runtime/state.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

class Run {
 public:
  // `model` and `recorder` outlive the run. options.until may be infinite. Wrong options end the run at once: result().
  // Throws SystemError, and OutputError of the recorder.
  Run(const nsm_model& model, std::span<const double> parameters, const State& initial,
      const SimulationOptions& options, Recorder& recorder);
  // Goes on where another one was saved. Throws SavedRunError, too.
  Run(const nsm_model& model, std::span<const double> parameters, const SavedRun& from,
      const SimulationOptions& options, Recorder& recorder);
  ~Run();
  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;

  // One step, or to the first time at t or later, at most to the end. False if the run is over before that.
  bool step();
  bool advance(double t);
  // To the last time from which a run can go on bit for bit: not beyond a last step that is shorter than the others.
  bool advance_to_last_time();
  bool is_over() const;
  bool is_interrupted() const;  // by SimulationOptions::stop

  double t() const { return state().t; }
  std::uint64_t steps() const;
  const State& state() const;  // percussions and closed contacts: of the last step
  const System& system() const;

  // Whether the work of forces is counted, and a row has it.
  bool counts_work();

  // At the present state: all columns of a recorded row; gaps, velocities and the matrices of a step.
  std::span<const double> row();
  StepNumbers numbers();

  // The next step has these. Event-driven integration chooses its modes anew, as at the start.
  void set_parameters(std::span<const double> parameters);

  // An input has this value from now on, whatever samples it has followed.
  void set_signal(std::uint32_t signal, double value);

  // Between two steps that were good.
  SavedRun save();

  // Records the last good state, if it was not, and sums up. The run is over for the recorder, not for its caller.
  SimulationResult result();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace nsmc::rt
