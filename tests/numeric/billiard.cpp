// models/billiard.nsm: percussions, velocities and spins after the impact of two equal balls, against the calculation
// by hand.
#include <algorithm>

#include "run_model.hpp"

using namespace nsmc::test;

namespace {

constexpr double kMass = 0.17, kRadius = 0.0285;

std::size_t impact_row(const Trajectory& run) {
  std::size_t row = 0;
  int impacts = 0;
  for (std::size_t k = 0; k < run.rows(); ++k) {
    if (run["cue_ball.N"][k] > 0) row = k, ++impacts;
  }
  REQUIRE(impacts == 1);
  return row;
}

struct Impact {
  double Lambda_N, Lambda_T;
  bool sticks;
};

Impact impact(double v_n, double v_t, double e, double mu) {
  const double normal = (1 + e) / 2 * kMass * v_n;
  const double stick = kMass * v_t / 7;
  return {normal, std::min(stick, mu * normal), stick <= mu * normal};
}

}  // namespace

TEST_CASE("billiard: a frontal impact leaves (1 - e)/2 and (1 + e)/2 of the velocity, exchanged for e = 1") {
  Model model = Model::named("billiard");
  const double v0 = 1.2;
  for (const double e : {0.0, 0.4, 0.95, 1.0}) {
    CAPTURE(e);
    const Trajectory run = model.run({{"e", e}, {"v0", v0}, {"cut", 0}});
    CHECK(run.last("cue.velocity[1]") == doctest::Approx((1 - e) / 2 * v0).epsilon(1e-12));
    CHECK(run.last("object.velocity[1]") == doctest::Approx((1 + e) / 2 * v0).epsilon(1e-12));
    for (const char* none : {"cue.velocity[2]", "cue.velocity[3]", "object.velocity[2]", "object.velocity[3]",
                             "cue_spin[1]", "cue_spin[2]", "cue_spin[3]", "object_spin[3]"}) {
      CAPTURE(none);
      CHECK(std::abs(run.last(none)) < 1e-13);
    }
    const double lost = kMass / 4 * (1 - e * e) * v0 * v0;
    CHECK(run["energy"][0] - run.last("energy") == doctest::Approx(lost).epsilon(1e-11));
    if (e == 0) continue;  // they stay together
    CHECK(std::abs(run.t[impact_row(run)] - 0.05 / v0) < 2e-4);
  }
}

// With the normal that the method uses, that of the midpoint of the step, the calculation by hand holds exactly.
TEST_CASE("billiard: an oblique impact throws the second ball and turns both") {
  Model model = Model::named("billiard");
  const double v0 = 1, dt = 1e-4;
  int stuck = 0, slid = 0;
  for (const double e : {0.3, 0.95}) {
    for (const double mu : {0.0, 0.06, 0.2}) {
      for (const double cut : {0.2, -0.5, 0.9}) {
        CAPTURE(e);
        CAPTURE(mu);
        CAPTURE(cut);
        const Trajectory run = model.run({{"e", e}, {"mu", mu}, {"cut", cut}}, {dt});
        const std::size_t k = impact_row(run);
        // From the first ball to the second one, and across.
        const double x = -run["cue.position[1]"][k - 1] - dt / 2 * v0 * std::cos(cut);
        const double y = -run["cue.position[2]"][k - 1] - dt / 2 * v0 * std::sin(cut);
        const double n[] = {x / std::hypot(x, y), y / std::hypot(x, y)};
        const double side = cut > 0 ? 1 : -1;
        const double s[] = {-side * n[1], side * n[0]};
        const double v_n = v0 * (n[0] * std::cos(cut) + n[1] * std::sin(cut));
        const double v_t = v0 * (s[0] * std::cos(cut) + s[1] * std::sin(cut));
        const Impact hand = impact(v_n, v_t, e, mu);
        ++(hand.sticks ? stuck : slid);
        const auto along = [&](const double* d, const std::string& ball) {
          return d[0] * run[ball + ".velocity[1]"][k] + d[1] * run[ball + ".velocity[2]"][k];
        };
        CHECK(run["cue_ball.N"][k] * dt == doctest::Approx(hand.Lambda_N).epsilon(1e-11));
        CHECK(std::hypot(run["cue_ball.T[1]"][k], run["cue_ball.T[2]"][k]) * dt ==
              doctest::Approx(hand.Lambda_T).epsilon(1e-11));
        CHECK(along(n, "cue") == doctest::Approx((1 - e) / 2 * v_n).epsilon(1e-11));
        CHECK(along(n, "object") == doctest::Approx((1 + e) / 2 * v_n).epsilon(1e-11));
        CHECK(along(s, "cue") == doctest::Approx(v_t - hand.Lambda_T / kMass).epsilon(1e-11));
        CHECK(along(s, "object") == doctest::Approx(hand.Lambda_T / kMass).epsilon(1e-11));
        // The percussion on the first ball is -Lambda_T s at r n, on the second one Lambda_T s at -r n.
        const double spin = -side * 5 * hand.Lambda_T / (2 * kMass * kRadius);
        CHECK(run["cue_spin[3]"][k] == doctest::Approx(spin).epsilon(1e-11));
        CHECK(run["object_spin[3]"][k] == doctest::Approx(spin).epsilon(1e-11));
        for (const char* none : {"cue.velocity[3]", "object.velocity[3]", "cue_spin[1]", "cue_spin[2]"}) {
          CHECK(std::abs(run[none][k]) < 1e-13);
        }
        // Slip of the points of contact after the impact: none in stick.
        const double slip = along(s, "cue") - along(s, "object") + side * 2 * kRadius * run["cue_spin[3]"][k];
        if (hand.sticks) CHECK(std::abs(slip) < 1e-12);
        if (!hand.sticks) CHECK(slip > 1e-3);
        CHECK(max_error(run, "momentum[1]", [&](double) { return kMass * v0 * std::cos(cut); }) < 1e-14);
        CHECK(max_error(run, "momentum[2]", [&](double) { return kMass * v0 * std::sin(cut); }) < 1e-14);
      }
    }
  }
  CHECK(stuck >= 4);
  CHECK(slid >= 4);
}

TEST_CASE("billiard: the line of centres at the impact, and with it the velocities, are of order one") {
  Model model = Model::named("billiard");
  for (const auto& [mu, cut] : {std::pair(0.06, 0.5), std::pair(0.3, 0.5)}) {
    const Impact hand = impact(std::cos(cut), std::sin(cut), 0.95, mu);
    CHECK(hand.sticks == (mu > 0.1));
    const Convergence c = convergence(4e-4, 4, [&](double step) {
      return worst_error(
          step,
          [&](double dt) {
            const Trajectory run = model.run({{"mu", mu}, {"cut", cut}}, {dt, 0.08});
            return std::hypot(run.last("object.velocity[1]") - 0.975 * std::cos(cut),
                              run.last("object.velocity[2]") - hand.Lambda_T / kMass);
          },
          8);
    });
    check_convergence(hand.sticks ? "billiard, stick" : "billiard, sliding", c, 0.8, 2e-3);
  }
}

TEST_CASE("billiard: on a rough table both balls end up rolling, as their momenta about the table say") {
  const Trajectory run = Model::named("billiard").run({{"mu_table", 0.2}, {"d", 0.02}}, {1e-4, 1.0});
  const std::size_t k = impact_row(run);
  for (const std::string ball : {"cue", "object"}) {
    CAPTURE(ball);
    // m r v + J (w x n) about the point of contact is kept, in flight too: a ball with topspin hops.
    const double v1 = 5.0 / 7 * run[ball + ".velocity[1]"][k] + 2.0 / 7 * kRadius * run[ball + "_spin[2]"][k];
    const double v2 = 5.0 / 7 * run[ball + ".velocity[2]"][k] - 2.0 / 7 * kRadius * run[ball + "_spin[1]"][k];
    CHECK(run.last(ball + ".velocity[1]") == doctest::Approx(v1).epsilon(1e-9));
    CHECK(run.last(ball + ".velocity[2]") == doctest::Approx(v2).epsilon(1e-9));
    CHECK(run.last(ball + "_spin[2]") == doctest::Approx(v1 / kRadius).epsilon(1e-9));
    CHECK(run.last(ball + "_spin[1]") == doctest::Approx(-v2 / kRadius).epsilon(1e-9));
  }
}
