// Bilateral constraints g(q, t) = 0 on position level. A step enforces them on velocities, and positions drift off by
// O(dt^3) per step. Here they are put back, after each step:
//
//     q^E <- q^E + F(q^M) M^-1 W mu,      (W^T M^-1 W) mu = -g(q^E, t^E),       until g is rounding errors.
//
// M and W are those of the step, at its midpoint q^M: what is added is what another percussion would have added to
// dt/2 F(q^M) u^E. This is what keeps the energy. Going back from (q^E, -u^E) finds the same W, so that the step with
// its projection is as reversible as it is without; with W at q^E, which gives the nearest point, a pendulum gains
// energy steadily (O(dt^3) per unit of time). Newton's method with the derivative at q^M converges linearly, with a
// factor of O(dt) or less.
//
// Velocities: the step makes the mean of u^B and u^E fit the constraints. In smooth motion u^E is then tangential at
// q^E up to e = W^T u^E + chi = O(dt^2), and to take all of e away in every step would damp the motion. But an error of
// e changes its sign from step to step and does not decay; in closed loops and wherever W^T M^-1 W changes much, it
// grows at a rate that does not depend on dt, until velocities are nothing but this swing. It is what the second
// difference of e over three steps shows, of which smooth motion has little, O(dt^4). This part is taken away:
//
//     u <- u - M^-1 W (W^T M^-1 W)^-1 (e - 2 e_1 + e_2)/4      with e_1, e_2 as the last two steps left them.
//
// Where velocities jump (at the start, and where contacts close or open), e is of the order of the jump times dt; there
// all of it is taken away.
//
// Constraints may be redundant (the same row twice, closed loops of hinges): see sparse_ldl.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/evaluation/evaluation.hpp"
#include "runtime/evaluation/workspace.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

struct PositionReport {
  Trouble trouble;
  double error = 0;                  // max |g| at the resulting q
  std::uint32_t contact = NSM_NONE;  // where
  double moved_from = 0;             // max |g| before
  int rounds = 0;
};

// G = W^T M^-1 W of the constraints from the directions that are evaluated, factored: what all functions below work
// with.
void factor_constraints(const System& system, Workspace& work);

// Masses and directions of the constraints at (t, q), and factor_constraints. A step has evaluated them anyway, at its
// midpoint.
Trouble evaluate_constraints(const System& system, Workspace& work, double t, const double* q, const double* u);

// Moves q onto the constraints at time t, along the directions that were evaluated at q_from (which may be q). u is
// what kernels see. If the iteration makes things worse, q is the best that was seen.
PositionReport project_positions(const System& system, Workspace& work, double t, const double* q_from, double* q,
                                 const double* u);

// After project_positions: whether there are positions at all that satisfy the constraints. Goes on from q, which is
// moved, until they hold to 1e-6 of the lengths or nothing becomes better; then the constraints that contradict each
// other, of which some are left as they are. Empty if all is well.
std::vector<std::uint32_t> find_contradiction(const System& system, Workspace& work, double t, double* q,
                                              const double* u);

// Moves u onto the constraints, along and for the directions that were evaluated. Returns max |W^T u + chi| before.
double project_velocities(const System& system, Workspace& work, double* u);

// The same for the part of W^T u + chi that swings from step to step. To be called once in a step, at its end.
void settle_velocities(const System& system, Workspace& work, double* u);

// Before a contact problem is solved: changes the percussions of the constraints in its starting point such that they
// hold exactly while all others are as they are, Lambda_p += -G_pp^-1 xi_p. Without other contacts this is the
// solution; iterative solvers would need n^2 sweeps and more for a chain of n links.
void solve_constraints(const System& system, Workspace& work);

}  // namespace nsmc::rt
