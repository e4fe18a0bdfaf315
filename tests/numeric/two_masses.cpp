// models/two_masses.nsm against the analytic solution of Glowinski et al. (2004), section 5.
#include "run_model.hpp"

using namespace nsmc::test;

namespace {

// Written again here, so that a slip in the model's outputs does not hide one in its force.
double v1(double t) { return t < 1 ? 1 - t : t < 2 ? 0 : t < 3 ? 4 * (t - 3) * (t - 2) : 0; }
double v2(double t) { return t < 2 ? 0 : 1 - (t - 3) * (t - 3); }
double x1(double t) {
  if (t < 1) return t - t * t / 2;
  if (t < 2) return 0.5;
  if (t < 3) return 0.5 + 4 * ((t * t * t - 8) / 3 - 2.5 * (t * t - 4) + 6 * (t - 2));
  return -1.0 / 6;
}
double x2(double t) { return t < 2 ? 0 : t - 2 - (std::pow(t - 3, 3) + 1) / 3; }
double lambda1(double t) { return t < 1 ? 1 : t < 2 ? t - 1.5 : t < 3 ? -1 : -0.5; }
double lambda2(double t) { return t < 2 ? 1 - t : 1; }

template <class Exact>
double l2_error(const Trajectory& run, const std::string& column, double shift, Exact&& exact) {
  double sum = 0;
  for (std::size_t k = 1; k < run.rows(); ++k) {
    const double dt = run.t[k] - run.t[k - 1];
    const double d = run[column][k] - exact(run.t[k] - shift * dt);
    sum += dt * d * d;
  }
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE("two masses: order 1 in X and V") {
  Model model = Model::named("two_masses");
  const auto order = [&](const char* column, auto exact, double finest) {
    const auto error = [&](double step) { return l2_error(model.run({}, {.step = step}), column, 0, exact); };
    check_convergence(column, convergence(0.02, 5, error), 0.9, finest);
  };
  order("x1", x1, 4e-4);
  order("x2", x2, 4e-4);
  order("x1'", v1, 4e-4);
  order("x2'", v2, 4e-4);
}

TEST_CASE("two masses: order 1/2 at least in the multipliers, which jump") {
  Model model = Model::named("two_masses");
  const auto order = [&](const char* column, auto exact) {
    // A percussion belongs to its whole step: compare in its middle.
    const auto error = [&](double step) {
      const auto one = [&](double s) { return l2_error(model.run({}, {.step = s}), column, 0.5, exact); };
      return worst_error(step, one, 12);
    };
    check_convergence(column, convergence(0.02, 5, error), 0.4, 0.15);
  };
  order("lambda1", lambda1);
  order("lambda2", lambda2);
}

TEST_CASE("two masses: gamma does not change the solution") {
  Model model = Model::named("two_masses");
  for (const Overrides& choice : {Overrides{{"beta", 0}}, Overrides{{"beta", 0.9}}, Overrides{{"eps", 1}}}) {
    const Trajectory run = model.run(choice, {.step = 5e-4});
    CHECK(max_error(run, "x1", x1) < 4e-3);
    CHECK(max_error(run, "x2", x2) < 4e-3);
  }
}

TEST_CASE("two masses: the multipliers are signs where the masses move") {
  const Trajectory run = Model::named("two_masses").run({}, {.step = 1e-3});
  for (std::size_t k = 1; k < run.rows(); ++k) {
    for (const auto& [lambda, velocity] : {std::pair{"lambda1", "x1'"}, std::pair{"lambda2", "x2'"}}) {
      const double value = run[lambda][k], v = run[velocity][k];
      CHECK(std::abs(value) <= 1 + 1e-12);
      if (std::abs(v) > 1e-9) CHECK(value == doctest::Approx(v > 0 ? 1 : -1).epsilon(1e-9));
    }
    CHECK(run["v1_exact"][k] == doctest::Approx(v1(run.t[k])));
    CHECK(run["v2_exact"][k] == doctest::Approx(v2(run.t[k])));
    CHECK(run["x1_exact"][k] == doctest::Approx(x1(run.t[k])));
    CHECK(run["x2_exact"][k] == doctest::Approx(x2(run.t[k])));
  }
}

// The table of docs/reproduction.md.
TEST_CASE("two masses: lie, the errors of Glowinski et al. over tau") {
  Model model = Model::named("two_masses");
  struct Errors {
    double V, X, lambda;
  };
  const auto errors = [&](double step, int inner_steps, nsmc::rt::Method method = nsmc::rt::Method::lie) {
    RunSettings settings;
    settings.step = step;
    settings.method = method;
    settings.solver = nsmc::rt::SolverKind::multiplier;
    settings.integrator.inner_steps = inner_steps;
    const Trajectory run = model.run({}, settings);
    return Errors{std::hypot(l2_error(run, "x1'", 0, v1), l2_error(run, "x2'", 0, v2)),
                  std::hypot(l2_error(run, "x1", 0, x1), l2_error(run, "x2", 0, x2)),
                  std::hypot(l2_error(run, "lambda1", 0.5, lambda1), l2_error(run, "lambda2", 0.5, lambda2))};
  };
  const Errors moreau = errors(0.003, 1, nsmc::rt::Method::moreau);
  MESSAGE("moreau, tau = 0.003: V " << moreau.V << ", X " << moreau.X << ", lambda " << moreau.lambda);
  for (const int P : {1, 10}) {
    std::vector<double> steps{0.012, 0.006, 0.003, 0.0015};
    std::vector<Errors> table;
    for (const double tau : steps) {
      table.push_back(errors(tau, P));
      MESSAGE("P = " << P << ", tau = " << tau << ": V " << table.back().V << ", X " << table.back().X << ", lambda "
                     << table.back().lambda);
    }
    // The jump at 1 lies at a third of a step, at two thirds and at a third again: orders are taken over a factor of 4.
    for (const std::size_t k : {0u, 1u}) {
      const auto order = [&](double Errors::*e) { return std::log2(table[k].*e / (table[k + 2].*e)) / 2; };
      MESSAGE("P = " << P << ", from " << steps[k] << " to " << steps[k + 2] << ": order " << order(&Errors::V)
                     << " of V, " << order(&Errors::X) << " of X, " << order(&Errors::lambda) << " of lambda");
      CHECK(order(&Errors::V) == doctest::Approx(1).epsilon(0.05));
      CHECK(order(&Errors::X) == doctest::Approx(1).epsilon(0.05));
      CHECK(order(&Errors::lambda) == doctest::Approx(0.5).epsilon(0.05));
    }
    CHECK(table.back().V < 0.007);
    CHECK(table.back().X < 0.003);
    CHECK(table.back().lambda < 0.12);
  }
}

TEST_CASE("two masses: lie, away from the jumps the multipliers have order 1") {
  Model model = Model::named("two_masses");
  const auto error = [&](double tau) {
    RunSettings settings;
    settings.step = tau;
    settings.method = nsmc::rt::Method::lie;
    settings.solver = nsmc::rt::SolverKind::multiplier;
    const Trajectory run = model.run({}, settings);
    double worst = 0;
    for (std::size_t k = 1; k < run.rows(); ++k) {
      const double t = run.t[k] - tau / 2, jump = std::round(t);
      // A mass that stops does so a few steps late, and takes the other along by M.
      if (jump > 0 && std::abs(t - jump) < 8 * tau) continue;
      worst = std::max({worst, std::abs(run["lambda1"][k] - lambda1(t)), std::abs(run["lambda2"][k] - lambda2(t))});
    }
    return worst;
  };
  check_convergence("multipliers in the maximum norm", convergence(0.012, 4, error), 0.9, 0.01);
}
