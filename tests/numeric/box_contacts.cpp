// Contacts of boxes and polygons where corners coincide, faces are parallel, and where contacts end at the end of a
// face: stacks that rest, an arch that weighs what its stones weigh, points on edges, and bodies that slide off.
#include <algorithm>
#include <array>
#include <random>

#include "run_model.hpp"

using namespace nsmc::test;
using nsmc::rt::Method;

namespace {

constexpr double g = 9.81;

struct MethodCase {
  const char* name;
  Method method;
  nsmc::rt::SolverKind solver;
  double sinks;  // where rounding opens a contact for the first step
};
const std::array<MethodCase, 4> methods{{{"moreau", Method::moreau, nsmc::rt::SolverKind::automatic, 3e-5},
                                         {"rk", Method::rk, nsmc::rt::SolverKind::automatic, 3e-5},
                                         {"lie", Method::lie, nsmc::rt::SolverKind::multiplier, 3e-5},
                                         {"event", Method::event, nsmc::rt::SolverKind::automatic, 1e-9}}};

RunSettings settings_of(const MethodCase& with) {
  return {.solver = with.solver, .tolerance = 1e-10, .residual = 1e-6, .method = with.method};
}

double sum(const Trajectory& run, const std::string& suffix) {
  double total = 0;
  for (const std::string& name : run.names()) {
    if (name.starts_with("f") && name.ends_with(suffix)) total += run.last(name);
  }
  return total;
}

std::string stack_of_boxes(const std::string& shift) {
  return "param a = 10 [cm]\nparam d = " + shift + R"([cm]
gravity [0, -9.81] [m/s^2]
body b[i in 1..3] = planar(mass = 1 [kg], inertia = 1 [kg]*a^2/6, position = [d*i, (i - 0.5)*a])
shape s = box(size = [a, a]) on b
shape floor = plane(normal = [0, 1])
contact f = s[1] on floor { law unilateral  law coulomb(0.5) }
contact c = s[i] on s[i + 1] for i in 1..2 { law unilateral  law coulomb(0.5) }
simulate { until 0.3 [s]  step 1e-3 [s] }
)";
}

}  // namespace

TEST_CASE("box contacts: boxes stacked exactly, and nearly so, rest") {
  for (const char* shift : {"0", "1e-9", "-0.3", "1"}) {
    Model model = Model::text(stack_of_boxes(shift));
    for (const MethodCase& with : methods) {
      CAPTURE(shift);
      CAPTURE(with.name);
      const Trajectory run = model.run({}, settings_of(with));
      for (int i = 1; i <= 3; ++i) {
        const std::string body = "b[" + std::to_string(i) + "].";
        CHECK(std::abs(run.last(body + "position[2]") - (i - 0.5) * 0.1) < with.sinks);
        CHECK(std::abs(run.last(body + "position[1]") - run[body + "position[1]"][0]) < 1e-8);
        CHECK(std::abs(run.last(body + "angle")) < 1e-3);
      }
      CHECK(sum(run, ".N") == doctest::Approx(3 * g).epsilon(1e-6));
    }
  }
}

TEST_CASE("box contacts: four boxes corner to corner, all pairs, rest beside each other") {
  Model model = Model::text(R"(
gravity [0, -9.81] [m/s^2]
body b[i in 1..4] = planar(mass = 1 [kg], inertia = 2 [g m^2], position = [piecewise { i == 1 or i == 3 : 0.05  else : 0.15 },
                                                                         piecewise { i <= 2 : 0.05  else : 0.15 }] [m])
shape s = box(size = [10, 10] [cm]) on b
shape floor = plane(normal = [0, 1])
contact f = s[*] on floor { law unilateral  law coulomb(0.5) }
contact c = s[*] on s[*] { law unilateral  law coulomb(0.5) }
simulate { until 0.3 [s]  step 1e-3 [s] }
)");
  const Trajectory run = model.run({}, settings_of(methods[0]));
  for (int i = 1; i <= 4; ++i) {
    const std::string body = "b[" + std::to_string(i) + "].";
    CHECK(std::abs(run.last(body + "position[2]") - (i <= 2 ? 0.05 : 0.15)) < 3e-5);
    CHECK(std::abs(run.last(body + "position[1]") - (i % 2 == 1 ? 0.05 : 0.15)) < 3e-5);
  }
  CHECK(sum(run, ".N") == doctest::Approx(4 * g).epsilon(1e-6));
}

// Seven equal stones, half a circle; each joint is two parallel faces with coincident corners.
TEST_CASE("box contacts: an arch weighs what its stones weigh") {
  Model model = Model::text(R"(
param w = pi/7
param r = 1.15 [m]
gravity [0, -9.81] [m/s^2]
body stone[i in 1..7] = planar(mass = 1 [kg], inertia = 0.02 [kg m^2], angle = pi/2 - (i - 0.5)*w,
                               position = [-r*cos((i - 0.5)*w), r*sin((i - 0.5)*w)])
let x1 = 1 [m]*sin(w/2)
let x2 = 1.3 [m]*sin(w/2)
let y1 = 1 [m]*cos(w/2) - r
let y2 = 1.3 [m]*cos(w/2) - r
shape s = polygon([-x1, y1], [x1, y1], [x2, y2], [-x2, y2]) on stone
shape floor = plane(normal = [0, 1])
contact f1 = s[1] on floor { law unilateral  law coulomb(0.7) }
contact f2 = s[7] on floor { law unilateral  law coulomb(0.7) }
contact seam = s[i] on s[i + 1] for i in 1..6 { law unilateral  law coulomb(0.7) }
simulate { until 0.2 [s]  step 1e-3 [s] }
)");
  for (const MethodCase& with : methods) {
    CAPTURE(with.name);
    const Trajectory run = model.run({}, settings_of(with));
    CHECK(sum(run, ".N") == doctest::Approx(7 * g).epsilon(1e-6));
    CHECK(std::abs(run.last("stone[4].position[2]") - 1.15) < 1e-4);
    double most = 0;
    for (const std::string& name : run.names()) {
      if (name.ends_with(".N")) most = std::max(most, run.last(name));
    }
    CHECK(most < 7 * g);
  }
}

TEST_CASE("box contacts: a point or a ball over an edge or a corner rests, also where rounding moves it") {
  for (const std::string shift : {"0", "1e-16", "-1e-16", "1e-11"}) {
    for (const std::string shape : {"point", "sphere(radius = 1 [cm])"}) {
      const std::string up = shape == "point" ? "0" : "0.01";
      for (const std::string& y : {std::string("0.05"), "0.1 + " + shift}) {
        Model space = Model::text(
            "gravity [0, 0, -9.81] [m/s^2]\nbody p = rigid(mass = 1 [kg], inertia = [1, 1, 1] [g m^2], " +
            ("position = [0.1 + " + shift + ", " + y + ", 0.3 + " + up + " - " + shift) + "] [m])\nshape s = " + shape +
            " on p\nshape b = box(size = [0.2, 0.2, 0.6] [m])\n"
            "contact c = s on b { law unilateral  law coulomb(0.5) }\n"
            "simulate { until 0.1 [s]  step 1e-3 [s] }\n");
        for (const MethodCase& with : methods) {
          CAPTURE(shift);
          CAPTURE(with.name);
          const Trajectory run = space.run({}, settings_of(with));
          CHECK(std::abs(run.last("p.position[3]") - (shape == "point" ? 0.3 : 0.31)) < 3e-5);
        }
      }
    }
    Model plane = Model::text(
        "gravity [0, -9.81] [m/s^2]\nbody p = planar(mass = 1 [kg], inertia = 1 [g m^2], position = [0.1 + " + shift +
        ", 0.3 - " + shift +
        "] [m])\nshape s = point on p\nshape b = box(size = [0.2, 0.6] [m])\n"
        "contact c = s on b { law unilateral  law coulomb(0.5) }\n"
        "simulate { until 0.1 [s]  step 1e-3 [s] }\n");
    for (const MethodCase& with : methods) {
      CAPTURE(with.name);
      CHECK(std::abs(plane.run({}, settings_of(with)).last("p.position[2]") - 0.3) < 3e-5);
    }
  }
}

// Friction mu = 0.1 slows it down to the edge at x = 0.1 m; then it flies.
TEST_CASE("box contacts: a point that slides off an edge falls") {
  Model model = Model::text(R"(
gravity [0, -9.81] [m/s^2]
body p = planar(mass = 1 [kg], inertia = 0.01 [kg m^2], position = [0, 0.1] [m], velocity = [1, 0] [m/s])
shape s = point on p
shape b = box(size = [0.2, 0.2] [m])
contact c = s on b { law unilateral  law coulomb(0.1) }
simulate { until 0.3 [s]  step 1e-3 [s] }
)");
  const double t = (1 - std::sqrt(1 - 0.2 * g * 0.1)) / (0.1 * g), v = 1 - 0.1 * g * t;
  for (const MethodCase& with : methods) {
    CAPTURE(with.name);
    const Trajectory run = model.run({}, settings_of(with));
    const double error = with.method == Method::event ? 1e-7 : 2e-3;
    CHECK(std::abs(run.last("p.position[1]") - (0.1 + v * (0.3 - t))) < error);
    CHECK(std::abs(run.last("p.position[2]") - (0.1 - g / 2 * (0.3 - t) * (0.3 - t))) < error);
  }
}

// It slides, tips over the edge on the corner of the other box, and leaves it where its own corner passes. No friction
// limit is at its border but that of slip, so that time-stepping of fine steps finds what `event` does.
TEST_CASE("box contacts: a box slides off another one, tips and leaves it") {
  Model model = Model::text(R"(
gravity [0, -9.81] [m/s^2]
body p = planar(mass = 1 [kg], inertia = 1 [kg]*(10 [cm])^2/6, position = [0, 0.15] [m], velocity = [1, 0] [m/s])
shape s = box(size = [10, 10] [cm]) on p
shape b = box(size = [0.4, 0.2] [m])
contact c = s on b { law unilateral  law coulomb(0.1) }
simulate { until 0.4 [s]  step 1e-3 [s] }
)");
  const Trajectory exact = model.run({}, settings_of(methods[3]));
  CHECK(exact.summary.events[static_cast<std::size_t>(nsmc::rt::EventKind::take_off)] == 3);
  RunSettings fine = settings_of(methods[0]);
  fine.step = 2e-5;
  const Trajectory run = model.run({}, fine);
  for (const char* name : {"p.position[1]", "p.position[2]", "p.angle"})
    CHECK(std::abs(run.last(name) - exact.last(name)) < 2e-3);
  CHECK(std::abs(run.last("energy") - exact.last("energy")) < 1e-3);
}

// Against what defines overlap: two convex polygons are apart if a line of one of their edges separates them.
TEST_CASE("box contacts: some corner touches just if polygons do") {
  Model model = Model::text(R"(
param x [m] = 0
param y [m] = 0
param w = 0
body a = planar(mass = 1 [kg], inertia = 1 [kg m^2], position = [x, y], angle = w)
shape s = polygon([-0.3, -0.2] [m], [0.4, -0.3] [m], [0.5, 0.2] [m], [-0.1, 0.4] [m]) on a
shape b = box(size = [1, 0.6] [m])
contact c = s on b { law unilateral }
simulate { until 1e-9 [s]  step 1e-9 [s] }
)");
  using P = std::array<double, 2>;
  const std::vector<P> local{{-0.3, -0.2}, {0.4, -0.3}, {0.5, 0.2}, {-0.1, 0.4}};
  const std::vector<P> box{{-0.5, -0.3}, {0.5, -0.3}, {0.5, 0.3}, {-0.5, 0.3}};
  const auto lowest_over_edges = [](const std::vector<P>& of, const std::vector<P>& others) {
    double best = -1e300;
    for (std::size_t k = 0; k < of.size(); ++k) {
      const P v = of[k], u = of[(k + 1) % of.size()];
      const double l = std::hypot(u[0] - v[0], u[1] - v[1]);
      double lowest = 1e300;
      for (const P& p : others)
        lowest = std::min(lowest, ((p[0] - v[0]) * (u[1] - v[1]) - (p[1] - v[1]) * (u[0] - v[0])) / l);
      best = std::max(best, lowest);
    }
    return best;
  };
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  int touching = 0, apart = 0;
  for (int k = 0; k < 400; ++k) {
    const double w = 3 * number(random);
    double x = number(random), y = number(random);
    std::vector<P> corners;
    double separation = 0;
    for (int round = 0; round < 8; ++round) {  // towards a touch, from both sides
      corners.clear();
      for (const P& p : local)
        corners.push_back({x + std::cos(w) * p[0] - std::sin(w) * p[1], y + std::sin(w) * p[0] + std::cos(w) * p[1]});
      separation = std::max(lowest_over_edges(corners, box), lowest_over_edges(box, corners));
      const double r = std::hypot(x, y), wish = k % 2 == 0 ? 0.02 : -0.02;
      x *= 1 - (separation - wish) / r;
      y *= 1 - (separation - wish) / r;
    }
    const Trajectory run = model.run({{"x", x}, {"y", y}, {"w", w}});
    double least = 1e300;
    for (int i = 1; i <= 8; ++i) least = std::min(least, run["c[" + std::to_string(i) + "].gap"][0]);
    CAPTURE(k);
    CAPTURE(separation);
    // The corners are those of the last but one round.
    if (std::abs(separation) < 1e-3) continue;
    CHECK((least <= 0) == (separation <= 0));
    CHECK(least >= separation - 0.05);
    (separation <= 0 ? touching : apart) += 1;
  }
  CHECK(touching > 100);
  CHECK(apart > 100);
}
