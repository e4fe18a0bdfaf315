// models/bouncing_ball.nsm against the analytic solution of the ball on a table at rest, and on a moving table.
#include "run_model.hpp"

using namespace nsmc::test;

namespace {

constexpr double m = 0.1, e = 0.8, h0 = 1, g = 9.81;
const double t_first = std::sqrt(2 * h0 / g);       // of the first impact
const double v_first = g * t_first;                 // and its speed
const double t_rest = t_first * (1 + e) / (1 - e);  // where the impacts accumulate

// The k-th impact, k = 0, 1, ..., and the height of the flight after it.
double impact_time(int k) { return t_first + 2 * t_first * e * (1 - std::pow(e, k)) / (1 - e); }
double rebound_height(int k) { return h0 * std::pow(e, 2 * (k + 1)); }

double height(double t) {
  if (t < t_first) return h0 - g / 2 * t * t;
  if (t >= t_rest) return 0;
  int k = 0;
  while (impact_time(k + 1) <= t && k < 400) ++k;
  const double s = t - impact_time(k);
  return std::max(0.0, std::pow(e, k + 1) * v_first * s - g / 2 * s * s);
}

}  // namespace

TEST_CASE("bouncing ball: impact times and rebound heights are those of the analytic solution") {
  const double dt = 1e-5;
  const Trajectory run = Model::named("bouncing_ball").run({}, {.step = dt, .until = 3});
  const Column& v = run["z'"];
  const Column& z = run["z"];
  int impacts = 0;
  double top = 0;
  for (std::size_t k = 1; k < run.rows(); ++k) {
    if (v[k - 1] < 0 && v[k] > 0) {
      if (impacts > 0) CHECK(top == doctest::Approx(rebound_height(impacts - 1)).epsilon(1e-3));
      CHECK(std::abs(run.t[k] - impact_time(impacts)) < 20 * dt);
      CHECK(v[k] == doctest::Approx(-e * v[k - 1]).epsilon(1e-12));
      ++impacts;
      top = 0;
    }
    top = std::max(top, z[k]);
  }
  CHECK(impacts == 6);
  CHECK(impact_time(5) < 3);
  CHECK(impact_time(6) > 3);
}

TEST_CASE("bouncing ball: order 1 in the step, through and beyond the accumulation of impacts") {
  Model model = Model::named("bouncing_ball");
  const auto error = [&](double step) { return max_error(model.run({}, {.step = step}), "z", height); };
  check_convergence("height", convergence(2e-3, 5, [&](double step) { return worst_error(step, error); }), 0.85, 3e-3);
}

TEST_CASE("bouncing ball: it rests after the last impact and carries its weight") {
  const double dt = 1e-4;
  const Trajectory run = Model::named("bouncing_ball").run({}, {.step = dt});
  int resting = 0;
  for (std::size_t k = 0; k < run.rows(); ++k) {
    CHECK(run["table.N"][k] >= 0);
    // Signorini on velocity level: a force only where the gap is closed (up to what one step moves).
    if (run["table.N"][k] > 0) CHECK(run["table.gap"][k] < 5 * dt);
    CHECK(run["table.gap"][k] > -5 * dt);
    if (k > 0) CHECK(run["energy"][k] <= run["energy"][k - 1] + m * g * g * dt * dt);
    if (run.t[k] < t_rest + 0.05) continue;
    ++resting;
    CHECK(std::abs(run["z'"][k]) < 1e-15);
    CHECK(std::abs(run["z"][k]) < g * dt * dt);
    CHECK(run["table.N"][k] == doctest::Approx(m * g).epsilon(1e-9));
  }
  CHECK(resting > 8000);
}

TEST_CASE("bouncing ball: without restitution it lands on the moving table and follows it") {
  constexpr double A = 2e-3, w = 40;  // A w^2 < g: it stays
  Model model = Model::named("bouncing_ball");
  const auto error = [&](double step) {
    const Trajectory run = model.run({{"A", A}, {"w", w}, {"e", 0}, {"h0", 0.01}}, {.step = step, .until = 0.5});
    double worst = 0;
    for (std::size_t k = 0; k < run.rows(); ++k) {
      CHECK(run["table.N"][k] >= 0);
      if (run.t[k] > 0.1) worst = std::max(worst, std::abs(run["z"][k] - A * std::sin(w * run.t[k])));
    }
    return worst;
  };
  check_convergence("gap", convergence(1e-3, 4, [&](double step) { return worst_error(step, error); }), 0.85, 6e-5);
}

TEST_CASE("bouncing ball: hand-over of percussions to the table") {
  // From t = 0 to the end, the table has taken the momentum that gravity gave: the ball rests at both ends.
  const Trajectory run = Model::named("bouncing_ball").run({}, {.step = 1e-4});
  double percussion = 0;
  for (std::size_t k = 1; k < run.rows(); ++k) percussion += run["table.N"][k] * (run.t[k] - run.t[k - 1]);
  CHECK(percussion == doctest::Approx(m * g * run.t.back()).epsilon(1e-9));
}
