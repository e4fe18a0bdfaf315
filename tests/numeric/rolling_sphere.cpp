// models/rolling_sphere.nsm: sliding with constant friction until t* = 2 |s0|/(7 mu g), pure rolling afterwards.
#include "run_model.hpp"

using namespace nsmc::test;

namespace {

constexpr double kMass = 0.2, kRadius = 0.03, kGravity = 9.81;

// Velocity, position and slip of the theory in the plane of the table.
struct Ball {
  double v1, v2, s1, s2, mu;

  Ball(double v0, double beta, double w1, double w2, double friction)
      : v1(v0 * std::cos(beta)), v2(v0 * std::sin(beta)), s1(v1 - kRadius * w2), s2(v2 + kRadius * w1), mu(friction) {}

  double slip() const { return std::hypot(s1, s2); }
  double rolling_from() const { return 2 * slip() / (7 * mu * kGravity); }
  double sliding_for(double t) const { return std::min(t, rolling_from()); }
  double velocity(double t, double v, double s) const { return v - mu * kGravity * sliding_for(t) * s / slip(); }
  double position(double t, double v, double s) const {
    const double slid = sliding_for(t);
    return v * slid - mu * kGravity * slid * slid / 2 * s / slip() + velocity(t, v, s) * (t - slid);
  }
};

}  // namespace

TEST_CASE("rolling sphere: slides until t*, then rolls at 5/7 of its velocity in exact stick") {
  Model model = Model::named("rolling_sphere");
  for (const double mu : {0.1, 0.2, 0.35}) {
    CAPTURE(mu);
    const double v0 = 1, dt = 1e-3;
    const double begins = 2 * v0 / (7 * mu * kGravity);
    const Trajectory run = model.run({{"mu", mu}}, {dt});
    CHECK(run["rolling_begins"][0] == doctest::Approx(begins).epsilon(1e-14));
    REQUIRE(run.t.back() > begins + 0.05);
    int rolling = 0;
    for (std::size_t k = 1; k < run.rows(); ++k) {
      const double t = run.t[k];
      CHECK(run["surface.N"][k] == doctest::Approx(kMass * kGravity).epsilon(1e-12));
      CHECK(run["friction"][k] <= mu * kMass * kGravity * (1 + 1e-12));
      CHECK(std::abs(run["surface.gap"][k]) < 1e-15);
      if (t <= begins) {
        CHECK(run["friction"][k] == doctest::Approx(mu * kMass * kGravity).epsilon(1e-12));
        CHECK(run["ball.velocity[1]"][k] == doctest::Approx(v0 - mu * kGravity * t).epsilon(1e-11));
        CHECK(run["slip"][k] == doctest::Approx(v0 - 3.5 * mu * kGravity * t).epsilon(1e-9));
      } else {
        CHECK(run["slip"][k] < 1e-13);
        CHECK(run["ball.velocity[1]"][k] == doctest::Approx(5.0 / 7 * v0).epsilon(1e-12));
        CHECK(run["angular_velocity[2]"][k] == doctest::Approx(5.0 / 7 * v0 / kRadius).epsilon(1e-12));
        if (rolling++ > 0) CHECK(run["friction"][k] < 1e-11 * kMass * kGravity);
      }
    }
    CHECK(rolling > 50);
    CHECK(run.last("energy") - kMass * kGravity * kRadius ==
          doctest::Approx(5.0 / 7 * kMass * v0 * v0 / 2).epsilon(1e-11));
  }
}

TEST_CASE("rolling sphere: a spin bends the path into a parabola, and pure rolling follows all the same") {
  Model model = Model::named("rolling_sphere");
  const double v0 = 0.8, beta = 0.7, mu = 0.25;
  for (const auto& [w1, w2] : {std::pair(40.0, -10.0), std::pair(-15.0, 60.0), std::pair(0.0, -90.0)}) {
    CAPTURE(w1);
    const Ball ball(v0, beta, w1, w2, mu);
    const Overrides set{{"v0", v0}, {"beta", beta}, {"mu", mu}, {"w1", w1}, {"w2", w2}, {"w3", 25}};
    const Trajectory run = model.run(set, {1e-3, 0.8});
    REQUIRE(ball.rolling_from() < 0.7);
    CHECK(max_error(run, "ball.velocity[1]", [&](double t) { return ball.velocity(t, ball.v1, ball.s1); }) < 1e-11);
    CHECK(max_error(run, "ball.velocity[2]", [&](double t) { return ball.velocity(t, ball.v2, ball.s2); }) < 1e-11);
    CHECK(max_error(run, "angular_velocity[3]", [](double) { return 25.0; }) < 1e-10);
    CHECK(run.last("slip") < 1e-12);
  }
}

TEST_CASE("rolling sphere: already rolling, it rolls on") {
  const Trajectory run = Model::named("rolling_sphere").run({{"w2", 1 / kRadius}});
  CHECK(max_error(run, "ball.velocity[1]", [](double) { return 1.0; }) < 1e-12);
  CHECK(max_error(run, "ball.position[1]", [](double t) { return t; }) < 1e-12);
  CHECK(max_error(run, "slip", [](double) { return 0.0; }) < 1e-13);
}

TEST_CASE("rolling sphere: the position is of order two, the step with t* in it being the only one with an error") {
  Model model = Model::named("rolling_sphere");
  const Ball ball(1, 0.4, 20, -10, 0.2);
  const Convergence c = convergence(8e-3, 5, [&](double step) {
    return worst_error(step, [&](double dt) {
      const Trajectory run = model.run({{"beta", 0.4}, {"w1", 20}, {"w2", -10}}, {dt});
      const double t = run.t.back();
      return std::hypot(run.last("ball.position[1]") - ball.position(t, ball.v1, ball.s1),
                        run.last("ball.position[2]") - ball.position(t, ball.v2, ball.s2));
    });
  });
  check_convergence("rolling sphere, position", c, 1.8, 1e-7);
}
