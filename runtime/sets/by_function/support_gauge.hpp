// The gauge of a support set together with the normal that tells it.
#pragma once

#include "runtime/sets/by_function/support_set.hpp"

namespace nsmc::rt {

// The gauge of x. Where it is positive and finite and `normal` is not null, besides a unit vector n for which n . x is
// gauge times s Phi(n): exact on flats, elsewhere to about the root of rounding.
double gauge_and_normal(const SupportSet& set, const double* x, double* normal);

}  // namespace nsmc::rt
