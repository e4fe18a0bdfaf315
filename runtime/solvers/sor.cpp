// SORprox, the Gauss-Seidel relative of JORprox: every set sees the percussions that were just updated,
//
//     Lambda_i <- -prox_{K_i(Lambda)}(-Lambda_i + r_i xi_i),   xi_i = sum_{j<i} G_ij Lambda_j^{new}
//                                                              + sum_{j>=i} G_ij Lambda_j + c_i
//                                                                                [Studer 2006, (71), (72)]
// Choice of r_i. One update takes the percussions of the other sets as known and improves its own, so only the diagonal
// part G_ii matters for it: r_i = omega/max_h sum_{k in i} |G_hk|, the sum over the columns of the set itself. This is
// at most 1/(largest eigenvalue of G_ii), for which the projected update of one set is a descent, and it equals (69),
// r_i = 1/G_hh, for a set of one row, where the update solves its inclusion exactly.
// A set whose rows have no effect (G_ii = 0) gets r_i = 0.
//
// Without relaxation, omega = 1, a ball of several rows is solved exactly too (ball_block.hpp): the successive solution
// of single constraints that the method stands for [Studer 2006, sec. 5.7], whatever the conditioning of its G_ii.
#include "runtime/solvers/body_sweeps.hpp"
#include "runtime/solvers/sor_update.hpp"

namespace nsmc::rt {

ContactSolution solve_sor(ContactProblem& problem, const SolverOptions& options, RateWatch* rate) {
  const auto choose_r = [](ContactProblem& p, double omega) {
    for (SetBlock& s : p.sets) s.r = s.D == 0 ? 0 : omega / s.D;
  };
  if (problem.bodies.active()) {
    BodySweeps sweeps(problem, options);
    return iterate(
        problem, options, choose_r, [&](ContactProblem&, double relaxation) { return sweeps.sweep(relaxation); }, rate);
  }
  const auto sweep = [&options](ContactProblem& p, double relaxation) {
    Sweep result;
    const auto n_sets = static_cast<std::uint32_t>(p.sets.size());
    for (std::uint32_t n = 0; n < n_sets; ++n) update_in_place(p, n, options, relaxation, result);
    return result;
  };
  return iterate(problem, options, choose_r, sweep, rate);
}

ContactSolution solve_sor(ContactProblem& problem, const SolverOptions& options) {
  return solve_sor(problem, options, nullptr);
}

}  // namespace nsmc::rt
