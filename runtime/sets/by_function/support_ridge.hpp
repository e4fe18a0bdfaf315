// Nearest point of a set that is given by its support function, where that is creased.
#pragma once

#include "runtime/sets/by_function/support_newton.hpp"

namespace nsmc::rt {

// Improves the answer `point` to rho e1, an approximation; point.n is a start in any case. False if that cannot be done
// with a residual that is negligible along the ridges.
bool settle_on_ridges(const HomogeneousFunction& Phi, double rho, const double* e1, double slack, SupportPoint& point);

}  // namespace nsmc::rt
