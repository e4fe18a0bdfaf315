// models/pendulum.nsm and models/slider_crank.nsm against Runge-Kutta integrations of their smooth phases.
#include "reference.hpp"
#include "run_model.hpp"

using namespace nsmc::test;

namespace {

// (J + m l^2) phi'' = -m g l sin(phi) - M0 sgn(phi') between turning points, until the pendulum sticks.
Sampled<2> pendulum_reference(double M0, double phi0, double until) {
  constexpr double m = 1, l = 0.3, J = 0.01, g = 9.81, inertia = J + m * l * l;
  Sampled<2> solution;
  Vec<2> y{phi0, 0};
  double t = 0;
  while (t < until) {
    const double moment = -m * g * l * std::sin(y[0]);
    if (std::abs(moment) <= M0) {  // sticks for good
      solution.add(t, y, {0, 0});
      solution.add(until, y, {0, 0});
      break;
    }
    const double s = moment > 0 ? 1 : -1;
    const auto f = [&](double, const Vec<2>& x) {
      return Vec<2>{x[1], (-m * g * l * std::sin(x[0]) - s * M0) / inertia};
    };
    y[1] = 0;
    solution.add(t, y, f(t, y));
    bool turned = false;
    while (t < until && !turned) {
      turned =
          integrate_until(f, t, y, std::min(until, t + 1e-3), 5e-4, [&](double, const Vec<2>& x) { return s * x[1]; });
      solution.add(t, y, f(t, y));
    }
  }
  return solution;
}

// One equation for the crank angle; sgn(alpha') = 1 until it stops. The reduced inertia comes from the geometry by
// differences of the kinematics, independent of how the compiler derives it.
struct Crank {
  double l1 = 0.1, l2 = 0.3, J1 = 0.002, m2 = 0.2, J2 = 0.0015, m3 = 0.3, M0 = 0.05, F0 = 1;

  double beta(double a) const { return std::asin(l1 / l2 * std::sin(a)); }
  double dbeta(double a) const { return l1 * std::cos(a) / (l2 * std::cos(beta(a))); }
  double dx(double a) const { return -l1 * std::sin(a) - l2 * std::sin(beta(a)) * dbeta(a); }
  double inertia(double a) const {
    const double b = beta(a), db = dbeta(a);
    const double rx = -l1 * std::sin(a) - l2 / 2 * std::sin(b) * db;
    const double ry = l1 * std::cos(a) - l2 / 2 * std::cos(b) * db;
    return J1 + m2 * (rx * rx + ry * ry) + J2 * db * db + m3 * dx(a) * dx(a);
  }
  Vec<2> operator()(double, const Vec<2>& y) const {
    const double d = 1e-5;
    const double slope =
        (8 * (inertia(y[0] + d) - inertia(y[0] - d)) - inertia(y[0] + 2 * d) + inertia(y[0] - 2 * d)) / (12 * d);
    const double a = y[0];
    return {y[1], (-slope / 2 * y[1] * y[1] - M0 - F0 * std::abs(dx(a))) / inertia(a)};
  }
};

struct CrankSolution {
  Sampled<2> path;
  double t_stop = 0;
};

CrankSolution crank_reference(double w0, double until) {
  const Crank crank;
  CrankSolution solution;
  Vec<2> y{0, w0};
  double t = 0;
  solution.path.add(t, y, crank(t, y));
  bool stopped = false;
  while (t < until && !stopped) {
    stopped =
        integrate_until(crank, t, y, std::min(until, t + 1e-3), 2.5e-4, [](double, const Vec<2>& x) { return x[1]; });
    solution.path.add(t, y, crank(t, y));
  }
  solution.t_stop = t;
  solution.path.add(until, y, {0, 0});
  return solution;
}

}  // namespace

TEST_CASE("pendulum: the dry bearing, against Runge-Kutta between turning points") {
  constexpr double M0 = 0.12, phi0 = 1.2;
  const Sampled<2> reference = pendulum_reference(M0, phi0, 4);
  Model model = Model::named("pendulum");
  const auto error = [&](double step) {
    return max_error(model.run({}, {.step = step}), "phi", [&](double t) { return reference(t, 0); });
  };
  check_convergence("phi", convergence(4e-3, 4, [&](double step) { return worst_error(step, error); }), 0.85, 2e-3);
}

TEST_CASE("pendulum: it sticks off the vertical, exactly and for good") {
  constexpr double M0 = 0.4, m = 1, l = 0.3, g = 9.81;
  const Sampled<2> reference = pendulum_reference(M0, 1.2, 6);
  const Trajectory run = Model::named("pendulum").run({{"M0", M0}}, {.step = 2e-4, .until = 6});
  const double rest = reference(6, 0);
  REQUIRE(std::abs(rest) > 0.01);
  CHECK(run.last("phi") == doctest::Approx(rest).epsilon(0.02));
  CHECK(std::abs(run.last("phi'")) < 1e-15);
  CHECK(run.last("bearing.T") == doctest::Approx(m * g * l * std::sin(run.last("phi"))).epsilon(1e-9));
  for (std::size_t k = 1; k < run.rows(); ++k) {
    const double v = run["phi'"][k], T = run["bearing.T"][k];
    CHECK(std::abs(T) <= M0 * (1 + 1e-12));
    if (std::abs(v) > 1e-12) CHECK(T == doctest::Approx(v > 0 ? -M0 : M0).epsilon(1e-12));
    CHECK(run["energy"][k] <= run["energy"][k - 1] + 1e-5);  // the step is of order 1: small gains while it moves
  }
}

TEST_CASE("slider crank: coasting to rest, against the equation of one degree of freedom") {
  const CrankSolution reference = crank_reference(20, 1.5);
  REQUIRE(reference.t_stop < 1.3);
  REQUIRE(reference.t_stop > 0.3);
  Model model = Model::named("slider_crank");
  const auto angle_error = [&](double step) {
    return max_error(model.run({}, {.step = step}), "alpha", [&](double t) { return reference.path(t, 0); });
  };
  check_convergence("alpha", convergence(1e-3, 4, angle_error), 0.9, 1e-2);
  // The constraint holds at any step.
  CHECK(max_error(model.run({}, {.step = 1e-3}), "guide.gap", [](double) { return 0.0; }) < 1e-12);
}

TEST_CASE("slider crank: friction laws at every step, rest at the end") {
  const Trajectory run = Model::named("slider_crank").run({}, {.step = 5e-4});
  constexpr double M0 = 0.05, F0 = 1, l1 = 0.1, l2 = 0.3;
  double off = 0;
  for (std::size_t k = 1; k < run.rows(); ++k) {
    CHECK(std::abs(run["bearing.T"][k]) <= M0 * (1 + 1e-12));
    CHECK(std::abs(run["slider.T"][k]) <= F0 * (1 + 1e-12));
    if (run["alpha'"][k] > 1e-9) CHECK(run["bearing.T"][k] == doctest::Approx(-M0));
    CHECK(run["energy"][k] <= run["energy"][k - 1] * (1 + 1e-3) + 1e-15);
    // On velocity level it holds up to the square of the step.
    const double a = run["alpha"][k], b = run["beta"][k];
    off = std::max(off, std::abs(l1 * std::cos(a) * run["alpha'"][k] - l2 * std::cos(b) * run["beta'"][k]));
  }
  MESSAGE("velocities off the constraint by " << off << " m/s of 2 m/s");
  CHECK(off < 1e-3);
  CHECK(std::abs(run.last("alpha'")) < 1e-15);
  CHECK(std::abs(run.last("beta'")) < 1e-15);
}
