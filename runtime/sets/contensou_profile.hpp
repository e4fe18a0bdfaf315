// The generator of the Coulomb-Contensou ball, formula by formula; contensou.cpp says where they come from. Of doubles,
// of registers with a problem in every lane (runtime/number.hpp), or of numbers with 113 bits (quad_vector.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "runtime/linear/number.hpp"

namespace nsmc::rt {

// As ContensouProfile.
template <class Real>
struct ContensouProfileOf {
  Real t, y, bend;
};

// With as many digits as Real has.
template <class Real>
inline constexpr double pi_for = std::numbers::pi;

// Hertz's pressure at u = k <= 1.
template <class Real>
ContensouProfileOf<Real> parabolic_near(const Real& k) {
  constexpr auto c = 3 * pi_for<Real> / 32;
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

template <class Number, int terms>
struct Series {
  std::array<Number, terms> T, Y;
};

// Wide: what coefficients are computed in.
template <class Number, class Wide, int terms>
constexpr Series<Number, terms> make_series() {
  Series<Number, terms> series{};
  std::array<Wide, terms + 3> w{};  // binomial(2n, n)/4^n
  w[0] = 1;
  for (int n = 1; n < terms + 3; ++n) w[n] = w[n - 1] * (2 * n - 1) / (2 * n);
  const auto a = [&](int n) { return w[n] / (2 * n + 1); };   // of asin(k)/k
  const auto b = [&](int n) { return -w[n] / (2 * n - 1); };  // of k'
  for (int n = 0; n < terms; ++n) {
    series.T[n] = static_cast<Number>((4 * a(n) - a(n + 1) + b(n + 1) + 2 * b(n)) * 3 / 16);
    series.Y[n] = static_cast<Number>((3 * a(n + 2) - 8 * a(n + 1) + 8 * a(n) + 6 * b(n + 1) - 3 * b(n + 2)) * 3 / 64);
  }
  return series;
}

template <class Real>
inline constexpr Series<double, 16> series = make_series<double, long double, 16>();

}  // namespace contensou

template <class Real>
ContensouProfileOf<Real> parabolic_very_far(const Real& k) {
  constexpr const auto& series = contensou::series<Real>;
  const Real k2 = k * k;
  Real t = 0, y = 0, bend = 0;
  for (int n = static_cast<int>(series.T.size()) - 1; n >= 0; --n) {
    t = t * k2 + Real(series.T[n]);
    y = y * k2 + Real(series.Y[n]);
    bend = bend * k2 + Real((2 * n + 1) * series.Y[n]);  // u^3 dt/du = dy/dk
  }
  return {t, k * y, bend};
}

// Uniform pressure at u = k, or at u = 1/k if `inverse`; `rounding` is that of a Real. By the arithmetic-geometric mean
// of 1 and k', with c_n/k^2 besides c_n: C = K sum_{n >= 1} 2^n (c_n/k^2)^2. Where k' is smaller than the bound, K no
// longer contributes to what is returned.
template <class Real>
ContensouProfileOf<Real> uniform_profile(const Real& k, bool inverse, double rounding) {
  const Real half = 0.5, k2 = k * k, kc = std::max(root((1 - k) * (1 + k)), Real(0.1 * std::sqrt(rounding)));
  Real a = half * (1 + kc), g = root(kc), c = half * (1 - kc), e = half / (1 + kc), power = 2, sum = 0;
  for (int n = 0; n < 20; ++n) {
    const Real term = power * e * e;
    sum += term;
    if (term <= rounding / 10 * sum) break;
    const Real next = half * (a + g);
    g = root(a * g);
    a = next;
    e *= c / (4 * a);
    c *= c / (4 * a);
    power *= 2;
  }
  constexpr auto pi = pi_for<Real>;
  const Real K = half * pi / a, C = K * sum, D = half * (K + k2 * C), B = K - D, E = K - k2 * D;
  constexpr auto third = 4 / (3 * pi), ninth = 4 / (9 * pi);
  if (inverse) return {third * (B + E), ninth * k * (C + 3 * B - D), third * (D - C)};
  return {third * k * (B + E), ninth * ((3 - 2 * k2) * E + k2 * B), third * (2 * E - B)};
}

}  // namespace nsmc::rt
