// Nearest point of { x : k(x) <= 1 } in three to six dimensions.
#pragma once

#include "runtime/sets/by_function/nearest_point.hpp"

namespace nsmc::rt {

// y = rho e1 counts as inside if k(y) <= slack.
NearestPoint nearest_of_gauge(const HomogeneousFunction& k, double rho, const double* e1, double slack);

}  // namespace nsmc::rt
