// The set s * C0, where C0 is given by its support function Phi(v) = max { v . x : x in C0 }: a kernel, convex and
// positively homogeneous of degree one, Phi >= 0 (0 is in C0). Friction potentials are of this kind
// [Leine & Glocker 2003]. Dimension 1 to 6. Corners, edges and flats (parts of Phi without curvature, kinks) are
// allowed.
//
// In: the function and the scale s, which depends on the iterate of a solver; out: membership, gauge, nearest point.
// With s = 0 the set is {0}; where s or a coefficient makes no sense, all is NaN (function_set.hpp). No memory is
// allocated.
#pragma once

#include <cstdint>

#include "runtime/sets/by_function/homogeneous_function.hpp"
#include "runtime/sets/set_trait.hpp"

namespace nsmc::rt {

struct SupportSet {
  HomogeneousFunction Phi;
  double s;

  bool contains(const double* x) const;

  // max over v of v . x/(s Phi(v)); for the set {0} it is 0 at x = 0 and +inf elsewhere.
  double gauge(const double* x) const;

  // In place: by Moreau's decomposition prox_C(z) = z - prox_Phi(z). Exact as GaugeSet::prox is. Returns the number of
  // evaluations of Phi, 0 exactly if z is inside and stays as it is. NaN in z, or a function that has no value, gives
  // NaN.
  int prox(double* z, double* residual = nullptr) const;

  // Left to finite differences.
  ProxDerivative differentiate(const double*, const double*, double, double*, double*) const { return {}; }
  void expose(const double* xi, double* x) const;  // exposed_face.cpp
};

}  // namespace nsmc::rt
