// Nearest point of a set that is given by its support function, at kinks of it.
#pragma once

#include "runtime/sets/by_function/support_newton.hpp"

namespace nsmc::rt {

// As nearest_by_newton; slower, but kinks may be anywhere.
SupportPoint nearest_by_hull(const HomogeneousFunction& Phi, double rho, const double* e1, double slack);

}  // namespace nsmc::rt
