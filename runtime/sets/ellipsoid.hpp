// The ellipsoid sum (x_k/a_k)^2 <= 1 in R^dim with its axes along the coordinates, projected on directly in the
// Euclidean norm. (The usual way is to transform it to a ball [Möller 2009, (25)]; this is for comparison and for users
// who ask.) A semi-axis of 0, or below, removes its direction from the set; an infinite one leaves it free.
//
// In: the semi-axes; out: membership, gauge, nearest point. No memory is allocated, whatever the dimension.
#pragma once

#include <cstdint>

#include "runtime/sets/set_trait.hpp"

namespace nsmc::rt {

struct Ellipsoid {
  const double* a;  // dim semi-axes
  std::uint32_t dim;

  bool contains(const double* x) const;

  // sqrt(sum (x_k/a_k)^2); +inf where x leaves the span of the non-zero axes.
  double gauge(const double* x) const;

  // In place, to about 1e-15 relative to the largest finite semi-axis. Returns the number of iterations, 0 exactly
  // if z is inside and stays as it is. NaN in z or a gives NaN.
  int prox(double* z) const;

  // x + tau A^-2 x = z, |A^-1 x| = 1 differentiated: with B = (I + tau A^-2)^-1 and n = A^-2 x,
  // P = B - B n n^T B/(n^T B n). Not where semi-axes vanish or are infinite.
  ProxDerivative differentiate(const double* z, const double* x, double slack, double* P, double* Q) const;
  void expose(const double* xi, double* x) const;
};

}  // namespace nsmc::rt
