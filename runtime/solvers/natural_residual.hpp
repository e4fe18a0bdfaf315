// When is a contact problem solved? The stopping rule of all iterative solvers.
//
// Lambda solves the problem exactly if the natural residual
//     delta_i = Lambda_i + prox_{K_i(Lambda)}(-Lambda_i + r_i xi_i)                              [Möller 2009, (35)]
// (for a scaled law delta_i = Lambda_i + prox_{K_i}(alpha_i (-Lambda_i + r_i xi_i))/alpha_i [Walker 2017, (25)])
// vanishes for all sets i, for one and then for every r_i > 0. How large it is for an unfinished Lambda depends on r_i:
// |delta_i| grows with r_i, |delta_i|/r_i falls. A solver with a small relaxation hardly moves and would seem to have
// converged [Studer 2006, sec. 5.5]. Hence delta is judged at
//     r_i = 1/D_i,   D_i = max_h sum_{k in i} |G_hk|   (D_i = G_ii for a set of one row),
// whatever the solver and its relaxation.
//
// Measure. sqrt(G) Lambda is the square root of an energy, for every set and in every system of units, so that the
// norms
//     |x| := max_i sqrt(D_i) |x_i|
// compare forces with torques fairly, and the ratio
//     residual = |delta| / (min(|Lambda|, 1e5 c_scale) + 1e-15 c_scale),       c_scale = max_i |c_i| / sqrt(D_i)
// is a pure number: it does not change with units, nor with dt except as the problem itself does. The second term lets
// problems with the solution Lambda = 0 finish. Of |delta|, 4 eps c_scale and 16 eps |Lambda| are not counted, the
// rounding of c and of G Lambda: no iteration can go below it. For this c_scale takes |c| before cancellation.
//
// Rows of different magnitude in one set count each in its own unit: all this is meant in scaled rows (row_metric.hpp).
// Percussions count as 1e5 c_scale at most: see residual_ratio.hpp.
//
// A projection on a set by a function that did not get to its end (function_set.hpp) says by how much it may be off,
// and |delta_i| counts that in: what is not known is not converged.
#pragma once

#include <cstdint>

#include "runtime/solvers/contact_problem.hpp"
#include "runtime/solvers/residual_ratio.hpp"

namespace nsmc::rt {

struct NaturalResidual {
  double value = 0;
  std::uint32_t worst = 0;  // position in ContactProblem::sets
  bool finite = true;
};

// Evaluated at Lambda, which stays as it is; needs problem.finish().
NaturalResidual natural_residual(ContactProblem& problem, const double* Lambda);

}  // namespace nsmc::rt
