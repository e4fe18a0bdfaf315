// Constraints on position level. A step enforces bilateral constraints g(q, t) = 0 by their velocities alone, at the
// midpoint, so that positions drift off by O(dt^3) per step. Here they are put back, after each step:
//
//     q <- q + F(q) M^-1 W mu,      (W^T M^-1 W) mu = -g(q, t),       until g is rounding errors,
//
// Newton's method for the nearest point that satisfies the constraints, in the metric of the kinetic energy. W and M
// are taken where it starts: the way is so short (O(dt^3)) that iterating with them converges as fast.
//
// Velocities are left alone. They are those of the time-stepping method, which has its own balance of energy; what the
// projection does to q is as small as the error of one step, whereas velocities made to fit the new W would lose the
// normal part of u in every step, a damping of order dt.
//
// Constraints may be redundant (the same row twice, closed loops of hinges): see sparse_ldl.hpp.
#pragma once

#include <cstdint>

#include "runtime/integrators/evaluation.hpp"
#include "runtime/integrators/workspace.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

struct PositionReport {
  Trouble trouble;
  double error = 0;                // max |g| at the resulting q
  std::uint32_t contact = nobody;  // where
  int rounds = 0;
};

// Moves q onto the constraints at time t. u is what kernels see, and stays. Writes over the evaluation in `work`. If
// Newton's method makes things worse, q is the best that was seen.
PositionReport project_positions(const System& system, Workspace& work, double t, double* q, const double* u);

// The error of q as it is.
PositionReport measure_positions(const System& system, Workspace& work, double t, const double* q, const double* u);

}  // namespace nsmc::rt
