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
#include "runtime/solvers/ball_block.hpp"
#include "runtime/solvers/iterate.hpp"

namespace nsmc::rt {

namespace {

// Updates the percussions of a ball; false, and nothing changed, if the set is not one that can be solved exactly.
bool solve_ball(ContactProblem& p, std::uint32_t position, double* Lambda, Sweep& sweep) {
  const SetBlock& s = p.sets[position];
  if (s.set->kind != NSM_SET_BALL || s.set->shifted != 0 || s.dim < 2 || s.dim > max_ball_block) return false;
  const ContactRows& i = p.contacts[s.contact];
  if (!s.constant) p.update_arguments(i, *s.set, Lambda);
  const ConvexSet set{s.set, p.arguments.data() + i.first_argument};
  const std::uint32_t local = s.first_row - i.first_row;
  const double* G = p.G.data() + i.first_value + std::size_t{local} * i.width + i.own + local;
  double c[max_ball_block], next[max_ball_block];
  for (std::uint32_t h = 0; h < s.dim; ++h) {
    next[h] = Lambda[s.first_row + h];
    c[h] = p.xi(i, local + h, Lambda);
    for (std::uint32_t k = 0; k < s.dim; ++k) c[h] -= G[std::size_t{h} * i.width + k] * Lambda[s.first_row + k];
  }
  // A scaled law asks for |alpha Lambda| <= R; on the boundary its length follows from the direction, see iterate.hpp.
  const double alpha = set.alpha(), R = set.own()[0] / alpha;
  if (!solve_ball_block(G, i.width, s.dim, c, R, next)) return false;
  double delta2 = 0, size2 = 0;
  if (s.set->scaled != 0) {
    for (std::uint32_t h = 0; h < s.dim; ++h) {
      p.z[h] = -next[h];
      size2 += next[h] * next[h];
    }
    if (size2 >= R * R * (1 - 1e-14)) p.find_length(s, alpha, Lambda);
    for (std::uint32_t h = 0; h < s.dim; ++h) next[h] = -p.z[h];
    size2 = 0;
  }
  for (std::uint32_t h = 0; h < s.dim; ++h) {
    const double delta = next[h] - Lambda[s.first_row + h];
    Lambda[s.first_row + h] = next[h];
    const double unit = s.plain ? 1 : p.row_unit[s.first_row + h];
    delta2 += delta * unit * (delta * unit);
    size2 += next[h] * unit * (next[h] * unit);
  }
  sweep.add(s, position, delta2, size2);
  return true;
}

}  // namespace

ContactSolution solve_sor(ContactProblem& problem, const SolverOptions& options, RateWatch* rate) {
  const auto choose_r = [](ContactProblem& p, double omega) {
    for (SetBlock& s : p.sets) s.r = s.D == 0 ? 0 : omega / s.D;
  };
  const auto sweep = [&options](ContactProblem& p, double relaxation) {
    Sweep result;
    double* Lambda = p.Lambda.data();
    const auto n_sets = static_cast<std::uint32_t>(p.sets.size());
    for (std::uint32_t n = 0; n < n_sets; ++n) {
      if (relaxation == 1 && solve_ball(p, n, Lambda, result)) continue;
      update_set(p, n, Lambda, Lambda, options, relaxation, result);
    }
    return result;
  };
  return iterate(problem, options, choose_r, sweep, rate);
}

ContactSolution solve_sor(ContactProblem& problem, const SolverOptions& options) {
  return solve_sor(problem, options, nullptr);
}

}  // namespace nsmc::rt
