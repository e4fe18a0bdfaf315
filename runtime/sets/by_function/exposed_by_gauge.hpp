// The point of { k <= 1 } that a unit vector xi exposes, argmax { xi . x : k(x) <= 1 }: the direction whose gradient is
// xi.
#pragma once

#include "runtime/sets/by_function/homogeneous_function.hpp"

namespace nsmc::rt {

void exposed_by_gauge(const HomogeneousFunction& k, const double* xi, double* x);

// The same where k is smooth. False at kinks.
bool exposed_where_smooth(const HomogeneousFunction& k, const double* xi, double* x);

}  // namespace nsmc::rt
