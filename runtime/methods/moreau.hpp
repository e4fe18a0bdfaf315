// Moreau's midpoint rule, a time-stepping scheme: one contact problem on velocity level per step covers smooth motion,
// impacts and changes of contact alike, of order one where anything non-smooth happens.
#pragma once

#include <memory>

#include "runtime/evaluation/step_report.hpp"
#include "runtime/evaluation/workspace.hpp"
#include "runtime/methods/integrator.hpp"
#include "runtime/solvers/solve.hpp"
#include "runtime/state.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt::moreau {

// Replaces `state` at t by that at t + dt, dt > 0. If the report's status is not ok, the state is as it was.
StepReport step(const System& system, State& state, Workspace& work, double dt, const SolverOptions& options);

// Steps in the fastest form that the model allows: stretches by the program that was compiled for it (fused_step.hpp),
// single ones of a small model by small_step.hpp, and what these leave by the function above. The numbers are the same.
std::unique_ptr<Integrator> make_integrator(const System& system);

}  // namespace nsmc::rt::moreau
