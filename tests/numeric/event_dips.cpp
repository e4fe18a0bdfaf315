// What lasts less than a step: conditions that are broken and restored within it, and forces h that jump.
#include <cmath>

#include "event_run.hpp"

using namespace nsmc::test;
using nsmc::rt::EventKind;

TEST_CASE("event: a gap that dips by 1e-6 within a step") {
  // The floor rises above the body by 1e-6 for 2e-3 s.
  Model model = Model::text(
      "model touch\ncoord y = 0\nkinetic y'^2/2\ncontact floor { gap y + (t - 0.55)^2 - 1e-6  law "
      "unilateral(restitution = 0.5) }\nsimulate { until 1  step 0.1 }\n");
  const EventRun found = run_events(model);
  const auto impacts = found.log.of(EventKind::impact);
  REQUIRE(impacts.size() == 1);
  CHECK(std::abs(impacts[0].t - 0.549) <= 1e-9);
  CHECK(found.run.last("y'") == doctest::Approx(1.5 * 2e-3).epsilon(1e-6));
}

TEST_CASE("event: a force that leaves its set by 1e-6 and comes back within a step") {
  // It slips from -a to 2 a about t = 0.525, a = 0.2 sqrt(log(1 + 1e-6)), to leading order.
  Model model = Model::text(
      "model push\ncoord x = 0\nkinetic x'^2/2\nforce x : (1 + 1e-6)*exp(-((t - 0.525)/0.2)^2)\n"
      "contact c { slip x'  law joint_friction(1) }\nsimulate { until 1  step 0.1 }\n");
  const EventRun found = run_events(model);
  const auto slips = found.log.of(EventKind::slip), sticks = found.log.of(EventKind::stick);
  REQUIRE(slips.size() == 1);
  REQUIRE(sticks.size() == 1);
  const double a = 0.2 * std::sqrt(std::log1p(1e-6));
  CHECK(std::abs(slips[0].t - (0.525 - a)) <= 1e-7);
  CHECK(std::abs(sticks[0].t - (0.525 + 2 * a)) <= 1e-6);
}

TEST_CASE("event: a slip that would reverse by 1e-6 and turn again within a step") {
  // x' = (t - 0.55)^2 - 1e-6 but for the stop at 0.549: friction holds it until the force exceeds 1 again at 0.55.
  Model model = Model::text(
      "model slow\ncoord x = 0\ninitial x' = 0.55^2 - 1e-6\nkinetic x'^2/2\nforce x : 1 + 2*(t - 0.55)\n"
      "contact c { slip x'  law joint_friction(1) }\nsimulate { until 1  step 0.1 }\n");
  const EventRun found = run_events(model);
  const auto slips = found.log.of(EventKind::slip), sticks = found.log.of(EventKind::stick);
  REQUIRE(slips.size() == 1);
  REQUIRE(sticks.size() == 1);
  CHECK(std::abs(sticks[0].t - 0.549) <= 1e-9);
  CHECK(std::abs(slips[0].t - 0.55) <= 1e-9);
  CHECK(std::abs(found.run.last("x'") - 0.2025) <= 1e-9);
}

TEST_CASE("event: forces that jump are stepped over within the tolerance") {
  const auto model = [](const std::string& force, double x0, double until) {
    return Model::text("model jump\ncoord x = " + std::to_string(x0) + "\nkinetic x'^2/2\nforce x : " + force +
                       "\nsimulate { until " + std::to_string(until) + "  step 0.05 }\n");
  };
  const auto error = [](Model&& m, double x, double v) {
    const Trajectory run = run_events(m).run;
    return std::hypot(run.last("x") - x, run.last("x'") - v);
  };
  const double in_time = error(model("piecewise { t > 0.377 : 1, else : 0 }", 0, 1), 0.623 * 0.623 / 2, 0.623);
  // -sign(x) from x = 1: parabolas between the zeros at sqrt(2) (1 + 2 k), five jumps in 13 s.
  const double s = 13 - 9 * std::sqrt(2.0);
  const double in_state = error(model("-sign(x)", 1, 13), -(std::sqrt(2.0) * s - s * s / 2), -(std::sqrt(2.0) - s));
  // A kink: stiffness 4 to the right, 1 to the left.
  const double r = 6 - 1.75 * std::acos(-1.0);  // since it has passed 0 to the left for the second time
  const double kink = error(model("-max(4*x, 0) + max(-x, 0)", 1, 6), -2 * std::sin(r), -2 * std::cos(r));
  MESSAGE("errors: a jump in time " << in_time << ", five jumps in x " << in_state << ", kinks " << kink);
  CHECK(in_time <= 1e-9);
  CHECK(in_state <= 1e-7);
  CHECK(kink <= 1e-8);
  // A pulse is seen if it is not shorter than a step.
  Model pulse = Model::text(
      "model pulse\ncoord x = 0\nkinetic x'^2/2\nforce x : piecewise { t > 0.377 and t < 0.378 : 1000, else : 0 }\n"
      "simulate { until 1  step 1e-3 }\n");
  CHECK(std::abs(run_events(pulse).run.last("x'") - 1) <= 1e-8);
}
