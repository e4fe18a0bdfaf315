// The set s * C0, C0 = { x : k(x) <= 1 }, given by its gauge function k [Walker 2017, (16), (17)]: a kernel, convex,
// positively homogeneous of degree one and positive off the origin, so that 0 is in the interior of the bounded set C0.
// Dimension 1 to 6. Corners, edges and flats (kinks of k and parts without curvature) are allowed.
//
// In: the function and the scale s, which depends on the iterate of a solver; out: membership, gauge, nearest point.
// With s <= 0, or if s or a coefficient is not finite, the set is {0}. No memory is allocated.
#pragma once

#include <cstdint>

#include "runtime/sets/homogeneous_function.hpp"

namespace nsmc::rt {

struct GaugeSet {
  HomogeneousFunction k;
  double s;

  bool contains(const double* x) const;

  // k(x)/s; for the set {0} it is 0 at x = 0 and +inf elsewhere.
  double gauge(const double* x) const;

  // In place: prox_{s C0}(z) = s prox_{C0}(z/s). Accurate to about 1e-14 of |z| in the plane and, in more dimensions,
  // to 1e-13 where k is smooth or piecewise linear; where k is like |x|^s with 1 < s < 2 at x = 0, that x to about
  // 1e-9. Returns the number of evaluations of k, 0 exactly if z is inside and stays as it is. NaN in z, or a function
  // that has no value, gives NaN.
  int prox(double* z) const;

 private:
  bool is_origin() const;
  int prox_on_line(double* z) const;
  int prox_in_plane(double* z, double rho, const double* e1) const;
};

}  // namespace nsmc::rt
