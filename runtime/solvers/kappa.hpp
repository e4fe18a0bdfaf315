// The contact problem in accelerations (or velocities) instead of forces [Studer 2006, (45), (46)]:
//
//     xi_i = kappa_{K_i}(xi_i - r_i (G^-1 (xi - c))_i, r_i),     kappa_K(b, r) = b - r prox_K(b/r)
//
// kappa_K is the resolvent of the support function of K; for the disc it is [Studer 2006, (23)], for K = (-inf, 0] the
// projection on [0, inf) of (45). It needs an inverse of G: where the contacts hold a body in more ways than it can
// move, there is none, and the solution says which contacts are to blame.
//
// SolverOptions::kind chooses the iteration, as it does for the forces:
//
//   jor        all sets see the accelerations of the last sweep, r_i by the row sums of G^-1
//   sor        one set after another; r_i by the rows of its own block, a ball exactly (ball_block.hpp). Intervals and
//              points have an r for every row, here and in jor.
//   newton     With f_i = lambda_i + prox_{K_i}(xi_i/r_i - lambda_i), the equation above is r_i f_i = 0, and f_i = 0 is
//              the lambda-equation (43), (44) with 1/r_i in the place of r_i. Where G is regular, xi = G lambda + c is
//              an affine bijection, and Newton's steps do not depend on such a choice of unknowns: those for xi are
//              those of solve_newton for lambda.
//   automatic  sor where it is quick, newton where it is not
//
// The other kinds are made for forces; they are taken for sor here, and refused by the command line.
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
