// What SORprox does with one set, all other percussions being known: exactly, where that is possible; see sor.cpp.
#pragma once

#include "runtime/solvers/ball_block.hpp"
#include "runtime/solvers/iterate.hpp"

namespace nsmc::rt {

// Updates the percussion of an interval of one row: what update_set does, and nothing else.
inline void solve_interval(ContactProblem& p, std::uint32_t position, double* Lambda, Sweep& sweep) {
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
inline bool solve_ball(ContactProblem& p, std::uint32_t position, double* Lambda, Sweep& sweep) {
  const SetBlock& s = p.sets[position];
  const ContactRows& i = p.contacts[s.contact];
  if (!s.constant) p.update_arguments(i, *s.set, Lambda);
  const ConvexSet set{s.set, p.arguments.data() + i.first_argument};
  std::uint32_t stride = 0;
  const double* G = p.own_block(s, stride);
  double c[max_ball_block], next[max_ball_block];
  p.xi(s, Lambda, c);
  for (std::uint32_t h = 0; h < s.dim; ++h) {
    next[h] = Lambda[s.first_row + h];
    for (std::uint32_t k = 0; k < s.dim; ++k) c[h] -= G[std::size_t{h} * stride + k] * Lambda[s.first_row + k];
  }
  // A scaled law asks for |alpha Lambda| <= R; on the boundary its length follows from the direction, see iterate.hpp.
  const double alpha = set.alpha(), R = set.own()[0] / alpha;
  BallFacts<double> facts;  // finish() has looked at G
  facts.symmetric = facts.finite = true;
  if (!solve_ball_block(G, stride, s.dim, facts, c, R, next, true)) return false;
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

// The next percussions of a set, in place.
inline void update_in_place(ContactProblem& p, std::uint32_t position, const SolverOptions& options, double relaxation,
                            Sweep& sweep) {
  double* Lambda = p.Lambda.data();
  const OwnInclusion own = p.sets[position].own;
  if (own == OwnInclusion::interval) {
    solve_interval(p, position, Lambda, sweep);
  } else if (!(own == OwnInclusion::ball && relaxation == 1 && solve_ball(p, position, Lambda, sweep))) {
    update_set(p, position, Lambda, Lambda, options, relaxation, sweep);
  }
}

}  // namespace nsmc::rt
