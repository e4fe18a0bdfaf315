// JORprox, the projected Jacobi relaxation: all sets see the percussions of the last sweep,
//
//     Lambda_i^{new} = -prox_{K_i(Lambda)}(-Lambda_i + r_i (sum_j G_ij Lambda_j + c_i))
//                                                        [Studer 2006, (60), (61)], [Möller 2009, (37)]
// Choice of r_i. If the rows h of the set are strictly diagonally dominant, r_i = omega/max_h G_hh (69), otherwise
// r_i = omega/max_h sum_k |G_hk| over all columns (70), which keeps the spectrum of I - R G within [0, 1] for
// omega = 1 and symmetric G. A set whose rows have no effect (a zero row) gets r_i = 0.
#include "runtime/solvers/jacobi_sweep.hpp"
#include "runtime/solvers/row_sums.hpp"

namespace nsmc::rt {

namespace {

double inverse_r(const ContactProblem& p, const SetBlock& s) {
  const ContactRows& i = p.contacts[s.contact];
  const std::uint32_t local = s.first_row - i.first_row;
  double max_diagonal = 0, max_sum = 0;
  bool dominant = true;
  for (std::uint32_t h = local; h < local + s.dim; ++h) {
    const double sum = row_sum(p, i, h);
    const double scale = p.row_scale[i.first_row + h];
    const double diagonal = scale * scale * p.G[i.first_value + std::size_t{h} * i.width + i.own + h];
    if (!(2 * diagonal > sum)) dominant = false;
    max_diagonal = std::max(max_diagonal, diagonal);
    if (!(sum <= max_sum)) max_sum = sum;
  }
  return dominant ? max_diagonal : max_sum;
}

}  // namespace

ContactSolution solve_jor(ContactProblem& problem, const SolverOptions& options) {
  return iterate_jacobi(problem, options, [](ContactProblem& p, double omega) {
    for (SetBlock& s : p.sets) {
      const double inverse = inverse_r(p, s);
      s.r = inverse == 0 ? 0 : omega / inverse;
    }
  });
}

}  // namespace nsmc::rt
