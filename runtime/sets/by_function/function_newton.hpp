// Nearest points of sets that are given by a function, in three to six dimensions.
#pragma once

#include "runtime/sets/by_function/nearest_point.hpp"

namespace nsmc::rt {

// The nearest point of { x : k(x) <= 1 }. y = rho e1 counts as inside if k(y) <= slack.
NearestPoint nearest_of_gauge(const HomogeneousFunction& k, double rho, const double* e1, double slack);

// That of the set with the support function Phi. y = rho e1 within slack * rho of the set counts as inside.
NearestPoint nearest_of_support(const HomogeneousFunction& Phi, double rho, const double* e1, double slack);

}  // namespace nsmc::rt
