// models/spinning_disc.nsm: steady precession of a disc on its rim, rolling in a circle, and the descent with damping,
// against the relations in the model's header and an independent integration of the rolling disc.
#include <numbers>

#include "reference.hpp"
#include "run_model.hpp"

using namespace nsmc::test;

namespace {

constexpr double kMass = 0.4, kRadius = 0.04, kGravity = 9.81;

double steady_rate(double theta, double rho) {
  return std::sqrt(4 * kGravity * std::cos(theta) /
                   (kRadius * std::sin(theta) * (std::cos(theta) + 6 * rho / kRadius)));
}

// The azimuth of the axis, row by row, without jumps by 2 pi.
Column azimuth(const Trajectory& run) {
  Column phi;
  const Column &x = run["axis[1]"], &y = run["axis[2]"];
  for (std::size_t k = 0; k < run.rows(); ++k) {
    const double now = std::atan2(y[k], x[k]);
    const double turns = k == 0 ? 0 : std::round((phi.back() - now) / (2 * std::numbers::pi));
    phi.push_back(now + 2 * std::numbers::pi * turns);
  }
  return phi;
}

// The rolling disc in the frame (a, d, y) of the model's header, with the moment -c w: theta, theta', p = Omega
// sin(theta) and n. From L' = r d x F - c w with F = m v' + m g z, v = r theta' a - r n y:
//     (A + m r^2) theta'' = A p^2 cot(theta) - (C + m r^2) p n - m g r cos(theta) - c theta'
//     A p' = -A p cot(theta) theta' + C n theta' - c p
//     (C + m r^2) n' = m r^2 p theta' - c n
struct RollingDisc {
  double c;
  Vec<5> operator()(double, const Vec<5>& x) const {
    const auto& [theta, rate, p, n, phi] = x;
    const double mr2 = kMass * kRadius * kRadius, A = mr2 / 4, C = mr2 / 2, cot = 1 / std::tan(theta);
    return {rate,
            (A * p * p * cot - (C + mr2) * p * n - kMass * kGravity * kRadius * std::cos(theta) - c * rate) / (A + mr2),
            (-A * p * cot * rate + C * n * rate - c * p) / A, (mr2 * p * rate - c * n) / (C + mr2),
            p / std::sin(theta)};
  }
};

}  // namespace

TEST_CASE("spinning disc: the steady states are those of the independent equations") {
  for (const auto& [theta, rho] : {std::pair(0.3, 0.0), std::pair(1.0, 0.02), std::pair(1.2, 0.1)}) {
    const double Omega = steady_rate(theta, rho);
    const Vec<5> slope = RollingDisc{0}(0, {theta, 0, Omega * std::sin(theta), -rho / kRadius * Omega, 0});
    CHECK(std::abs(slope[1]) < 1e-12 * kGravity / kRadius);
    CHECK(slope[4] == doctest::Approx(Omega));
  }
}

TEST_CASE("spinning disc: about a resting centre the rate is sqrt(4 g/(r sin(theta))), and stays") {
  Model model = Model::named("spinning_disc");
  for (const double theta : {0.15, 0.3, 1.0}) {
    CAPTURE(theta);
    const double Omega = std::sqrt(4 * kGravity / (kRadius * std::sin(theta)));
    const double until = 5 * 2 * std::numbers::pi / Omega;  // five revolutions
    double tilt = 0, sink = 0, energy = 0;
    const auto error = [&](double dt) {
      const Trajectory run = model.run({{"theta0", theta}}, {dt, until});
      CHECK(run["Omega"][0] == doctest::Approx(Omega).epsilon(1e-12));
      CHECK(run["steady"][0] == doctest::Approx(Omega).epsilon(1e-12));
      tilt = max_error(run, "theta", [&](double) { return theta; });
      sink = -run.last("rim[1].gap");
      // Contacts are held by velocities alone: the rim sinks in, by an error of order dt, and takes its weight along.
      energy = run.last("energy") + kMass * kGravity * sink - run["energy"][0];
      return std::abs(azimuth(run).back() / (Omega * run.t.back()) - 1);
    };
    const Convergence c = convergence(1.6e-4, 4, error);
    check_convergence("spinning disc, rate of precession", c, 0.9, 4e-3);
    MESSAGE("inclination " << tilt / theta << ", sinking " << sink / kRadius << ", energy without it "
                           << energy / (1.5 * kMass * kGravity * kRadius * std::sin(theta)) << ", relative");
    CHECK(tilt < 5e-3 * theta);
    CHECK(std::abs(energy) < 1e-3 * kMass * kGravity * kRadius * std::sin(theta));
  }
}

TEST_CASE("spinning disc: a disc that rolls in a circle") {
  Model model = Model::named("spinning_disc");
  for (const auto& [theta, rho] : {std::pair(1.0, 0.02), std::pair(1.2, 0.1)}) {
    CAPTURE(rho);
    const double Omega = steady_rate(theta, rho);
    REQUIRE(Omega * Omega * rho < 0.8 * kGravity);
    const double until = 2 * std::numbers::pi / Omega;
    const double friction = kMass * Omega * Omega * rho;
    double tilt = 0, force = 0;
    const auto error = [&](double dt) {
      const Trajectory run = model.run({{"theta0", theta}, {"rho", rho}}, {dt, until});
      tilt = max_error(run, "theta", [&](double) { return theta; });
      // Not in the first step, at whose midpoint the initial velocities do not roll yet, nor in a last, shorter one.
      const Column &T1 = run["rim[1].T[1]"], &T2 = run["rim[1].T[2]"];
      force = 0;
      for (std::size_t k = 2; k + 1 < run.rows(); ++k) {
        force = std::max(force, std::abs(std::hypot(T1[k], T2[k]) - friction));
      }
      return std::max(max_error(run, "disc_body.position[1]", [&](double t) { return rho * std::cos(Omega * t); }),
                      max_error(run, "disc_body.position[2]", [&](double t) { return rho * std::sin(Omega * t); }));
    };
    check_convergence("spinning disc, circle", convergence(until / 2000, 4, error), 0.9, 0.03 * rho);
    CHECK(tilt < 2e-3 * theta);
    CHECK(force < 1e-2 * friction);
  }
}

TEST_CASE("spinning disc: damped on a smooth floor, E ~ sin(theta) falls exponentially and Omega^2 ~ 1/theta rises") {
  const double c = 1e-4, lambda = 8 * c / (3 * kMass * kRadius * kRadius), theta0 = 0.3, until = 4;
  const Trajectory run = Model::named("spinning_disc").run({{"mu", 0}, {"c", c}, {"theta0", theta0}}, {2e-5, until});
  const double Omega0 = steady_rate(theta0, 0);
  const Column phi = azimuth(run);
  for (std::size_t k = 0; k < run.rows(); k += 10000) {
    const double t = run.t[k], fall = std::exp(-lambda * t);
    CAPTURE(t);
    CHECK(std::sin(run["theta"][k]) == doctest::Approx(std::sin(theta0) * fall).epsilon(0.04));
    const double energy = run["energy"][k] - kMass * kGravity * std::min(0.0, run["rim[1].gap"][k]);
    CHECK(energy == doctest::Approx(1.5 * kMass * kGravity * kRadius * std::sin(theta0) * fall).epsilon(0.02));
    CHECK(phi[k] == doctest::Approx(Omega0 * 2 / lambda * (1 / std::sqrt(fall) - 1)).epsilon(0.02));
    CHECK(std::hypot(run["disc_body.position[1]"][k], run["disc_body.position[2]"][k]) == 0);
  }
  CHECK(run.last("theta") < 0.07);
  CHECK(run.last("Omega") > 1.9 * Omega0);
}

TEST_CASE("spinning disc: damped and rolling, as the independent integration") {
  Model model = Model::named("spinning_disc");
  const double c = 2e-4, theta0 = 0.3, until = 1;
  const RollingDisc disc{c};
  const double Omega = steady_rate(theta0, 0);
  double t = 0;
  Vec<5> x{theta0, 0, Omega * std::sin(theta0), 0, 0};
  Sampled<5> exact;
  exact.add(t, x, disc(t, x));
  for (int k = 1; k <= 10000; ++k) {
    integrate(disc, t, x, k * until / 10000, 1e-4);
    exact.add(t, x, disc(t, x));
  }
  const Convergence of_theta = convergence(1.6e-4, 4, [&](double dt) {
    return max_error(model.run({{"c", c}}, {dt, until}), "theta", [&](double s) { return exact(s, 0); });
  });
  check_convergence("spinning disc, damped, inclination", of_theta, 0.9, 2e-3);
  const Trajectory run = model.run({{"c", c}}, {2e-5, until});
  const double n = run.last("disc_body.spin[3]");
  CHECK(n == doctest::Approx(x[3]).epsilon(0.02));
  CHECK(azimuth(run).back() == doctest::Approx(x[4]).epsilon(3e-3));
}
