// Solids on solids in space: stacks that rest, bodies that slide and stop where mechanics says, that lean and tip at
// the limits of statics, by every method; what all methods and both orders of a contact have in common.
#include <array>
#include <cmath>

#include "run_model.hpp"

using namespace nsmc::test;
using nsmc::rt::Method;

namespace {

constexpr double g = 9.81;

struct MethodCase {
  const char* name;
  Method method;
  nsmc::rt::SolverKind solver;
  double exact;  // how exact positions are
};
const std::array<MethodCase, 4> methods{{{"moreau", Method::moreau, nsmc::rt::SolverKind::automatic, 1e-6},
                                         {"rk", Method::rk, nsmc::rt::SolverKind::automatic, 1e-6},
                                         {"lie", Method::lie, nsmc::rt::SolverKind::multiplier, 5e-4},
                                         {"event", Method::event, nsmc::rt::SolverKind::automatic, 1e-9}}};

RunSettings settings_of(const MethodCase& with) {
  return {.solver = with.solver, .tolerance = 1e-10, .residual = 1e-6, .method = with.method};
}

double sum(const Trajectory& run, const std::string& contact) {
  double total = 0;
  for (const std::string& name : run.names()) {
    if (name.starts_with(contact) && name.ends_with(".N")) total += run.last(name);
  }
  return total;
}

// n equal bodies on each other, each turned by 0.3 more about the vertical, on a floor.
std::string stack(const std::string& shape) {
  return R"(
gravity [0, 0, -9.81] [m/s^2]
body b[i in 1..3] = rigid(mass = 1 [kg], inertia = [2, 2, 2] [g m^2], position = [0, 0, (i - 0.5)*0.1] [m],
                          orientation = rotation([0, 0, 1], 0.3*i))
shape s = )" +
         shape +
         R"( on b
shape floor = box(size = [1, 1, 0.2] [m]) at [0, 0, -0.1] [m]
contact f = s[1] on floor { law unilateral  law coulomb(0.5) }
contact c = s[i + 1] on s[i] for i in 1..2 { law unilateral  law coulomb(0.5) }
output turned = b[3].axis(1)
simulate { until 0.05 [s]  step 1e-3 [s] }
)";
}

}  // namespace

TEST_CASE("solids: bodies stacked on each other rest, and each contact carries what is above it") {
  for (const char* shape : {"box(size = [0.1, 0.1, 0.1] [m])", "box(size = [0.3, 0.05, 0.1] [m])"}) {
    Model model = Model::text(stack(shape));
    for (const MethodCase& with : methods) {
      CAPTURE(shape);
      CAPTURE(with.name);
      const Trajectory run = model.run({}, settings_of(with));
      for (int i = 1; i <= 3; ++i) {
        const std::string body = "b[" + std::to_string(i) + "].position[";
        CHECK(std::abs(run.last(body + "3]") - (i - 0.5) * 0.1) < 1e-9);
        CHECK(std::abs(run.last(body + "1]")) < 1e-8);
      }
      CHECK(std::abs(run.last("turned[1]") - std::cos(0.9)) < 1e-8);
      CHECK(sum(run, "f[") == doctest::Approx(3 * g).epsilon(1e-6));
      CHECK(sum(run, "c[1,") == doctest::Approx(2 * g).epsilon(1e-6));
      CHECK(sum(run, "c[2,") == doctest::Approx(g).epsilon(1e-6));
    }
  }
}

TEST_CASE("solids: a box slides on a box, and stops after v^2/(2 mu g)") {
  for (const bool swapped : {false, true}) {
    Model model = Model::text(std::string(R"(
gravity [0, 0, -9.81] [m/s^2]
body lower = rigid(mass = 3 [kg], inertia = [1, 1, 1] [g m^2], position = [0, 0, 0.05] [m])
body upper = rigid(mass = 1 [kg], inertia = [2, 2, 2] [g m^2], position = [0.05, 0, 0.125] [m], velocity = [0.5, 0.2, 0] [m/s],
                   orientation = rotation([0, 0, 1], 0.3))
shape big = box(size = [80, 80, 10] [cm]) on lower
shape small = box(size = [10, 10, 5] [cm]) on upper
shape floor = plane(normal = [0, 0, 1])
contact land = big on floor { law unilateral  law coulomb(1) }
)") + (swapped ? "contact touch = big on small" : "contact touch = small on big") +
                              " { law unilateral  law coulomb(0.3) }\nsimulate { until 0.3 [s]  step 1e-3 [s] }\n");
    const double way = 0.5 * std::hypot(0.5, 0.2) / (0.3 * g);
    for (const MethodCase& with : methods) {
      if (with.method == Method::lie) continue;
      CAPTURE(with.name);
      const Trajectory run = model.run({}, settings_of(with));
      CHECK(run.last("upper.position[1]") == doctest::Approx(0.05 + 0.5 * way).epsilon(with.exact).scale(1));
      CHECK(run.last("upper.position[2]") == doctest::Approx(0.2 * way).epsilon(with.exact).scale(1));
      CHECK(std::abs(run.last("upper.position[3]") - 0.125) < 1e-9);
      CHECK(sum(run, "touch") == doctest::Approx(g).epsilon(1e-6));
    }
  }
}

TEST_CASE("solids: a slab over the edge of a table stands just if its centre is above the table") {
  for (const double out : {0.149, 0.155}) {
    Model model = Model::text("param out = " + std::to_string(out) + R"([m]
gravity [0, 0, -9.81] [m/s^2]
body slab = rigid(mass = 1 [kg], inertia = [1, 8, 8] [g m^2], position = [0.35 [m] + out, 0, 0.02 [m]])
shape s = box(size = [30, 10, 4] [cm]) on slab
shape table = box(size = [1, 1, 1] [m], orientation = rotation([0, 0, 1], 90 [deg])) at [0, 0, -0.5] [m]
contact c = s on table { law unilateral  law coulomb(2) }
simulate { until 0.2 [s]  step 1e-3 [s] }
)");
    const Trajectory run = model.run({}, settings_of(methods[0]));
    if (out < 0.15) {
      CHECK(std::abs(run.last("slab.position[3]") - 0.02) < 1e-9);
      CHECK(sum(run, "c[") == doctest::Approx(g).epsilon(1e-6));
    } else {
      CHECK(run.last("slab.position[3]") < 0.02 - 1e-4);
    }
  }
}

TEST_CASE("solids: a box on a slope slides or not by its friction, down where the slope goes") {
  for (const double mu : {0.34, 0.40}) {  // tan 20 deg = 0.364
    Model model = Model::text("param mu = " + std::to_string(mu) + R"(
let e = rotation([0, 1, 0], 20 [deg])
gravity [0, 0, -9.81] [m/s^2]
body b = rigid(mass = 1 [kg], inertia = [2, 2, 2] [g m^2], position = 0.55*[sin(20 [deg]), 0, cos(20 [deg])] [m], orientation = e)
shape s = box(size = [10, 10, 10] [cm]) on b
shape slope = box(size = [3, 3, 1] [m], orientation = e)
contact c = s on slope { law unilateral  law coulomb(mu) }
output down = dot(b.position, [cos(20 [deg]), 0, -sin(20 [deg])])
simulate { until 0.5 [s]  step 1e-3 [s] }
)");
    const double angle = 20 * std::acos(-1.0) / 180;
    const double a = std::max(0.0, g * (std::sin(angle) - mu * std::cos(angle)));
    const Trajectory run = model.run({}, settings_of(methods[0]));
    CHECK(std::abs(run.last("down") - a / 2 * 0.25) < 0.02 * 0.0277);
  }
}

TEST_CASE("solids: capsules lie on each other, and a box on them") {
  Model model = Model::text(R"(
gravity [0, 0, -9.81] [m/s^2]
body b[i in 1..2] = rigid(mass = 1 [kg], inertia = [2, 2, 2] [g m^2], position = [0, 0, (2*i - 1)*0.05] [m])
body lid = rigid(mass = 1 [kg], inertia = [2, 2, 2] [g m^2], position = [0, 0, 0.25] [m])
shape s = capsule(radius = 5 [cm], length = 20 [cm], axis = [1, 0.2, 0]) on b
shape l = box(size = [10, 10, 10] [cm]) on lid
shape floor = box(size = [1, 1, 0.2] [m]) at [0, 0, -0.1] [m]
contact f = s[1] on floor { law unilateral  law coulomb(0.5) }
contact c = s[2] on s[1] { law unilateral  law coulomb(0.5) }
contact top = l on s[2] { law unilateral  law coulomb(0.5) }
simulate { until 0.05 [s]  step 1e-3 [s] }
)");
  for (const MethodCase& with : methods) {
    CAPTURE(with.name);
    const Trajectory run = model.run({}, settings_of(with));
    CHECK(std::abs(run.last("lid.position[3]") - 0.25) < 1e-9);
    CHECK(sum(run, "f[") == doctest::Approx(3 * g).epsilon(1e-6));
    CHECK(sum(run, "c[") == doctest::Approx(2 * g).epsilon(1e-6));
    CHECK(sum(run, "top[") == doctest::Approx(g).epsilon(1e-6));
  }
}

// Two boxes tumble into each other without friction: nothing takes momentum, nor, with restitution 1, energy.
TEST_CASE("solids: boxes that meet in flight keep momentum, angular momentum and energy") {
  Model model = Model::text(R"(
body a = rigid(mass = 1 [kg], inertia = [2, 3, 4] [g m^2], position = [-0.2, 0, 0] [m], velocity = [1, 0, 0.1] [m/s],
               spin = [3, 1, 2] [rad/s])
body b = rigid(mass = 2 [kg], inertia = [5, 4, 3] [g m^2], position = [0.2, 0.04, 0] [m], velocity = [-0.5, 0, 0] [m/s],
               spin = [0, 2, 1] [rad/s])
shape s = box(size = [10, 20, 15] [cm]) on a
shape c = box(size = [12, 10, 20] [cm]) on b
contact hit = s on c { law unilateral(restitution = 1) }
output p = a.momentum + b.momentum
output spun = cross(a.position, a.momentum) + cross(b.position, b.momentum) + a.angular_momentum + b.angular_momentum
simulate { until 0.4 [s]  step 1e-4 [s] }
)");
  const Trajectory run = model.run({}, settings_of(methods[0]));
  for (const char* name : {"p[1]", "p[2]", "p[3]"}) CHECK(std::abs(run.last(name) - run[name][0]) < 1e-12);
  for (const char* name : {"spun[1]", "spun[2]", "spun[3]"}) CHECK(std::abs(run.last(name) - run[name][0]) < 1e-5);
  CHECK(run.last("energy") == doctest::Approx(run["energy"][0]).epsilon(2e-3));
  CHECK(std::abs(run.last("a.velocity[1]") - run["a.velocity[1]"][0]) > 0.1);  // they have met
}

// The limits are those of a linear program, see the header of the model. Time-stepping opens contacts by rounding for a
// step at the start, by which the stones sink up to a tenth of a millimetre; so the limits are met from some per cent
// beside them.
TEST_CASE("solids: the arch stands and falls at the limits of statics") {
  const auto sunk = [&](const Overrides& structure, const Overrides& values) {
    RunSettings settings = settings_of(methods[0]);
    settings.until = 0.25;
    return Model::named("arch", structure).run(values, settings).last("sunk");
  };
  CHECK(sunk({}, {{"mu", 1.05 * 0.299826}}) < 3e-4);
  CHECK(sunk({}, {{"mu", 0.95 * 0.299826}}) > 3e-3);
  CHECK(sunk({{"T", 1.06 * 0.0957034}}, {}) < 3e-4);
  CHECK(sunk({{"T", 0.94 * 0.0957034}}, {}) > 3e-3);
}

TEST_CASE("solids: the wall of boxes carries itself, until a ball brings momentum") {
  Model model = Model::named("boxes");
  RunSettings settings = settings_of(methods[0]);
  settings.tolerance = 1e-8;
  settings.until = 0.04;
  // Before the ball comes, at 0.05 s: the floor carries the bricks, each as statics says.
  const Trajectory before = model.run({}, settings);
  CHECK(sum(before, "ground[") == doctest::Approx(10 * 2 * g).epsilon(1e-5));
  CHECK(std::abs(before.last("top[3]") - 0.35) < 1e-4);
  settings.until = 0.15;
  const Trajectory after = model.run({}, settings);
  double momentum = 4 * after.last("ball.velocity[2]");
  for (int i = 1; i <= 10; ++i) momentum += 2 * after.last("brick[" + std::to_string(i) + "].velocity[2]");
  // The floor takes mu (m g) at most, all along; nothing else acts.
  CHECK(momentum < 4 * 8);
  CHECK(momentum > 4 * 8 - 0.5 * 24 * g * 0.15 - 0.5 * 6);
  CHECK(after.last("pushed") > 1e-3);
}
