// A convex polygon in the plane by its corners, counter-clockwise: force reservoirs from measurements, diamonds, boxes
// that stand askew. Repeated corners do no harm; a polygon without area is the segment or the point that it looks like.
//
// In: the corners; out: membership, gauge, nearest point. No memory is allocated, whatever the number of corners.
#pragma once

#include <cstdint>

#include "runtime/sets/set_trait.hpp"

namespace nsmc::rt {

struct Polygon {
  const double* corners;  // x_1, y_1, x_2, y_2, ...
  std::uint32_t n;        // number of corners, at least 1

  bool contains(const double* x) const;

  // inf { s >= 0 : x in s K }; defined where 0 is in K, +inf otherwise.
  double gauge(const double* x) const;

  // In place: a corner with its own bits, or the foot of the perpendicular on an edge. True if z lies in the set and
  // stays as it is. NaN in z, or corners that are not finite, give NaN.
  bool prox(double* z) const;

  // I inside, t t^T on an edge with direction t, 0 at a corner; no Q.
  ProxDerivative differentiate(const double* z, const double* x, double slack, double* P, double* Q) const;
  void expose(const double* xi, double* x) const;
  std::uint32_t exposed_corner(const double* xi) const;
};

}  // namespace nsmc::rt
