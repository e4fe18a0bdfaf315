// The Coulomb-Contensou ball: its generator against the friction on a disc integrated point by point, its projection
// against a search of the generator.
#include "runtime/sets/contensou.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "runtime/sets/prox_derivative.hpp"
#include "tests/unit/runtime/function_sets.hpp"

using namespace nsmc::rt;
using std::numbers::pi;

namespace {

constexpr Pressure pressures[] = {Pressure::parabolic, Pressure::uniform};
constexpr double inf = std::numeric_limits<double>::infinity();

ContensouProfile profile(Pressure pressure, double u) { return contensou_profile(pressure, u <= 1 ? u : 1 / u, u > 1); }

// Tanh-sinh quadrature over [0, 1]; g(x, 1 - x) may be singular at the ends.
template <typename G>
Eigen::Vector2d integral(const G& g) {
  constexpr double h = 1.0 / 32;
  Eigen::Vector2d sum(0, 0);
  for (int n = -128; n <= 128; ++n) {
    const double e = pi / 2 * std::sinh(n * h), x = 1 / (1 + std::exp(-2 * e)), rest = 1 / (1 + std::exp(2 * e));
    sum += pi * std::cosh(n * h) * x * rest * h * g(x, rest);
  }
  return sum;
}

// (t, y) of slip (u, 0) and drilling velocity 1 on the unit disc under a pressure p of resultant 1: friction p v/|v| at
// every point. In polar coordinates (s, theta) about the point (0, u) at rest, theta from the direction to the centre,
// v/|v| = (cos, sin)(theta), and its torque about the centre is s - u cos(theta).
Eigen::Vector2d integrated(Pressure pressure, double u) {
  const double widest = u < 1 ? pi / 2 : std::asin(1 / u);
  const auto beams = [&](double angle, double side) -> Eigen::Vector2d {
    const double c = side * std::cos(widest * angle), s = std::sin(widest * angle);
    const double half = std::sqrt(std::max(1 - u * u * s * s, 0.0)), rim = u * c - half, low = std::max(rim, 0.0),
                 length = u * c + half - low;
    if (length <= 0) return {0, 0};
    const Eigen::Vector2d moments = integral([&](double x, double rest) -> Eigen::Vector2d {
      const double at = low + length * x, depth = (length * x + (low - rim)) * (length * rest);  // 1 - r^2
      const double p = pressure == Pressure::uniform ? 1 / pi : 3 / (2 * pi) * std::sqrt(depth);
      return {p * at, p * at * at};
    });
    return 2 * widest * length * Eigen::Vector2d(c * moments[0], moments[1] - u * c * moments[0]);
  };
  return integral([&](double angle, double) -> Eigen::Vector2d {
    return beams(angle, 1) + (u < 1 ? beams(angle, -1) : Eigen::Vector2d(0, 0));
  });
}

Eigen::Vector3d nearest(const Contensou& set, Eigen::Vector3d z) {
  set.prox(z.data());
  return z;
}

// The nearest point of the generator in the half plane by a search, refined to the last digits of the distance's
// square; the point itself is then good to about 1e-8, its distance to 1e-15.
double distance_by_search(const Contensou& set, double T, double w) {
  const double alpha = set.a / contensou_mean_radius(set.pressure);
  const auto distance = [&](double phi) {
    const ContensouProfile at = profile(set.pressure, std::tan(phi));
    return std::hypot(T - set.f * at.t, w - set.f * alpha * at.y);
  };
  constexpr int n = 2000;
  int best = 0;
  for (int i = 0; i <= n; ++i) {
    if (distance(pi / 2 * i / n) < distance(pi / 2 * best / n)) best = i;
  }
  double low = pi / 2 * std::max(best - 1, 0) / n, high = pi / 2 * std::min(best + 1, n) / n;
  for (int k = 0; k < 120; ++k) {
    const double a = low + 0.382 * (high - low), b = low + 0.618 * (high - low);
    (distance(a) < distance(b) ? high : low) = distance(a) < distance(b) ? b : a;
  }
  return std::min({distance(low), distance(high), distance(pi / 2 * best / n)});
}

}  // namespace

TEST_CASE("contensou: the generator is what friction on a disc adds up to") {
  double worst = 0;
  for (const Pressure pressure : pressures) {
    for (const double u : {1e-6, 0.01, 0.2, 0.5, 0.9, 0.999, 1.001, 1.1, 1.7, 3.0, 3.4, 5.0, 20.0, 1000.0}) {
      CAPTURE(u);
      const Eigen::Vector2d reference = integrated(pressure, u);
      const ContensouProfile at = profile(pressure, u);
      const double error = std::max(std::abs(at.t - reference[0]), std::abs(at.y - reference[1]));
      CHECK(error <= (std::abs(u - 1) < 0.01 ? 1e-10 : 1e-12));
      worst = std::max(worst, error);
    }
  }
  MESSAGE("contensou: generator off the integral by " << worst);
}

TEST_CASE("contensou: limits, slopes, and no jump where the formulas change") {
  for (const Pressure pressure : pressures) {
    const double c = contensou_mean_radius(pressure);
    CHECK(profile(pressure, 0).t == 0);
    CHECK(profile(pressure, 0).y == doctest::Approx(c).epsilon(1e-15));
    CHECK(contensou_profile(pressure, 0, true).t == doctest::Approx(1).epsilon(1e-15));
    CHECK(contensou_profile(pressure, 0, true).y == 0);
    // Slip at rest: the slope 3 pi/8 of the parabolic pressure [Leine 2003, (17), corrected], 1 of the uniform one.
    const double slope = pressure == Pressure::parabolic ? 3 * pi / 8 : 1;
    CHECK(profile(pressure, 1e-9).t * 1e9 == doctest::Approx(slope).epsilon(1e-14));
    CHECK(profile(pressure, 1e9).y * 1e9 ==
          doctest::Approx(pressure == Pressure::parabolic ? 0.2 : 0.25).epsilon(1e-14));
    for (const double u : {1.0, 1 / 0.3}) {
      const ContensouProfile below = profile(pressure, u * (1 - 1e-15)), above = profile(pressure, u * (1 + 1e-15));
      CHECK(std::abs(below.t - above.t) <= 1e-14);
      CHECK(std::abs(below.y - above.y) <= 1e-14);
      CHECK(std::abs(below.bend - above.bend) <= 1e-12);
    }
    if (pressure == Pressure::uniform) {  // F = t u + y: the series [Leine 2003, (3)] has 1.1328 and 1.1312 here
      CHECK(profile(pressure, 1).t + profile(pressure, 1).y == doctest::Approx(32 / (9 * pi)).epsilon(1e-14));
    }
    for (const double u : {0.1, 0.7, 1.3, 2.5, 8.0}) {
      const double h = 1e-5 * u, bend = profile(pressure, u).bend / (u > 1 ? u * u * u : 1);
      const ContensouProfile low = profile(pressure, u - h), high = profile(pressure, u + h);
      CHECK((high.t - low.t) / (2 * h) == doctest::Approx(bend).epsilon(1e-8));
      CHECK((high.y - low.y) / (2 * h) == doctest::Approx(-u * bend).epsilon(1e-8));
    }
  }
}

TEST_CASE("contensou: projection against a search, normal to 1e-12, in few iterations") {
  std::mt19937 random{7};
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> exponent(-3, 3), ratio(-4, 4);
  int most = 0, inside = 0;
  double worst = 0, worst_distance = 0;
  for (int n = 0; n < 4000; ++n) {
    const double a = n % 2 == 0 ? 1 : std::pow(10.0, ratio(random));
    const Contensou set{std::pow(10.0, exponent(random)), a, pressures[n / 2 % 2]};
    const double far = std::pow(10.0, exponent(random) / 2);
    const Eigen::Vector3d z = set.f * far * Eigen::Vector3d(normal(random), normal(random), a * normal(random));
    Eigen::Vector3d x = z;
    const int iterations = set.prox(x.data());
    most = std::max(most, iterations);
    const double size = set.f * std::max(1.0, a), T = std::hypot(z[0], z[1]), w = std::abs(z[2]);
    if (iterations == 0) {
      ++inside;
      CHECK(x == z);
      CHECK(set.gauge(z.data()) <= 1 + 1e-14);
      continue;
    }
    CHECK(set.gauge(z.data()) >= 1 - 1e-14);
    CHECK(std::abs(set.gauge(x.data()) - 1) <= 1e-13);
    // The support function at z - x is taken at x.
    const Eigen::Vector3d d = (z - x) / (z - x).norm();
    const double alpha = a / contensou_mean_radius(set.pressure), slip = std::hypot(d[0], d[1]),
                 drill = alpha * std::abs(d[2]);
    const ContensouProfile at = profile(set.pressure, slip / drill);
    const double Phi = set.f * (at.t * slip + at.y * drill);
    if ((z - x).norm() > 1e-3 * size) worst = std::max(worst, std::abs(Phi - d.dot(x)) / size);
    if (n < 400) {
      const double reference = distance_by_search(set, T, w);
      worst_distance = std::max(worst_distance, std::abs((z - x).norm() - reference) / (size + z.norm()));
    }
  }
  CHECK(inside > 200);
  CHECK(worst <= 1e-12);
  CHECK(worst_distance <= 1e-12);
  CHECK(most <= 40);
  MESSAGE("contensou: at most " << most << " iterations, optimal to " << worst << ", distance to " << worst_distance);
}

TEST_CASE("contensou: idempotent bit by bit, does not expand, smooth across u = 1") {
  std::mt19937 random{11};
  std::normal_distribution<double> normal;
  for (const Pressure pressure : pressures) {
    const Contensou set{1.5, 1, pressure};
    for (int n = 0; n < 1000; ++n) {
      const Eigen::Vector3d z(3 * normal(random), 3 * normal(random), 3 * normal(random)),
          other = n % 2 == 0 ? Eigen::Vector3d(normal(random), normal(random), normal(random))
                             : Eigen::Vector3d(z + 1e-6 * Eigen::Vector3d(normal(random), normal(random), 1));
      const Eigen::Vector3d x = nearest(set, z), y = nearest(set, other);
      CHECK(nearest(set, x) == x);
      CHECK(set.contains(x.data()));
      CHECK((x - y).norm() <= (z - other).norm() + 1e-14 * (1 + z.norm()));
    }
    // Walk over the boundary where the normal has u = 1 with steps of rounding: steps of the answer are as small.
    const ContensouProfile at = profile(pressure, 1);
    const double c = contensou_mean_radius(pressure), alpha = 1 / c;
    const Eigen::Vector3d edge = 1.5 * Eigen::Vector3d(at.t, 0, alpha * at.y), n(alpha, 0, 1);
    CHECK((nearest(set, edge + n) - edge).norm() <= 3e-14);
    for (int k = -50; k < 50; ++k) {
      const Eigen::Vector3d t(1, 0, -alpha), step = 1e-15 * t;
      CHECK((nearest(set, edge + n + k * step) - nearest(set, edge + n + (k + 1) * step)).norm() <= 3e-14);
    }
  }
}

TEST_CASE("contensou: pure slip, pure drilling, a vanishing force and flat sets") {
  for (const Pressure pressure : pressures) {
    CHECK(nearest({2, 0.5, pressure}, {3, 4, 0}).isApprox(Eigen::Vector3d(1.2, 1.6, 0), 1e-15));
    CHECK(nearest({2, 0.5, pressure}, {0, 0, -7}) == Eigen::Vector3d(0, 0, -1));
    CHECK(nearest({2, 0.5, pressure}, {0.1, 0.1, 0.1}) == Eigen::Vector3d(0.1, 0.1, 0.1));
    CHECK(nearest({0, 0.5, pressure}, {3, 4, 1}) == Eigen::Vector3d(0, 0, 0));
    CHECK(nearest({-1, 0.5, pressure}, {3, 4, 1}) == Eigen::Vector3d(0, 0, 0));
    CHECK(nearest({2, 0, pressure}, {3, 4, 1}).isApprox(Eigen::Vector3d(1.2, 1.6, 0), 1e-15));
    CHECK(nearest({inf, 1, pressure}, {3, 4, 1}) == Eigen::Vector3d(3, 4, 1));
    CHECK(nearest({std::nan(""), 1, pressure}, {3, 4, 1}).hasNaN());
    CHECK(nearest({1, 1, pressure}, {3, std::nan(""), 1}).hasNaN());
    // The answer is homogeneous: sizes from 1e-300 to 1e250 differ by a factor alone, and nearly pure motion is no
    // special case.
    const Eigen::Vector3d z(0.9, 0.4, 0.8), x = nearest({1, 1, pressure}, z);
    for (const double f : {1e-300, 1e-150, 1e-20, 1e20, 1e250}) {
      CHECK((nearest({f, 1, pressure}, f * z) / f - x).norm() <= 1e-14);
    }
    CHECK((nearest({1e-200, 1, pressure}, {3, 0, 4}) / 1e-200).norm() <= 1);
    for (const double small : {1e-3, 1e-8, 1e-15, 1e-100, 1e-300}) {
      CHECK((nearest({1, 1, pressure}, {5, 0, small}) - Eigen::Vector3d(1, 0, 0)).norm() <= small);
      CHECK((nearest({1, 1, pressure}, {small, 0, 5}) - Eigen::Vector3d(0, 0, 1)).norm() <= small);
    }
  }
}

TEST_CASE("contensou: derivative against differences") {
  std::mt19937 random{3};
  std::normal_distribution<double> normal;
  for (const std::uint32_t kind : {NSM_SET_CONTENSOU_PARABOLIC, NSM_SET_CONTENSOU_UNIFORM}) {
    nsm_set description = functions::plain_set(kind, 3, 2);
    for (int n = 0; n < 200; ++n) {
      const double arguments[2] = {1.3, n % 2 == 0 ? 1 : 0.4};
      const ConvexSet set{&description, arguments};
      const Eigen::Vector3d z(2 * normal(random), 2 * normal(random), 2 * normal(random));
      Eigen::Vector3d x = z;
      if (set.prox(x.data()) || (z - x).norm() < 0.05) continue;
      double P[9], Q[6];
      REQUIRE(prox_derivative(set, z.data(), x.data(), 1e-14, P, Q).P);
      const double h = 1e-5;
      for (int k = 0; k < 3; ++k) {
        Eigen::Vector3d low = z, high = z;
        low[k] -= h;
        high[k] += h;
        set.prox(low.data());
        set.prox(high.data());
        for (int i = 0; i < 3; ++i) CHECK(std::abs((high[i] - low[i]) / (2 * h) - P[3 * i + k]) <= 1e-6);
      }
      Eigen::Vector3d low = z, high = z;
      const Pressure pressure = kind == NSM_SET_CONTENSOU_PARABOLIC ? Pressure::parabolic : Pressure::uniform;
      Contensou{1.3 - h, arguments[1], pressure}.prox(low.data());
      Contensou{1.3 + h, arguments[1], pressure}.prox(high.data());
      for (int i = 0; i < 3; ++i) CHECK(std::abs((high[i] - low[i]) / (2 * h) - Q[2 * i]) <= 1e-6);
    }
  }
}
