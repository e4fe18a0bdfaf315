// What is drawn leaves the model as it was, unless somebody asks for the scene.
#include <doctest/doctest.h>

#include "tests/unit/model/check_text.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

constexpr const char* kPlain = R"(param n = 2
param l = 1 [m]
coord phi [rad] = 1
kinetic 1 [kg m^2]/2*phi'^2
let p = l*[sin(phi), -cos(phi)]
)";
constexpr const char* kDrawings = R"(draw bob = sphere(l/10) at p
draw ring[i in 1..n] = disc(l/i) at i*p color "red"
draw mark = text("C") at gauge(gauge (x, y) { hypot(x, y) }, [1, 1])*p
)";

std::optional<TypedModel> with_scene(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  const auto models = load({"test.nsm", text}, sources, diagnostics);
  return check(*models, diagnostics, {}, nullptr, true);
}

}  // namespace

TEST_CASE("drawings change nothing where nobody looks") {
  const Checked plain(kPlain, true), drawn(std::string(kPlain) + kDrawings, true);
  REQUIRE(plain.model);
  INFO(drawn.errors());
  REQUIRE(drawn.model);
  CHECK(print(*plain.model) == print(*drawn.model));
  CHECK(plain.model->nodes.size() == drawn.model->nodes.size());
  CHECK(plain.model->set_variables == drawn.model->set_variables);
  CHECK(!drawn.model->scene);
  CHECK(!drawn.model->parameters[0].structural);  // n only counts rings
}

TEST_CASE("a scene is items and outputs that no model can name") {
  const auto model = with_scene(std::string(kPlain) + kDrawings);
  REQUIRE(model);
  REQUIRE(model->scene);
  CHECK(model->scene->planar);
  CHECK(model->parameters[0].structural);
  REQUIRE(model->scene->items.size() == 3);
  const TypedSceneItem& ring = model->scene->items[1];
  CHECK(ring.name == "ring@");
  CHECK(ring.kind == "disc");
  CHECK(ring.color == "red");
  CHECK(ring.values.instances.count() == 2);
  for (const TypedOutput& output : model->outputs) CHECK(output.name.front() == '$');
}

TEST_CASE("shapes, springs, joints and contacts are seen without a drawing") {
  const auto model = with_scene(R"(
gravity [0, 0, -9.81] [m/s^2]
body a[i in 1..2] = rigid(mass = 1 [kg], inertia = [1, 1, 1] [kg m^2], position = [0, 0, 2*i] [m])
shape skin = sphere(radius = 1 [m]) on a
shape floor = plane(normal = [0, 0, 1])
contact land = skin[*] on floor { law unilateral }
contact touch = skin[*] on skin[*] { law unilateral }
joint hinge = revolute(a[1], a[2], at = [0, 0, 3] [m], axis = [0, 1, 0])
spring s between a[1].position and a[2].position stiffness 1 [N/m]
)");
  REQUIRE(model);
  const TypedScene& scene = *model->scene;
  CHECK(!scene.planar);
  CHECK(scene.gravity.output);
  REQUIRE(scene.items.size() == 3);
  CHECK(scene.items[0].bodies == std::vector<std::string>{"a[1]", "a[2]"});
  CHECK(scene.items[1].bodies.empty());
  CHECK(scene.items[2].kind == "spring");
  REQUIRE(scene.contacts.size() == 3);
  CHECK(scene.contacts[0].bodies[1] == std::array<std::string, 2>{"a[2]", ""});
  CHECK(scene.contacts[1].bodies[0] == std::array<std::string, 2>{"a[1]", "a[2]"});
  CHECK(scene.contacts[2].joint == "revolute");
  CHECK(scene.contacts[2].values.parts.size() == 2);  // point and axis
}

TEST_CASE("a reaction is the frame of a contact in generalised coordinates") {
  const std::string model_text = R"(
coord s [m]
coord n [m] = 1
kinetic 1 [kg]/2*(s'^2 + n'^2)
contact slope { gap n  slip s'  law unilateral  law coulomb(0.3) }
contact other { gap s  law unilateral }
draw block = box([1, 1] [m]) at [s, n]
)";
  const auto model = with_scene(model_text + "draw push = reaction(slope, slip = [-2, 0]) at [s, 0] along [0, 3]");
  REQUIRE(model);
  const TypedScene& scene = *model->scene;
  CHECK(scene.planar);
  CHECK(scene.items.size() == 1);  // it is no item of its own
  REQUIRE(scene.contacts.size() == 2);
  std::string roles;
  for (const ScenePart& part : scene.contacts[0].values.parts) roles += part.role + " ";
  CHECK(roles == "point normal tangent1 ");
  CHECK(scene.contacts[1].values.parts.empty());
  const auto space = with_scene(model_text + "draw push = reaction(slope) at [s, 0, n]");
  REQUIRE(space);
  CHECK(space->scene->contacts[0].values.parts.size() == 4);
}
