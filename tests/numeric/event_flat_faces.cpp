// Event-driven integration on sets by functions in three and more dimensions that have flats: lids, mantles, edges of
// polytopes hold the velocity normal. Against products, which are made of simple sets, against analytic answers, and
// against time-stepping.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "event_run.hpp"

using namespace nsmc::test;
using nsmc::rt::EventKind;

namespace {

// A point of mass 2 (x, y) and 1 (z), with friction against all of its velocity.
std::string point(const std::string& set, const std::string& start, const std::string& more = "") {
  return R"(
model point_in_space
coord x = 0
coord y = 0
coord z = 0
kinetic x'^2 + y'^2 + z'^2/2
law mine(C) { force T[3]  slip in normal_cone(C, -T) }
)" + start +
         "\n" + more + "\ncontact floor { slip [x', y', z']  law mine(" + set +
         ") }\nsimulate { until 1.5  step 1e-2 }\n";
}

constexpr const char* fast = "initial x' = 3\ninitial y' = 1\ninitial z' = 2";
constexpr const char* spinning = "initial x' = 1\ninitial y' = 0.5\ninitial z' = 5";
constexpr const char* rest = "";
constexpr const char* load = "force x : 4*sin(5*t)\nforce y : 5*cos(3*t)\nforce z : 3*sin(2*t)";
constexpr const char* strong = "force x : 14*sin(5*t)\nforce y : 13*cos(3*t)\nforce z : 9*sin(2*t + 1)";

double difference(const Trajectory& one, const Trajectory& other, const std::vector<std::string>& columns) {
  double worst = 0;
  REQUIRE(one.rows() == other.rows());
  for (const std::string& column : columns) {
    for (std::size_t k = 0; k < one.rows(); ++k) worst = std::max(worst, std::abs(one[column][k] - other[column][k]));
  }
  return worst;
}

const std::vector<std::string> motion = {"x", "y", "z", "x'", "y'", "z'"};

void check_same(const std::string& expected_set, const std::vector<std::string>& sets, const std::string& start,
                const std::string& more, double limit = 2e-9) {
  Model reference = Model::text(point(expected_set, start, more));
  const Trajectory expected = run_events(reference).run;
  for (const std::string& set : sets) {
    CAPTURE(set);
    CAPTURE(start);
    CAPTURE(more);
    Model model = Model::text(point(set, start, more));
    const double error = difference(run_events(model).run, expected, motion);
    MESSAGE(set << ": " << error);
    CHECK(error <= limit);
  }
}

// |T|_1 <= 6 in n dimensions, masses 2: the largest velocities share the force until the next one is as large.
std::string cross_polytope(int n, const std::string& set) {
  std::string text = "model cross_polytope\n", slip;
  for (int k = 1; k <= n; ++k) {
    const std::string x = "x" + std::to_string(k);
    text += "coord " + x + " = 0\ninitial " + x + "' = " + std::to_string(n + 1 - k) + "\n";
    slip += (k > 1 ? ", " : "") + x + "'";
  }
  text += "kinetic ";
  for (int k = 1; k <= n; ++k) text += (k > 1 ? " + x" : "x") + std::to_string(k) + "'^2";
  return text + "\nlaw mine(C) { force T[" + std::to_string(n) +
         "]  slip in normal_cone(C, -T) }\ncontact floor { slip [" + slip + "]  law mine(" + set +
         ") }\nsimulate { until 3.5  step 1e-2 }\n";
}

void check_cross_polytope(int n, const std::string& set, double limit = 1e-9) {
  CAPTURE(set);
  Model model = Model::text(cross_polytope(n, set));
  const EventRun found = run_events(model);
  const auto turns = found.log.of(EventKind::turn), sticks = found.log.of(EventKind::stick);
  REQUIRE(turns.size() == static_cast<std::size_t>(n - 1));
  REQUIRE(sticks.size() == 1);
  double t = 0;
  for (int k = 1; k < n; ++k) {
    t += k / 3.0;  // k velocities lose 1 together, at the rate 6/(2 k)
    CHECK(std::abs(turns[static_cast<std::size_t>(k - 1)].t - t) <= limit);
  }
  CHECK(std::abs(sticks[0].t - (t + n / 3.0)) <= limit);
}

// R^T v for a turn by 0.7 around (1, 2, 3).
struct Turn {
  double R[3][3];
  Turn() {
    const double angle = 0.7, w = std::sqrt(14.0), axis[3] = {1 / w, 2 / w, 3 / w};
    const double c = std::cos(angle), s = std::sin(angle);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) R[i][j] = (i == j ? c : 0) + (1 - c) * axis[i] * axis[j];
      R[i][(i + 1) % 3] -= s * axis[(i + 2) % 3];
      R[i][(i + 2) % 3] += s * axis[(i + 1) % 3];
    }
  }
  std::string row(int i) const {
    const char* names[3] = {"a", "b", "c"};
    std::string text = "(";
    for (int j = 0; j < 3; ++j) text += (j > 0 ? " + " : "") + ("(" + std::to_string(R[i][j]) + ")*") + names[j];
    return text + ")";
  }
};

}  // namespace

TEST_CASE("event: a cylinder by gauge and support moves as the product does") {
  const std::vector<std::string> sets = {"gauge (a, b, c) { max(sqrt(a^2 + b^2)/6, abs(c)/4) }",
                                         "support (a, b, c) { 6*sqrt(a^2 + b^2) + 4*abs(c) }"};
  // First the spin ends, on the mantle; first the slip, on the lid; from rest.
  check_same("cylinder(6, 4)", sets, fast, "");
  check_same("cylinder(6, 4)", sets, fast, load);
  check_same("cylinder(6, 4)", sets, spinning, "");
  check_same("cylinder(6, 4)", {sets[1]}, rest, strong);
}

TEST_CASE("event: a box by its support function moves as the product does") {
  const std::string set = "support (a, b, c) { 6*abs(a) + 5*abs(b) + 4*abs(c) }";
  check_same("box(6, 5, 4)", {set}, fast, "");
  check_same("box(6, 5, 4)", {set}, fast, load);
  check_same("box(6, 5, 4)", {set}, fast, strong);
  check_same("box(6, 5, 4)", {set}, rest, strong);
}

TEST_CASE("event: a cylinder that is moved off the origin") {
  check_same("cylinder(6, 4) + [1, -0.5, 2]", {"(support (a, b, c) { 6*sqrt(a^2 + b^2) + 4*abs(c) }) + [1, -0.5, 2]"},
             fast, load);
}

TEST_CASE("event: edges and faces of cross-polytopes in three and four dimensions") {
  // Without modes the moments of turns are those of steps that are short.
  check_cross_polytope(3, "gauge (a, b, c) { (abs(a) + abs(b) + abs(c))/6 }", 2e-8);
  check_cross_polytope(3, "support (a, b, c) { 6*max(abs(a), abs(b), abs(c)) }");
  check_cross_polytope(4, "support (a, b, c, d) { 6*max(abs(a), abs(b), abs(c), abs(d)) }");
}

TEST_CASE("event: a double cone, whose faces turn with the velocity, by gauge and support") {
  for (const char* more : {"", load, strong}) {
    CAPTURE(more);
    // A gauge with kinks has no modes, and forces that jump are passed by short steps.
    check_same("support (a, b, c) { max(6*sqrt(a^2 + b^2), 4*abs(c)) }",
               {"gauge (a, b, c) { sqrt(a^2 + b^2)/6 + abs(c)/4 }"}, fast, more, 5e-8);
  }
}

TEST_CASE("event: a set that is turned moves as the set does") {
  const Turn turn;
  const std::string a = turn.row(0), b = turn.row(1), c = turn.row(2);
  const std::string straight = "support (a, b, c) { 6*sqrt(a^2 + b^2) + 4*abs(c) }";
  const std::string oblique = "support (a, b, c) { 6*sqrt(" + a + "^2 + " + b + "^2) + 4*abs(" + c + ") }";
  const auto model_of = [](const std::string& set, const double* v) {
    return "model turned\ncoord x = 0\ncoord y = 0\ncoord z = 0\ninitial x' = " + std::to_string(v[0]) +
           "\ninitial y' = " + std::to_string(v[1]) + "\ninitial z' = " + std::to_string(v[2]) +
           "\nkinetic x'^2 + y'^2 + z'^2\nlaw mine(C) { force T[3]  slip in normal_cone(C, -T) }\n"
           "contact floor { slip [x', y', z']  law mine(" +
           set + ") }\nsimulate { until 1.5  step 1e-2 }\n";
  };
  for (const auto& start : {std::vector<double>{3, 1, 2}, std::vector<double>{1, 0.5, 5}}) {
    double back[3] = {0, 0, 0};  // R^T start
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) back[i] += turn.R[j][i] * start[static_cast<std::size_t>(j)];
    }
    Model one = Model::text(model_of(straight, start.data())), other = Model::text(model_of(oblique, back));
    const Trajectory expected = run_events(one).run, found = run_events(other).run;
    double worst = 0;
    for (std::size_t k = 0; k < expected.rows(); ++k) {
      const double x[3] = {found["x"][k], found["y"][k], found["z"][k]};
      const char* names[3] = {"x", "y", "z"};
      for (int i = 0; i < 3; ++i) {
        const double turned = turn.R[i][0] * x[0] + turn.R[i][1] * x[1] + turn.R[i][2] * x[2];
        worst = std::max(worst, std::abs(turned - expected[names[i]][k]));
      }
    }
    MESSAGE("turned: " << worst);
    CHECK(worst <= 2e-5);  // numbers in the model have six digits
  }
}

TEST_CASE("event: a cylinder whose size is the normal force") {
  const auto disc = [](const std::string& laws) {
    return R"(
model disc
coord x = 0
coord y = 0
coord z = 0
coord psi = 0
initial x' = 2
initial y' = 0.5
initial psi' = 30
kinetic x'^2 + y'^2 + z'^2 + psi'^2/50
force z : -20 - 5*sin(4*t)
force x : 2*sin(3*t)
force y : 3*cos(2*t)
)" + laws + "\nsimulate { until 1.2  step 1e-2 }\n";
  };
  const auto laws = [](const std::string& set) {
    return "law mine { force T[2], tau  [slip, spin] in normal_cone(" + set +
           ", -[T, tau]) }\ncontact floor { gap z  slip [x', y']  spin psi'  law unilateral  law mine }";
  };
  Model product = Model::text(disc(laws("cylinder(0.3*N, 0.05*N)")));
  const Trajectory expected = run_events(product).run;
  for (const char* set : {"0.3*N*(support (a, b, c) { sqrt(a^2 + b^2) + abs(c)/6 })",
                          "0.3*N*(gauge (a, b, c) { max(sqrt(a^2 + b^2), 6*abs(c)) })"}) {
    CAPTURE(set);
    Model model = Model::text(disc(laws(set)));
    const double error = difference(run_events(model).run, expected, {"x", "y", "psi", "x'", "y'", "psi'"});
    MESSAGE(set << ": " << error);
    CHECK(error <= 5e-9);
  }
}

TEST_CASE("event: where slip begins or ends on the lid of a cylinder, it turns once") {
  // Under loads that turn, the direction of slip is rounding at first, and at last.
  const std::string head = "model lid\ncoord x = 0\ncoord y = 0\ncoord z = 0\n", tail = R"(
law mine(C) { force T[3]  slip in normal_cone(C, -T) }
contact floor { slip [x', y', z']  law mine(cylinder(6, 4)) }
simulate { until 1.5  step 1e-2 }
)";
  for (const char* motion : {R"(initial x' = 2.672
kinetic 1.131*x'^2 + 0.521*y'^2 + 0.318*z'^2
force x : 8.956*sin(7.635*t + 2.394)
force y : 5.383*sin(4.533*t + 0.182)
force z : 5.439*sin(4.627*t + 3.114))",
                             R"(initial z' = -0.870
initial x' = -2.249
kinetic 0.681*x'^2 + 1.080*y'^2 + 0.578*z'^2
force x : 7.412*sin(5.675*t + 1.467)
force y : 3.082*sin(5.172*t + 3.146)
force z : 10.137*sin(4.630*t + 4.311))"}) {
    CAPTURE(motion);
    Model model = Model::text(head + motion + tail);
    const EventList log = run_events(model).log;
    const auto turns = log.of(EventKind::turn);
    for (std::size_t k = 1; k < turns.size(); ++k) CHECK(turns[k].t - turns[k - 1].t > 1e-4);
    CHECK(log.of(EventKind::slip).size() >= 1);
  }
}

// Time-stepping converges to the events with order one.
void check_order(const std::string& name, const std::string& text, const std::vector<std::string>& columns,
                 double until, double finest) {
  CAPTURE(name);
  Model model = Model::text(text);
  const Trajectory reference = run_events(model, {}, {.step = 1e-2, .until = until, .every = 1000000}).run;
  const auto error = [&](double step) {
    const Trajectory run = model.run({}, {.step = step, .until = until, .every = 1000000});
    double worst = 0;
    for (const std::string& column : columns)
      worst = std::max(worst, std::abs(run.last(column) - reference.last(column)));
    return worst;
  };
  check_convergence(name, convergence(2e-3, 4, [&](double step) { return worst_error(step, error, 3); }), 0.9, finest);
}

TEST_CASE("event: capsules, zonotopes and a ball in a box, time-stepping converges with order one") {
  for (const char* set : {"support (a, b, c) { 5*sqrt(a^2 + b^2 + c^2) + 3*abs(c) }",
                          "support (a, b, c) { 3*sqrt(a^2 + b^2 + c^2) + 2*abs(c) + 2*abs(a + b) + abs(a - c) }",
                          "ball(6, 3) ∩ box(5, 4, 3)"}) {
    check_order(set, point(set, fast, load), motion, 1.5, 3e-4);
  }
}

TEST_CASE("event: slip along bends of superellipsoids in three dimensions") {
  // The velocity follows the axis x, and the transverse forces relax to those of the bend in no time.
  const std::string loads = "force x : 4\nforce y : 0.6*sin(3*t)\nforce z : 0.9*cos(2*t)";
  for (const char* set : {"gauge (a, b, c) { (abs(a)^3 + abs(b)^3 + abs(c)^3)^(1/3)/5 }",
                          "gauge (a, b, c) { (a^4 + b^4 + c^4)^(1/4)/5 }"}) {
    check_order(set, point(set, "initial x' = 2", loads), motion, 0.5, 1e-4);
  }
  // Of exponent 10 the force of the bend balances any transverse load below half of the set.
  Model model = Model::text(point("gauge (a, b, c) { (a^10 + b^10 + c^10)^(1/10)/5 }", "initial x' = 2", loads));
  const Trajectory run = run_events(model).run;
  CHECK(std::abs(run.last("x'") - (2 - 1.5 / 2)) <= 1e-6);  // mass 2, force 4 - 5
  CHECK(std::abs(run.last("y'")) <= 1e-6);
  CHECK(std::abs(run.last("z'")) <= 1e-6);
}

TEST_CASE("event: the hull of two discs, slip begins on a segment that turns with the velocity") {
  check_order("hull of two discs", R"(
model hull
coord x = 0
coord y = 0
coord z = 0
coord w = 0
kinetic 0.98*x'^2 + 1.11*y'^2 + 0.69*z'^2 + 0.95*w'^2
force x : 1.36*sin(5.05*t + 4.16)
force y : 1.17*sin(5.91*t + 5.79)
force z : 3.62*sin(4.08*t + 0.94)
force w : 1.06*sin(3.64*t + 0.36)
law mine(C) { force T[4]  slip in normal_cone(C, -T) }
contact floor { slip [x', y', z', w']  law mine(support (a, b, c, d) { max(4.5*sqrt(a^2 + b^2), 4.8*sqrt(c^2 + d^2)) }) }
simulate { until 0.2  step 1e-2 }
)",
              {"x", "y", "z", "w", "x'", "y'", "z'", "w'"}, 0.2, 1e-5);
}

TEST_CASE("event: a set whose shape changes with the force, and one with compliance") {
  // Pressed down by 1 + sin(t)/2, and the wider the harder.
  const std::string pressed = R"(
model pressed
coord x = 0
coord y = 0
coord z = 0
coord h = 0
initial x' = 2
initial y' = 1
initial z' = 1
kinetic x'^2 + y'^2 + z'^2 + h'^2/2
force h : -1 - sin(3*t)/2
force x : 0.5*cos(2*t)
law mine { force T[3]  slip in normal_cone(N*(support (a, b, c) { sqrt(a^2 + b^2/(1 + N)) + 0.3*abs(c) }), -T) }
contact floor { gap h  slip [x', y', z']  law unilateral  law mine }
simulate { until 1  step 1e-2 }
)";
  check_order("shape by force", pressed, {"x", "y", "z", "x'", "y'", "z'"}, 1, 3e-4);
  const std::string soft = R"(
model soft
coord x = 0
coord y = 0
coord z = 0
initial x' = 2
initial y' = 1
initial z' = 0.5
kinetic x'^2 + y'^2 + z'^2
force x : 2*sin(4*t)
force z : 2*cos(3*t)
law soft { force T[3]  slip + 0.1*T in normal_cone(gauge (a, b, c) { max(sqrt(a^2 + b^2), 2*abs(c)) }, -T) }
contact floor { slip [x', y', z']  law soft }
simulate { until 1  step 1e-2 }
)";
  check_order("compliance", soft, {"x", "y", "z", "x'", "y'", "z'"}, 1, 3e-4);
}
