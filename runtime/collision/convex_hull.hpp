// The convex hull of a few points, as the row of numbers of a polyhedron (solid.hpp).
#pragma once

#include <span>
#include <vector>

#include "runtime/collision/solid.hpp"

namespace nsmc::rt::collision {

// Points that are not corners are left out; faces have all their corners, up to 1e-9 of the size. Empty if the points
// lie in a plane. More than most_corners points are not looked at.
std::vector<double> convex_hull(std::span<const Vec> points);

}  // namespace nsmc::rt::collision
