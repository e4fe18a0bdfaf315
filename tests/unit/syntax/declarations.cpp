// Every declaration of the language, one by one.
#include <doctest/doctest.h>

#include "tests/unit/syntax/parse_text.hpp"

using namespace nsmc;
using namespace nsmc::test;
using namespace nsmc::ast;

TEST_CASE("model and import") {
  const Parsed p("model ball \"A \\\"ball\\\", \\mu = \\\\\"\nimport \"laws.nsm\" \"all laws\"");
  REQUIRE(p.model);
  CHECK(p.model->name.value().text == "ball");
  CHECK(p.model->doc == "A \"ball\", \\mu = \\");
  REQUIRE(p.model->declarations.size() == 1);
  CHECK(std::get<Import>(p.model->declarations[0].value).path == "laws.nsm");
  CHECK(p.model->declarations[0].doc == "all laws");
  CHECK(!Parsed("param a = 1").model.value().name);
}

TEST_CASE("param, let, fn, set, output") {
  const Param m = only<Param>("param m [kg] = 6e-3 [kg]");
  CHECK(m.name.text == "m");
  CHECK(m.unit.value().factors.at(0).name == "kg");
  CHECK(m.value.unit.value().factors.at(0).name == "kg");
  CHECK(!only<Param>("param m = 1").unit);
  CHECK(only<Param>("param m[kg] = 1").unit.value().factors.size() == 1);
  CHECK(only<Let>("let c = m*g").name.text == "c");

  const Function f = only<Function>("fn ramp(x, s = 1) = s*x");
  REQUIRE(f.parameters.size() == 2);
  CHECK(!f.parameters[0].default_value);
  CHECK(f.parameters[1].name.text == "s");
  CHECK(f.parameters[1].default_value.value().value == 1);

  CHECK(only<SetDefinition>("set C = disc(1)").parameters.empty());
  CHECK(only<SetDefinition>("set C(a, b) = ellipse(a, b)").parameters.size() == 2);
  CHECK(only<Output>("output height [m] = z").unit.value().factors.size() == 1);
}

TEST_CASE("coordinates, velocities, initial values, kinematics") {
  const Coord z = only<Coord>("coord z [m] = 1.0");
  CHECK(z.unit);
  CHECK(z.initial.value().value == 1);
  CHECK(!only<Coord>("coord z").initial);
  CHECK(only<Velocity>("velocity v [m/s]").unit.value().factors.size() == 2);
  CHECK(only<Initial>("initial z' = 0 [m/s]").derivative);
  CHECK(!only<Initial>("initial z = 0").derivative);
  CHECK(only<Kinematics>("kinematics x' = v*cos(psi)").coord.text == "x");
}

TEST_CASE("energies, forces, mass") {
  CHECK(grouped(only<Kinetic>("kinetic m/2 * z'^2").energy) == "(*/* m 2 (^ (' z) 2))");
  CHECK(grouped(only<Potential>("potential m*g*z").energy) == "(*** m g z)");
  CHECK(grouped(only<Dissipation>("dissipation d").potential) == "d");
  CHECK(only<Force>("force z : -d*z'").target.text == "z");
  CHECK(grouped(only<ForceVector>("force [0, -m*g]").value) == "(vec 0 (** (neg m) g))");
  CHECK(grouped(only<ForceVector>("force h").value) == "h");
  CHECK(grouped(only<Mass>("mass [[m, 0], [0, J]]").matrix) == "(vec (vec m 0) (vec 0 J))");
}

TEST_CASE("contact and constraint") {
  const Contact c = only<Contact>(
      "contact table { gap z - A slip [x', y'] spin -phi' let k = 2*m law unilateral law coulomb(mu = 0.3, 2) }");
  REQUIRE(c.items.size() == 6);
  CHECK(std::get<ContactQuantity>(c.items[0]).kind.text == "gap");
  CHECK(grouped(std::get<ContactQuantity>(c.items[1]).value) == "(vec (' x) (' y))");
  CHECK(grouped(std::get<ContactQuantity>(c.items[2]).value) == "(neg (' phi))");
  CHECK(std::get<Let>(c.items[3]).name.text == "k");
  CHECK(std::get<LawUse>(c.items[4]).call.kind == ExprKind::name);
  const Expr& use = std::get<LawUse>(c.items[5]).call;
  CHECK(use.kind == ExprKind::call);
  CHECK(use.text == "coulomb");
  CHECK(use.names.at(0).text == "mu");
  CHECK(only<Constraint>("constraint rod { gap (x^2 + y^2)^(1/2) - L }").items.size() == 1);
  CHECK(only<Contact>("contact c { slip[x', y] }").items.size() == 1);
}

TEST_CASE("a body need not be indented") {
  CHECK(only<Contact>("contact c {\ngap z\nlaw a\nlet b = 1\nlaw c\n}").items.size() == 4);
}

TEST_CASE("law") {
  const Law l = only<Law>(
      "law unilateral(restitution = 0) {\n force N\n gap' in normal_cone(nonpos, -N) restitution restitution\n}");
  CHECK(l.parameters.at(0).name.text == "restitution");
  REQUIRE(l.items.size() == 2);
  CHECK(!std::get<LawForce>(l.items[0]).size);
  const Inclusion& i = std::get<Inclusion>(l.items[1]);
  CHECK(grouped(i.left) == "(' gap)");
  CHECK(i.cone.text == "normal_cone");
  CHECK(i.restitution.value().text == "restitution");
}

TEST_CASE("law with several forces") {
  const Law l = only<Law>("law c(mu, R) { force T[2], tau [slip, spin] ∈ normal_cone(B, -[T, tau]) }");
  REQUIRE(l.items.size() == 3);
  CHECK(std::get<LawForce>(l.items[0]).size.value().value == 2);
  CHECK(std::get<LawForce>(l.items[1]).name.text == "tau");
  CHECK(grouped(std::get<Inclusion>(l.items[2]).left) == "(vec slip spin)");
}

TEST_CASE("an item of a law on a new line does not continue the one before") {
  const Law brackets = only<Law>("law c {\n let r = mu\n [slip, spin] in N\n}");
  CHECK(grouped(std::get<Inclusion>(brackets.items.at(1)).left) == "(vec slip spin)");
  const Law unit = only<Law>("law c {\n let r = 1\n [slip] in N\n}");
  CHECK(grouped(std::get<Inclusion>(unit.items.at(1)).left) == "(vec slip)");
  const Law parentheses = only<Law>("law c {\n let r = mu\n (-slip) in N restitution -e\n}");
  CHECK(grouped(std::get<Inclusion>(parentheses.items.at(1)).left) == "(neg slip)");
  CHECK(grouped(std::get<Inclusion>(parentheses.items.at(1)).restitution.value()) == "(neg e)");
}

TEST_CASE("gap, slip, spin, roll and restitution are ordinary names elsewhere") {
  const Parsed p(
      "param restitution = 1\nlet gap = slip + spin + roll\nfn f(gap, slip) = gap'\noutput spin = "
      "restitution*c.restitution");
  CHECK(p.lines().empty());
  REQUIRE(p.model);
  CHECK(p.model->declarations.size() == 4);
}

TEST_CASE("simulate") {
  const Simulate s = only<Simulate>(
      "simulate { until 3 [s] step 1e-4 [s] method moreau solver sor(omega = 1.2) record [a, b] start -1 end (2) }");
  REQUIRE(s.settings.size() == 7);
  CHECK(s.settings[0].name.text == "until");
  CHECK(s.settings[0].value.unit);
  CHECK(s.settings[2].value.text == "moreau");
  CHECK(s.settings[3].value.kind == ExprKind::call);
  CHECK(s.settings[4].value.kind == ExprKind::vector);
  CHECK(s.settings[5].value.kind == ExprKind::negate);
  CHECK(s.settings[6].value.value == 2);
}

TEST_CASE("newlines do not separate and are not needed") {
  CHECK(Parsed("param a = 1 param b = 2 coord z kinetic z'^2").model.value().declarations.size() == 4);
  CHECK(Parsed("param\na\n=\n1 // one\n+ /* two */ 2").model.value().declarations.size() == 1);
}

TEST_CASE("documentation strings") {
  const Parsed p("param e = 0.8 \"restitution\"\ncontact c { gap z } \"the floor\"\nlet b = 1");
  REQUIRE(p.model);
  CHECK(p.model->declarations[0].doc == "restitution");
  CHECK(p.model->declarations[1].doc == "the floor");
  CHECK(p.model->declarations[2].doc.empty());
}
