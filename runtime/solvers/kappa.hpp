// The contact problem in accelerations (or velocities) instead of forces [Studer 2006, (45), (46)]:
//
//     xi_i = kappa_{K_i}(xi_i - r_i (G^-1 (xi - c))_i, r_i),     kappa_K(b, r) = b - r prox_K(b/r)
//
// kappa_K is the resolvent of the support function of K; for the disc it is [Studer 2006, (23)], for K = (-inf, 0] the
// projection on [0, inf) of (45). It needs an inverse of G: where the contacts hold a body in more ways than it can
// move, there is none, and the solution says which contacts are to blame.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/solvers/solve.hpp"

namespace nsmc::rt {

struct KappaSolution {
  ContactSolution solution;
  bool regular = true;
  std::vector<std::uint32_t> dependent;  // contacts (of the model) whose rows of G depend on those of others
};

KappaSolution solve_kappa(ContactProblem& problem, const SolverOptions& options);

}  // namespace nsmc::rt
