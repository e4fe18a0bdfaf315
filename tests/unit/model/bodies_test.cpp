// Bodies: types and dimensions of what they define, names of their variables, and that a model's own names do not reach
// into the library.
#include <doctest/doctest.h>

#include "tests/unit/model/check_text.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

constexpr const char* kBodies = R"(
  param m = 1 [kg]
  param J = 1 [kg m^2]
  param L = 1 [m]
  body top = rigid(mass = m, inertia = [J, J, J], position = [0, 0, L])
  body ball = point(mass = m, position = [L, 0, L])
  body link = planar(mass = m, inertia = J)
  body pin = planar(mass = m, inertia = J, position = [L, 0], angle = 1)
  body flat = point(mass = m, position = [0, L])
  shape head = sphere(radius = L) on top
  shape crate = box(size = [L, L, L]) on top
  shape skin = sphere(radius = L) on ball
  shape floor = plane(normal = [0, 0, 1])
  shape ring = circle(radius = L) on link
  shape ground = plane(normal = [0, 1])
  contact touch = head on skin { law unilateral  law coulomb(0.3) }
  contact rest = crate on floor { law unilateral }
  contact roll = ring on ground { law unilateral  law coulomb(0.3) }
  joint hinge = revolute(top, world, at = [0, 0, 0] [m], axis = [0, 0, 1]) { law joint_friction(1 [N m]) }
  joint slide = prismatic(top, world, axis = [0, 0, 1])
  joint socket = spherical(top, world, at = [0, 0, 0] [m])
  joint cross_joint = universal(top, world, at = [0, 0, 0] [m], axis = [1, 0, 0], axis2 = [0, 1, 0])
  joint weld = fixed(top, world)
  joint knee = revolute(link, pin, at = [0, 0] [m])
  joint rail = prismatic(link, world, axis = [1, 0])
  joint glue = fixed(link, pin)
)";

std::string member(const std::string& expression) {
  const Checked checked(std::string(kBodies) + "output a = " + expression, true);
  return checked.model ? type_text(checked.output("a")) : checked.codes();
}

std::vector<std::string> names(const auto& variables) {
  std::vector<std::string> result;
  for (const auto& v : variables) result.push_back(v.name);
  return result;
}

}  // namespace

TEST_CASE("bodies: members of a rigid body") {
  CHECK(member("top.position") == "vector 3 [m, m, m]");
  CHECK(member("top.velocity") == "vector 3 [m/s, m/s, m/s]");
  CHECK(member("top.quaternion") == "vector 4 [1, 1, 1, 1]");
  CHECK(member("top.rotation*[1, 0, 0]") == "vector 3 [1, 1, 1]");
  CHECK(member("top.axis(3)") == "vector 3 [1, 1, 1]");
  CHECK(member("top.spin") == "vector 3 [1/s, 1/s, 1/s]");
  CHECK(member("top.angular_velocity") == "vector 3 [1/s, 1/s, 1/s]");
  CHECK(member("top.momentum") == "vector 3 [kg m/s, kg m/s, kg m/s]");
  CHECK(member("top.angular_momentum") == "vector 3 [kg m^2/s, kg m^2/s, kg m^2/s]");
  CHECK(member("top.point([0, 0, L])") == "vector 3 [m, m, m]");
  CHECK(member("top.velocity_at([0, 0, L])") == "vector 3 [m/s, m/s, m/s]");
  CHECK(member("top.mass") == "number [kg]");
  CHECK(member("top.kinetic") == "number [kg m^2/s^2]");
  CHECK(member("top.energy") == "number [kg m^2/s^2]");
  CHECK(member("top.position'") == "vector 3 [m/s, m/s, m/s]");
  CHECK(member("top.position[3]") == "number [m]");
  CHECK(member("top.angle") == "N0208");
  CHECK(member("top.axis(4)") == "N0304");
  CHECK(member("top.axis") == "N0301");
  CHECK(member("top.point([0, 0, 1])") == "N0403");
}

TEST_CASE("bodies: members of planar bodies and points") {
  CHECK(member("link.position") == "vector 2 [m, m]");
  CHECK(member("link.angle") == "number [1]");
  CHECK(member("link.spin") == "number [1/s]");
  CHECK(member("link.rotation*[1, 0]") == "vector 2 [1, 1]");
  CHECK(member("link.axis(2)") == "vector 2 [1, 1]");
  CHECK(member("link.angular_momentum") == "number [kg m^2/s]");
  CHECK(member("link.velocity_at([0, L])") == "vector 2 [m/s, m/s]");
  CHECK(member("link.quaternion") == "N0208");
  CHECK(member("ball.position") == "vector 3 [m, m, m]");
  CHECK(member("flat.position") == "vector 2 [m, m]");
  CHECK(member("ball.momentum") == "vector 3 [kg m/s, kg m/s, kg m/s]");
  CHECK(member("ball.spin") == "N0208");
  CHECK(member("world.point([L, L, L])") == "vector 3 [m, m, m]");
  CHECK(member("world.point([L, L])") == "vector 2 [m, m]");
}

TEST_CASE("bodies: members of contacts") {
  CHECK(member("touch.gap") == "number [m]");
  CHECK(member("touch.slip") == "vector 2 [m/s, m/s]");
  CHECK(member("touch.spin") == "number [1/s]");
  CHECK(member("touch.normal") == "vector 3 [1, 1, 1]");
  CHECK(member("touch.point") == "vector 3 [m, m, m]");
  CHECK(member("touch.N") == "number [kg m/s^2]");
  CHECK(member("touch.T") == "vector 2 [kg m/s^2, kg m/s^2]");
  CHECK(member("roll.slip") == "number [m/s]");
  CHECK(member("roll.normal") == "vector 2 [1, 1]");
  CHECK(member("roll.spin") == "N0208");
  CHECK(member("rest[8].gap") == "number [m]");
  CHECK(member("rest[3].N") == "number [kg m/s^2]");
  CHECK(member("rest[9].N") == "N0802");
  CHECK(member("rest.N") == "N0802");
}

TEST_CASE("bodies: members of joints") {
  CHECK(member("hinge.gap") == "vector 5 [m, m, m, 1, 1]");
  CHECK(member("hinge.angle") == "number [1]");
  CHECK(member("hinge.slip") == "number [1/s]");
  CHECK(member("hinge.N") == "vector 5 [kg m/s^2, kg m/s^2, kg m/s^2, kg m^2/s^2, kg m^2/s^2]");
  CHECK(member("hinge.T") == "number [kg m^2/s^2]");
  CHECK(member("hinge.point") == "vector 3 [m, m, m]");
  CHECK(member("slide.gap") == "vector 5 [1, 1, 1, m, m]");
  CHECK(member("slide.travel") == "number [m]");
  CHECK(member("slide.slip") == "number [m/s]");
  CHECK(member("socket.gap") == "vector 3 [m, m, m]");
  CHECK(member("socket.slip") == "vector 3 [1/s, 1/s, 1/s]");
  CHECK(member("cross_joint.gap") == "vector 4 [m, m, m, 1]");
  CHECK(member("weld.gap") == "vector 6 [m, m, m, 1, 1, 1]");
  CHECK(member("knee.gap") == "vector 2 [m, m]");
  CHECK(member("knee.angle") == "number [1]");
  CHECK(member("rail.gap") == "vector 2 [m, 1]");
  CHECK(member("rail.travel") == "number [m]");
  CHECK(member("glue.gap") == "vector 3 [m, m, 1]");
  CHECK(member("weld.slip") == "N0208");
  CHECK(member("cross_joint.angle") == "N0208");
}

TEST_CASE("bodies: names of coordinates and velocities") {
  const Checked checked(R"(
    body top = rigid(mass = 1, inertia = [1, 1, 1])
    body link[i in 1..3] = planar(mass = 1, inertia = 1)
    body ball = point(mass = 1, position = [0, 0])
  )",
                        true);
  CHECK(names(checked.good().coordinates) ==
        std::vector<std::string>{"top.position[1]", "top.position[2]", "top.position[3]", "top.quaternion[1]",
                                 "top.quaternion[2]", "top.quaternion[3]", "top.quaternion[4]", "link@.position[1]",
                                 "link@.position[2]", "link@.angle", "ball.position[1]", "ball.position[2]"});
  CHECK(names(checked.good().velocities) ==
        std::vector<std::string>{"top.velocity[1]", "top.velocity[2]", "top.velocity[3]", "top.spin[1]", "top.spin[2]",
                                 "top.spin[3]", "link@.velocity[1]", "link@.velocity[2]", "link@.spin",
                                 "ball.velocity[1]", "ball.velocity[2]"});
  CHECK(names(checked.good().blocks) == std::vector<std::string>{"top", "link@", "ball"});
}

TEST_CASE("bodies: the position of a point says where it moves, however it is written") {
  const auto size = [](const std::string& position) {
    const Checked checked("let p = [0, 1]\nbody ball = point(mass = 1" + position + ")", true);
    return checked.good().coordinates.size();
  };
  CHECK(size("") == 3);
  CHECK(size(", position = [0, 1]") == 2);
  CHECK(size(", position = p") == 2);
  CHECK(size(", position = 2*p") == 2);
  CHECK(size(", position = [p, 1]") == 3);
}

TEST_CASE("bodies: contacts between shapes are named after the first, or after both") {
  const auto contacts = [](const std::string& text) {
    const Checked checked(R"(
      body ball = point(mass = 1)
      shape skin = sphere(radius = 1) on ball
      shape floor = plane(normal = [0, 0, 1])
      shape wall = plane(normal = [1, 0, 0])
    )" + text,
                          true);
    if (!checked.model) return std::vector<std::string>{checked.codes()};
    return names(checked.model->contacts);
  };
  CHECK(contacts("contact skin on floor { law unilateral }") == std::vector<std::string>{"skin"});
  CHECK(contacts("contact ball on floor { law unilateral }") == std::vector<std::string>{"ball"});
  CHECK(contacts("contact hit = ball on floor { law unilateral }") == std::vector<std::string>{"hit"});
  CHECK(contacts("contact skin on floor { law unilateral }  contact skin on wall { law unilateral }") ==
        std::vector<std::string>{"skin_floor", "skin_wall"});
  CHECK(contacts("contact hit = skin on floor { law unilateral }  contact skin on wall { law unilateral }") ==
        std::vector<std::string>{"hit", "skin"});
  CHECK(contacts("contact skin on floor { law unilateral }  contact skin on floor { law unilateral }") ==
        std::vector<std::string>{"N0808"});
}

TEST_CASE("bodies: a parameter does not depend on them, and says so") {
  CHECK(Checked("param h = ball.position[3]\nbody ball = point(mass = 1)", true).codes() == "N0306");
  CHECK(Checked("body a = point(mass = 1, position = b.position)\nbody b = point(mass = 1)", true).codes() == "N0306");
  CHECK(Checked("body b = point(mass = 1)\nbody a = point(mass = 1, position = b.position)", true).codes() == "N0306");
}

TEST_CASE("bodies: masses and inertias of all elements are looked at") {
  const auto codes = [](const std::string& body) { return Checked("body b" + body, true).codes(); };
  CHECK(codes("[i in 1..3] = point(mass = i)") == "");
  CHECK(codes("[i in 1..3] = point(mass = 3 - i)") == "N0805");
  CHECK(codes(" = planar(mass = 1, inertia = 0)") == "N0805");
  CHECK(codes(" = rigid(mass = 1, inertia = [1, 1, 2])") == "");
  CHECK(codes(" = rigid(mass = 1, inertia = [1, 1, 2.01])") == "N0805");
  CHECK(codes(" = rigid(mass = 1, inertia = [-1, -1, -1])") == "N0805");
  // A full tensor is judged by its principal moments, not by its diagonal: the rod below is turned by 45 degrees.
  CHECK(codes(" = rigid(mass = 1, inertia = [[1, -1, 0], [-1, 1, 0], [0, 0, 2]])") == "");
  CHECK(codes(" = rigid(mass = 1, inertia = [[1, -1.1, 0], [-1.1, 1, 0], [0, 0, 2]])") == "N0805");
}

TEST_CASE("names of the model do not reach into the library") {
  // Functions, sets and letters that the library uses, declared as something else.
  const char* plain = R"(
    param J = 1  param r = 0.1
    body first = rigid(mass = 1, inertia = [J, J, J], position = [0, 0, 1])
    body second = rigid(mass = 1, inertia = [J, J, J], position = [1, 0, 3])
    shape a = sphere(radius = r) on first
    shape b = cylinder(radius = r, length = r) on second
    shape c = plane(normal = [0, 0, 1])
    contact d = a on b { law unilateral  law coulomb(0.3) }
    contact e = b on c { law unilateral  law joint_friction(1) }
    joint f = revolute(first, second, at = [1, 0, 0], axis = [0, 0, 1]) { law joint_friction(1) }
    spring g between first.position and second.position stiffness 3 length 1
  )";
  const Checked expected(plain, true);
  std::string disturbed = plain;
  disturbed += R"(
    fn clamped(x) = x
    fn norm(v) = 0
    fn dot(a, b) = 7
    fn unit_or(a) = 3
    fn tangent(a, b, c) = 3
    let cross = 3
    let transpose = 4
    let identity = 5
    let nonneg = 2
    let nonpos = 2
    let reals = 2
    let ball = 2
    let mu = 2
    let n = 2
    let restitution_0 = 2
    let pair_of_ball = 2
    fn piecewise_0(x) = x
  )";
  const Checked checked(disturbed, true);
  REQUIRE_MESSAGE(checked.model.has_value(), checked.errors());
  REQUIRE(expected.model.has_value());
  const auto kinds = [](const TypedModel& model) {
    std::string text;
    for (const TypedContact& c : model.contacts) {
      text += c.name + ":";
      for (const TypedLaw& law : c.laws) text += std::to_string(static_cast<int>(model.node(law.set).kind)) + ",";
    }
    return text;
  };
  CHECK(kinds(*checked.model) == kinds(*expected.model));
}

TEST_CASE("bodies may have the names of sets and of functions of the library") {
  const Checked checked(R"(
    body ball = point(mass = 1, position = [0, 0, 1])
    body box = rigid(mass = 1, inertia = [1, 1, 1])
    shape reals = sphere(radius = 1) on ball
    shape nonpos = plane(normal = [0, 0, 1])
    shape interval = box(size = [1, 1, 1]) on box
    contact disc = reals on interval { law unilateral  law coulomb(0.3) }
    contact placed = interval on nonpos { law unilateral  law joint_friction(1) }
    constraint tangent { gap ball.position[1] }
  )",
                        true);
  CHECK_MESSAGE(checked.model.has_value(), checked.errors());
}
