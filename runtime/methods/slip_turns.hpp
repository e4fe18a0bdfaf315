// Friction along one direction turns round where its velocity changes sign. If that is in the first substep of all
// levels of a step by accuracy, they agree and are wrong: each has the force that belongs to the end of this substep
// for all of it. Accelerations tell (acceleration_jumps.hpp), but not where the force has hardly a lever, as that of a
// slider in the dead point of its crank. So the sign of every such velocity is looked at, and a step ends at its turn.
// In the last substep it may have been stopped only: then the line through its velocities before tells when it was
// zero.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/evaluation/gap_projection.hpp"
#include "runtime/evaluation/workspace.hpp"
#include "runtime/saved_run.hpp"
#include "runtime/state.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

class SlipTurns {
 public:
  SlipTurns(const System& system, double accuracy);

  // The velocities at the beginning of a step. kinetic: the largest kinetic energy so far. The masses of the state have
  // just been evaluated.
  void look(const System& system, Workspace& work, const GapProjection& gaps, const State& state, double kinetic);

  // The last substep: its length, the velocities at its beginning, and the accelerations in the one before.
  struct Last {
    double dt;
    const double *u, *acceleration;
  };
  // The part of a step H up to the first turn, by the line through its beginning and its end at `state`, or through its
  // last velocities; 1 if none turns. closed: by contact.
  double first(const System& system, Workspace& work, const State& state, double t,
               const std::vector<std::uint8_t>& closed, double H, const Last& last);

  void remember(Memory& memory) { memory(largest_); }

 private:
  struct Row {
    std::uint32_t contact, row;  // row of the contact
  };
  double velocity(const System& system, const Workspace& work, const Row& row, const double* u) const;

  double accuracy_;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> contacts_;             // that have such rows
  std::vector<double> largest_, before_, allowed_;  // by row: of its velocity so far; at the beginning; its error
};

}  // namespace nsmc::rt
