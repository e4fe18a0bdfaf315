// One sweep in which all sets see the percussions of the last one: what jor, jprox and multiplier have in common. They
// differ in their steps r.
#pragma once

#include <algorithm>

#include "runtime/solvers/iterate.hpp"

namespace nsmc::rt {

template <typename ChooseR>
ContactSolution iterate_jacobi(ContactProblem& problem, const SolverOptions& options, ChooseR choose_r) {
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
