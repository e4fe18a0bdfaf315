// Nearest point of a set that is given by its support function, in three to six dimensions.
#pragma once

#include "runtime/sets/by_function/nearest_point.hpp"

namespace nsmc::rt {

// y = rho e1 within slack * rho of the set counts as inside.
NearestPoint nearest_of_support(const HomogeneousFunction& Phi, double rho, const double* e1, double slack);

}  // namespace nsmc::rt
