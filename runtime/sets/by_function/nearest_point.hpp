// What a search for the nearest point of a set by a function in three to six dimensions finds.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "runtime/sets/by_function/homogeneous_function.hpp"

namespace nsmc::rt {

// For the point y = rho e1, e1 a unit vector. Searches end after a fixed number of evaluations, with the best answer
// they have.
struct NearestPoint {
  enum Place : std::uint8_t { inside, outside, undefined } place = undefined;  // undefined: the function has no value
  int evaluations = 0;
  // By how much optimality is missed: x is the nearest point to one that is this far from y, hence at most this far
  // from that of y, since projections do not move points apart. If inside: how far y may be outside.
  double residual = 0;
  double x[HomogeneousFunction::max_dim];  // if outside: the nearest point
  double n[HomogeneousFunction::max_dim];  // support sets: its unit normal; if inside: the best separating one seen
};

// The better one of two answers outside: the first, unless only the second one is exact. Where curvature is large
// Newton's method has more digits than its residual tells; it is off by at most what it is from another answer, and
// that from the truth.
inline NearestPoint better_answer(NearestPoint first, const NearestPoint& second, std::uint32_t dim) {
  if (second.residual == 0) return second;
  double apart2 = 0;
  for (std::uint32_t i = 0; i < dim; ++i) apart2 += (first.x[i] - second.x[i]) * (first.x[i] - second.x[i]);
  first.residual = std::min(first.residual, std::sqrt(apart2) + second.residual);
  return first;
}

}  // namespace nsmc::rt
