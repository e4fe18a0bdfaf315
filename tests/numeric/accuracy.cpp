// Steps by accuracy (runtime/methods/adaptive.hpp) against analytic answers and event-driven integration; positions of
// contacts that do not sink (runtime/simulation/contact_watch.hpp); what is the method's own in steps of fixed length.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "run_model.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

RunSettings by_accuracy(double accuracy, double until, rt::Method method = rt::Method::moreau) {
  RunSettings settings;
  settings.method = method;
  settings.until = until;
  settings.step = until / 200;
  settings.solver = rt::SolverKind::automatic;
  settings.integrator.accuracy = accuracy;
  return settings;
}

// Of some columns at the end, relative to their largest values.
double error(const Trajectory& run, const Trajectory& exact, const std::vector<std::string>& names) {
  double largest = 0;
  for (const std::string& name : names) {
    double scale = 0;
    for (const double x : exact[name]) scale = std::max(scale, std::abs(x));
    largest = std::max(largest, std::abs(run.last(name) - exact.last(name)) / scale);
  }
  return largest;
}

}  // namespace

TEST_CASE("accuracy: a ball that bounces three times is as good as asked for") {
  Model model = Model::named("bouncing_ball");
  // Drop from 1 m: impacts at t1 (1 + 2 e + 2 e^2 ...), t1 = sqrt(2/g).
  const double g = 9.81, e = 0.8, t1 = std::sqrt(2 / g), until = 1.6;
  double t = t1, v = g * t1;
  while (true) {
    v *= e;
    if (t + 2 * v / g > until) break;
    t += 2 * v / g;
  }
  const double z = v * (until - t) - g / 2 * (until - t) * (until - t), speed = v - g * (until - t);
  for (const rt::Method method : {rt::Method::moreau, rt::Method::rk}) {
    for (const double accuracy : {1e-3, 1e-5, 1e-7, 1e-9}) {
      CAPTURE(accuracy);
      const Trajectory run = model.run({}, by_accuracy(accuracy, until, method));
      CHECK(std::abs(run.last("z") - z) < 3 * accuracy);
      CHECK(std::abs(run.last("z'") - speed) < 3 * accuracy * g * t1);
      CHECK(run.summary.switches >= 2);
      CHECK(run.summary.internal_steps < 1000);
    }
  }
}

TEST_CASE("accuracy: forces have the percussions of impacts within a step, after which the contact is open again") {
  Model model = Model::named("bouncing_ball");
  for (const rt::Method method : {rt::Method::moreau, rt::Method::rk}) {
    const Trajectory run = model.run({}, by_accuracy(1e-6, 1.6, method));
    double impulse = 0;  // of all forces: the weight, and what the ball moves with
    int impacts = 0;
    for (std::size_t k = 1; k < run.rows(); ++k) {
      impulse += run["table.N"][k] * (run.t[k] - run.t[k - 1]);
      if (run["table.N"][k] > 0) ++impacts;
    }
    CHECK(impacts == 2);
    CHECK(impulse == doctest::Approx(0.1 * (9.81 * 1.6 + run.last("z'"))).epsilon(1e-9));
  }
}

TEST_CASE("accuracy: errors against event-driven integration follow it") {
  struct Case {
    const char* model;
    double until;
    std::vector<std::string> columns;
    double factor;  // of error over accuracy: what the motion makes of errors
  };
  // Rocking: impacts on both corners. Pendulum: friction that turns round. Tippe-Top: rolling, slip and drilling.
  const std::vector<Case> cases{{"rocking_block", 0.8, {"block.position[1]", "block.angle"}, 300},
                                {"pendulum", 1, {"phi", "phi'"}, 100},
                                {"tippe_top", 0.4, {"top.position[3]", "top.spin[1]", "top.spin[3]"}, 300}};
  for (const Case& c : cases) {
    CAPTURE(c.model);
    Model model = Model::named(c.model);
    RunSettings reference;
    reference.method = rt::Method::event;
    reference.until = c.until;
    reference.step = c.until / 200;
    reference.solver = rt::SolverKind::automatic;
    reference.integrator.rtol = 1e-12;
    reference.integrator.atol = 1e-14;
    const Trajectory exact = model.run({}, reference);
    for (const double accuracy : {1e-4, 1e-6, 1e-8}) {
      CAPTURE(accuracy);
      CHECK(error(model.run({}, by_accuracy(accuracy, c.until)), exact, c.columns) < c.factor * accuracy);
    }
  }
}

// Where friction has no lever as it turns round (the dead point of a crank), and where a contact takes off early in a
// step, all levels agree and are wrong.
TEST_CASE("accuracy: turns of friction and take-offs are found wherever in a step they are") {
  struct Case {
    const char* model;
    double until;
    std::vector<std::string> columns;
    std::vector<double> steps;  // of reported states
  };
  const std::vector<Case> cases{{"slider_crank", 0.7, {"alpha", "beta", "alpha'", "beta'"}, {0.1, 0.02, 0.005}},
                                {"woodpecker", 0.069, {"y", "phi_M", "phi_S", "phi_M'", "phi_S'"}, {1e-3}}};
  for (const Case& c : cases) {
    CAPTURE(c.model);
    Model model = Model::named(c.model);
    RunSettings reference = by_accuracy(0, c.until, rt::Method::event);
    reference.integrator.rtol = 1e-12;
    reference.integrator.atol = 1e-14;
    const Trajectory exact = model.run({}, reference);
    for (const double step : c.steps) {
      CAPTURE(step);
      for (const rt::Method method : {rt::Method::moreau, rt::Method::rk}) {
        for (const double accuracy : {1e-4, 1e-6}) {
          RunSettings settings = by_accuracy(accuracy, c.until, method);
          settings.step = step;
          CAPTURE(accuracy);
          CHECK(error(model.run({}, settings), exact, c.columns) < 10 * accuracy);
        }
      }
    }
  }
}

TEST_CASE("moreau: a bead that sticks on a turning hoop creeps as W at the midpoint says, and accuracy takes it away") {
  Model model = Model::text(R"(
    param m = 1 [kg]
    param R = 1 [m]
    param W = 2 [rad/s]
    param th0 = 0.5
    coord x [m] = R*sin(th0)
    coord y [m] = 0 [m]
    coord z [m] = -R*cos(th0)
    initial y' = W*R*sin(th0)
    kinetic m/2*(x'^2 + y'^2 + z'^2)
    potential m*9.81 [m/s^2]*z
    let c = cos(W*t)
    let s = sin(W*t)
    let rho = x*c + y*s
    law stuck(mu) {
      force T
      slip in normal_cone(ball(mu*norm(N), 1), -T)
    }
    constraint hoop {
      gap [sqrt(rho^2 + z^2) - R, -x*s + y*c]
      slip (-z*(c*x' + s*y' + W*(-x*s + y*c)) + rho*z')/R
      law stuck(0.9)
    }
    output th = atan2(rho, -z)
    simulate { until 1 [s]  step 1e-3 [s] }
  )");
  RunSettings fixed;
  fixed.solver = rt::SolverKind::automatic;
  const double creep = 4 * std::sin(0.5) * std::cos(0.5) * 1e-3 / 2;
  CHECK(model.run({}, fixed).last("th") - 0.5 == doctest::Approx(creep).epsilon(0.01));
  CHECK(std::abs(model.run({}, by_accuracy(1e-6, 1)).last("th") - 0.5) < 1e-5);
}

TEST_CASE("contacts that move on curved surfaces do not sink, and their energy does not rise") {
  // An egg that rocks with friction sinks by the curvature of its surface, 1.8e-3 m in these 5 s if nothing is put
  // right. What the weight loses by it the contact has taken; put right, that comes back, and nothing else.
  Model ball = Model::text(R"(
    param r = 1 [cm]
    param m = 10 [g]
    gravity [0, 0, -9.81] [m/s^2]
    body egg = rigid(mass = m, inertia = [1, 1, 1]*(2/5*m*r^2), position = [0, 0, 2*r],
                     orientation = rotation([1, 0, 0], 0.2 [rad]))
    shape hull = ellipsoid(axes = [r, r, 2*r]) on egg
    shape floor = plane(normal = [0, 0, 1])
    contact touch = hull on floor { law unilateral  law coulomb(0.3) }
    simulate { until 5 [s]  step 1e-3 [s] }
  )");
  RunSettings settings{.stabilises = true};
  settings.solver = rt::SolverKind::automatic;
  const Trajectory run = ball.run({}, settings);
  CHECK(run.summary.corrections > 0);
  const Column &gap = run["touch.gap"], &energy = run["energy"];
  // It falls 2e-4 m onto the floor, and the first step in there is as deep as it is.
  CHECK(*std::min_element(gap.begin(), gap.end()) > -1e-4);
  CHECK(*std::min_element(gap.begin() + 1000, gap.end()) > -1e-5);
  // Where it lands it is lifted by as much as the scheme has let it fall too deep; later on next to nothing rises.
  const auto rise = [&](std::size_t first) {
    double lowest = energy[first], most = 0;
    for (std::size_t k = first; k < energy.size(); ++k) {
      most = std::max(most, energy[k] - lowest);
      lowest = std::min(lowest, energy[k]);
    }
    return most;
  };
  CHECK(rise(0) < 4e-3 * energy.front());
  CHECK(rise(1000) < 6e-4 * energy.front());
  CHECK(energy.back() == doctest::Approx(1.0115e-3).epsilon(0.03));  // event-driven
}

// NSMC_REST=long: a million steps.
double until(double steps, double step) {
  const char* wish = std::getenv("NSMC_REST");
  return (wish != nullptr && std::string(wish) == "long" ? 1e6 : steps) * step;
}

// Bodies that have just been hit lie on those that are lifted out of the floor, and must not get deeper into them.
TEST_CASE("a tower that lands is not pushed together by what is put right") {
  Model tower = Model::text(R"(
    param r = 1 [cm]
    gravity [0, -9.81] [m/s^2]
    body ball[i in 1..10] = planar(mass = 10 [g], inertia = 0.5*10 [g]*r^2,
                                   position = [0.01*r*random(1, i), 1.2*r + 2.2*r*(i - 1)])
    shape skin = circle(radius = r) on ball
    shape ground = plane(normal = [0, 1])
    contact touch = skin[*] on skin[*] { law unilateral  law coulomb(0.3) }
    contact land = skin[*] on ground { law unilateral  law coulomb(0.3) }
    simulate { until 0.15 [s]  step 1e-3 [s] }
  )");
  RunSettings settings{.tolerance = 1e-10};
  settings.solver = rt::SolverKind::automatic;
  const double plain = tower.run({}, settings).summary.penetration;
  settings.stabilises = true;
  const Trajectory run = tower.run({}, settings);
  CHECK(run.summary.corrections > 0);
  CHECK(plain > 3e-4);  // what they fall in half a step, and more
  CHECK(run.summary.penetration < 1.2 * plain);
}

// A top that spins upright and a pile of discs, at rest but for the spin: nothing creeps.
TEST_CASE("what rests does not move") {
  struct Case {
    const char* text;
    std::vector<std::string> columns;
    double size, steps;
  };
  const Case cases[] = {{R"(
    param r = 2 [cm]
    gravity [0, 0, -9.81] [m/s^2]
    body top = rigid(mass = 50 [g], inertia = [1, 1, 1.2]*8 [kg*mm^2], position = [0, 0, r], spin = [0, 0, 50] [rad/s])
    shape foot = sphere(radius = r) on top
    shape floor = plane(normal = [0, 0, 1])
    contact touch = foot on floor { law unilateral  law coulomb_contensou(0.3, 0.5 [mm]) }
    simulate { until 10 [s]  step 1e-4 [s] }
  )",
                         {"top.position[1]", "top.position[2]", "top.position[3]"},
                         0.02,
                         1e5},
                        {R"(
    param r = 5 [cm]
    gravity [0, -9.81] [m/s^2]
    body low[i in 1..3] = planar(mass = 1 [kg], inertia = 1 [kg]*r^2/2, position = [(i - 2)*2*r, r])
    body high[i in 1..2] = planar(mass = 1 [kg], inertia = 1 [kg]*r^2/2, position = [(2*i - 3)*r, r + sqrt(3)*r])
    shape a = circle(radius = r) on low
    shape b = circle(radius = r) on high
    shape floor = plane(normal = [0, 1])
    contact ground = a[*] on floor { law unilateral  law coulomb(0.5) }
    contact row = a[*] on a[*] { law unilateral  law coulomb(0.5) }
    contact over = b[*] on a[*] { law unilateral  law coulomb(0.5) }
    contact beside = b[*] on b[*] { law unilateral  law coulomb(0.5) }
    simulate { until 1 [s]  step 1e-4 [s] }
  )",
                         {"low[1].position[1]", "low[3].position[2]", "high[1].position[1]", "high[2].position[2]"},
                         0.05,
                         1e4}};
  for (const Case& c : cases) {
    Model model = Model::text(c.text);
    RunSettings settings{.stabilises = true};
    settings.solver = rt::SolverKind::automatic;
    settings.every = 1000;
    settings.until = until(c.steps, 1e-4);
    const Trajectory run = model.run({}, settings);
    double moved = 0;
    for (const std::string& name : c.columns) {
      for (const double x : run[name]) moved = std::max(moved, std::abs(x - run[name].front()));
    }
    MESSAGE("moved by " << moved << " m in " << std::round(settings.until / 1e-4) << " steps");
    CHECK(moved < 1e-8 * c.size);
  }
}

TEST_CASE("what rests where its coordinate is 0 lies still") {
  // Its depth is judged by the largest coordinate so far: by the present one, which is 0, it would be put right for
  // ever and rattle by that.
  Model ball = Model::text(R"(
    coord z [m] = 1
    kinetic 0.1 [kg]/2*z'^2
    potential 0.1 [kg]*9.81 [m/s^2]*z
    contact table { gap z  law unilateral(0.8) }
    simulate { until 5 [s]  step 1e-4 [s] }
  )");
  RunSettings settings{.stabilises = true};
  settings.solver = rt::SolverKind::automatic;
  const Trajectory run = ball.run({}, settings);
  CHECK(run.summary.corrections < 10);
  for (std::size_t k = run.rows() - 8000; k < run.rows(); ++k) {
    CHECK(std::abs(run["z'"][k]) < 1e-10);
    CHECK(run["table.N"][k] == doctest::Approx(0.981).epsilon(1e-9));
  }
}

TEST_CASE("a column of boxes that has landed stays where its contacts closed") {
  Model column = Model::text(R"(
    param drop = 0 [m]
    gravity [0, -9.81] [m/s^2]
    body a = planar(mass = 1 [kg], inertia = 0.01 [kg*m^2], position = [0 [m], 0.1 [m] + drop])
    body b = planar(mass = 2 [kg], inertia = 0.02 [kg*m^2], position = [0.03 [m], 0.3 [m] + 2*drop])
    body c = planar(mass = 3 [kg], inertia = 0.03 [kg*m^2], position = [0 [m], 0.5 [m] + 3*drop])
    shape box_a = box(size = [0.2, 0.2] [m]) on a
    shape box_b = box(size = [0.2, 0.2] [m]) on b
    shape box_c = box(size = [0.2, 0.2] [m]) on c
    shape floor = plane(normal = [0, 1])
    contact one = box_a on floor { law unilateral  law coulomb(0.5) }
    contact two = box_b on box_a { law unilateral  law coulomb(0.5) }
    contact three = box_c on box_b { law unilateral  law coulomb(0.5) }
    simulate { until 2 [s]  step 1e-4 [s] }
  )");
  const double size = 0.2;
  RunSettings settings{.stabilises = true};
  settings.solver = rt::SolverKind::automatic;
  settings.every = 1000;
  settings.until = until(2e4, 1e-4);
  for (const double drop : {0.0, 1e-3}) {
    CAPTURE(drop);
    const Trajectory run = column.run({{"drop", drop}}, settings);
    // From 1 mm they land 1e-5 m deep, what they fall in a step.
    CHECK((run.summary.corrections > 0) == (drop > 0));
    CHECK((run.summary.penetration > 1e-6) == (drop > 0));
    const std::size_t half = run.rows() / 2;
    for (const char* body : {"a", "b", "c"}) {
      const Column& height = run[std::string(body) + ".position[2]"];
      const Column& side = run[std::string(body) + ".position[1]"];
      for (std::size_t k = half; k < run.rows(); ++k) {
        CHECK(std::abs(height[k] - height[half]) < 1e-8 * size);
        CHECK(std::abs(side[k] - side[half]) < 1e-8 * size);
      }
    }
    for (const char* gap : {"one[1].gap", "two[1].gap", "three[2].gap"}) CHECK(run.last(gap) > -1e-8 * size);
    CHECK(run["energy"][half] == doctest::Approx(run.last("energy")).epsilon(1e-12));
  }
}
