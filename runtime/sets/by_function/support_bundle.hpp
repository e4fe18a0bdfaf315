// Nearest point of a set that is given by its support function, at kinks of it, by a bundle of its points.
#pragma once

#include "runtime/sets/by_function/nearest_point.hpp"

namespace nsmc::rt {

// As nearest_of_support; slower, but kinks may be anywhere.
NearestPoint nearest_by_points(const HomogeneousFunction& Phi, double rho, const double* e1, double slack);

}  // namespace nsmc::rt
