// The set s * C0, C0 = { x : k(x) <= 1 }, given by its gauge function k [Walker 2017, (16), (17)]: a kernel, convex,
// positively homogeneous of degree one and positive off the origin, so that 0 is in the interior of the bounded set C0.
// Dimension 1 to 6. Corners, edges and flats (kinks of k and parts without curvature) are allowed.
//
// In: the function and the scale s, which depends on the iterate of a solver; out: membership, gauge, nearest point.
// With s = 0 the set is {0}; where s or a coefficient makes no sense, all is NaN (function_set.hpp). No memory is
// allocated.
#pragma once

#include <cstdint>

#include "runtime/sets/by_function/homogeneous_function.hpp"
#include "runtime/sets/set_trait.hpp"

namespace nsmc::rt {

struct GaugeSet {
  HomogeneousFunction k;
  double s;

  bool contains(const double* x) const;

  // k(x)/s; for the set {0} it is 0 at x = 0 and +inf elsewhere.
  double gauge(const double* x) const;

  // In place: prox_{s C0}(z) = s prox_{C0}(z/s). Exact to 1e-12 of |z| or the set, whichever is larger, on the line and
  // in the plane, and in more dimensions unless `residual`, if asked for, is raised by what is missed
  // (nearest_point.hpp). Returns the number of evaluations of k, 0 exactly if z is inside and stays as it is. NaN in z,
  // or a function that has no value, gives NaN.
  int prox(double* z, double* residual = nullptr) const;

  // Left to finite differences.
  ProxDerivative differentiate(const double*, const double*, double, double*, double*) const { return {}; }
  void expose(const double* xi, double* x) const;  // exposed_face.cpp

 private:
  int prox_on_line(double* z) const;
  int prox_in_plane(double* z, double rho, const double* e1) const;
  int prox_in_space(double* z, double rho, const double* e1, double* residual) const;
};

}  // namespace nsmc::rt
