// Nearest points of Coulomb-Contensou balls with Hertz's pressure, for registers with a problem in every lane:
// Contensou::prox with masks. Lanes go through Newton's method together, each as far as it needs. Points and sets that
// are not in general position (on an axis, of extents that are zero) are left to Contensou, one by one.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "runtime/linear/number.hpp"
#include "runtime/sets/contensou.hpp"
#include "runtime/sets/contensou_profile.hpp"
#include "runtime/sets/mean_radius.hpp"

namespace nsmc::rt {

// At u = x, or at u = 1/x in the lanes `inverse`.
template <class Real>
ContensouProfileOf<Real> parabolic_profile(const Real& x, mask_of<Real> inverse, mask_of<Real> wanted) {
  ContensouProfileOf<Real> at = parabolic_near(x);
  const auto choose = [&](mask_of<Real> mask, const ContensouProfileOf<Real>& from) {
    at = {select(mask, from.t, at.t), select(mask, from.y, at.y), select(mask, from.bend, at.bend)};
  };
  const auto series = x < Real(contensou::series_limit);
  if (any(wanted & inverse & series)) choose(inverse & series, parabolic_very_far(x));
  const auto closed_form = wanted & inverse & !series;
  if (any(closed_form)) {
    Real s = 0;
    const std::uint32_t bits = closed_form.to_bits();
    for (unsigned l = 0; l < Real::lanes; ++l) {
      if ((bits >> l & 1) != 0) s.set(l, std::asin(x[l]));
    }
    choose(closed_form, parabolic_far(x, s));
  }
  return at;
}

// z in units of f, in the half plane: s = |z_T|, v = |z_tau|. The nearest point of the generator.
template <class Real>
struct LaneRoot {
  Real x, t, y;
  mask_of<Real> inverse;
};

template <class Real>
LaneRoot<Real> find_parabolic_root(const Real& s, const Real& v, const Real& alpha, const Real& guess,
                                   mask_of<Real> wanted) {
  using Mask = mask_of<Real>;
  const auto value_and_slope = [&](const Real& k, Mask inverse, const ContensouProfileOf<Real>& at, Real& slope) {
    const Real ds = s - at.t, dv = alpha * (v - alpha * at.y);
    slope =
        select(inverse, ds + at.bend * (k * k + alpha * alpha), -dv - at.bend * (Real(1) + alpha * k * (alpha * k)));
    return select(inverse, ds * k - dv, ds - dv * k);
  };
  Real slope;
  const Mask nowhere = Mask::of(0);
  const Mask inverse = value_and_slope(Real(1), nowhere, parabolic_near(Real(1)), slope) > Real(0);
  Real x = select(inverse, Real(1) / guess, guess), low = 0, high = 1, last = 1;
  x = select(x >= Real(0), x, Real(0.5));
  x = select(x <= Real(1), x, Real(1));
  LaneRoot<Real> found{x, Real(0), Real(0), inverse};
  Mask searching = wanted;
  constexpr int max_iterations = 200;
  for (int n = 1; any(searching); ++n) {
    const ContensouProfileOf<Real> at = parabolic_profile(x, inverse, searching);
    const Real value = value_and_slope(x, inverse, at, slope);
    found.x = select(searching, x, found.x);
    found.t = select(searching, at.t, found.t);
    found.y = select(searching, at.y, found.y);
    searching = searching & !(value == Real(0));
    if (n == max_iterations) break;
    const Mask positive = value > Real(0), to_low = (positive & !inverse) | (inverse & !positive);
    low = select(to_low, x, low);
    high = select(to_low, high, x);
    Real next = x - value / slope;
    const Mask inside = (next >= low) & (next <= high);
    const Mask bisect = (!inside) | (magnitude(next - x) > Real(0.5) * last);
    next = select(bisect, Real(0.5) * (low + high), next);
    last = magnitude(next - x);
    const Real enough = select(bisect, Real(2 * std::numeric_limits<double>::epsilon()), Real(1e-9));
    const Mask done = searching & (last <= enough * x);
    if (any(done)) {
      const Real step = next - x;
      found.x = select(done, next, found.x);
      found.t = select(done, found.t + select(inverse, -at.bend * x * step, at.bend * step), found.t);
      found.y = select(done, found.y + select(inverse, at.bend * step, -x * at.bend * step), found.y);
      searching = searching & !done;
    }
    x = next;
  }
  return found;
}

// In place, in the lanes `wanted`.
inline void prox_on_parabolic_contensou(double f, double a, double* z, bool /*wanted*/) {
  Contensou{f, a, Pressure::parabolic}.prox(z);
}
template <class Real>
void prox_on_parabolic_contensou(const Real& f, const Real& a, Real* z, mask_of<Real> wanted) {
  using Mask = mask_of<Real>;
  constexpr double far_away = 1e100, slack = 16 * std::numeric_limits<double>::epsilon();
  const auto is_plain = [](const Real& square) { return (square > Real(1e-280)) & (square < Real(1e280)); };
  const Real T2 = z[0] * z[0] + z[1] * z[1], T = root(T2), w = magnitude(z[2]);
  const Real Fw = f * a, largest = larger(f, Fw), smallest = smaller(f, Fw);
  const Real s = T / f, v = w / f, unit = larger(Real(1), a);
  const Real across = v / a, reach2 = s * s + across * across, size2 = s * s + v * v;
  const Mask general = is_plain(T2) & (w > Real(0)) & (f > Real(0)) & (a > Real(0)) &
                       (smallest > Real(1e-150) * largest) & is_finite(largest) &
                       (larger(s, v) <= Real(far_away) * unit) & is_plain(reach2) & is_plain(size2);
  Mask searching = wanted & general & !(T / f + w / Fw <= Real(1));  // else in the convex hull of the extents
  if (any(searching)) {
    const Real c = mean_radius_parabolic, alpha = a / c;
    const Real reach = root(reach2);
    const Real lambda = select(reach > Real(1), (Real(1) - Real(1) / reach) * root(size2) * unit, Real(0));
    const Real guess = c * s * (a * a + lambda) / (a * v * (Real(1) + lambda));
    const LaneRoot<Real> at = find_parabolic_root(s, v, alpha, guess, searching);
    const Real x_s = at.t, x_v = alpha * at.y;
    const Real n_s = alpha * select(at.inverse, Real(1), at.x), n_v = select(at.inverse, at.x, Real(1));
    const Mask outside = searching & !((s - x_s) * n_s + (v - x_v) * n_v <= Real(slack) * (x_s * n_s + x_v * n_v));
    const Real new_T = f * smaller(x_s, s), new_w = f * smaller(x_v, v);
    const Mask moved = outside & !(new_T == T), turned = outside & !(new_w == w);
    z[0] = select(moved, new_T * (z[0] / T), z[0]);
    z[1] = select(moved, new_T * (z[1] / T), z[1]);
    z[2] = select(turned, select(z[2] < Real(0), -new_w, new_w), z[2]);
  }
  const std::uint32_t rest = (wanted & !general).to_bits();
  for (unsigned l = 0; rest >> l != 0; ++l) {
    if ((rest >> l & 1) == 0) continue;
    double own[3] = {z[0][l], z[1][l], z[2][l]};
    Contensou{f[l], a[l], Pressure::parabolic}.prox(own);
    for (unsigned k = 0; k < 3; ++k) z[k].set(l, own[k]);
  }
}

}  // namespace nsmc::rt
