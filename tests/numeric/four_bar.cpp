// A closed loop with redundant constraints against its one equation of motion.
#include <algorithm>
#include <complex>

#include "reference.hpp"
#include "run_model.hpp"

using namespace nsmc::test;

namespace {

constexpr double l0 = 0.5, l1 = 0.15, l2 = 0.45, l3 = 0.35, rho = 2, r = 0.005, g = 9.81;

using C = std::complex<double>;

// What the angle a of the crank determines. Complex numbers are for derivatives: f'(a) = Im f(a + i eps)/eps.
struct Linkage {
  C b, c;             // angular velocities of coupler and rocker for a' = 1
  C inertia, weight;  // I(a), V(a)
};

Linkage linkage(C a) {
  Linkage s;
  // The corner Q: at the distance l2 from P and l3 from S, above the line from P to S.
  const C dx = l0 - l1 * std::cos(a), dy = -l1 * std::sin(a);
  const C d2 = dx * dx + dy * dy;
  const C along = (d2 + l2 * l2 - l3 * l3) / (2.0 * d2);
  const C across = std::sqrt(l2 * l2 / d2 - along * along);
  const C qx = along * dx - across * dy, qy = along * dy + across * dx;  // from P
  const C cos_b = qx / l2, sin_b = qy / l2, cos_c = (qx - dx) / l3, sin_c = (qy - dy) / l3;
  // l1 (-sin a, cos a) + b' l2 (-sin b, cos b) = c' l3 (-sin c, cos c).
  const C sin_cb = sin_c * cos_b - cos_c * sin_b;
  const C db = l1 / l2 * (std::sin(a) * cos_c - std::cos(a) * sin_c) / sin_cb;
  const C dc = l1 / l3 * (std::sin(a) * cos_b - std::cos(a) * sin_b) / sin_cb;
  const auto about_end = [](double l) { return rho * l * (l * l / 3 + r * r / 4); };
  const C vx = -l1 * std::sin(a) - l2 / 2 * sin_b * db, vy = l1 * std::cos(a) + l2 / 2 * cos_b * db;
  const double m2 = rho * l2;
  s.inertia =
      about_end(l1) + about_end(l3) * dc * dc + m2 * (vx * vx + vy * vy) + m2 * (l2 * l2 / 12 + r * r / 4) * db * db;
  s.weight =
      g * (rho * l1 * l1 / 2 * std::sin(a) + m2 * (l1 * std::sin(a) + l2 / 2 * sin_b) + rho * l3 * l3 / 2 * sin_c);
  s.b = db;
  s.c = dc;
  return s;
}

Vec<2> slope(double, const Vec<2>& y) {
  constexpr double eps = 1e-30;
  const Linkage s = linkage(C(y[0], eps));
  return {y[1], -(s.weight.imag() / eps + s.inertia.imag() / eps / 2 * y[1] * y[1]) / s.inertia.real()};
}

}  // namespace

TEST_CASE("four-bar linkage: the reference is what it says") {
  // Rates of the angles by the closed loop, and the energy of the one equation.
  const double a = 0.7, e = 1e-6;
  const auto corner = [](double x) {
    const double dx = l0 - l1 * std::cos(x), dy = -l1 * std::sin(x), d = std::hypot(dx, dy);
    const double angle_p = std::acos((d * d + l2 * l2 - l3 * l3) / (2 * d * l2)) + std::atan2(dy, dx);
    const double qx = l1 * std::cos(x) + l2 * std::cos(angle_p) - l0, qy = l1 * std::sin(x) + l2 * std::sin(angle_p);
    return std::pair(angle_p, std::atan2(qy, qx));
  };
  CHECK(linkage(a).b.real() == doctest::Approx((corner(a + e).first - corner(a - e).first) / (2 * e)).epsilon(1e-7));
  CHECK(linkage(a).c.real() == doctest::Approx((corner(a + e).second - corner(a - e).second) / (2 * e)).epsilon(1e-7));
  Vec<2> y{0, 12};
  double t = 0;
  const auto energy = [&] { return linkage(y[0]).inertia.real() / 2 * y[1] * y[1] + linkage(y[0]).weight.real(); };
  const double before = energy();
  integrate(slope, t, y, 2.0, 1e-4);
  CHECK(energy() == doctest::Approx(before).epsilon(1e-9));
}

TEST_CASE("four-bar linkage: redundant constraints, and the motion of the one equation") {
  Model model = Model::named("four_bar");
  for (const double w0 : {8.0, 12.0, 20.0}) {
    CAPTURE(w0);
    Vec<2> y{0, w0};
    double t = 0;
    integrate(slope, t, y, 2.0, 1e-4);
    const Convergence c = convergence(1e-3, 3, [&](double h) {
      const Trajectory run = model.run({{"w0", w0}}, {.step = h, .until = 2, .every = 10});
      for (const std::string& name : run.names()) {
        if (name.find(".gap") == std::string::npos) continue;
        for (const double gap : run[name]) REQUIRE(std::abs(gap) < 1e-12);
      }
      return std::abs(std::remainder(run.last("alpha") - y[0], 2 * M_PI)) + std::abs(run.last("omega") - y[1]) / w0;
    });
    check_convergence("four-bar linkage, w0 = " + std::to_string(w0), c, 1.8, 2e-3);
  }
}

TEST_CASE("four-bar linkage: it stays in its plane, and its energy stays") {
  const Trajectory run = Model::named("four_bar").run({{"w0", 20}}, {.step = 5e-4, .until = 20, .every = 20});
  CHECK(run.summary.position_error < 1e-12);
  double out = 0, energy = 0;
  for (std::size_t k = 0; k < run.rows(); ++k) {
    for (const char* name : {"crank.position[2]", "coupler.position[2]", "rocker.position[2]", "coupler.spin[1]"}) {
      out = std::max(out, std::abs(run[name][k]));
    }
    energy = std::max(energy, std::abs(run["energy"][k] - run["energy"][0]));
  }
  CHECK(out < 1e-12);
  MESSAGE("energy off by " << energy << " of " << run["energy"][0]);
  CHECK(energy < 1e-2 * run["energy"][0]);
}
