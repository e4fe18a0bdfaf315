// Nearest point of a set that is given by its support function, in three to six dimensions.
#pragma once

#include "runtime/sets/by_function/homogeneous_function.hpp"

namespace nsmc::rt {

struct SupportPoint {
  enum Place : std::uint8_t { inside, outside, undefined } place = undefined;  // undefined: Phi has no value
  int evaluations = 0;
  bool sure = false;                       // the answer is known to be right
  double x[HomogeneousFunction::max_dim];  // if outside: the nearest point
  double n[HomogeneousFunction::max_dim];  // and its unit normal; if inside: the best separating one that was seen
};

// For the point rho e1, e1 a unit vector; within slack * rho counts as inside.
SupportPoint nearest_by_newton(const HomogeneousFunction& Phi, double rho, const double* e1, double slack);

}  // namespace nsmc::rt
