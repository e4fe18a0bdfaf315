// The iteration of the multiplier in the friction substep of [Glowinski 2004, (4.14)-(4.16)], for all sets:
//
//     M W^k = b - tau_f C lambda^k,     lambda^{k+1} = P(lambda^k + rho C W^k).
//
// The friction force is -C lambda. In percussions, Lambda = -tau_f C lambda, with C = 1 (lambda a force), M eliminated
// and xi = G Lambda + c in the place of W:
//
//     Lambda_i^{new} = -prox_{K_i(Lambda)}(-Lambda_i + r xi_i),     r = rho tau_f for all sets.
//
// C = c I with c != 1 is the same iteration with rho c^2 for rho. Convergence (4.18), for constant sets:
//
//     0 < rho < 2/(tau_f beta),     beta the largest eigenvalue of G (of M^-1 C^2 in the paper).
//
// Unless it is given, rho = omega 3/(2 tau_f S) with S = max_h sum_k |G_hk| >= beta: modes with eigenvalues between
// beta/3 and beta are halved in every sweep if S = beta. One r for all sets is what distinguishes it from jor.
#include "runtime/solvers/jacobi_sweep.hpp"
#include "runtime/solvers/row_sums.hpp"

namespace nsmc::rt {

ContactSolution solve_multiplier(ContactProblem& problem, const SolverOptions& options) {
  return iterate_jacobi(problem, options, [&options](ContactProblem& p, double omega) {
    double r = options.rho * p.dt * omega;
    if (options.rho == 0) {
      double S = 0;
      for (const SetBlock& s : p.sets) {
        const double sum = row_sum(p, s);
        if (!(sum <= S)) S = sum;
      }
      r = S == 0 ? 0 : 1.5 * omega / S;
    }
    for (SetBlock& s : p.sets) s.r = s.D == 0 ? 0 : r;
  });
}

}  // namespace nsmc::rt
