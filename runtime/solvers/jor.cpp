// JORprox, the projected Jacobi relaxation: all sets see the percussions of the last sweep,
//
//     Lambda_i^{new} = -prox_{K_i(Lambda)}(-Lambda_i + r_i (sum_j G_ij Lambda_j + c_i))
//                                                        [Studer 2006, (60), (61)], [Möller 2009, (37)]
// Choice of r_i. If the rows h of the set are strictly diagonally dominant, r_i = omega/max_h G_hh (69), otherwise
// r_i = omega/max_h sum_k |G_hk| over all columns (70), which keeps the spectrum of I - R G within [0, 1] for
// omega = 1 and symmetric G. A set whose rows have no effect (a zero row) gets r_i = 0.
#include <algorithm>
#include <cmath>

#include "runtime/solvers/iterate.hpp"

namespace nsmc::rt {

namespace {

double inverse_r(const ContactProblem& p, const SetBlock& s) {
  const ContactRows& i = p.contacts[s.contact];
  const std::uint32_t local = s.first_row - i.first_row;
  double max_diagonal = 0, max_sum = 0;
  bool dominant = true;
  for (std::uint32_t h = local; h < local + s.dim; ++h) {
    const double* g = p.G.data() + i.first_value + std::size_t{h} * i.width;
    double sum = 0;
    for (std::uint32_t k = 0; k < i.width; ++k) sum += std::abs(g[k]);
    const double diagonal = g[i.own + h];
    if (!(2 * diagonal > sum)) dominant = false;
    max_diagonal = std::max(max_diagonal, diagonal);
    if (!(sum <= max_sum)) max_sum = sum;
  }
  return dominant ? max_diagonal : max_sum;
}

}  // namespace

ContactSolution solve_jor(ContactProblem& problem, const SolverOptions& options) {
  const auto choose_r = [](ContactProblem& p, double omega) {
    for (SetBlock& s : p.sets) {
      const double inverse = inverse_r(p, s);
      s.r = inverse == 0 ? 0 : omega / inverse;
    }
  };
  const auto sweep = [&options](ContactProblem& p, double relaxation) {
    Sweep result;
    const auto n_sets = static_cast<std::uint32_t>(p.sets.size());
    for (std::uint32_t n = 0; n < n_sets; ++n) {
      update_set(p, n, p.Lambda.data(), p.next.data(), options, relaxation, result);
    }
    std::copy_n(p.next.data(), p.c.size(), p.Lambda.data());
    return result;
  };
  return iterate(problem, options, choose_r, sweep);
}

}  // namespace nsmc::rt
