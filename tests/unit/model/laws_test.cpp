// Laws are expanded for the contact that uses them: sizes and dimensions of forces, order of rows, shared forces.
#include <doctest/doctest.h>

#include "tests/unit/model/check_text.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

constexpr const char* kLaws =
    "law hard(e = 0) {\n  force N\n  gap' in normal_cone(nonpos, -N) restitution e\n}\n"
    "law dry(mu) {\n  force T[dim(slip)]\n  slip in normal_cone(ball(mu*N, dim(slip)), -T)\n}\n"
    "law drill(mu, R) {\n  force S[dim(slip)], tau\n"
    "  [slip, spin] in normal_cone(ellipsoid(mu*N, mu*N, mu*N*R), -[S, tau])\n}\n";

constexpr const char* kCoordinates =
    "coord x [m] = 0\ncoord y [m] = 0\ncoord phi [rad] = 0\nkinetic 1 [kg]*(x'^2 + y'^2) + 1 [kg m^2]*phi'^2\n";

const TypedContact& only_contact(const Checked& checked) { return checked.good().contacts.at(0); }

}  // namespace

TEST_CASE("the force of a law is as long as the slip") {
  const Checked plane(std::string(kLaws) + kCoordinates + "contact c { gap y  slip x'  law hard  law dry(0.3) }\n");
  REQUIRE(only_contact(plane).laws.size() == 2);
  CHECK(only_contact(plane).laws[0].size == 1);
  CHECK(only_contact(plane).laws[1].size == 1);
  CHECK(only_contact(plane).force_dimensions.size() == 2);

  const Checked space(std::string(kLaws) + kCoordinates +
                      "contact c { gap y  slip [x', y']  law hard  law dry(0.3) }\n");
  const TypedContact& contact = only_contact(space);
  REQUIRE(contact.laws.size() == 2);
  CHECK(contact.laws[1].first == 1);
  CHECK(contact.laws[1].size == 2);
  CHECK(contact.laws[1].velocities == std::vector<std::uint32_t>{1, 2});
  CHECK(contact.force_dimensions.size() == 3);
}

TEST_CASE("force times velocity is a power") {
  const Checked checked(std::string(kLaws) + kCoordinates +
                        "contact c { gap y  slip [x', y']  spin phi'  law hard  law drill(0.3, 1 [mm]) }\n"
                        "output n = c.N\noutput s = c.S\noutput m = c.tau\n");
  const TypedContact& contact = only_contact(checked);
  REQUIRE(contact.laws.size() == 2);
  const TypedLaw& law = contact.laws[1];
  CHECK(law.velocities == std::vector<std::uint32_t>{1, 2, 3});
  REQUIRE(law.forces.size() == 2);
  CHECK(law.forces[0].name == "S");
  CHECK(law.forces[0].size == 2);
  CHECK(law.forces[1].name == "tau");
  CHECK(law.forces[1].first == 3);
  CHECK(checked.output("n").dimensions[0].text() == "kg m/s^2");
  CHECK(checked.output("s").rows == 2);
  CHECK(checked.output("m").dimensions[0].text() == "kg m^2/s^2");
}

TEST_CASE("a slip of angular velocity has a torque") {
  const Checked checked(
      std::string("law stuck(limit) {\n  force T\n  slip in normal_cone(interval(-limit, limit), -T)\n}\n") +
      kCoordinates + "contact hinge { slip phi'  law stuck(2 [N m]) }\n");
  CHECK(only_contact(checked).force_dimensions.at(0).text() == "kg m^2/s^2");
  CHECK(Checked(std::string("law stuck(limit) {\n  force T\n  slip in normal_cone(interval(-limit, limit), -T)\n}\n") +
                kCoordinates + "contact hinge { slip phi'  law stuck(2 [N]) }\n")
            .codes() == "N0404");
}

TEST_CASE("a law sees the forces of earlier laws of its contact only") {
  const std::string start = std::string(kLaws) + kCoordinates;
  CHECK(Checked(start + "contact c { gap y  slip x'  law hard  law dry(0.3) }\n").codes() == "");
  CHECK(Checked(start + "contact c { gap y  slip x'  law dry(0.3)  law hard }\n").codes() == "N0201");
  CHECK(Checked(start + "contact a { gap y  law hard }\ncontact c { slip x'  law dry(0.3) }\n").codes() == "N0201");
}

TEST_CASE("arguments of laws: by place, by name, by default") {
  const Checked checked(
      std::string(kLaws) + kCoordinates +
      "contact a { gap y  law hard }\ncontact b { gap y  law hard(0.5) }\ncontact c { gap y  law hard(e = 0.7) }\n");
  const auto restitution = [&](std::size_t i) {
    const TypedLaw& law = checked.good().contacts.at(i).laws.at(0);
    REQUIRE(law.restitution);
    return checked.good().node(*law.restitution).value;
  };
  CHECK(restitution(0) == 0);
  CHECK(restitution(1) == 0.5);
  CHECK(restitution(2) == 0.7);
}

TEST_CASE("lets of laws and contacts are their own") {
  const Checked checked(std::string("law soft(k) {\n  force N\n  let width = k*gap\n"
                                    "  gap' in normal_cone(interval(-abs(width), abs(width)), -N)\n}\n") +
                        kCoordinates +
                        "contact a {\n  let height = y - 1 [m]\n  gap height\n  law soft(2 [N/m])\n}\n"
                        "contact b {\n  let height = y + 1 [m]\n  gap height\n  law soft(3 [N/m])\n}\n");
  CHECK(checked.codes() == "");
  CHECK(
      Checked(
          std::string(kCoordinates) +
          "contact a { let h = y  gap h  law l }\nlaw l { force N  gap' in normal_cone(interval(0, 1 [N/m]*h), -N) }\n")
          .codes() == "N0201");
}

TEST_CASE("sets: their dimension and their extents") {
  const auto codes = [](const std::string& set, const std::string& slip) {
    return Checked("law l {\n  force T[dim(slip)]\n  slip in normal_cone(" + set + ", -T)\n}\n" + kCoordinates +
                   "contact c { slip " + slip + "  law l }\n")
        .codes();
  };
  const std::string two = "[x', y']";
  const std::string three = "[x', y', phi' * 1 [m]]";
  CHECK(codes("disc(1 [N])", two) == "");
  CHECK(codes("ball(1 [N], 2)", two) == "");
  CHECK(codes("ball(1 [N], 3)", three) == "");
  CHECK(codes("ellipse(1 [N], 2 [N])", two) == "");
  CHECK(codes("box(1 [N], 2 [N])", two) == "");
  CHECK(codes("cylinder(1 [N], 2 [N])", three) == "");
  CHECK(codes("interval(0, 1 [N]) × interval(-1 [N], 0)", two) == "");
  CHECK(codes("product(disc(1 [N]), reals)", three) == "");
  CHECK(codes("nonneg^2", two) == "");
  CHECK(codes("zero", "x'") == "");
  CHECK(codes("2 * disc(1 [N])", two) == "");
  CHECK(codes("2 [N] * disc(1)", two) == "");
  CHECK(codes("-disc(1 [N])", two) == "");
  CHECK(codes("disc(1 [N]) + [1 [N], 0]", two) == "");
  CHECK(codes("[[1, 2], [0, 1]] * disc(1 [N])", two) == "");
  CHECK(codes("union(disc(1 [N]), box(2 [N], 1 [N]))", two) == "");
  CHECK(codes("union(disc(1 [N]), 2 [N] * disc(1))", two) == "");
  CHECK(codes("union(disc(1 [N]), ball(1 [N], 3))", two) == "N0605");
  CHECK(codes("union(disc(1 [N]), disc(1 [m]))", two) == "N0401");
  CHECK(codes("union(disc(1 [N]), 2)", two) == "N0305");
  CHECK(codes("union(disc(1 [N]))", two) == "N0301");
  CHECK(codes("disc(1 [N])", three) == "N0605");
  CHECK(codes("disc(1)", two) == "N0404");
  CHECK(codes("box(1 [N], 2 [m])", two) == "N0404");
}

TEST_CASE("constraints have their laws without being told") {
  const Checked checked(
      "law bilateral {\n  force N\n  gap' in normal_cone(reals, -N)\n}\n"
      "law bilateral_slip {\n  force T[dim(slip)]\n  slip in normal_cone(reals^dim(slip), -T)\n}\n" +
      std::string(kCoordinates) + "constraint rail { gap y }\nconstraint wheel { slip [x', phi'*1 [m]] }\n");
  REQUIRE(checked.good().contacts.size() == 2);
  CHECK(checked.good().contacts[0].bilateral);
  CHECK(checked.good().contacts[0].laws.at(0).name == "bilateral");
  CHECK(checked.good().contacts[1].laws.at(0).size == 2);
}

TEST_CASE("dependence: what a node may depend on") {
  const Checked checked(std::string(kLaws) + kCoordinates +
                        "contact c { gap y  law hard }\noutput a = 3\noutput b = x*t\noutput d = x'\noutput e = c.N\n");
  const TypedModel& model = checked.good();
  const auto depends = [&](std::size_t i) { return model.node(model.outputs.at(i).value).depends; };
  CHECK_FALSE(depends(0).any());
  CHECK(depends(1).state);
  CHECK_FALSE(depends(1).velocity);
  CHECK(depends(2).velocity);
  CHECK(depends(3).force);
}

TEST_CASE("arguments stand before the nodes that use them") {
  const Checked checked(std::string(kLaws) + kCoordinates +
                        "contact c { gap y  slip [x', y']  law hard(0.5)  law dry(0.3) }\noutput a = norm(c.T)\n");
  const TypedModel& model = checked.good();
  for (NodeId id = 0; id < model.nodes.size(); ++id) {
    for (const NodeId arg : model.node(id).args) CHECK(arg < id);
  }
}
