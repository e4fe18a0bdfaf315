// Nearest point of { x : k(x) <= 1 } at kinks of k, by a bundle of half spaces around it.
#pragma once

#include "runtime/sets/by_function/nearest_point.hpp"

namespace nsmc::rt {

// As nearest_of_gauge; slower, but kinks may be anywhere.
NearestPoint nearest_by_half_spaces(const HomogeneousFunction& k, double rho, const double* e1, double slack);

}  // namespace nsmc::rt
