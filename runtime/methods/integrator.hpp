// What an integrator is: it carries a state over one step of the run's grid and tells how it went; what happens within
// the step (stages, substeps, events) is its own affair. make_integrator.hpp makes them.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/evaluation/event_sink.hpp"
#include "runtime/evaluation/step_report.hpp"
#include "runtime/evaluation/workspace.hpp"
#include "runtime/methods/tableau.hpp"
#include "runtime/names.hpp"
#include "runtime/saved_run.hpp"
#include "runtime/solvers/solve.hpp"
#include "runtime/state.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

// What single methods want to know.
struct IntegratorOptions {
  const Tableau* tableau = nullptr;  // of rk; null: the classical one
  // Event-driven integration: tolerances of smooth motion, and who wants to know about events.
  double rtol = 1e-10, atol = 1e-12;
  Form form = Form::lambda;
  EventSink* events = nullptr;
  const std::atomic<bool>* stop = nullptr;  // set from outside: end the step, interrupted; a step may take minutes
  double accuracy = 0;                      // moreau, rk: > 0: steps of their own, by this accuracy (adaptive.hpp)
  int inner_steps = 1;                      // lie: steps of the friction substep, P of [Glowinski 2004, (3.11)]
};

class Integrator {
 public:
  virtual ~Integrator() = default;

  // Replaces `state` at t by that at t + dt, dt > 0. If the report's status is not ok, the state is as it was.
  virtual StepReport step(const System& system, State& state, Workspace& work, double dt,
                          const SolverOptions& options) = 0;

  // What it carries from one step to the next; methods without a memory of their own have none. The system and the
  // workspace are those of its steps.
  virtual void remember(const System& /*system*/, Workspace& /*work*/, Memory& /*memory*/) {}

  // Candidates have come and gone, between two steps or after one that ended with beyond_candidates.
  virtual void renumber(const System& /*system*/, const Renumbering& /*contacts*/) {}

  // Does as many of the steps as it can do at once, and says how many; the state, time included, is that after them.
  // All of them are good, and counted in the tally. What is missing is for `step` to do.
  virtual std::uint64_t advance(const System& /*system*/, State& /*state*/, Workspace& /*work*/,
                                const Stretch& /*stretch*/, const SolverOptions& /*options*/, ContactTally& /*tally*/) {
    return 0;
  }

  // Whether telling Workspace::account costs next to nothing. It changes no number of a step in any case.
  virtual bool counts_work_cheaply() const { return true; }
};

}  // namespace nsmc::rt
