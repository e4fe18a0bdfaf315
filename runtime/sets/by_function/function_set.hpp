// What gauge sets and support sets s * C0 share: when a point counts as inside, and the frame around a projection.
//
// s = 0 is the set {0}, and so is a negative s, as the force that it depends on may make it; whether it is negative for
// every force is looked at once a problem is solved (set_extents.hpp). Where s is no finite number, or a coefficient is
// none, there is no set, and every answer is NaN: a solver reports it.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/sets/by_function/homogeneous_function.hpp"

namespace nsmc::rt {

// What counts as inside, relative to the point: the points that prox returns lie on the boundary up to the rounding of
// the function.
inline constexpr double function_slack = 64 * std::numeric_limits<double>::epsilon();

// What the projection x of y may miss optimality by, relative to y or the set: if x is optimal for y - r, then it is at
// most |r| off, since projections do not move points apart.
inline constexpr double negligible_residual = 5e-14;
// In the plane, where steps are cheap, relative to x as far as rounding of y allows. One more step of Newton's method,
// without another evaluation, makes it better still.
inline double negligible_residual_in_plane(double x, double y) {
  return std::max(negligible_residual * x, 4 * std::numeric_limits<double>::epsilon() * y);
}

// Evaluations for the bracket in the plane; bisection alone ends after 53.
inline constexpr int most_evaluations_in_plane = 150;

enum class Extent { undefined, origin, regular };

inline Extent extent(const HomogeneousFunction& f, double s) {
  if (!(s <= std::numeric_limits<double>::max()) || !f.has_finite_coefficients()) return Extent::undefined;
  return s > 0 ? Extent::regular : Extent::origin;
}

// |x|/s and the direction of x, where these decide; otherwise what prox is, and whether the gauge is 0, +inf or NaN.
struct Ray {
  double rho;
  double direction[HomogeneousFunction::max_dim];
  bool decided;
  double gauge;

  Ray(const HomogeneousFunction& f, double s, const double* x) : rho(split_direction(x, f.dim, direction)) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Extent size = extent(f, s);
    decided = size != Extent::regular || !(rho > 0);
    gauge = size == Extent::undefined ? std::numeric_limits<double>::quiet_NaN() : rho > 0 ? infinity : rho;
    rho /= s;
  }
  // For a projection, points too far away are moved in along their direction.
  double distance() const { return std::min(rho, 1e50); }
  // True if z stays.
  bool prox(double* z, std::uint32_t dim) const {
    if (gauge == 0) return true;
    std::fill_n(z, dim, std::isnan(gauge) ? gauge : 0.0);
    return false;
  }
};

}  // namespace nsmc::rt
