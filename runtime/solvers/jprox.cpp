// Jprox, the projected Jacobi method: every constraint is solved as if all other forces were known, and all are updated
// at once. For one row h it is [Studer 2006, (57)], for a set of several rows, with G_ii = alpha_i I + B_ii (37), it is
// (59) (where B_ii has the sign of (39); the one printed in (59) contradicts it):
//
//     Lambda_i^{new} = -prox_{K_i(Lambda)}( (sum_{j != i} G_ij Lambda_j + B_ii Lambda_i + c_i)/alpha_i )
//                    = -prox_{K_i(Lambda)}(-Lambda_i + (sum_j G_ij Lambda_j + c_i)/alpha_i).
//
// By the second line it is JORprox with r_i = 1/alpha_i, from the constraint alone. alpha_i = D_i: G_hh for one row,
// otherwise no less than the largest eigenvalue of G_ii, as for sor.
//
// Convergence. With R = diag(r_i) and constant sets, prox is non-expansive in the norm of R^-1 too (R is a number on
// each set), so that the sweep contracts if the eigenvalues of R G lie between 0 and 2: Jacobi's criterion, 2 R^-1 - G
// positive definite. They are at most max_i r_i S_i, S_i = max_h sum_k |G_hk| over all columns. With r_i = 1/D_i this
// is below 2 if a constraint outweighs all others together, S_i < 2 D_i. Two corners of one block that both rest on the
// floor may violate it, and the plain method runs away. There, if S_i > 1.9 D_i, r_i = 1.5/S_i, so that the criterion
// holds always. (jor has r_i = 1/S_i there.)
#include "runtime/solvers/jacobi_sweep.hpp"
#include "runtime/solvers/row_sums.hpp"

namespace nsmc::rt {

ContactSolution solve_jprox(ContactProblem& problem, const SolverOptions& options) {
  return iterate_jacobi(problem, options, [](ContactProblem& p, double omega) {
    for (SetBlock& s : p.sets) {
      const double S = row_sum(p, s), inverse = S <= 1.9 * s.D ? s.D : S / 1.5;
      s.r = inverse == 0 ? 0 : omega / inverse;
    }
  });
}

}  // namespace nsmc::rt
