// The closest points of two polytopes that are apart, by the algorithm of Gilbert, Johnson and Keerthi: descent over
// the simplices of the difference A - B, which ends after finitely many steps.
#pragma once

#include "runtime/collision/solid.hpp"

namespace nsmc::rt::collision {

struct Closest {
  double distance;  // 0: they touch or overlap, and the points are not defined
  Vec on_a, on_b;
};

Closest closest_points(const Placed& a, const Placed& b);

}  // namespace nsmc::rt::collision
