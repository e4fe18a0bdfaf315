// The generator of the Coulomb-Contensou ball for Hertz's pressure, formula by formula; contensou.cpp says where they
// come from. Of doubles, or of registers with a problem in every lane (runtime/linear/number.hpp).
#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "runtime/linear/number.hpp"
#include "runtime/sets/contensou.hpp"

namespace nsmc::rt {

// u = k <= 1.
template <class Real>
ContensouProfileOf<Real> parabolic_near(const Real& k) {
  constexpr double c = 3 * std::numbers::pi / 32;
  const Real k2 = k * k;
  return {Real(c) * k * (Real(4) - k2), Real(c / 4) * (Real(8) - k2 * (Real(8) - Real(3) * k2)),
          Real(c) * (Real(4) - Real(3) * k2)};
}

// u = 1/k > 1; s = asin(k). The terms cancel for small k.
template <class Real>
ContensouProfileOf<Real> parabolic_far(const Real& k, const Real& s) {
  const Real k2 = k * k, kc = root((Real(1) - k) * (Real(1) + k)), k4 = k2 * k2;
  return {Real(3.0 / 16) * ((Real(4) * k2 - Real(1)) * s + k * (Real(1) + Real(2) * k2) * kc) / (k * k2),
          Real(3.0 / 64) * ((Real(3) - Real(8) * k2 + Real(8) * k4) * s + (Real(6) * k2 - Real(3)) * k * kc) / k4,
          Real(3.0 / 16) * ((Real(4) * k2 - Real(3)) * s + (Real(3) - Real(2) * k2) * k * kc) / (k2 * k2 * k)};
}

// The same for k < series_limit: t = sum T_n k^(2n), y = k sum Y_n k^(2n).
namespace contensou {

inline constexpr double series_limit = 0.3;  // k^(2*16) < 1e-16

struct Series {
  static constexpr int terms = 16;
  std::array<double, terms> T, Y;
};

constexpr Series make_series() {
  constexpr int terms = Series::terms;
  Series series{};
  std::array<long double, terms + 3> w{};  // binomial(2n, n)/4^n
  w[0] = 1;
  for (int n = 1; n < terms + 3; ++n) w[n] = w[n - 1] * (2 * n - 1) / (2 * n);
  const auto a = [&](int n) { return w[n] / (2 * n + 1); };   // of asin(k)/k
  const auto b = [&](int n) { return -w[n] / (2 * n - 1); };  // of k'
  for (int n = 0; n < terms; ++n) {
    series.T[n] = static_cast<double>((4 * a(n) - a(n + 1) + b(n + 1) + 2 * b(n)) * 3 / 16);
    series.Y[n] = static_cast<double>((3 * a(n + 2) - 8 * a(n + 1) + 8 * a(n) + 6 * b(n + 1) - 3 * b(n + 2)) * 3 / 64);
  }
  return series;
}

inline constexpr Series series = make_series();

}  // namespace contensou

template <class Real>
ContensouProfileOf<Real> parabolic_very_far(const Real& k) {
  using contensou::series;
  const Real k2 = k * k;
  Real t = 0, y = 0, bend = 0;
  for (int n = contensou::Series::terms - 1; n >= 0; --n) {
    t = t * k2 + Real(series.T[n]);
    y = y * k2 + Real(series.Y[n]);
    bend = bend * k2 + Real((2 * n + 1) * series.Y[n]);  // u^3 dt/du = dy/dk
  }
  return {t, k * y, bend};
}

// At u = x, or at u = 1/x where `inverse`. Only where it is `wanted`.
template <class Real>
ContensouProfileOf<Real> parabolic_profile(const Real& x, mask_of<Real> inverse, mask_of<Real> wanted) {
  using Mask = mask_of<Real>;
  ContensouProfileOf<Real> at = parabolic_near(x);
  if (!any(inverse)) return at;
  const auto choose = [&](Mask mask, const ContensouProfileOf<Real>& from) {
    at = {select(mask, from.t, at.t), select(mask, from.y, at.y), select(mask, from.bend, at.bend)};
  };
  const Mask series = x < Real(contensou::series_limit), far = wanted & inverse;
  const Mask by_series = far & series, closed_form = far & !series;
  if (any(by_series)) choose(by_series, parabolic_very_far(x));
  if (any(closed_form)) {
    const Real s = lane_by_lane(x, closed_form, [](double own) { return std::asin(own); });
    choose(closed_form, parabolic_far(x, s));
  }
  return at;
}

}  // namespace nsmc::rt
