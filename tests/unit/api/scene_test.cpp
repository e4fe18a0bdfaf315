// The scene with its numbers: channels against the motion, boundaries of sets against their formulas.
#include "nsmc/scene.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "nsmc/nsmc.hpp"

using namespace nsmc;

namespace {

double at(const Channel& channel, const Table& rows, std::size_t row) {
  return channel.column.empty() ? channel.value : rows.column(channel.column)[row];
}

const SceneItem& item(const Scene& scene, const std::string& name) {
  const auto found =
      std::find_if(scene.items.begin(), scene.items.end(), [&](const auto& i) { return i.name == name; });
  REQUIRE(found != scene.items.end());
  return *found;
}

// The boundary of the first set of a law that a slider in the plane has.
struct Drawn {
  std::vector<SceneSet> sets;
  std::vector<std::vector<double>> points(std::size_t k, int detail = 1) const {
    std::vector<double> values;
    for (const Channel& argument : sets.at(k).arguments) {
      REQUIRE(argument.column.empty());
      values.push_back(argument.value);
    }
    return sets.at(k).boundary(values, detail);
  }
};

Drawn sets_of(const std::string& law, const std::string& more = "") {
  const Model model = Model::from_text("coord x\ncoord y\ncoord a\nkinetic (x'^2 + y'^2 + a'^2)/2\n" + more +
                                           "\ncontact c { slip [x', y']  spin a'  law " + law + " }\n" +
                                           "simulate { until 1  step 0.1 }",
                                       "slider.nsm", {.scene = true});
  INFO(model.diagnostics_text());
  REQUIRE(model.ok());
  return {model.scene().contacts.at(0).laws.at(0).sets};
}

}  // namespace

TEST_CASE("what moves is a column, what does not a number") {
  const Model model = Model::from_text(R"(model swing
param l = 2 [m]
coord phi [rad] = 1
kinetic 1 [kg]*l^2/2*phi'^2
potential -1 [kg]*9.81 [m/s^2]*l*cos(phi)
draw bob = sphere(l/10) at l*[sin(phi), -cos(phi)] turned phi
draw hook = box([l, l]/10) at [0, 0] [m]
simulate { until 1 [s]  step 0.01 [s] })",
                                       "swing.nsm", {.scene = true});
  REQUIRE(model.ok());
  Table rows;
  model.run({.overrides = {{"l", 1}}}, rows);
  const Scene scene = model.scene({{"l", 1}});
  CHECK(scene.planar);
  const SceneItem& bob = item(scene, "bob");
  CHECK(bob.kind == "circle");
  CHECK(bob.sizes[0].second[0].value == doctest::Approx(0.1));
  CHECK(bob.position[2].column.empty());
  for (std::size_t row = 0; row < rows.rows(); row += 10) {
    const double phi = rows.column("phi")[row];
    CHECK(at(bob.position[0], rows, row) == doctest::Approx(std::sin(phi)));
    CHECK(at(bob.position[1], rows, row) == doctest::Approx(-std::cos(phi)));
    CHECK(at(bob.orientation[0], rows, row) == doctest::Approx(std::cos(phi / 2)));
    CHECK(at(bob.orientation[3], rows, row) == doctest::Approx(std::sin(phi / 2)));
  }
  const SceneItem& hook = item(scene, "hook");
  CHECK(hook.kind == "polygon");
  CHECK(hook.points[2][0].value == doctest::Approx(0.05));
  CHECK_THROWS_AS(Model::from_text("coord x\nkinetic x'^2/2").scene(), SettingError);
}

TEST_CASE("orientations are the rotations that are meant") {
  // Matrices of rotations by many angles, also beyond pi, and axes: each item turns the third axis as it should.
  const Model model = Model::from_text(R"(coord w = 0
initial w' = 1
kinetic w'^2/2
let n = unit_or([1, 2, -1], [0, 0, 1])
let R = quaternion_matrix(rotation(n, w))
draw m = box([1, 1, 1]) at [0, 0, 0] turned R
draw q = box([1, 1, 1]) at [0, 0, 0] turned rotation(n, w)
draw a = cylinder(1, 2) at [0, 0, 0] along [R[1, 3], R[2, 3], R[3, 3]]*3
simulate { until 6.2  step 0.1 })",
                                       "turns.nsm", {.scene = true});
  INFO(model.diagnostics_text());
  REQUIRE(model.ok());
  Table rows;
  model.run({}, rows);
  const Scene scene = model.scene();
  const auto third = [&](const char* name, std::size_t row) {
    double e[4];
    for (int k = 0; k < 4; ++k) e[k] = at(item(scene, name).orientation[k], rows, row);
    CHECK(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] == doctest::Approx(1));
    return std::vector<double>{2 * (e[1] * e[3] + e[0] * e[2]), 2 * (e[2] * e[3] - e[0] * e[1]),
                               e[0] * e[0] - e[1] * e[1] - e[2] * e[2] + e[3] * e[3]};
  };
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const auto m = third("m", row), q = third("q", row), a = third("a", row);
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(m[k] == doctest::Approx(q[k]).epsilon(1e-9));
      CHECK(a[k] == doctest::Approx(q[k]).epsilon(1e-9));
    }
  }
}

TEST_CASE("contacts of shapes: frames, forces and velocities of every instance") {
  const Model model = Model::from_text(R"(param mu = 0.3
gravity [0, 0, -9.81] [m/s^2]
body b[i in 1..2] = rigid(mass = 1 [kg], inertia = [1, 1, 1]*0.1 [kg m^2], position = [3*i, 0, 0.5] [m], velocity = [i, 0, 0] [m/s])
shape brick = box(size = [1, 1, 1] [m]) on b
shape floor = plane(normal = [0, 0, 1])
contact foot = brick[*] on floor { law unilateral  law coulomb(mu) }
simulate { until 0.2 [s]  step 1e-3 [s] })",
                                       "bricks.nsm", {.scene = true});
  REQUIRE(model.ok());
  Table rows;
  model.run({}, rows);
  const Scene scene = model.scene();
  REQUIRE(scene.contacts.size() == 16);  // eight corners each
  std::size_t carried = 0;
  for (const SceneContact& contact : scene.contacts) {
    const std::size_t last = rows.rows() - 1;
    CHECK(contact.bodies[1].empty());
    REQUIRE(contact.normal.size() == 3);
    CHECK(at(contact.normal[2], rows, last) == doctest::Approx(1));
    REQUIRE(contact.tangents.size() == 2);
    const double N = at(*contact.N, rows, last);
    const SceneLaw& coulomb = contact.laws.at(1);
    REQUIRE(coulomb.sets.size() == 1);
    // The radius is a column of this very corner.
    CHECK(at(coulomb.sets[0].arguments[0], rows, last) == doctest::Approx(0.3 * N));
    if (N <= 0) continue;
    ++carried;
    CHECK(std::abs(at(contact.point[2], rows, last)) < 1e-3);
    const double speed = contact.bodies[0] == "b[1]" ? 1 : 2;
    CHECK(at(coulomb.velocity[0], rows, last) == doctest::Approx(speed - 0.3 * 9.81 * 0.2).epsilon(0.05));
  }
  CHECK(carried == 8);
}

TEST_CASE("joints have their reaction: at rest it carries what hangs on them") {
  const Model model = Model::from_text(R"(gravity [0, 0, -9.81] [m/s^2]
body upper = rigid(mass = 2 [kg], inertia = [1, 1, 1]*0.1 [kg m^2], position = [0, 0, -1] [m])
body lower = rigid(mass = 3 [kg], inertia = [1, 1, 1]*0.1 [kg m^2], position = [0, 0, -2] [m])
joint hook = spherical(world, upper, at = [0, 0, 0] [m])
joint pin = revolute(lower, upper, at = [0, 0, -1.5] [m], axis = [0, 1, 0])
joint rail = prismatic(world, lower, axis = [0, 0, 1])
simulate { until 0.01 [s]  step 1e-3 [s] })",
                                       "chain.nsm", {.scene = true});
  INFO(model.diagnostics_text());
  REQUIRE(model.ok());
  Table rows;
  model.run({}, rows);
  const Scene scene = model.scene();
  const auto upwards = [&](const SceneContact& joint) {
    REQUIRE(joint.T.size() == 3);
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += at(joint.T[i], rows, 5) * at(joint.tangents.at(i).at(2), rows, 5);
    return sum;
  };
  CHECK(upwards(scene.contacts.at(0)) == doctest::Approx(5 * 9.81));  // on `upper`, since the first is the world
  CHECK(upwards(scene.contacts.at(1)) == doctest::Approx(3 * 9.81));  // on `lower`, the first
  CHECK(scene.contacts.at(2).T.empty());
}

TEST_CASE("boundaries of sets") {
  const auto radius = [](const std::vector<double>& p) { return std::hypot(p[0], p[1]); };
  for (const auto& p : sets_of("friction(ball(2, 2))").points(0)) CHECK(radius(p) == doctest::Approx(2));
  for (const auto& p : sets_of("friction(ellipse(3, 1) + [0.5, 0])").points(0))
    CHECK(std::hypot((p[0] - 0.5) / 3, p[1]) == doctest::Approx(1));
  for (const auto& p : sets_of("friction(box(3, 1))").points(0)) {
    CHECK(std::abs(p[0]) == doctest::Approx(3));
    CHECK(std::abs(p[1]) == doctest::Approx(1));
  }
  for (const auto& p : sets_of("friction(superellipse(2, 1, 4))").points(0))
    CHECK(std::pow(p[0] / 2, 4) + std::pow(p[1], 4) == doctest::Approx(1));
  // The set with the support function |v1| + 2 |v2| is a rectangle.
  for (const auto& p : sets_of("friction(support (x, y) { sqrt(x^2) + 2*sqrt(y^2) })").points(0)) {
    CHECK(std::abs(p[0]) <= 1 + 1e-9);
    CHECK(std::abs(p[1]) <= 2 + 1e-9);
  }
  CHECK(sets_of("friction(polygon([1, 0], [0, 1], [-1, -1]))").points(0).size() == 3);
  // Both sets of a law with two; the reservoir is not convex.
  const Drawn two = sets_of("two_set(clover(2, 1), 0.5*ellipse(2, 1))",
                            "set clover(a, b) = gauge (x, y) { 5/2*(((x/a)^2 + (y/b)^2)^(1/2) - 3/5*((x/a)^4 + "
                            "(y/b)^4)^(1/4)) }");
  REQUIRE(two.sets.size() == 2);
  CHECK(two.sets[0].role == "slip");
  CHECK(two.sets[1].role == "reservoir");
  for (const auto& p : two.points(0)) CHECK(std::hypot(p[0] / 2, p[1]) == doctest::Approx(0.5));
  for (const auto& p : two.points(1)) {
    const double x = p[0] / 2, y = p[1];
    CHECK(2.5 * (std::hypot(x, y) - 0.6 * std::pow(std::pow(x, 4) + std::pow(y, 4), 0.25)) == doctest::Approx(1));
  }
}

TEST_CASE("B_F is a body: its extents, and triangles around it") {
  const Drawn drawn =
      sets_of("disc", "law disc { force T[2], tau [slip, spin] in normal_cone(contensou(2, 3, uniform), -[T, tau]) }");
  const auto points = drawn.points(0);
  double force = 0, torque = 0;
  for (const auto& p : points) {
    force = std::max(force, std::hypot(p[0], p[1]));
    torque = std::max(torque, std::abs(p[2]));
  }
  CHECK(force == doctest::Approx(2));
  CHECK(torque == doctest::Approx(2.0 / 3 * 3 * 2));  // the mean radius of uniform pressure is 2/3 R
  double volume = 0;
  for (const auto& [i, j, k] : set_triangles(1)) {
    const auto &a = points.at(i), &b = points.at(j), &c = points.at(k);
    const double part =
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    CHECK(part > 0);  // outward all around
    volume += part / 6;
  }
  const double ellipsoid = 4.0 / 3 * std::numbers::pi * 2 * 2 * 4;  // of the same extents, which is larger
  CHECK(volume > 0.8 * ellipsoid);
  CHECK(volume < ellipsoid);
  CHECK(sets_of("friction(reals^2)").sets.empty());
}

TEST_CASE("a thousand bodies are one class") {
  const Model model = Model::from_text(R"(param n = 1000
body b[i in 1..n] = rigid(mass = 1 [kg], inertia = [1, 1, 1] [kg m^2], position = [2*i, 0, 0] [m])
shape skin = sphere(radius = 0.5 [m]) on b
contact touch = skin[*] on skin[*] { law unilateral }
simulate { until 0.01 [s]  step 0.01 [s] })",
                                       "many.nsm", {.scene = true});
  REQUIRE(model.ok());
  const Scene scene = model.scene();
  REQUIRE(scene.items.size() == 1000);
  CHECK(scene.items[999].body == "b[1000]");
  CHECK(scene.items[999].position[0].column == "b[1000].position[1]");
  CHECK(scene.contacts.empty());  // half a million pairs: nobody looks at their frames
}

TEST_CASE("a reaction says where the forces of a contact act, and in which directions") {
  const auto contact = [](const std::string& draw) {
    const Model model = Model::from_text(
        "param a = 0.5\ncoord s\ncoord n\nkinetic (s'^2 + n'^2)/2\n"
        "contact slope { gap n  slip s'  law unilateral  law coulomb(0.3) }\n" +
            draw + "\nsimulate { until 1  step 0.1 }",
        "slope.nsm", {.scene = true});
    INFO(model.diagnostics_text());
    REQUIRE(model.ok());
    return model.scene().contacts.at(0);
  };
  const auto is = [](const Channels& vector, const std::array<double, 3>& expected) {
    REQUIRE(vector.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(vector[i].column.empty());
      CHECK(vector[i].value == doctest::Approx(expected[i]));
    }
  };
  const double c = std::cos(0.5), s = std::sin(0.5);
  // Positive slip is to the right of the normal: down a slope that falls to the right.
  const SceneContact slope = contact("draw r = reaction(slope) at [s, 0] along 3*[sin(a), cos(a)]");
  CHECK(slope.point.at(0).column == "s");
  is(slope.normal, {s, c, 0});
  REQUIRE(slope.tangents.size() == 1);
  is(slope.tangents[0], {c, -s, 0});
  CHECK((slope.N && slope.N->column == "slope.N"));
  is(contact("draw r = reaction(slope, slip = [-2, 0]) at [s, 0]").tangents.at(0), {-1, 0, 0});
  const SceneContact space = contact("draw r = reaction(slope, slip = [0, 1, 0]) at [s, 0, 0]");
  is(space.normal, {0, 0, 1});
  REQUIRE(space.tangents.size() == 2);
  is(space.tangents[0], {0, 1, 0});
  is(space.tangents[1], {-1, 0, 0});
  CHECK(contact("").point.empty());
}
