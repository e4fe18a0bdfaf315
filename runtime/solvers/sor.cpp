// SORprox, the Gauss-Seidel relative of JORprox: every set sees the percussions that were just updated,
//
//     Lambda_i <- -prox_{K_i(Lambda)}(-Lambda_i + r_i xi_i),   xi_i = sum_{j<i} G_ij Lambda_j^{new}
//                                                              + sum_{j>=i} G_ij Lambda_j + c_i
//                                                                                [Studer & Glocker 2006, (71), (72)]
// Choice of r_i. One update takes the percussions of the other sets as known and improves its own, so only the diagonal
// part G_ii matters for it: r_i = omega/max_h sum_{k in i} |G_hk|, the sum over the columns of the set itself. This is
// at most 1/(largest eigenvalue of G_ii), for which the projected update of one set is a descent, and it equals (69),
// r_i = 1/G_hh, for a set of one row, where the update solves its inclusion exactly.
// A set whose rows have no effect (G_ii = 0) gets r_i = 0.
#include "runtime/solvers/iterate.hpp"

namespace nsmc::rt {

ContactSolution solve_sor(ContactProblem& problem, const SolverOptions& options) {
  const auto choose_r = [](ContactProblem& p, double omega) {
    for (SetBlock& s : p.sets) s.r = s.D == 0 ? 0 : omega / s.D;
  };
  const auto sweep = [](ContactProblem& p) {
    Sweep result;
    double* Lambda = p.Lambda.data();
    const auto n_sets = static_cast<std::uint32_t>(p.sets.size());
    for (std::uint32_t n = 0; n < n_sets; ++n) {
      const SetBlock& s = p.sets[n];
      p.prox_step(s, s.r, Lambda);
      double delta2 = 0, size2 = 0;
      for (std::uint32_t h = 0; h < s.dim; ++h) {
        const double next = -p.z[h];
        const double delta = next - Lambda[s.first_row + h];
        Lambda[s.first_row + h] = next;
        delta2 += delta * delta;
        size2 += next * next;
      }
      result.add(s, n, delta2, size2);
    }
    return result;
  };
  return iterate(problem, options, choose_r, sweep);
}

}  // namespace nsmc::rt
