// The Euclidean ball |x| <= radius in R^dim: isotropic dry friction, and every ellipsoid after the transformation of
// [Möller 2009, (25), (57)]. A negative radius, from a negative normal percussion of an iterate, means 0.
//
// In: radius and dimension; out: membership, gauge, nearest point.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "runtime/sets/set_trait.hpp"

namespace nsmc::rt {

struct Ball {
  double radius;
  std::uint32_t dim;

  // What counts as inside, relative to the squared radius. The points that prox returns lie on the sphere up to
  // rounding; with this allowance they are inside, hence prox(prox(z)) == prox(z) bit by bit.
  [[gnu::always_inline]] static constexpr double slack_of(std::uint32_t dim) {
    return 1 + (4 + 2 * static_cast<double>(dim)) * std::numeric_limits<double>::epsilon();
  }
  double slack() const { return slack_of(dim); }

  // Between these, squares of lengths neither under- nor overflow.
  static constexpr double least_square = 1e-280, largest_square = 1e280;

  bool contains(const double* x) const;

  // |x| / radius; for radius 0 it is 0 at x = 0 and +inf elsewhere.
  double gauge(const double* x) const;

  // In place: z, or the point radius * z/|z| of the sphere [Möller 2009, (59)]. NaN in z or radius gives NaN.
  // True if z is inside and stays as it is.
  bool prox(double* z) const {
    double z2 = 0;
    for (std::uint32_t k = 0; k < dim; ++k) z2 += z[k] * z[k];
    const double rho = radius < 0 ? 0 : radius;
    if (z2 > least_square && z2 < largest_square) {
      if (z2 <= rho * rho * slack()) return true;
      const double s = rho / std::sqrt(z2);
      for (std::uint32_t k = 0; k < dim; ++k) z[k] *= s;
      return false;
    }
    return prox_of_extreme(z, rho);
  }

  // Outside, with n = z/|z|: P = R/|z| (I - n n^T), Q = n.
  ProxDerivative differentiate(const double* z, const double* x, double slack, double* P, double* Q) const;
  void expose(const double* xi, double* x) const;

 private:
  // The same where the squares under- or overflow.
  bool prox_of_extreme(double* z, double rho) const;
};

}  // namespace nsmc::rt
