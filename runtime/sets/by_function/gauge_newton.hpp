// Nearest point of { x : k(x) <= 1 } in three to six dimensions.
#pragma once

#include "runtime/sets/by_function/homogeneous_function.hpp"

namespace nsmc::rt {

// z = s * prox(rho e1) for the unit vector e1 and scale s; z stays as it is if rho k(e1) <= slack. Returns the number
// of evaluations, 0 if z stays. NaN if k has no value somewhere.
int prox_by_newton(const HomogeneousFunction& k, double s, double rho, const double* e1, double slack, double* z);

}  // namespace nsmc::rt
