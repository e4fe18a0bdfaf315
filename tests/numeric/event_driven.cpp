// Event-driven integration against closed solutions: times of events and states between them.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "event_run.hpp"

using namespace nsmc::test;
using nsmc::rt::EventKind;
using std::numbers::pi;

namespace {

constexpr double g = 9.81;

// A block of 2 kg on the floor, pushed by the force `push` along x and y; slip [x', y'].
std::string block_on_floor(const std::string& laws, const std::string& more = "", const std::string& push = "") {
  return R"(
model block_on_floor
param m = 2 [kg]
param vx = 3 [m/s]
param vy = 1 [m/s]
coord x [m] = 0
coord y [m] = 0
coord z [m] = 0
initial x' = vx
initial y' = vy
kinetic m/2*(x'^2 + y'^2 + z'^2)
potential m*9.81 [m/s^2]*z
)" + push +
         "\n" + more + "\ncontact floor { gap z  slip [x', y']  law unilateral  " + laws +
         " }\nsimulate { until 0.8 [s]  step 1e-2 [s] }\n";
}

// A mass of 1 on a line with a spring of stiffness 4 to the point `pull`, and dry friction with the limit 1.
std::string oscillator(const std::string& pull, double x0) {
  return "model oscillator\ncoord x = " + std::to_string(x0) + "\nkinetic x'^2/2\nforce x : 4*(" + pull +
         " - x)\ncontact c { slip x'  law joint_friction(1) }\n" + "simulate { until 8  step 0.05 }\n";
}

}  // namespace

TEST_CASE("event: every impact of a bouncing ball, and the time at which they have accumulated") {
  Model model = Model::named("bouncing_ball");
  const double e = 0.8, fall = std::sqrt(2 * 1 / g);
  const EventRun found = run_events(model, {}, {.step = 1e-2});
  const auto impacts = found.log.of(EventKind::impact);
  REQUIRE(impacts.size() > 80);
  double t = fall, speed = g * fall;
  for (const LoggedEvent& impact : impacts) {
    CAPTURE(t);
    CHECK(std::abs(impact.t - t) <= 1e-9);
    if (speed > 1e-5) CHECK(impact.before[0] == doctest::Approx(-speed).epsilon(1e-9));
    CHECK(impact.after[0] == doctest::Approx(-e * impact.before[0]).epsilon(1e-12));
    speed *= e;
    t += 2 * speed / g;
  }
  const auto closings = found.log.of(EventKind::closing);
  REQUIRE(closings.size() == 1);
  CHECK(std::abs(closings[0].t - fall * (1 + e) / (1 - e)) <= 1e-9);
  CHECK(found.run.last("z") == 0);
  CHECK(found.run.last("z'") == 0);
  CHECK(found.run.last("table.N") == doctest::Approx(g * 0.1));
}

TEST_CASE("event: a pendulum keeps its period and its energy as well as the tolerance says") {
  // Amplitude 2 rad: the period is 4 K(sin(1)) sqrt(l/g).
  Model model = Model::text(
      "model pendulum\ncoord phi = 2\nkinetic phi'^2/2\nforce phi : -9.81*sin(phi)\n"
      "simulate { until 1  step 0.05 }\n");
  const double period = 4 * std::comp_ellint_1(std::sin(1.0)) / std::sqrt(g);
  double last = 1;
  for (const double rtol : {1e-6, 1e-9, 1e-12}) {
    const EventRun found =
        run_events(model, {}, {.step = 1, .until = 10 * period, .integrator = {.rtol = rtol, .atol = rtol}});
    const double error = std::hypot(found.run.last("phi") - 2, found.run.last("phi'"));
    MESSAGE("rtol " << rtol << ": error after ten periods " << error);
    CHECK(error <= 2e4 * rtol);
    CHECK(error < last / 20);
    last = error;
  }
}

TEST_CASE("event: a sliding block stops when and where it has to") {
  Model model = Model::named("incline");
  const double v0 = 2, alpha = 0.2, mu = 0.4, a = g * (mu * std::cos(alpha) - std::sin(alpha));
  const EventRun found = run_events(model, {{"alpha", alpha}, {"v0", v0}}, {.step = 1e-2, .until = 2});
  const auto sticks = found.log.of(EventKind::stick);
  REQUIRE(sticks.size() == 1);
  CHECK(found.log.events.size() == 1);
  CHECK(std::abs(sticks[0].t - v0 / a) <= 1e-11);
  CHECK(std::abs(found.run.last("s") - v0 * v0 / (2 * a)) <= 1e-11);
  CHECK(found.run.last("s'") == 0);
  CHECK(found.run.last("incline.T") == doctest::Approx(-2 * g * std::sin(alpha)).epsilon(1e-13));
}

TEST_CASE("event: an oscillator with dry friction turns every half period and sticks where the spring cannot move it") {
  Model model = Model::text(oscillator("0", 3.1));
  // Half periods of pi/2, the amplitude falls by 2/4: 3.1, -2.6, 2.1, -1.6, 1.1, -0.6, 0.1, and 4*0.1 < 1.
  const EventRun found = run_events(model, {}, {.until = 12});
  const auto turns = found.log.of(EventKind::turn), sticks = found.log.of(EventKind::stick);
  REQUIRE(turns.size() == 5);
  REQUIRE(sticks.size() == 1);
  for (std::size_t k = 0; k < turns.size(); ++k)
    CHECK(std::abs(turns[k].t - static_cast<double>(k + 1) * pi / 2) <= 1e-9);
  CHECK(std::abs(sticks[0].t - 6 * pi / 2) <= 1e-9);
  CHECK(std::abs(found.run.last("x") - 0.1) <= 1e-9);
  CHECK(found.run.last("x'") == 0);
}

TEST_CASE("event: stick lasts until the spring has reached the limit of friction") {
  Model model = Model::text(oscillator("0.25*t", 0));
  // 4*t/4 = 1 at t = 1; then x = (s - sin(2 s)/2)/4, s = t - 1, until the velocity (1 - cos(2 s))/4 is 0 again.
  const EventRun found = run_events(model, {}, {.until = 3});
  const auto slips = found.log.of(EventKind::slip);
  REQUIRE(slips.size() == 1);
  CHECK(std::abs(slips[0].t - 1) <= 1e-9);
  const double error =
      max_error(found.run, "x", [](double t) { return t < 1 ? 0 : ((t - 1) - std::sin(2 * (t - 1)) / 2) / 4; });
  CHECK(error <= 1e-9);
}

TEST_CASE("event: a body leaves a table that falls faster than it does, and lands again") {
  Model model = Model::text(R"(
model shaken
param A = 0.01 [m]
param w = 50 [rad/s]
coord y [m] = 0
kinetic y'^2/2*1 [kg]
force y : -9.81 [N]
initial y' = A*w
contact table { gap y - A*sin(w*t)  law unilateral }
simulate { until 0.2 [s]  step 2e-3 [s] }
)");
  const double A = 0.01, w = 50, off = std::asin(g / (A * w * w)) / w;
  const EventRun found = run_events(model);
  const auto offs = found.log.of(EventKind::take_off), impacts = found.log.of(EventKind::impact);
  REQUIRE(offs.size() >= 1);
  REQUIRE(impacts.size() >= 1);
  CHECK(std::abs(offs[0].t - off) <= 1e-9);
  const auto gap = [&](double t) {
    const double s = t - off;
    return A * std::sin(w * off) + A * w * std::cos(w * off) * s - g * s * s / 2 - A * std::sin(w * t);
  };
  double low = off + 0.02, high = off + 0.2;
  REQUIRE(gap(low) > 0);
  REQUIRE(gap(high) < 0);
  while (high - low > 1e-15) (gap((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
  CHECK(std::abs(impacts[0].t - low) <= 1e-9);
}

TEST_CASE("event: a touch that is over within a step is not missed") {
  // The floor rises above the body by 1e-8 for 2e-4 s, in the middle of a step of 0.1 s.
  Model model = Model::text(
      "model touch\ncoord y = 0\nkinetic y'^2/2\ncontact floor { gap y + (t - 0.55)^2 - 1e-8  law "
      "unilateral(restitution "
      "= 0.5) }\nsimulate { until 1  step 0.1 }\n");
  const EventRun found = run_events(model);
  const auto impacts = found.log.of(EventKind::impact);
  REQUIRE(impacts.size() == 1);
  CHECK(std::abs(impacts[0].t - (0.55 - 1e-4)) <= 1e-9);
  CHECK(impacts[0].before[0] == doctest::Approx(-2e-4).epsilon(1e-6));
  CHECK(found.run.last("y'") == doctest::Approx(1.5 * 2e-4).epsilon(1e-6));
}

TEST_CASE("event: Housner's block, from corner to corner") {
  Model model = Model::named("rocking_block");
  const double alpha = std::atan2(0.02, 0.1), ratio = 1 - 1.5 * std::sin(alpha) * std::sin(alpha);
  const EventRun found = run_events(model, {}, {.step = 1e-2, .until = 2});
  const auto impacts = found.log.of(EventKind::impact), offs = found.log.of(EventKind::take_off);
  REQUIRE(impacts.size() >= 4);
  REQUIRE(offs.size() == impacts.size());
  CHECK(found.log.events.size() == 3 * impacts.size());  // the other corner closes, too
  for (std::size_t k = 0; k < impacts.size(); ++k) {
    CHECK(offs[k].t == impacts[k].t);
    // The normal velocity of the other corner is the width times the spin, before and after.
    CHECK(-offs[k].after[0] / impacts[k].before[0] == doctest::Approx(ratio).epsilon(1e-9));
  }
  // The quarter of a period that the pendulum about a corner takes, by energy: no small angles.
  const double R = std::hypot(0.02, 0.1), p2 = 3 * g / (4 * R), theta0 = 0.1;
  double quarter = 0;
  constexpr int n = 20000;
  for (int k = 0; k < n; ++k) {  // theta = theta0 (1 - s^2) takes the root off the end
    const double s = (k + 0.5) / n, theta = theta0 * (1 - s * s);
    quarter += 2 * theta0 * s / std::sqrt(2 * p2 * (std::cos(alpha - theta0) - std::cos(alpha - theta))) / n;
  }
  CHECK(std::abs(impacts[0].t - quarter) <= 1e-6);
}

TEST_CASE("event: rocking comes to rest where its impacts accumulate") {
  // Times between impacts shrink by the ratio of Housner in a geometric way; in the end both corners are closed.
  Model model = Model::named("rocking_block");
  const EventRun found = run_events(model, {{"theta0", 0.005}, {"b", 0.06}}, {.step = 1e-2, .until = 2});
  const auto impacts = found.log.of(EventKind::impact);
  REQUIRE(impacts.size() > 20);
  CHECK(std::abs(found.run.last("block.spin")) <= 1e-15);
  CHECK(std::abs(found.run.last("block.angle")) <= 1e-12);
  CHECK(found.run.last("corners[1].N") + found.run.last("corners[2].N") == doctest::Approx(g).epsilon(1e-12));
  CHECK(impacts.back().t < 1.9);
}

TEST_CASE("event: rows of a box stop one by one") {
  Model model = Model::named("slider_rectangle");
  const EventRun found = run_events(model, {}, {.step = 1e-2});
  const auto sticks = found.log.of(EventKind::stick);
  REQUIRE(sticks.size() == 2);
  CHECK(std::abs(sticks[0].t - 1 / (0.6 * g)) <= 1e-11);
  CHECK(std::abs(sticks[1].t - 1 / (0.3 * g)) <= 1e-11);
}

TEST_CASE("event: a diamond, from a corner onto an edge and to rest") {
  const std::string diamond = "set diamond = polygon([6, 0] [N], [0, 6] [N], [-6, 0] [N], [0, -6] [N])\n";
  Model model = Model::text(block_on_floor("law friction(diamond)", diamond));
  // |T1| + |T2| <= 6: T = (-6, 0) until both velocities agree, at (3 - 1)/3 s, then (-3, -3) until 1/1.5 s later.
  const EventRun found = run_events(model, {}, {.step = 1e-2, .until = 1.5});
  const auto turns = found.log.of(EventKind::turn), sticks = found.log.of(EventKind::stick);
  REQUIRE(turns.size() == 1);
  REQUIRE(sticks.size() == 1);
  CHECK(std::abs(turns[0].t - 2.0 / 3) <= 1e-10);
  CHECK(std::abs(sticks[0].t - 4.0 / 3) <= 1e-10);
  const double error = max_error(found.run, "x'", [](double t) {
    return t < 2.0 / 3 ? 3 - 3 * t : t < 4.0 / 3 ? 1 - 1.5 * (t - 2.0 / 3) : 0;
  });
  CHECK(error <= 1e-10);
}

TEST_CASE("event: a push turns a block that rests on a diamond: on an edge, or at a corner") {
  const std::string diamond = "set diamond = polygon([6, 0] [N], [0, 6] [N], [-6, 0] [N], [0, -6] [N])\n";
  // 7 N along (1, 1) leave the set through an edge: x'' = y'' = (7 - 3)/2. 8 N along x leave it at a corner.
  Model edge = Model::text(block_on_floor("law friction(diamond)", diamond, "force x : 7 [N]\nforce y : 7 [N]"));
  const EventRun along = run_events(edge, {{"vx", 0}, {"vy", 0}}, {.step = 1e-2, .until = 0.5});
  CHECK(std::abs(along.run.last("x'") - 1) <= 1e-11);
  CHECK(std::abs(along.run.last("y'") - 1) <= 1e-11);
  Model corner = Model::text(block_on_floor("law friction(diamond)", diamond, "force x : 8 [N]"));
  const EventRun straight = run_events(corner, {{"vx", 0}, {"vy", 0}}, {.step = 1e-2, .until = 0.5});
  CHECK(std::abs(straight.run.last("x'") - 0.5) <= 1e-11);
  CHECK(straight.run.last("y'") == 0);
}

TEST_CASE("event: viscous and dry friction together") {
  Model model = Model::text(block_on_floor("law viscous(5 [N s/m])  law coulomb(0.3)"));
  // m v' = -c v - mu m g along a fixed direction.
  const double v0 = std::sqrt(10.0), c = 5, F = 0.3 * 2 * g, stop = 2 / c * std::log(1 + c * v0 / F);
  const EventRun found = run_events(model, {}, {.step = 1e-2, .until = 1});
  const auto sticks = found.log.of(EventKind::stick);
  REQUIRE(sticks.size() == 1);
  CHECK(std::abs(sticks[0].t - stop) <= 1e-9);
  const double error = max_error(
      found.run, "x'", [&](double t) { return t < stop ? 3 / v0 * ((v0 + F / c) * std::exp(-c * t / 2) - F / c) : 0; });
  CHECK(error <= 1e-9);
}

TEST_CASE("event: a law written with +N, and a reservoir off the origin") {
  // Thrown up at 2 m/s, it lands inelastically after 4/g. Friction on [-4, 2] is stronger against one direction.
  Model model = Model::text(R"(
model thrown
coord x [m] = 0
coord z [m] = 0
initial x' = 1 [m/s]
initial z' = 2 [m/s]
kinetic (x'^2 + z'^2)/2*1 [kg]
potential z*9.81 [N]
law up { force N  -gap' in normal_cone(nonneg, N) }
law uneven { force T  slip in normal_cone(interval(-4 [N], 2 [N]), -T) }
contact floor { gap z  slip x'  law up  law uneven }
simulate { until 1.5 [s]  step 1e-2 [s] }
)");
  const EventRun found = run_events(model);
  const auto impacts = found.log.of(EventKind::impact), closings = found.log.of(EventKind::closing);
  const auto sticks = found.log.of(EventKind::stick);
  REQUIRE(impacts.size() == 1);
  REQUIRE(closings.size() == 1);
  REQUIRE(sticks.size() == 1);
  CHECK(std::abs(impacts[0].t - 4 / g) <= 1e-11);
  CHECK(impacts[0].before[0] == doctest::Approx(-2));
  CHECK(std::abs(sticks[0].t - (4 / g + 1.0 / 2)) <= 1e-10);
  CHECK(std::abs(found.run.last("z")) <= 1e-15);
}

TEST_CASE("event: friction that acts while a gap is not positive, without a normal force") {
  // z = 0.1 - t: the brake of 3 N acts on 2 kg from t = 0.1 on.
  Model model = Model::text(R"(
model brake
coord x = 0
coord z = 0.1
initial x' = 1
initial z' = -1
kinetic x'^2 + z'^2
contact pad { gap z  slip x'  law joint_friction(3) }
simulate { until 1  step 0.03 }
)");
  const EventRun found = run_events(model);
  const auto closings = found.log.of(EventKind::closing), sticks = found.log.of(EventKind::stick);
  REQUIRE(closings.size() == 1);
  REQUIRE(sticks.size() == 1);
  CHECK(std::abs(closings[0].t - 0.1) <= 1e-12);
  CHECK(std::abs(sticks[0].t - (0.1 + 2.0 / 3)) <= 1e-11);
  CHECK(std::abs(found.run.last("x") - (0.1 + 1.0 / 3)) <= 1e-11);
}

TEST_CASE("event: forces that are not determined do not make an event") {
  // The block of Studer and Glocker under a horizontal load that grows: friction of both corners together reaches its
  // limit at mu W, whatever their share.
  Model model = Model::text(R"(
model pushed
coord x = 0
coord y = 0
coord phi = 0
kinetic 2.1/2*(x'^2 + y'^2) + 0.018/2*phi'^2
force x : 10*t
force y : -20
contact left { gap y - 0.15*phi  slip x' + 0.05*phi'  law unilateral  law coulomb(0.3) }
contact right { gap y + 0.15*phi  slip x' + 0.05*phi'  law unilateral  law coulomb(0.3) }
simulate { until 1  step 0.01 }
)");
  const EventRun found = run_events(model);
  const auto slips = found.log.of(EventKind::slip);
  REQUIRE(slips.size() == 2);
  CHECK(std::abs(slips[0].t - 0.6) <= 1e-7);
  CHECK(found.log.events.size() == 2);
  const double error =
      max_error(found.run, "x'", [](double t) { return t < 0.6 ? 0 : 5 * (t - 0.6) * (t - 0.6) / 2.1; });
  CHECK(error <= 1e-9);
}

TEST_CASE("event: the same motion with every solver and in both forms") {
  Model model = Model::named("woodpecker");
  const Trajectory expected = run_events(model, {}, {.step = 1e-3, .until = 0.3}).run;
  for (const auto solver : {nsmc::rt::SolverKind::jor, nsmc::rt::SolverKind::newton, nsmc::rt::SolverKind::automatic}) {
    for (const auto form : {nsmc::rt::Form::lambda, nsmc::rt::Form::kappa}) {
      RunSettings settings{.step = 1e-3, .until = 0.3, .solver = solver};
      settings.integrator.form = form;
      const Trajectory found = run_events(model, {}, settings).run;
      for (const char* column : {"y", "phi_M", "phi_S"})
        CHECK(std::abs(found.last(column) - expected.last(column)) <= 1e-9);
    }
  }
}

TEST_CASE("event: the limit cycle of the woodpecker is one of events") {
  Model model = Model::named("woodpecker");
  const EventRun found = run_events(model, {}, {.step = 1e-3, .until = 6});
  // The beak touches once in every period, which is 0.146 s.
  Column beaks;
  for (const LoggedEvent& e : found.log.of(EventKind::impact)) {
    if (e.contact == 0) beaks.push_back(e.t);
  }
  REQUIRE(beaks.size() > 30);
  const std::size_t n = beaks.size();
  const double period = beaks[n - 1] - beaks[n - 2];
  MESSAGE("period " << period);
  CHECK(period == doctest::Approx(0.146).epsilon(0.01));
  CHECK(std::abs(period - (beaks[n - 2] - beaks[n - 3])) <= 1e-6);
}

TEST_CASE("event: the stick of the Tippe-Top touches the floor at 1.37104 s") {
  Model model = Model::named("tippe_top_ellipsoid");
  const EventRun found = run_events(model, {}, {.step = 1e-3, .until = 1.3725});
  const auto impacts = found.log.of(EventKind::impact);
  const auto tip = std::find_if(impacts.begin(), impacts.end(), [](const LoggedEvent& e) { return e.contact == 1; });
  REQUIRE(tip != impacts.end());
  CHECK(std::abs(tip->t - 1.37104) <= 1e-5);
}

// In both dead centres the slider rests while the crank turns, and has no leverage on it. The motion begins in one.
TEST_CASE("event: a slider-crank passes its dead centre, whatever the steps") {
  Model model = Model::named("slider_crank");
  const double expected = run_events(model, {}, {.step = 1e-3, .until = 0.5}).run.last("alpha'");
  for (const double step : {2e-3, 3e-3, 4e-3, 5e-3, 1e-2}) {
    CAPTURE(step);
    const EventRun found = run_events(model, {}, {.step = step, .until = 0.5});
    REQUIRE(found.log.events.size() == 1);
    CHECK(found.log.events[0].kind == EventKind::turn);
    CHECK(found.run.last("alpha'") == doctest::Approx(expected).epsilon(1e-8));
  }
}
