// Event-driven integration on sets that are not strictly convex, however they are written: a velocity normal to a flat
// exposes all of it, and stays normal while the force has its place on it. And on sets with bends, where the force
// moves like a root of the velocity.
#include <algorithm>
#include <cmath>

#include "event_run.hpp"

using namespace nsmc::test;
using nsmc::rt::EventKind;

namespace {

// A block of 2 kg on the floor, m g = 20 N, thrown with (3, 1) m/s.
std::string block(const std::string& law, const std::string& more = "") {
  return R"(
model block_on_floor
param vx = 3 [m/s]
param vy = 1 [m/s]
coord x [m] = 0
coord y [m] = 0
coord z [m] = 0
initial x' = vx
initial y' = vy
kinetic (x'^2 + y'^2 + z'^2)*1 [kg]
potential 20 [N]*z
)" + more +
         "\ncontact floor { gap z  slip [x', y']  law unilateral  law " + law +
         " }\nsimulate { until 1.5 [s]  step 1e-2 [s] }\n";
}

constexpr const char* load = "force x : 4 [N]*sin(5 [1/s]*t)\nforce y : 5 [N]*cos(3 [1/s]*t)";

double difference(const Trajectory& one, const Trajectory& other) {
  double worst = 0;
  for (const char* column : {"x", "y", "x'", "y'"}) {
    REQUIRE(one.rows() == other.rows());
    for (std::size_t k = 0; k < one.rows(); ++k) worst = std::max(worst, std::abs(one[column][k] - other[column][k]));
  }
  return worst;
}

// All of them are one set.
void check_same(const std::vector<std::string>& laws, const std::string& more) {
  Model first = Model::text(block(laws[0], more));
  const EventRun expected = run_events(first);
  for (const std::string& law : laws) {
    CAPTURE(law);
    Model model = Model::text(block(law, more));
    const EventRun found = run_events(model);
    const double error = difference(found.run, expected.run);
    MESSAGE(law << ": " << error);
    CHECK(error <= 2e-9);
    CHECK(found.log.events.size() == expected.log.events.size());
  }
}

}  // namespace

TEST_CASE("event: flats of a rhombus, by corners, gauge and support") {
  const std::vector<std::string> laws = {
      "friction(polygon([6, 0] [N], [0, 6] [N], [-6, 0] [N], [0, -6] [N]))",
      "friction(gauge (a, b) { (abs(a) + abs(b))/(6 [N]) })",
      "friction(support (v, w) { max(6 [N]*abs(v), 6 [N]*abs(w)) })",
      "friction(gauge (a, b) { (abs(a) + abs(b))/(0.3*N) })",
      "friction(0.3*N*gauge (a, b) { abs(a) + abs(b) })",
  };
  check_same(laws, "");
  check_same(laws, load);
  // |T1| + |T2| <= 6: T = (-6, 0) until both velocities agree, at (3 - 1)/3 s, then (-3, -3) until 1/1.5 s later.
  for (const std::string& law : laws) {
    Model model = Model::text(block(law));
    const EventRun found = run_events(model);
    const auto turns = found.log.of(EventKind::turn), sticks = found.log.of(EventKind::stick);
    REQUIRE(turns.size() == 1);
    REQUIRE(sticks.size() == 1);
    CHECK(std::abs(turns[0].t - 2.0 / 3) <= 1e-9);
    CHECK(std::abs(sticks[0].t - 4.0 / 3) <= 1e-9);
  }
}

TEST_CASE("event: flats of a rectangle, by intervals, corners, gauge and support") {
  for (const char* more : {"", load}) {
    Model intervals = Model::text(block("friction(box(6 [N], 4 [N]))", more));
    const Trajectory expected = run_events(intervals).run;
    for (const char* law : {"friction(polygon([6, 4] [N], [-6, 4] [N], [-6, -4] [N], [6, -4] [N]))",
                            "friction(gauge (a, b) { max(abs(a)/(6 [N]), abs(b)/(4 [N])) })",
                            "friction(support (v, w) { 6 [N]*abs(v) + 4 [N]*abs(w) })",
                            "friction(N*gauge (a, b) { max(abs(a)/0.3, abs(b)/0.2) })"}) {
      CAPTURE(law);
      Model model = Model::text(block(law, more));
      const double error = difference(run_events(model).run, expected);
      MESSAGE(law << ": " << error);
      CHECK(error <= 2e-9);
    }
  }
}

TEST_CASE("event: a set with arcs, corners and flats") {
  // The disc of 6 N in a box of 5 and 4 N. At first the velocity exposes the corner (5, sqrt(11)) of both, until y' =
  // 0; then the flat at x = 5.
  Model model = Model::text(block("friction(disc(6 [N]) ∩ box(5 [N], 4 [N]))"));
  const EventRun found = run_events(model);
  const auto turns = found.log.of(EventKind::turn), sticks = found.log.of(EventKind::stick);
  REQUIRE(turns.size() == 1);
  REQUIRE(sticks.size() == 1);
  CHECK(std::abs(turns[0].t - 2 / std::sqrt(11.0)) <= 1e-10);
  CHECK(std::abs(sticks[0].t - 1.2) <= 1e-10);
  CHECK(std::abs(found.run.last("x") - 1.8) <= 1e-10);
  CHECK(std::abs(found.run.last("y") - 1 / std::sqrt(11.0)) <= 1e-10);
}

TEST_CASE("event: sliding normal to a set with flats, on a reservoir of its own") {
  check_same({"two_set(disc(6 [N]), polygon([4, 0] [N], [0, 4] [N], [-4, 0] [N], [0, -4] [N]))",
              "two_set(disc(6 [N]), gauge (a, b) { (abs(a) + abs(b))/(4 [N]) })"},
             load);
  Model box = Model::text(block("two_set(superellipse(6 [N], 4 [N], 10), 0.5*box(6 [N], 4 [N]))", load));
  Model corners = Model::text(block(
      "two_set(superellipse(6 [N], 4 [N], 10), polygon([3, 2] [N], [-3, 2] [N], [-3, -2] [N], [3, -2] [N]))", load));
  CHECK(difference(run_events(box).run, run_events(corners).run) <= 2e-9);
}

TEST_CASE("event: bends of a superellipse under a load that turns, time-stepping converges with order one") {
  for (const char* exponent : {"2.5", "3", "10"}) {
    CAPTURE(exponent);
    Model model = Model::text(block("friction(superellipse(6 [N], 4 [N], " + std::string(exponent) + "))", load));
    const Trajectory reference = run_events(model, {}, {.step = 1e-2, .every = 150}).run;
    const auto error = [&](double step) {
      const Trajectory run = model.run({}, {.step = step, .until = 1.5, .every = 1000000});
      double worst = 0;
      for (const char* column : {"x", "y", "x'", "y'"})
        worst = std::max(worst, std::abs(run.last(column) - reference.last(column)));
      return worst;
    };
    check_convergence("superellipse of exponent " + std::string(exponent),
                      convergence(2e-3, 4, [&](double step) { return worst_error(step, error, 3); }), 0.9, 3e-4);
  }
}

TEST_CASE("event: along a bend, the velocity is the one that the force belongs to") {
  // On |T1/6|^s + |T2/4|^s = 1 it slides along x under a load across. The velocity settles where its normal is, y'/x' =
  // (6/4) (T2/4)^(s-1)/(T1/6)^(s-1), T2 the load: 2e-11 to 6e-6 for s = 10.
  for (const double load_across : {0.25, 0.5, 1.0}) {
    CAPTURE(load_across);
    Model model = Model::text(block("friction(superellipse(6 [N], 4 [N], 10))", "param F = 1 [N]\nforce y : F"));
    const Trajectory run = run_events(model, {{"vy", 0.1}, {"F", load_across}}, {.step = 1e-2, .until = 0.5}).run;
    const double s = 10, T2 = load_across / 4, T1 = std::pow(1 - std::pow(T2, s), 1 / s);
    const double slope = 6.0 / 4 * std::pow(T2 / T1, s - 1);
    REQUIRE(run.last("x'") > 0.2);
    MESSAGE("slope " << run.last("y'") / run.last("x'") << ", expected " << slope);
    CHECK(run.last("y'") / run.last("x'") == doctest::Approx(slope).epsilon(1e-3));
  }
}
