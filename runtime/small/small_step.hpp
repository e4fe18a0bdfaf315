// Moreau's step for small models, run by run: step.hpp with doubles.
#pragma once

#include <memory>
#include <optional>

#include "runtime/evaluation/step_report.hpp"
#include "runtime/evaluation/workspace.hpp"
#include "runtime/small/layout.hpp"
#include "runtime/solvers/solve.hpp"
#include "runtime/state.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

class SmallStep {
 public:
  virtual ~SmallStep() = default;

  // A step of length dt, if it is the common case. Nothing: it is not, and the state is as it was.
  virtual std::optional<StepReport> step(const System& system, State& state, Workspace& work, double dt,
                                         const SolverOptions& options) = 0;
};

// Null if the model is not small.
std::unique_ptr<SmallStep> make_small_step(const System& system);

// The layout of a model, if it is small; the layout is a member of the step.
std::optional<small::Layout> small_layout(const System& system);

// Whether these solve contact problems as the small step does, by plain SORprox.
bool has_small_steps(const SolverOptions& options);
// Beyond so many sweeps `iterate` may slow down, and the small step leaves it to that.
int most_small_sweeps(const SolverOptions& options);

}  // namespace nsmc::rt
