// The start of a run: the initial state is moved onto the constraints, and what is doubtful about it is told.
#pragma once

#include "runtime/evaluation/workspace.hpp"
#include "runtime/simulation/warnings.hpp"
#include "runtime/state.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

// The largest |g| and |W^T u + chi| of the state as it was given, and constraints that no state satisfies together.
struct StartErrors {
  double position = 0, velocity = 0;
  std::vector<std::uint32_t> contradictory;
};

// Moves positions and velocities onto the constraints, to the nearest state in the metric of M. Trouble is left to the
// first step to meet and to report. Warns where a value was moved by more than a ten-thousandth of its size, and of
// gaps that are as deep.
StartErrors make_consistent(const System& system, Workspace& work, State& state, Warnings& warnings);

// A contact whose gap is open at the start by no more than rounding is closed: 0.1 + 0.2 on 0.3 does not fall for a
// step.
void close_touching(const System& system, Workspace& work, const State& state);

}  // namespace nsmc::rt
