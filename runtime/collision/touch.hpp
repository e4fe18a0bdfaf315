// How two solids touch: the signed distance between them, and up to eight points where they touch or are about to.
//
//   - Apart, the distance is that of the closest points. Overlapping, it is minus the length of the shortest way out:
//   the
//     largest separation over all directions that can be it, normals of faces and products of edges.
//   - Where a face leads (its normal is within 2.5 degrees of that direction), the face or edge of the other solid that
//     turns towards it is clipped on it. Each corner of what is left is a point, with its height as gap. Where faces of
//     both can lead, the one that is larger in separation by more than 1e-9 of the size does; of equal ones, as where
//     solids lie in the same place, the one closer to the horizontal, then that of the first solid.
//   - Elsewhere there is one point; two parallel edges, as of two capsules, have two.
//   - Points have keys, by the corners and edges that make them, and stand in their order. As long as the same
//     features touch, a point keeps its place. Nothing is remembered: equal positions give equal points.
#pragma once

#include <cstdint>

#include "runtime/collision/solid.hpp"

namespace nsmc::rt::collision {

inline constexpr int most_points = 8;

// What the surface is like at a point, which tells how the point wanders when the solids move.
struct Surface {
  // Where a face leads with its edge or its corner (border, pin), the edge or the face that it meets there has no say
  // about the normal (crossed, beneath).
  enum Kind : std::uint8_t { corner, edge, face, border, crossed, pin, beneath };
  Kind kind = corner;
  Vec along{0, 0, 0};  // of an edge, a border and what it crosses: its direction; of a face beneath: its normal
};

struct Point {
  double gap;    // p1 - p2 = gap n
  Vec n;         // unit normal, from the second solid to the first
  Vec p1, p2;    // on the surfaces of the first and the second
  Surface a, b;  // of the polytopes without their radius
  std::uint32_t key;
};

struct Touch {
  double distance;
  Vec n;  // the direction of the distance
  int n_points = 0;
  Point points[most_points];  // one at least
};

Touch touch(const Placed& a, const Placed& b);
// With everything below the plane through `at` across n, which points out of it.
Touch touch_plane(const Placed& a, Vec at, Vec n);

// How n, p1 and p2 of a point change with the motion of the solids: columns for the velocity of the centre and the
// angular velocity of the first, then of the second solid; rows n, p1, p2.
struct Slopes {
  double of[9][12];
};
Slopes slopes(const Point& point, Vec centre_a, double radius_a, Vec centre_b, double radius_b);

}  // namespace nsmc::rt::collision
