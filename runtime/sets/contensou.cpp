// Nearest point of the Coulomb-Contensou ball by a scalar root on its generator.
//
// The generator is F'(u), F - u F' with the velocity potential F(u) of [Leine 2003, (7)]. With k = u for u <= 1 and
// k = 1/u beyond, k'^2 = 1 - k^2,
//   parabolic   closed forms [Möller 2009, (51), (52)]; they cancel for large u, where a series in k takes over
//   uniform     t = 4/(3 pi) u (B + E),  y = 4/(9 pi) ((3 - 2 u^2) E + u^2 B),  dt/du = 4/(3 pi) (2 E - B),    u <= 1
//               t = 4/(3 pi) (B + E),    y = 4/(9 pi) k (C + 3 B - D),    u^3 dt/du = 4/(3 pi) (D - C),        u > 1
//               with the complete elliptic integrals E, K, D = (K - E)/k^2, B = (E - k'^2 K)/k^2, C = (D - B)/k^2.
//               The truncated series [Leine 2003, (3)] of its potential jumps at u = 1 and is not used.
//
// In the half plane (|z_T|, |z_tau|), with alpha = a/y(0) in the place of R, the nearest point x = f (t, alpha y)
// satisfies z - x ~ (alpha u, 1), that is, times 1 or k,
//     (|z_T| - f t) - alpha u (|z_tau| - f alpha y) = 0,     u <= 1,
//     (|z_T| - f t) k - alpha (|z_tau| - f alpha y) = 0,     k = 1/u <= 1.
// The left sides are >= 0 at u = 0 and <= 0 at k = 0; their common value at u = k = 1 tells on which of the two the
// root lies. There are no trigonometric functions, and the parabolic pressure has polynomials for u <= 1. A root where
// z - x points inwards means z <= x in both coordinates, and the set holds all such z. Hence for z outside the root is
// unique, and for any z the direction of z - x at whichever root is found decides on membership. Newton's method in a
// bracket that bisection shortens cannot fail. Errors in u or k move x by as much, relative to the extents.
#include "runtime/sets/contensou.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "runtime/sets/contensou_nearest.hpp"
#include "runtime/sets/contensou_profile.hpp"
#include "runtime/sets/mean_radius.hpp"

namespace nsmc::rt {

namespace {

using contensou::slack;
using std::numbers::pi;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Uniform pressure at u = k, or at u = 1/k if `inverse`, by the arithmetic-geometric mean of 1 and k', with c_n/k^2
// besides c_n: C = K sum_{n >= 1} 2^n (c_n/k^2)^2. Where k' is smaller than the bound, K no longer contributes to what
// is returned.
ContensouProfile uniform(double k, bool inverse) {
  constexpr double least_kc = 1e-9, rounding = 1e-17;  // of the sum
  const double k2 = k * k, kc = std::max(std::sqrt((1 - k) * (1 + k)), least_kc);
  double a = 0.5 * (1 + kc), g = std::sqrt(kc), c = 0.5 * (1 - kc), e = 0.5 / (1 + kc), power = 2, sum = 0;
  for (int n = 0; n < 20; ++n) {
    const double term = power * e * e;
    sum += term;
    if (term <= rounding * sum) break;
    const double next = 0.5 * (a + g);
    g = std::sqrt(a * g);
    a = next;
    e *= c / (4 * a);
    c *= c / (4 * a);
    power *= 2;
  }
  const double K = 0.5 * pi / a, C = K * sum, D = 0.5 * (K + k2 * C), B = K - D, E = K - k2 * D;
  constexpr double third = 4 / (3 * pi), ninth = 4 / (9 * pi);
  if (inverse) return {third * (B + E), ninth * k * (C + 3 * B - D), third * (D - C)};
  return {third * k * (B + E), ninth * ((3 - 2 * k2) * E + k2 * B), third * (2 * E - B)};
}

// The generator at u = tan(phi).
struct GeneratorPoint {
  ContensouProfile at;
  double sine, cosine, turn;  // turn = dt/dphi / cos(phi) = dt/du / cos(phi)^3, finite everywhere
};

GeneratorPoint generator(Pressure pressure, double phi) {
  GeneratorPoint p{{}, std::sin(phi), std::max(std::cos(phi), 0.0), 0};
  const bool inverse = p.sine > p.cosine;
  p.at = contensou_profile(pressure, inverse ? p.cosine / p.sine : p.sine / p.cosine, inverse);
  const double larger = inverse ? p.sine : p.cosine;
  p.turn = p.at.bend / (larger * larger * larger);
  return p;
}

auto profile_of(Pressure pressure) {
  return [pressure](double x, bool inverse, bool) { return contensou_profile(pressure, x, inverse); };
}

// Without the care of std::hypot where there is no need for it.
double length(double x, double y) {
  const double square = x * x + y * y;
  return contensou::is_plain(square) ? std::sqrt(square) : std::hypot(x, y);
}

}  // namespace

double contensou_mean_radius(Pressure pressure) {
  return pressure == Pressure::parabolic ? mean_radius_parabolic : mean_radius_uniform;
}

ContensouProfile contensou_profile(Pressure pressure, double x, bool inverse) {
  return pressure == Pressure::parabolic ? parabolic_profile(x, inverse, true) : uniform(x, inverse);
}

bool Contensou::contains(const double* x) const { return gauge(x) <= 1 + slack; }

double Contensou::gauge(const double* x) const {
  const double T = std::hypot(x[0], x[1]), w = std::abs(x[2]);
  if (std::isnan(T) || std::isnan(w) || std::isnan(f) || std::isnan(a)) return not_a_number;
  const double p = T == 0 ? 0 : T / std::max(f, 0.0), q = w == 0 ? 0 : w / std::max(f, 0.0) / std::max(a, 0.0);
  if (p == 0 || q == 0 || std::isinf(p) || std::isinf(q)) return std::max(p, q);
  // The largest of (p sin + c q cos)/(t sin + y cos), where (p, c q) is a multiple of (t, y).
  const double c = contensou_mean_radius(pressure), scale = std::max(p, q), s = p / scale, v = c * q / scale;
  const auto root = contensou::find_root<double>(
      profile_of(pressure), c * s / (v / c), true, [&](double k, bool inverse, const ContensouProfile& at) {
        const double slope = inverse ? at.bend * (s + v * k) : -at.bend * (s * k + v);
        return contensou::ValueAndSlope<double>{s * at.y - v * at.t, slope};
      });
  return scale * ((s * root.sine() + v * root.cosine()) / (root.t * root.sine() + root.y * root.cosine()));
}

int Contensou::prox(double* z) const {
  double T = length(z[0], z[1]), w = std::abs(z[2]);
  if (std::isnan(T) || std::isnan(w) || std::isnan(f) || std::isnan(a)) {
    std::fill_n(z, 3, not_a_number);
    return 1;
  }
  const double F = std::max(f, 0.0), A = std::max(a, 0.0), Fw = F == 0 || A == 0 ? 0 : F * A;
  if (T <= F * (1 + slack) && w == 0) return 0;
  if (T == 0 && w <= Fw * (1 + slack)) return 0;
  const auto put = [&](double new_T, double new_w) {
    // A component that the projection leaves alone keeps its bits.
    if (new_T != T) {
      const double x = z[0] / T, y = z[1] / T;  // T may be far beyond new_T
      z[0] = new_T * x;
      z[1] = new_T * y;
    }
    if (new_w != w) z[2] = std::copysign(new_w, z[2]);
  };
  // A point, a disc, a line or a half of it: coordinate by coordinate.
  const double largest = std::max(F, Fw), smallest = std::min(F, Fw);
  if (smallest <= contensou::flat * largest || !(largest <= std::numeric_limits<double>::max()) || w == 0 || T == 0) {
    const double new_T = std::min(T, F), new_w = std::min(w, Fw);
    if (new_T == T && new_w == w) return 0;
    put(new_T, new_w);
    return 1;
  }
  if (T / F + w / Fw <= 1) return 0;  // in the convex hull of the extents
  // In units of f.
  double s = T / F, v = w / F;
  const double unit = std::max(1.0, A);
  if (!(std::max(s, v) <= contensou::far_away * unit)) {
    const double size = std::max(T, w);
    s = T / size * (contensou::far_away * unit);
    v = w / size * (contensou::far_away * unit);
  }
  const auto x = contensou::nearest<double>(profile_of(pressure), contensou_mean_radius(pressure), s, v, A,
                                            length(s, v / A), length(s, v), true);
  if (!x.outside) return 0;
  put(F * x.s, F * x.v);
  return x.iterations;
}

ProxDerivative Contensou::differentiate(const double* z, const double* x, double slack, double* P, double* Q) const {
  const double u = z[0] - x[0], v = z[1] - x[1], w = z[2] - x[2];
  if (std::sqrt(u * u + v * v + w * w) <= slack) {
    set_identity(P, 3);
    return {true, true};
  }
  const double extent = f * a;
  if (!(f > 1e-100 && extent > 1e-100 && f < 1e100 && extent < 1e100 && a > 1e-12 && a < 1e12)) return {};
  const double T = std::hypot(z[0], z[1]), x_T = std::hypot(x[0], x[1]);
  double n_s = std::max(T - x_T, 0.0), n_v = std::abs(z[2] - x[2]);
  const double distance = std::hypot(n_s, n_v), alpha = a / contensou_mean_radius(pressure);
  if (!(distance > 0)) return {};
  n_s /= distance;
  n_v /= distance;
  // n ~ (alpha sin(phi), cos(phi)); the radius of curvature is f bend (1 + (alpha u)^2)^(3/2)/alpha.
  const GeneratorPoint g = generator(pressure, std::atan2(n_s / alpha, n_v));
  const double length = std::hypot(alpha * g.sine, g.cosine);
  const double radius = f * g.turn * length * (length * length / alpha);
  const double along = radius / (radius + distance);
  // Around the axis of revolution; at the pole as in the plane of the meridian.
  const double around = T > 1e-12 * (x_T + distance + extent) ? x_T / T : along;
  const double sign = std::signbit(z[2]) ? -1 : 1, d[2] = {T > 0 ? z[0] / T : 1, T > 0 ? z[1] / T : 0};
  const double t[3] = {n_v * d[0], n_v * d[1], -n_s * sign}, b[3] = {-d[1], d[0], 0};
  for (int h = 0; h < 3; ++h) {
    for (int k = 0; k < 3; ++k) P[h * 3 + k] = along * t[h] * t[k] + around * b[h] * b[k];
  }
  // prox_{f K}(z) = f prox_K(z/f)
  for (int h = 0; h < 3; ++h) {
    Q[2 * h] = (x[h] - (P[h * 3] * z[0] + P[h * 3 + 1] * z[1] + P[h * 3 + 2] * z[2])) / f;
  }
  return {true, true};
}

// (T, tau) = f (t(u) gamma_T/|gamma_T|, a y(u)/y(0) sgn(gamma_tau)), u = |gamma_T|/(R |gamma_tau|), R = a/y(0)
// [Möller 2009, (51), (52)].
void Contensou::expose(const double* xi, double* x) const {
  const double y0 = contensou_mean_radius(pressure);
  const double slip = std::hypot(xi[0], xi[1]), drilling = a / y0 * std::abs(xi[2]);
  const bool inverse = slip > drilling;
  const double ratio = inverse ? drilling / slip : slip / drilling;
  const ContensouProfile p = contensou_profile(pressure, ratio, inverse);
  const double t = slip > 0 ? f * p.t / slip : 0;
  x[0] = t * xi[0];
  x[1] = t * xi[1];
  x[2] = std::copysign(f * a * p.y / y0, xi[2]);
}

}  // namespace nsmc::rt
