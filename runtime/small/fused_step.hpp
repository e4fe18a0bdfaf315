// Moreau's step where the compiler has made one program of it and the model's kernels (nsm_model::advance, from
// step_fused.cpp): stretches of steps at once.
#pragma once

#include <cstdint>

#include "runtime/evaluation/step_report.hpp"
#include "runtime/evaluation/workspace.hpp"
#include "runtime/solvers/solve.hpp"
#include "runtime/state.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

// Does as many of the steps as are the common case, and says how many; 0 if the model has no such program. All of them
// are counted in the tally.
std::uint64_t advance_fused(const System& system, State& state, Workspace& work, const Stretch& stretch,
                            const SolverOptions& options, ContactTally& tally);

}  // namespace nsmc::rt
