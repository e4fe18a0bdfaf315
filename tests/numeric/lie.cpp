// Method lie, the operator splitting of [Glowinski 2004]: against what is known exactly, and against moreau.
#include <algorithm>
#include <filesystem>
#include <set>

#include "heaps.hpp"
#include "run_model.hpp"

using namespace nsmc::test;
using nsmc::rt::Method;
using nsmc::rt::SolverKind;

namespace {

RunSettings lie(double step, double until = 0, int inner_steps = 1) {
  RunSettings settings;
  settings.step = step;
  settings.until = until;
  settings.solver = SolverKind::multiplier;
  settings.method = Method::lie;
  settings.integrator.inner_steps = inner_steps;
  return settings;
}

// x'' + x = 0 from x = x0, x' = v0: nothing but the elastic substep if x0 = 0.
Model oscillator() {
  return Model::text(
      "param x0 = 0\nparam v0 = 1\ncoord x = x0\ninitial x' = v0\nkinetic x'^2/2\npotential x^2/2\n"
      "simulate { until 10  step 0.1 }\n");
}

// A mass on a spring and on a rough floor, which holds it up to |x| = 1.
Model held_mass() {
  return Model::text(
      "param x0 = 0\nparam v0 = 0\ncoord x = x0\ninitial x' = v0\nkinetic x'^2/2\npotential x^2/2\n"
      "contact floor { slip x'  law joint_friction(1) }\nsimulate { until 3  step 0.01 }\n");
}

// The largest difference of coordinates and velocities at the end.
double difference(const Trajectory& one, const Trajectory& other, std::size_t n) {
  double worst = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const std::string& name = one.names()[k];
    worst = std::max(worst, std::abs(one.last(name) - other.last(name)));
  }
  return worst;
}

}  // namespace

TEST_CASE("lie: the elastic substep is of order 2 and does not dissipate") {
  Model model = oscillator();
  const auto error = [&](double step) {
    return max_error(model.run({}, lie(step)), "x", [](double t) { return std::sin(t); });
  };
  check_convergence("oscillator from x = 0", convergence(0.1, 5, error), 1.95, 2e-4);

  // The energy swings and does not drift, with a load (x0 != 0: the force at the start goes with friction) as without.
  // What remains are means over windows that are no whole periods.
  for (const double x0 : {0.0, 1.0}) {
    CAPTURE(x0);
    const Trajectory run = model.run({{"x0", x0}}, lie(0.05, 5000));
    const auto mean = [&](std::size_t first) {
      double sum = 0;
      for (std::size_t k = first; k < first + 10000; ++k) sum += run["energy"][k];
      return sum / 10000;
    };
    const double early = mean(0), late = mean(run.rows() - 10000);
    MESSAGE("oscillator, x0 = " << x0 << ", 1e5 steps: mean energy " << early << " at first, " << late << " at last");
    CHECK(late == doctest::Approx(early).epsilon(2e-4));
  }
}

TEST_CASE("lie: loads and elasticity are split with order 1") {
  Model model = oscillator();
  const auto error = [&](double step) {
    return max_error(model.run({{"x0", 1}, {"v0", 0}}, lie(step)), "x", [](double t) { return std::cos(t); });
  };
  check_convergence("oscillator from x = 1", convergence(0.1, 5, error), 0.95, 2e-2);
}

TEST_CASE("lie: stick is exact under loads, creeps with order 1 under elastic forces") {
  Model model = held_mass();
  // The pull of the spring at the start is a load: nothing moves at all.
  const Trajectory still = model.run({{"x0", 0.9}}, lie(0.01));
  CHECK(still.last("x") == 0.9);
  CHECK(still.last("floor.T") == doctest::Approx(0.9).epsilon(1e-12));

  // From x = 0 with x' = 1, x = sin(t) + cos(t) - 1 until x' = 0 at t = pi/4. There the spring is elastic and takes the
  // mass back by x dt^2/2 in every step, though friction holds it.
  const double rest = std::sqrt(2.0) - 1;
  const auto error = [&](double step) {
    const auto one = [&](double s) { return std::abs(model.run({{"v0", 1}}, lie(s)).last("x") - rest); };
    return worst_error(step, one);
  };
  check_convergence("creep in stick", convergence(0.01, 5, error), 0.95, 1e-3);
}

TEST_CASE("lie: inner steps and rho change the way, not the limit") {
  Model model = Model::named("two_masses");
  const Trajectory by_default = model.run({}, lie(2e-3));
  RunSettings settings = lie(2e-3);
  for (const double rho : {0.4, 1.9}) {  // times 1/tau_f; beta = 1
    settings.rho = rho / 2e-3;
    settings.max_iterations = 100000;
    const Trajectory run = model.run({}, settings);
    CHECK(run.summary.iterations_mean > by_default.summary.iterations_mean);
    for (const char* column : {"x1", "x2", "x1'", "x2'", "lambda1", "lambda2"}) {
      for (std::size_t k = 0; k < run.rows(); ++k) REQUIRE(std::abs(run[column][k] - by_default[column][k]) < 1e-8);
    }
  }
  for (const SolverKind kind : {SolverKind::sor, SolverKind::newton, SolverKind::uzawa}) {
    settings = lie(2e-3);
    settings.solver = kind;
    const Trajectory run = model.run({}, settings);
    for (std::size_t k = 0; k < run.rows(); ++k) REQUIRE(std::abs(run["x1"][k] - by_default["x1"][k]) < 1e-8);
  }
  const auto x1_exact = [](const Trajectory& run) {
    double worst = 0;
    for (std::size_t k = 0; k < run.rows(); ++k) worst = std::max(worst, std::abs(run["x1"][k] - run["x1_exact"][k]));
    return worst;
  };
  const double one = x1_exact(by_default), ten = x1_exact(model.run({}, lie(2e-3, 0, 10)));
  MESSAGE("two masses, step 2e-3: error of x1 " << one << " with P = 1, " << ten << " with P = 10");
  CHECK(ten < one);
}

TEST_CASE("lie: recorded forces are means over the step, whatever the inner steps") {
  // A block at rest on an incline: friction holds it in each inner step.
  Model model = Model::named("incline");
  for (const int P : {1, 7}) {
    const Trajectory run = model.run({{"alpha", 0.2}}, lie(1e-3, 0.1, P));
    const double weight = run.last("incline.N");
    CHECK(weight == doctest::Approx(model.run({{"alpha", 0.2}}, {.until = 0.1}).last("incline.N")).epsilon(1e-10));
  }
}

TEST_CASE("lie: an impact obeys Newton's law once, whatever the inner steps") {
  Model model = Model::named("bouncing_ball");
  for (const int P : {1, 5}) {
    const Trajectory run = model.run({}, lie(1e-4, 0.6, P));
    double down = 0, up = 0;
    for (const double v : run["z'"]) down = std::min(down, v), up = std::max(up, v);
    CHECK(up == doctest::Approx(-0.8 * down).epsilon(2e-3));
  }
}

namespace {

struct ModelRun {
  const char* model;
  double until, step;
};

// Times are short of where motions fork, and steps such that errors are those of the limit.
const ModelRun kMoving[] = {
    {"billiard", 0.05, 2e-4},
    {"bouncing_ball", 0.4, 1e-3},
    {"contensou_disc", 0.5, 1e-3},
    {"cradle", 0.05, 1e-3},
    {"domino", 0.05, 2e-4},
    {"double_pendulum", 0.5, 1e-3},
    {"four_bar", 0.5, 5e-4},
    {"free_top", 0.5, 1e-3},
    {"incline", 0.5, 1e-3},
    {"pendulum", 1, 1e-3},
    {"rattleback", 0.02, 1e-4},
    {"rocking_block", 0.1, 4e-4},
    {"rolling_friction", 0.3, 1e-3},
    {"rolling_sphere", 0.5, 1e-3},
    {"slider_circle", 0.5, 1e-3},
    {"slider_collinear", 0.2, 1e-3},
    {"slider_crank", 0.1, 4e-4},
    {"slider_ellipse", 0.2, 1e-3},
    {"slider_nonconvex", 0.2, 1e-3},
    {"slider_rectangle", 0.1, 1e-3},
    {"slider_superellipse", 0.2, 1e-3},
    {"slider_two_set", 0.2, 1e-3},
    {"spinning_disc", 0.1, 1e-4},
    {"tippe_top", 0.02, 1e-4},
    {"tippe_top_cylinder", 0.02, 1e-4},
    {"tippe_top_ellipsoid", 0.02, 1e-4},
    {"tippe_top_euler", 0.01, 1e-5},
    {"two_masses", 1, 1e-3},
    {"vibrating_table", 0.1, 1e-4},
    {"walker", 0.05, 1e-3},
    {"woodpecker", 0.05, 1e-4},
};

const char* const kAtRest[] = {"column", "pyramid", "block"};

}  // namespace

TEST_CASE("lie: every model is compared with moreau") {
  std::set<std::string> listed;
  for (const ModelRun& r : kMoving) listed.insert(r.model);
  for (const char* name : kAtRest) listed.insert(name);
  for (const auto& entry : std::filesystem::directory_iterator(NSMC_SOURCE_DIR "/models")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".nsm" && !is_heap(name) && !is_controlled(name))
      CHECK_MESSAGE(listed.contains(name), name);
  }
}

TEST_CASE("lie: agrees with moreau as the step falls, with order 1") {
  for (const ModelRun& r : kMoving) {
    const std::string name = r.model;
    CAPTURE(name);
    Model model = Model::named(name);
    const std::size_t n = model.kernels().table().n_q + model.kernels().table().n_u;
    const Trajectory reference = model.run({}, {.step = r.step / 64, .until = r.until, .tolerance = 1e-11});
    const Convergence c = convergence(r.step, 3, [&](double step) {
      RunSettings settings = lie(step, r.until);
      settings.tolerance = 1e-11;
      return difference(model.run({}, settings), reference, n);
    });
    MESSAGE(name << ": order " << c.order << ", difference " << c.errors.front() << " at step " << r.step);
    if (c.errors.front() < 1e-9) continue;  // without elastic forces and impacts both methods are the same
    CHECK(c.order > 0.9);
    CHECK(c.order < 1.2);
  }
}

TEST_CASE("lie: what rests stays at rest") {
  for (const char* name : kAtRest) {
    CAPTURE(name);
    Model model = Model::named(name);
    const std::size_t n = model.kernels().table().n_q + model.kernels().table().n_u;
    RunSettings settings = lie(1e-3, 0.2);
    const Trajectory run = model.run({}, settings);
    settings.method = Method::moreau;
    CHECK(difference(run, model.run({}, settings), n) < 1e-9);
  }
}
