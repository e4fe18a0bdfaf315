// The nearest point of the generator of a Coulomb-Contensou ball: Newton's method in a bracket, on the equations of
// contensou.cpp. Of doubles, or of registers with a problem in every lane (runtime/linear/number.hpp): lanes go through
// it together, each as far as it needs.
#pragma once

#include <limits>

#include "runtime/linear/number.hpp"
#include "runtime/sets/contensou_profile.hpp"

namespace nsmc::rt::contensou {

// How far outside, relative to the extents, a point still counts as one of the boundary.
inline constexpr double slack = 16 * std::numeric_limits<double>::epsilon();

// Points farther away than this, in units of the extents, are moved in along their direction.
inline constexpr double far_away = 1e100;

// Extents of which one is smaller than this, relative to the other, are those of a disc, a line or a point.
inline constexpr double flat = 1e-150;

// Between these, squares of lengths neither under- nor overflow.
template <class Real>
NSM_INLINE mask_of<Real> is_plain(const Real& square) {
  return (square > Real(1e-280)) & (square < Real(1e280));
}

inline constexpr int max_iterations = 200;

template <class Real>
struct ValueAndSlope {
  Real value, slope;
};

// A point of the generator, at u = x or, where `inverse`, at u = 1/x.
template <class Real>
struct Root {
  Real x, t, y;
  mask_of<Real> inverse;
  int iterations;

  // (u, 1) or (1, k): a multiple of (sin(phi), cos(phi)), u = tan(phi).
  Real sine() const { return select(inverse, Real(1), x); }
  Real cosine() const { return select(inverse, x, Real(1)); }
};

// The root of `function`(x, inverse, profile), which returns a value of the sign it has at phi, u = tan(phi), >= 0 at
// u = 0 and <= 0 at u = inf, and its slope in x. profile(x, inverse, wanted); guess: of u.
template <class Real, class Profile, class Function>
Root<Real> find_root(const Profile& profile, const Real& guess, mask_of<Real> wanted, const Function& function) {
  using Mask = mask_of<Real>;
  Lanes<Real> lanes(wanted);
  const Mask nowhere = mask_from<Real>(0);
  const Mask inverse = function(Real(1), nowhere, profile(Real(1), nowhere, wanted)).value > Real(0);
  Real x = guess, low = 0, high = 1, last = 1;  // towards u = 0 is `low`, or `high` if inverse
  if (any(inverse)) x = select(inverse, Real(1) / guess, guess);
  x = select(x >= Real(0), x, Real(0.5));
  x = select(x <= Real(1), x, Real(1));
  Root<Real> found{x, Real(0), Real(0), inverse, 0};
  for (;;) {
    const ContensouProfileOf<Real> at = profile(x, inverse, lanes.going());
    const auto [value, slope] = function(x, inverse, at);
    found.x = select(lanes.going(), x, found.x);
    found.t = select(lanes.going(), at.t, found.t);
    found.y = select(lanes.going(), at.y, found.y);
    ++found.iterations;
    if (lanes.finish(value == Real(0)) || found.iterations == max_iterations) return found;
    const Mask positive = value > Real(0), to_low = (positive & !inverse) | (inverse & !positive);
    low = select(to_low, x, low);
    high = select(to_low, high, x);
    Real next = x - value / slope;
    // Outside the bracket, or slower than bisection: bisect.
    const Mask inside = (next >= low) & (next <= high);
    const Mask bisect = !inside | (magnitude(next - x) > Real(0.5) * last);
    next = select(bisect, Real(0.5) * (low + high), next);
    const Real step = next - x;
    last = magnitude(step);
    // After so small a step of Newton's method the next one would be rounding, and the profile follows by its slope:
    // dy = -u dt.
    const Real enough = select(bisect, Real(2 * std::numeric_limits<double>::epsilon()), Real(1e-9));
    const Mask done = lanes.going() & (last <= enough * x);
    if (any(done)) {
      found.x = select(done, next, found.x);
      found.t = select(done, found.t + select(inverse, -at.bend * x * step, at.bend * step), found.t);
      found.y = select(done, found.y + select(inverse, at.bend * step, -x * at.bend * step), found.y);
      if (lanes.finish(done)) return found;
    }
    x = next;
  }
}

template <class Real>
struct Nearest {
  mask_of<Real> outside;
  Real s, v;  // the nearest point, where outside
  int iterations;
};

// In the half plane, in units of f: of (s, v) = (|z_T|, |z_tau|) in general position and the extents (1, a).
// reach = |(s, v/a)|, size = |(s, v)|; c: y(0).
template <class Real, class Profile>
Nearest<Real> nearest(const Profile& profile, double c, const Real& s, const Real& v, const Real& a, const Real& reach,
                      const Real& size, mask_of<Real> wanted) {
  // The ellipsoid with the same extents makes the start.
  const Real alpha = a / Real(c), far = (Real(1) - Real(1) / reach) * size * larger(Real(1), a);
  const Real lambda = select(reach > Real(1), far, Real(0));
  const Real guess = Real(c) * s * (a * a + lambda) / (a * v * (Real(1) + lambda));
  using Mask = mask_of<Real>;
  const Root<Real> root =
      find_root<Real>(profile, guess, wanted, [&](const Real& k, Mask inverse, const ContensouProfileOf<Real>& at) {
        const Real ds = s - at.t, dv = alpha * (v - alpha * at.y);
        const Real beyond = ds + at.bend * (k * k + alpha * alpha);
        const Real near = -dv - at.bend * (Real(1) + alpha * k * (alpha * k));
        return ValueAndSlope<Real>{select(inverse, ds * k - dv, ds - dv * k), select(inverse, beyond, near)};
      });
  const Real x_s = root.t, x_v = alpha * root.y, n_s = alpha * root.sine(), n_v = root.cosine();
  // What counts as distance is measured along the normal by the extent of the set there.
  const Mask inside = (s - x_s) * n_s + (v - x_v) * n_v <= Real(slack) * (x_s * n_s + x_v * n_v);
  return {wanted & !inside, smaller(x_s, s), smaller(x_v, v), root.iterations};
}

}  // namespace nsmc::rt::contensou
