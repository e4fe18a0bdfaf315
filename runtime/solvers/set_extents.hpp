// Sets that do not exist: a radius or semi-axis below zero, an interval whose ends are in the wrong order.
//
// An extent that depends on forces may be negative for some of them: by rounding or the tolerance of a solver, a normal
// force that is -1e-18 N in place of 0; by the law itself, disc(mu*(N - N0)) below N0. It counts as 0 there, and every
// projection takes such a set for a point. An extent that is negative *whatever the forces* is the fault of a number of
// the model, a friction coefficient of -0.3, and no answer.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/kernel_abi.hpp"
#include "runtime/set_limits.hpp"

namespace nsmc::rt {

struct ContactProblem;
struct SetBlock;

// The least extent of a set, from its arguments; 0 for one that has none.
inline double least_extent(const nsm_set& set, const double* arguments) {
  if (set.kind >= NSM_SET_FACE) return 0;
  switch (set_kind_facts[set.kind].arguments) {
    case SetArguments::one:
    case SetArguments::two:
    case SetArguments::with_coefficients: return arguments[0];
    case SetArguments::ends: return arguments[1] - arguments[0];
    case SetArguments::by_row: return *std::min_element(arguments, arguments + set.n_arguments);
    case SetArguments::corners: break;
  }
  return 0;
}

// The extent of a set, in units of percussion, if it is negative at problem.Lambda and for all other forces that the
// laws of its contact allow; otherwise 0.
double negative_extent(ContactProblem& problem, const SetBlock& set);

}  // namespace nsmc::rt
