// The Tippe-Top for tests: its data, an independent integration of the top on its head, and the events of a run.
#pragma once

#include <algorithm>
#include <numbers>

#include "changed_model.hpp"
#include "reference.hpp"
#include "run_model.hpp"

namespace nsmc::test::tippe_top {

constexpr double kPi = std::numbers::pi;
constexpr double kMass = 6e-3, I1 = 8e-7, I3 = 7e-7, a1 = 3e-3, a2 = 1.6e-2, r1 = 1.5e-2, r2 = 5e-3, kMu = 0.3,
                 kGravity = 9.81, kRadius = 5e-4, kRbar = 3 * kPi / 16 * kRadius;

// While the contact spins, friction is a smooth function of slip and spin: -T = mu N sliding slip, -tau = mu N drilling
// spin.
struct Friction {
  double sliding, drilling;
};

// Of the ellipsoid: with s^2 = |slip|^2 + Rbar^2 spin^2.
inline Friction ellipsoid_friction(double slip, double spin) {
  const double s = std::hypot(slip, kRbar * spin);
  return {1 / s, kRbar * kRbar / s};
}

// Of the ball [Möller 2009, (51), (52)].
inline Friction ball_friction(double slip, double spin) {
  const double u = slip / (kRadius * std::abs(spin)), u2 = u * u, per_slip = 1 / (kRadius * std::abs(spin));
  if (u <= 1) {
    return {3 * kPi / 32 * (4 - u2) * per_slip, kRbar / 8 * (3 * u2 * u2 - 8 * u2 + 8) / std::abs(spin)};
  }
  const double angle = std::asin(1 / u), root = std::sqrt(u2 - 1);
  return {3.0 / 16 * ((4 - u2) * angle + (u2 + 2) / u2 * root) * per_slip,
          kRbar / (4 * kPi) * ((3 * u2 * u2 - 8 * u2 + 8) * angle + (6 - 3 * u2) * root) / std::abs(spin)};
}

// The top on its head; gap'' = 0 gives N. State: position, quaternion, velocity, spin in the frame of the body.

inline Vec<3> cross(const Vec<3>& a, const Vec<3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline std::array<Vec<3>, 3> axes(const Vec<13>& y) {
  const double length = std::hypot(std::hypot(y[3], y[4]), std::hypot(y[5], y[6]));
  const double a = y[3] / length, b = y[4] / length, c = y[5] / length, d = y[6] / length;
  return {Vec<3>{1 - 2 * (c * c + d * d), 2 * (b * c + a * d), 2 * (b * d - a * c)},
          Vec<3>{2 * (b * c - a * d), 1 - 2 * (b * b + d * d), 2 * (c * d + a * b)},
          Vec<3>{2 * (b * d + a * c), 2 * (c * d - a * b), 1 - 2 * (b * b + c * c)}};
}

struct OnHead {
  Friction (*friction)(double slip, double spin);

  Vec<13> operator()(double, const Vec<13>& y) const {
    const auto [e1, e2, e3] = axes(y);
    const Vec<3> w{y[10], y[11], y[12]};
    Vec<3> omega, r;
    for (int k = 0; k < 3; ++k) omega[k] = w[0] * e1[k] + w[1] * e2[k] + w[2] * e3[k];
    for (int k = 0; k < 3; ++k) r[k] = a1 * e3[k] - (k == 2 ? r1 : 0);
    const Vec<3> turning = cross(omega, r);
    const double slip1 = y[7] + turning[0], slip2 = y[8] + turning[1];
    const Friction rub = friction(std::hypot(slip1, slip2), omega[2]);
    const Vec<3> force{-kMu * rub.sliding * slip1, -kMu * rub.sliding * slip2, 1};  // for N = 1
    Vec<3> moment = cross(r, force);
    moment[2] -= kMu * rub.drilling * omega[2];
    const auto spin_rate = [&](double N) {
      const auto along = [&](const Vec<3>& e) { return N * (moment[0] * e[0] + moment[1] * e[1] + moment[2] * e[2]); };
      return Vec<3>{(along(e1) + (I1 - I3) * w[1] * w[2]) / I1, (along(e2) + (I3 - I1) * w[2] * w[0]) / I1,
                    along(e3) / I3};
    };
    const Vec<3> bent = cross(omega, cross(omega, e3));
    const auto gap_acceleration = [&](double N) {
      const Vec<3> rate = spin_rate(N);
      Vec<3> alpha;
      for (int k = 0; k < 3; ++k) alpha[k] = rate[0] * e1[k] + rate[1] * e2[k] + rate[2] * e3[k];
      return N / kMass - kGravity + a1 * (cross(alpha, e3)[2] + bent[2]);
    };
    const double free = gap_acceleration(0);
    const double N = free / (free - gap_acceleration(1));
    const Vec<3> rate = spin_rate(N);
    return {y[7],
            y[8],
            y[9],
            (-y[4] * w[0] - y[5] * w[1] - y[6] * w[2]) / 2,
            (y[3] * w[0] + y[5] * w[2] - y[6] * w[1]) / 2,
            (y[3] * w[1] - y[4] * w[2] + y[6] * w[0]) / 2,
            (y[3] * w[2] + y[4] * w[1] - y[5] * w[0]) / 2,
            N * force[0] / kMass,
            N * force[1] / kMass,
            N / kMass - kGravity,
            rate[0],
            rate[1],
            rate[2]};
  }
};

inline Vec<13> start(double theta, double spin) {
  return {0, 0, r1 - a1 * std::cos(theta), std::cos(theta / 2), std::sin(theta / 2), 0, 0, 0, 0, 0, 0, 0, spin};
}

inline double inclination(const Vec<13>& y) {
  const Vec<3> e3 = axes(y)[2];
  return std::atan2(std::hypot(e3[0], e3[1]), e3[2]);
}

// When the tip of the reference touches the floor.
inline double reference_touch(Friction (*friction)(double, double)) {
  double t = 0;
  Vec<13> y = start(0.1, 180);
  const bool touches = integrate_until(OnHead{friction}, t, y, 3, 2e-5,
                                       [](double, const Vec<13>& z) { return z[2] + a2 * axes(z)[2][2] - r2; });
  REQUIRE(touches);
  return t;
}

// The first time from `since` on at which the column passes the level, upwards or downwards; -1 if it does not.
inline double passes(const Trajectory& run, const std::string& column, double level, double since = 0) {
  const Column& x = run[column];
  for (std::size_t k = 1; k < run.rows(); ++k) {
    const double before = x[k - 1] - level, now = x[k] - level;
    if (run.t[k - 1] < since || (before > 0) == (now > 0)) continue;
    return run.t[k - 1] + (run.t[k] - run.t[k - 1]) * before / (before - now);
  }
  return -1;
}

inline double largest(const Trajectory& run, const std::string& column) {
  return *std::max_element(run[column].begin(), run[column].end());
}

struct Events {
  double touch;    // the tip touches the floor
  double lift;     // the head leaves it
  double upright;  // the axis is within 0.14 of the vertical
  double back;     // the head comes down again
  double last;     // the tip leaves the floor for good
};

inline Events events(const Trajectory& run) {
  const double open = 1e-4;  // m: more than what the impacts and the penetration of a contact come to
  Events e;
  e.touch = passes(run, "tip.gap", 0);
  e.lift = passes(run, "head.gap", open, e.touch);
  e.upright = passes(run, "inclination", 3, e.lift);
  e.back = passes(run, "head.gap", open, e.upright);
  e.last = -1;
  for (std::size_t k = 0; k < run.rows(); ++k) {
    if (run["tip.gap"][k] < open) e.last = run.t[k];
  }
  return e;
}

// How far the energy rises above what it was at any time before.
inline double largest_rise(const Trajectory& run) {
  double least = run["energy"][0], rise = 0;
  for (const double E : run["energy"]) {
    rise = std::max(rise, E - least);
    least = std::min(least, E);
  }
  return rise;
}

inline double quaternion_error(const Trajectory& run) {
  const Column &a = run["top.quaternion[1]"], &b = run["top.quaternion[2]"], &c = run["top.quaternion[3]"],
               &d = run["top.quaternion[4]"];
  double worst = 0;
  for (std::size_t k = 0; k < run.rows(); ++k) {
    worst = std::max(worst, std::abs(std::hypot(std::hypot(a[k], b[k]), std::hypot(c[k], d[k])) - 1));
  }
  return worst;
}

}  // namespace nsmc::test::tippe_top
