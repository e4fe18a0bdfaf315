// models/incline.nsm: stick and slip of a block on an incline.
#include "run_model.hpp"

using namespace nsmc::test;

namespace {

constexpr double m = 2, mu = 0.4, g = 9.81;

void check_friction_law(const Trajectory& run) {
  const Column& N = run["incline.N"];
  const Column& T = run["incline.T"];
  for (std::size_t k = 1; k < run.rows(); ++k) {
    CHECK(N[k] >= 0);
    CHECK(std::abs(T[k]) <= mu * N[k] * (1 + 1e-12));
    const double v = run["s'"][k];
    if (std::abs(v) > 1e-12) CHECK(T[k] * v == doctest::Approx(-mu * N[k] * std::abs(v)).epsilon(1e-9));
  }
}

}  // namespace

TEST_CASE("incline: below the friction angle the block sticks exactly") {
  Model model = Model::named("incline");
  for (const double alpha : {-0.37, -0.1, 0.0, 0.05, 0.2, 0.3, 0.38}) {  // arctan(mu) = 0.3805
    CAPTURE(alpha);
    const Trajectory run = model.run({{"alpha", alpha}});
    check_friction_law(run);
    for (std::size_t k = 1; k < run.rows(); ++k) {
      CHECK(std::abs(run["s'"][k]) < 1e-15);
      CHECK(std::abs(run["s"][k]) < 1e-15);
      CHECK(run["incline.N"][k] == doctest::Approx(m * g * std::cos(alpha)).epsilon(1e-12));
      CHECK(run["incline.T"][k] == doctest::Approx(-m * g * std::sin(alpha)).epsilon(1e-12));
    }
  }
}

TEST_CASE("incline: above the friction angle it slides with g (sin a - mu cos a)") {
  Model model = Model::named("incline");
  for (const double alpha : {0.385, 0.5, 1.0, 1.5}) {
    CAPTURE(alpha);
    const Trajectory run = model.run({{"alpha", alpha}});
    check_friction_law(run);
    const double a = g * (std::sin(alpha) - mu * std::cos(alpha));
    // Constant forces: the velocity is exact, and so is the midpoint rule for the way.
    CHECK(max_error(run, "s'", [&](double t) { return a * t; }) < 1e-12);
    CHECK(max_error(run, "s", [&](double t) { return a / 2 * t * t; }) < 1e-12);
  }
}

TEST_CASE("incline: pushed uphill it stops, and sticks or slides back") {
  Model model = Model::named("incline");
  for (const double alpha : {0.3, 0.5}) {
    CAPTURE(alpha);
    const double v0 = -2;
    const double braking = g * (std::sin(alpha) + mu * std::cos(alpha));
    const double back = std::max(0.0, g * (std::sin(alpha) - mu * std::cos(alpha)));
    const double t_stop = -v0 / braking;
    const auto way = [&](double t) {
      if (t < t_stop) return v0 * t + braking / 2 * t * t;
      return v0 * t_stop / 2 + back / 2 * (t - t_stop) * (t - t_stop);
    };
    const auto error = [&](double step) {
      const Trajectory run = model.run({{"alpha", alpha}, {"v0", v0}}, {.step = step});
      check_friction_law(run);
      return max_error(run, "s", way);
    };
    check_convergence("way", convergence(8e-3, 4, [&](double step) { return worst_error(step, error); }), 0.85, 1.2e-3);
  }
}

TEST_CASE("incline: friction never adds energy") {
  const double dt = 1e-3;
  const Trajectory run = Model::named("incline").run({{"alpha", 0.5}, {"v0", -2}}, {.step = dt});
  for (std::size_t k = 1; k < run.rows(); ++k) {
    // The step in which the block stops or turns sees the friction of its end only.
    const bool stops = run["s'"][k - 1] < 0 && run["s'"][k] >= 0;
    CHECK(run["energy"][k] <= run["energy"][k - 1] + (stops ? m * g * g * dt * dt : 1e-12));
  }
}
