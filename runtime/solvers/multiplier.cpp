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
// Unless rho is given, multipliers are scaled, C_i = 1/sqrt(D_i): one step for forces and torques alike would depend on
// units, and be small for all if it has to be for one. Then r_i = rho tau_f/D_i with
//
//     rho tau_f = 3/(2 S),     S = max_h sum_k C_h |G_hk| C_k >= beta, the largest eigenvalue of C G C,
//
// three quarters of the bound (4.18) if S = beta: modes with eigenvalues between beta/3 and beta are at least halved in
// every sweep. The sum is over all contacts; jor and jprox have a step of their own for each.
#include "runtime/solvers/jacobi_sweep.hpp"

namespace nsmc::rt {

namespace {

// S; C is written to `scale`, by row.
double scaled_row_sum(const ContactProblem& p, double* scale) {
  for (const SetBlock& s : p.sets) {
    const double C = s.D > 0 ? 1 / std::sqrt(s.D) : 0;
    for (std::uint32_t row = s.first_row; row < s.first_row + s.dim; ++row) scale[row] = p.row_scale[row] * C;
  }
  double largest = 0;
  for (const ContactRows& i : p.contacts) {
    const double* g = p.G.data() + i.first_value;
    for (std::uint32_t h = 0; h < i.n_rows; ++h) {
      double sum = 0;
      for (std::uint32_t n = i.first_run; n < i.first_run + i.n_runs; ++n) {
        const ColumnRun& run = p.runs[n];
        for (std::uint32_t k = 0; k < run.n_columns; ++k) sum += std::abs(*g++) * scale[run.first_column + k];
      }
      sum *= scale[i.first_row + h];
      if (!(sum <= largest)) largest = sum;
    }
  }
  return largest;
}

}  // namespace

ContactSolution solve_multiplier(ContactProblem& problem, const SolverOptions& options) {
  SolverOptions own = options;
  const bool given = options.rho > 0;
  own.one_step_for_all = given;
  return iterate_jacobi(problem, own, [&options, given](ContactProblem& p, double omega) {
    const double S = given ? 0 : scaled_row_sum(p, p.next.data());
    for (SetBlock& s : p.sets) {
      if (s.D == 0) {
        s.r = 0;
      } else {
        s.r = given ? omega * options.rho * p.dt : 1.5 * omega / (S * s.D);
      }
    }
  });
}

}  // namespace nsmc::rt
