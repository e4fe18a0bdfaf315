// Nearest points of intervals and balls, for registers with a problem in every lane: Interval::prox and Ball::prox,
// with choices in the place of branches.
#pragma once

#include <cstdint>
#include <limits>

#include "runtime/linear/number.hpp"
#include "runtime/sets/ball.hpp"
#include "runtime/small/single_lane.hpp"

namespace nsmc::rt {

template <class Real>
Real prox_of_interval(const Real& a, const Real& b, const Real& x) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Real not_a_number = std::numeric_limits<double>::quiet_NaN();
  Real result = select((x >= a) & (x <= b), x, not_a_number);
  result = select(x > b, b, result);
  result = select(x < a, a, result);
  const auto empty = a > b;
  if (!any(empty)) return result;
  // The only point of an interval with a > b.
  const auto a_infinite = magnitude(a) == Real(infinity), b_infinite = magnitude(b) == Real(infinity);
  Real middle = a / Real(2) + b / Real(2);
  middle = select(b_infinite, a, middle);
  middle = select(a_infinite, select(b_infinite, Real(0), b), middle);
  return select(empty, middle, result);
}

// In place. Lanes in which squares under- or overflow are rare, and left to Ball one by one.
template <class Real>
void prox_of_ball(const Real& radius, std::uint32_t dim, Real* z, mask_of<Real> wanted) {
  Real z2 = 0;
  for (std::uint32_t k = 0; k < dim; ++k) z2 += z[k] * z[k];
  const auto plain = (z2 > Real(1e-280)) & (z2 < Real(1e280));
  const Real rho = select(radius < Real(0), Real(0), radius);
  const auto outside = plain & !(z2 <= rho * rho * Real(Ball{0, dim}.slack()));
  if (any(outside)) {
    const Real s = rho / root(z2);
    for (std::uint32_t k = 0; k < dim; ++k) z[k] = select(outside, z[k] * s, z[k]);
  }
  const auto extreme = wanted & !plain;
  if (!any(extreme)) return;
  const std::uint32_t bits = extreme.to_bits();
  for (unsigned l = 0; l < Real::lanes; ++l) {
    if ((bits >> l & 1) == 0) continue;
    double own[16];
    for (std::uint32_t k = 0; k < dim; ++k) own[k] = z[k][l];
    prox_of_ball_alone(radius[l], dim, own);
    for (std::uint32_t k = 0; k < dim; ++k) z[k].set(l, own[k]);
  }
}

}  // namespace nsmc::rt
