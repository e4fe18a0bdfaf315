// models/contensou_disc.nsm: force and torque of Coulomb-Contensou friction at given velocities, from the sets, against
// the formulas of the papers; and the same set written by a user as support of its velocity potential.
#include <numbers>

#include "run_model.hpp"

using namespace nsmc::test;

namespace {

constexpr double kPi = std::numbers::pi;

struct Friction {
  double T, tau;  // over mu N and mu N R
};

// [Möller 2009, (51), (52)]; the formulas cancel for large u.
Friction parabolic(double u) {
  if (u <= 1) return {3 * kPi / 32 * (4 * u - u * u * u), 3 * kPi / 128 * (3 * std::pow(u, 4) - 8 * u * u + 8)};
  const double angle = std::asin(1 / u), root = std::sqrt(u * u - 1);
  return {3.0 / 16 * ((4 * u - u * u * u) * angle + (u * u + 2) / u * root),
          3.0 / 64 * ((3 * std::pow(u, 4) - 8 * u * u + 8) * angle + (6 - 3 * u * u) * root)};
}

// The potential of the uniform pressure for omega R = 1, in complete elliptic integrals, and its derivatives: T = F',
// tau = F - u F'.
double uniform_potential(double u) {
  if (u <= 1) {
    return 4 / (9 * kPi) * ((7 + u * u) * std::comp_ellint_2(u) - 4 * (1 - u * u) * std::comp_ellint_1(u));
  }
  const double k = 1 / u, v2 = u * u;
  return 4 / (9 * kPi) * (u * (v2 + 7) * std::comp_ellint_2(k) - (v2 + 3) * (v2 - 1) / u * std::comp_ellint_1(k));
}

Friction uniform(double u) {
  const double h = 1e-4 * u;
  const auto F = [&](int k) { return uniform_potential(u + k * h); };
  const double T = (F(-2) - 8 * F(-1) + 8 * F(1) - F(2)) / (12 * h);
  return {T, uniform_potential(u) - u * T};
}

}  // namespace

TEST_CASE("contensou disc: forces and torques at given velocities, both pressures") {
  Model model = Model::named("contensou_disc");
  // Over u at a constant spin, and over 1/u at a constant slip.
  double farthest = 0;
  for (const Overrides& sweep :
       {Overrides{}, Overrides{{"v", 1}, {"v_rate", 0}, {"gamma_tau", 0}, {"gamma_tau_rate", 1}},
        Overrides{{"v", 0.3}, {"v_rate", 0.1}, {"gamma_tau", 2}, {"gamma_tau_rate", -0.4}}}) {
    Overrides coarse = sweep;
    coarse["dt"] = 1e-2;
    const Trajectory run = model.run(coarse);
    for (std::size_t k = 1; k < run.rows(); ++k) {
      const double u = run["sliding"][k] / run["drilling"][k];
      CAPTURE(u);
      if (u < 0.02 || u > 20) continue;
      const Friction p = parabolic(u), q = uniform(u);
      CHECK(std::abs(run["parabolic.T[1]"][k] - p.T) < 1e-9);
      CHECK(std::abs(run["parabolic.tau"][k] - p.tau) < 1e-9);
      // The reference differentiates by differences; near u = 1 a second derivative is infinite.
      const double close = std::abs(u - 1) < 0.02 ? 1e-5 : 1e-8;
      CHECK(std::abs(run["uniform.T[1]"][k] - q.T) < close);
      CHECK(std::abs(run["uniform.tau"][k] - q.tau) < close);
      CHECK(run["parabolic.T[2]"][k] == 0);
      farthest = std::max({farthest, std::abs(p.T / q.T - 1), std::abs(p.tau / q.tau - 1)});
    }
  }
  // [Leine 2003]: the two laws differ by about 20 percent at most: 3 pi/8 of the force for u -> 0, 4/5 of the torque
  // for u -> inf, a little more in between.
  MESSAGE("contensou: the two pressures differ by " << farthest << " at most");
  CHECK(farthest == doctest::Approx(0.2).epsilon(0.15));
}

TEST_CASE(
    "contensou disc: the set as support of the velocity potential (7) of Leine and Glocker gives the same forces") {
  // Two discs side by side, the user's law and the built-in one, at velocities that sweep all u: one set, point by
  // point.
  Model model = Model::text(R"(
param mu = 0.3
param f = 2 [N]
param R = 0.02 [m]
param v = 0 [m/s]
param w = 50 [rad/s]
fn phi_slow(u) = 3*pi/128*(8 + 8*u^2 - u^4)
fn phi_fast(u) = 3/64*((8 + 8*u^2 - u^4)*asin(1/u) + (u^2 + 14)*sqrt(u^2 - 1))
fn phi_slip(k) = (1 + k^2/10 + k^4/280 + k^6/1680 + 5*k^8/29568 + 7*k^10/109824)/k
fn phi(v, s) = s*piecewise { v <= s : phi_slow(v/s), v <= 7*s : phi_fast(v/s), else : phi_slip(s/v) }
law users { force T[2], tau
  [slip, spin] in normal_cone(mu*f*(diag(1, 1, R)*support (x, y, s) { phi(hypot(x, y), abs(s)) }), -[T, tau]) }
law built_in { force T[2], tau  [slip, spin] in normal_cone(contensou(mu*f, R, parabolic), -[T, tau]) }
coord x[i in 1..2] [m]
coord y[i in 1..2] [m]
coord psi[i in 1..2] [rad]
kinetic 0.5 [kg]*(x[i]'^2 + y[i]'^2) + 0.5 [kg]*R^2*psi[i]'^2 for i in 1..2
constraint held[i in 1..2] { gap [x[i], y[i], psi[i]*R] }
contact mine { slip [x[1]' - v*cos(3*t/1 [s]), y[1]' - v*sin(3*t/1 [s])]  spin psi[1]' - w*(1 - t/1 [s])  law users }
contact theirs { slip [x[2]' - v*cos(3*t/1 [s]), y[2]' - v*sin(3*t/1 [s])]  spin psi[2]' - w*(1 - t/1 [s])  law built_in }
simulate { until 2 [s]  step 0.01 [s] }
)");
  double worst = 0;
  for (const double v : {1e-3, 0.1, 1.0, 20.0}) {
    CAPTURE(v);
    const Trajectory run = model.run({{"v", v}});
    for (std::size_t k = 1; k < run.rows(); ++k) {
      for (const char* force : {"T[1]", "T[2]", "tau"}) {
        const double scale = force[0] == 'T' ? 0.6 : 0.6 * 0.02;
        worst = std::max(
            worst, std::abs(run[std::string("mine.") + force][k] - run[std::string("theirs.") + force][k]) / scale);
      }
    }
  }
  MESSAGE("contensou: the support of the potential and the built-in set differ by " << worst << ", relative");
  CHECK(worst < 1e-8);
}
