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

// Updates the percussion of an interval of one row: what update_set does, and nothing else.
void solve_interval(ContactProblem& p, std::uint32_t position, double* Lambda, Sweep& sweep) {
  const SetBlock& s = p.sets[position];
  const ContactRows& i = p.contacts[s.contact];
  if (!s.constant) p.update_arguments(i, *s.set, Lambda);
  const double* ends = p.arguments.data() + i.first_argument + s.set->first_argument;
  double& own = Lambda[s.first_row];
  const double z = s.r * p.xi(i, s.first_row - i.first_row, Lambda) - own;
  const double next = -Interval{ends[0], ends[1]}.prox(z), delta = next - own;
  own = next;
  sweep.add(s, position, delta * delta, next * next);
}

// Updates the percussions of a ball; false, and nothing changed, if it cannot be solved exactly.
bool solve_ball(ContactProblem& p, std::uint32_t position, double* Lambda, Sweep& sweep) {
  const SetBlock& s = p.sets[position];
  const ContactRows& i = p.contacts[s.contact];
  if (!s.constant) p.update_arguments(i, *s.set, Lambda);
  const ConvexSet set{s.set, p.arguments.data() + i.first_argument};
  const std::uint32_t local = s.first_row - i.first_row;
  const double* G = p.G.data() + i.first_value + std::size_t{local} * i.width + i.own + local;
  double c[max_ball_block], next[max_ball_block];
  p.xi(s, Lambda, c);
  for (std::uint32_t h = 0; h < s.dim; ++h) {
    next[h] = Lambda[s.first_row + h];
    for (std::uint32_t k = 0; k < s.dim; ++k) c[h] -= G[std::size_t{h} * i.width + k] * Lambda[s.first_row + k];
  }
  // A scaled law asks for |alpha Lambda| <= R; on the boundary its length follows from the direction, see iterate.hpp.
  const double alpha = set.alpha(), R = set.own()[0] / alpha;
  BallFacts<double> facts;  // finish() has looked at G
  facts.symmetric = facts.finite = true;
  if (!solve_ball_block(G, i.width, s.dim, facts, c, R, next, true)) return false;
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
      const OwnInclusion own = p.sets[n].own;
      if (own == OwnInclusion::interval)
        solve_interval(p, n, Lambda, result);
      else if (!(own == OwnInclusion::ball && relaxation == 1 && solve_ball(p, n, Lambda, result)))
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
