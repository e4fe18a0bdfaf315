// The method rk: the order of every tableau where the motion is smooth, free and in contact, order one across events,
// and what it is for: the nutation of a top, which Moreau's rule lets grow.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>

#include "heaps.hpp"
#include "reference.hpp"
#include "run_model.hpp"

using namespace nsmc::test;
using nsmc::rt::Method;
using nsmc::rt::Tableau;

namespace {

RunSettings by_rk(double step, double until = 0, const char* tableau = "rk4") {
  RunSettings settings{step, until};
  settings.method = Method::rk;
  settings.tableau = tableau;
  settings.tolerance = 1e-14;
  settings.residual = 1e-12;
  return settings;
}

// The observed order of every tableau is its own.
template <class Error>
void check_orders(const std::string& what, double first, Error&& error) {
  for (const Tableau& tableau : nsmc::rt::tableaux()) {
    const std::string name(tableau.name);
    // The better the method, the larger the steps: errors are to stay above rounding.
    const double step = first * (tableau.order < 3 ? 0.25 : 1);
    const Convergence c = convergence(step, 4, [&](double dt) { return error(dt, name.c_str()); });
    MESSAGE(what << ", " << name << ": order " << c.order << ", error " << c.errors.back() << " at step "
                 << c.steps.back());
    CHECK_MESSAGE(c.order > tableau.order - 0.3, what << ", " << name);
    CHECK_MESSAGE(c.order < tableau.order + 0.9, what << ", " << name);
  }
}

std::string row(const char* format, auto... values) {
  char line[200];
  std::snprintf(line, sizeof line, format, values...);
  return line;
}

}  // namespace

TEST_CASE("rk: every tableau has its order in free motion") {
  Model model = Model::named("free_top");
  constexpr double I1 = 1, I2 = 2, I3 = 2.6;
  const auto euler = [](double, const Vec<3>& w) {
    return Vec<3>{(I2 - I3) / I1 * w[1] * w[2], (I3 - I1) / I2 * w[2] * w[0], (I1 - I2) / I3 * w[0] * w[1]};
  };
  double t = 0;
  Vec<3> w{0.5, 2, 1};
  integrate(euler, t, w, 2, 1e-4);
  check_orders("free top, spin", 0.1, [&](double step, const char* tableau) {
    const Trajectory run = model.run({{"w1", 0.5}, {"w2", 2}, {"w3", 1}}, by_rk(step, 2, tableau));
    const double length = std::hypot(std::hypot(run.last("top.quaternion[1]"), run.last("top.quaternion[2]")),
                                     std::hypot(run.last("top.quaternion[3]"), run.last("top.quaternion[4]")));
    CHECK(std::abs(length - 1) < 1e-15);
    return std::hypot(run.last("top.spin[1]") - w[0], run.last("top.spin[2]") - w[1], run.last("top.spin[3]") - w[2]);
  });
  // Orientation: the angular momentum stays in space.
  check_orders("free top, angular momentum", 0.1, [&](double step, const char* tableau) {
    const Trajectory run = model.run({{"w1", 0.5}, {"w2", 2}, {"w3", 1}}, by_rk(step, 2, tableau));
    return std::hypot(run.last("L[1]") - 0.5 * I1, run.last("L[2]") - 2 * I2, run.last("L[3]") - 1 * I3);
  });
}

TEST_CASE("rk: every tableau has its order where a contact slides along a curve") {
  // A point that is thrown sideways on an incline: v' = g sin(alpha) e_1 - mu g cos(alpha) v/|v|. The direction of the
  // friction force turns all the time.
  constexpr double g = 9.81, mu = 0.3, alpha = 0.4;
  Model model = Model::text(R"(
model thrown
param mu = 0.3
param alpha = 0.4
param g = 9.81
coord x
coord y
coord z
initial x' = -1
initial y' = 2
kinetic 1/2*(x'^2 + y'^2 + z'^2)
potential g*(z*cos(alpha) - x*sin(alpha))
contact plane {
  gap z
  slip [x', y']
  law unilateral
  law coulomb(mu)
}
simulate { until 1 step 1e-3 }
)");
  double t = 0;
  Vec<4> y{0, 0, -1, 2};
  const auto slide = [](double, const Vec<4>& s) {
    const double v = std::hypot(s[2], s[3]), friction = mu * g * std::cos(alpha);
    return Vec<4>{s[2], s[3], g * std::sin(alpha) - friction * s[2] / v, -friction * s[3] / v};
  };
  integrate(slide, t, y, 1, 1e-4);
  check_orders("thrown on an incline", 0.05, [&](double step, const char* tableau) {
    const Trajectory run = model.run({}, by_rk(step, 1, tableau));
    CHECK(std::abs(run.last("z")) < 1e-14);
    CHECK(run.last("plane.N") == doctest::Approx(g * std::cos(alpha)).epsilon(1e-12));
    return std::hypot(std::hypot(run.last("x") - y[0], run.last("y") - y[1]),
                      std::hypot(run.last("x'") - y[2], run.last("y'") - y[3]));
  });
}

TEST_CASE("rk: every tableau has its order with constraints that are curved") {
  // A mass on a rod, as a constraint on its position, against the equation of its angle.
  constexpr double g = 9.81;
  Model model = Model::text(R"(
model on_a_rod
coord x = 1
coord y
kinetic 1/2*(x'^2 + y'^2)
potential 9.81*y
constraint rod { gap [sqrt(x^2 + y^2) - 1] }
simulate { until 1 step 1e-3 }
)");
  double t = 0;
  Vec<2> y{std::acos(0.0), 0};
  integrate([](double, const Vec<2>& s) { return Vec<2>{s[1], -g * std::sin(s[0])}; }, t, y, 1, 1e-4);
  check_orders("mass on a rod", 0.04, [&](double step, const char* tableau) {
    const Trajectory run = model.run({}, by_rk(step, 1, tableau));
    CHECK(std::abs(std::hypot(run.last("x"), run.last("y")) - 1) < 1e-14);
    return std::abs(std::atan2(run.last("x"), -run.last("y")) - y[0]);
  });
}

TEST_CASE("rk: in unilateral contact that rolls, the steady motion of a disc stays") {
  // models/spinning_disc.nsm: theta is constant. Moreau's rule lets the rim sink by an error of order one.
  Model model = Model::named("spinning_disc");
  const auto error = [&](const RunSettings& settings) {
    const Trajectory run = model.run({}, settings);
    return max_error(run, "theta", [&](double) { return run["theta"][0]; });
  };
  const Convergence c = convergence(2e-3, 4, [&](double step) { return error(by_rk(step, 0.5)); });
  check_convergence("disc, inclination", c, 3.7, 1e-8);
  CHECK(error({2e-3 / 8, 0.5}) > 1e3 * c.errors.back());
}

TEST_CASE("rk: order one across impacts, and each of them with its restitution") {
  constexpr double e = 0.8, g = 9.81;
  Model model = Model::named("bouncing_ball");
  const double fall = std::sqrt(2 / g);
  const auto height = [&](double t) {  // of the first two flights
    if (t < fall) return 1 - g / 2 * t * t;
    const double s = t - fall;
    return e * g * fall * s - g / 2 * s * s;
  };
  for (const char* tableau : {"euler", "midpoint", "rk3", "rk4", "kutta38", "butcher5"}) {
    CAPTURE(tableau);
    const auto error = [&](double step) {
      const Trajectory run = model.run({}, by_rk(step, 1, tableau));
      double percussion = 0;
      int impacts = 0;
      for (std::size_t k = 1; k < run.rows(); ++k) {
        const double dt = run.t[k] - run.t[k - 1], before = run["z'"][k - 1], after = run["z'"][k];
        percussion += dt * run["table.N"][k];
        if (run["table.N"][k] == 0) continue;
        ++impacts;
        CHECK(after == doctest::Approx(-e * before).epsilon(1e-12));
        CHECK(0.1 * (after - before + g * dt) == doctest::Approx(dt * run["table.N"][k]).epsilon(1e-12));
      }
      CHECK(impacts == 1);
      CHECK(percussion == doctest::Approx(0.1 * (1 + e) * g * fall).epsilon(3 * step));
      return max_error(run, "z", height);
    };
    const Convergence c = convergence(4e-3, 4, [&](double step) { return worst_error(step, error, 16); });
    check_convergence(std::string("bouncing ball, height, ") + tableau, c, 0.85, 8e-3);
    CHECK(c.order < 1.3);
  }
}

TEST_CASE("rk: order one across stick and slip") {
  // models/two_masses.nsm, whose solution is known [Glowinski 2004, sec. 5].
  Model model = Model::named("two_masses");
  const auto x1 = [](double t) {
    if (t < 1) return t - t * t / 2;
    if (t < 2) return 0.5;
    if (t < 3) return 0.5 + 4 * ((t * t * t - 8) / 3 - 2.5 * (t * t - 4) + 6 * (t - 2));
    return -1.0 / 6;
  };
  const auto v1 = [](double t) { return t < 1 ? 1 - t : t < 2 ? 0 : t < 3 ? 4 * (t - 3) * (t - 2) : 0; };
  for (const char* tableau : {"midpoint", "rk4"}) {
    const auto order = [&](const char* column, auto exact) {
      const auto error = [&](double step) { return max_error(model.run({}, by_rk(step, 0, tableau)), column, exact); };
      const auto worst = [&](double step) { return worst_error(step, error); };
      check_convergence(std::string("two masses, ") + column + ", " + tableau, convergence(0.02, 5, worst), 0.85, 3e-3);
    };
    order("x1", x1);
    order("x1'", v1);
  }
}

TEST_CASE("rk: in stick nothing moves, and the forces are those of the equilibrium") {
  Model model = Model::named("incline");
  const Trajectory run = model.run({{"alpha", 0.3}}, by_rk(1e-3));
  for (std::size_t k = 1; k < run.rows(); ++k) {
    CHECK(std::abs(run["s'"][k]) < 1e-15);
    CHECK(std::abs(run["s"][k]) < 1e-15);
    CHECK(run["incline.T"][k] == doctest::Approx(-2 * 9.81 * std::sin(0.3)).epsilon(1e-12));
  }
}

TEST_CASE("rk: the nutation of a top, which grows by Moreau's rule and stays by this one") {
  // The Tippe-Top on a smooth floor, in the angles of Euler: theta swings between theta0 and the root x = cos(theta) of
  //     (I3 spin)^2 (x - x0)/(2 I1) = m g a1 (1 - x^2),
  // which follows from the energy and the momenta of phi and psi. Moreau's rule takes gyroscopic moments at the
  // beginning of the step: an oscillation of frequency Omega = I3/I1 spin grows like exp(Omega^2 dt t/2)
  // [Leine 2003, p. 10].
  constexpr double m = 6e-3, I1 = 8e-7, I3 = 7e-7, a1 = 3e-3, r1 = 1.5e-2, g = 9.81, theta0 = 0.5, spin = 180;
  const double x0 = std::cos(theta0), k = m * g * a1 * 2 * I1 / std::pow(I3 * spin, 2);
  const double x1 = (-1 + std::sqrt(1 + 4 * k * (k + x0))) / (2 * k);
  const double exact = theta0 - std::acos(x1);
  REQUIRE(exact == doctest::Approx(8.5e-3).epsilon(0.1));
  const double until = 1, last = 0.1;  // two and a half periods of nutation
  Model model = Model::named("tippe_top_euler");
  struct Result {
    double amplitude, energy;
  };
  const auto run = [&](Method method, double step) {
    RunSettings settings = by_rk(step, until);
    settings.method = method;
    const Trajectory t = model.run({{"mu", 0}, {"theta0", theta0}, {"z0", r1 - a1 * x0}}, settings);
    double least = 10, most = 0, energy = 0;
    for (std::size_t n = 0; n < t.rows(); ++n) {
      energy = std::max(energy, std::abs(t["energy"][n] / t["energy"][0] - 1));
      if (t.t[n] < until - last) continue;
      least = std::min(least, t["theta"][n]);
      most = std::max(most, t["theta"][n]);
    }
    return Result{(most - least) / exact, energy};
  };
  std::string table = "nutation over its exact amplitude after 1 s and largest error of the energy\n";
  table += "  step      moreau                rk";
  std::vector<double> growth;
  // With 4e-4 s Moreau's rule ends at t = 0.92 s, where values are not finite any more.
  const Result coarse = run(Method::rk, 4e-4);
  table += row("\n  4.0e-04                    %11.6f %9.1e", coarse.amplitude, coarse.energy);
  CHECK(std::abs(coarse.amplitude - 1) < 1e-3);
  for (const double step : {2e-4, 1e-4, 5e-5, 2.5e-5}) {
    const Result moreau = run(Method::moreau, step), rk = run(Method::rk, step);
    table += row("\n  %-7.1e %8.4f %9.1e %11.6f %9.1e", step, moreau.amplitude, moreau.energy, rk.amplitude, rk.energy);
    growth.push_back(moreau.amplitude);
    // Sampled at the steps, a maximum is missed by (Omega dt)^2/16 at most.
    CHECK(std::abs(rk.amplitude - 1) < std::pow(I3 / I1 * spin * step, 2) / 16 + 1e-4);
    CHECK(rk.energy < 1e-6);
  }
  MESSAGE(table);
  const double rate = std::pow(I3 / I1 * spin, 2) / 2;
  for (const std::size_t n : {1, 2, 3}) {
    const double step = 2e-4 / std::pow(2.0, n);
    CHECK(growth[n] == doctest::Approx(std::exp(rate * step * (until - last / 2))).epsilon(0.15));
  }
  CHECK(growth[0] > 3);
  const Convergence c = convergence(8e-4, 4, [&](double step) { return run(Method::rk, step).energy; });
  check_convergence("top on a smooth floor, energy", c, 3.7, 1e-9);
}

TEST_CASE("rk: events of the Tippe-Top, against Moreau's rule in the limit") {
  // The time at which the tip touches, by the independent integration of tippe_top.cpp.
  constexpr double exact = 1.371043;
  Model model = Model::named("tippe_top_ellipsoid");
  // From the last two rows before the column passes the level: the step itself has the impact in it.
  const auto first = [](const Trajectory& run, const char* column, double level) {
    const Column& x = run[column];
    for (std::size_t k = 2; k < run.rows(); ++k) {
      const double earlier = x[k - 2] - level, before = x[k - 1] - level, now = x[k] - level;
      if ((before > 0) == (now > 0)) continue;
      return run.t[k - 1] + (run.t[k - 1] - run.t[k - 2]) * before / (earlier - before);
    }
    return -1.0;
  };
  const auto times = [&](Method method, double step) {
    RunSettings settings = by_rk(step, 1.6);
    settings.method = method;
    settings.tolerance = 1e-11;
    const Trajectory run = model.run({{"z0", 1.5e-2 - 3e-3 * std::cos(0.1)}}, settings);  // on the floor
    return std::pair(first(run, "tip.gap", 0), first(run, "inclination", 3));
  };
  const auto [touch, upright] = times(Method::rk, 1e-4);
  MESSAGE(row("Tippe-Top by rk: touches at %.6f s, upright at %.6f s", touch, upright));
  CHECK(std::abs(touch - exact) < 1e-6);
  CHECK(std::abs(times(Method::rk, 2e-4).second - upright) < 1e-3);
  const Convergence c = convergence(
      1e-4, 3, [&, touch = touch](double step) { return std::abs(times(Method::moreau, step).first - touch); });
  check_convergence("Tippe-Top, touch by Moreau's rule against rk", c, 0.9, 1.5e-3);
  const Convergence u = convergence(
      1e-4, 3, [&, upright = upright](double step) { return std::abs(times(Method::moreau, step).second - upright); });
  check_convergence("Tippe-Top, upright by Moreau's rule against rk", u, 0.5, 5e-3);
}

TEST_CASE("every model: rk and Moreau's rule agree in the limit") {
  // Mean difference of the coordinates, relative to how far they move.
  const auto apart = [](Model& model, double step, double until) {
    RunSettings settings{step, until};
    settings.tolerance = 1e-12;
    settings.solver = nsmc::rt::SolverKind::automatic;
    settings.residual = 1e-9;
    const Trajectory one = model.run({}, settings);
    settings.method = Method::rk;
    const Trajectory other = model.run({}, settings);
    REQUIRE(one.rows() == other.rows());
    const nsmc::rt::System system(model.kernels().table(), model.parameters());
    double sum = 0, way = 1e-9;  // where all is at rest
    for (std::uint32_t n = 0; n < system.n_q(); ++n) {
      const Column &a = one[one.names()[n]], &b = other[one.names()[n]];
      for (std::size_t k = 0; k < a.size(); ++k) {
        sum += std::abs(a[k] - b[k]);
        way += std::abs(a[k] - a[0]);
      }
    }
    return sum / way;
  };
  for (const auto& entry : std::filesystem::directory_iterator(NSMC_SOURCE_DIR "/models")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".nsm" || is_heap(name)) continue;
    CAPTURE(name);
    Model model = Model::named(name);
    const std::vector<double> p = model.parameters();
    const double step = model.step(p);
    const double shorter = std::min(model.until(p), 4000 * step);
    const double coarse = apart(model, step, shorter), fine = apart(model, step / 8, shorter);
    MESSAGE(name << ": apart by " << coarse << " at step " << step << ", " << fine << " at an eighth of it");
    CHECK(coarse < 0.1);
    CHECK((fine < 0.4 * coarse || fine < 1e-6));
  }
}
