// Bodies, shapes, joints and springs, and the arrays of everything.
#include <doctest/doctest.h>

#include "tests/unit/syntax/parse_text.hpp"

using namespace nsmc;
using namespace nsmc::test;
using namespace nsmc::ast;

namespace {

// "i in 1..n" with its ends grouped.
std::string text_of(const Part<IndexRange>& range) {
  if (!range) return "none";
  return range->variable.text + " in " + grouped(range->first) + ".." + grouped(range->last);
}

std::string text_of(const Use& use) {
  return use.name.text + (use.all ? "[*]" : use.index ? "[" + grouped(*use.index) + "]" : "");
}

}  // namespace

TEST_CASE("bodies and gravity") {
  const Body top = only<Body>(
      "body top = rigid(mass = m, inertia = [I1, I1, I3], position = [0, 0, h],\n"
      "  orientation = rotation([0, 1, 0], theta0), spin = [0, 0, w])");
  CHECK(top.name.text == "top");
  CHECK(!top.range);
  CHECK(top.call.text == "rigid");
  REQUIRE(top.call.names.size() == 5);
  CHECK(top.call.names[0].text == "mass");
  CHECK(top.call.names[4].text == "spin");
  const Body bead = only<Body>("body bead[i in 1..n] = point(mass = m*i)");
  CHECK(text_of(bead.range) == "i in 1..n");
  CHECK(grouped(bead.call) == "(point() (** m i))");
  CHECK(only<Gravity>("gravity [0, 0, -9.81] [m/s^2]").value.unit);
  CHECK(only<Gravity>("gravity[0, 0, -g]").value.kind == ExprKind::vector);
}

TEST_CASE("shapes") {
  const Shape head = only<Shape>("shape head = sphere(radius = r1) on top at [0, 0, a1]");
  CHECK(head.call.text == "sphere");
  CHECK(text_of(head.body.value()) == "top");
  CHECK(grouped(head.at.value()) == "(vec 0 0 a1)");
  const Shape ball = only<Shape>("shape ball[i in 1..n] = sphere(radius = r) on bead[i]");
  CHECK(text_of(ball.range) == "i in 1..n");
  CHECK(text_of(ball.body.value()) == "bead[i]");
  CHECK(!ball.at);
  const Shape floor = only<Shape>("shape floor = plane(normal = [0, 0, 1]) at [0, 0, h]");
  CHECK(!floor.body);
  CHECK(floor.at);
  CHECK(!only<Shape>("shape floor = plane(normal = [0, 0, 1])").at);
}

TEST_CASE("contacts of coordinates and of shapes") {
  const Contact table = only<Contact>("contact table { gap z  law unilateral }");
  CHECK(table.name.text == "table");
  CHECK(!table.pair);
  CHECK(!table.range);
  const Contact touch = only<Contact>("contact touch[i in 1..n] { gap z[i] law unilateral }");
  CHECK(touch.name.text == "touch");
  CHECK(text_of(touch.range) == "i in 1..n");
  CHECK(!touch.pair);
  CHECK(touch.items.size() == 2);

  const Contact head = only<Contact>("contact head on floor { law unilateral }");
  CHECK(head.name.text.empty());
  CHECK(text_of(head.pair.value().first) == "head");
  CHECK(text_of(head.pair.value().second) == "floor");
  CHECK(head.items.size() == 1);
  const Contact rim = only<Contact>("contact rim = disc on floor { }");
  CHECK(rim.name.text == "rim");
  CHECK(text_of(rim.pair.value().first) == "disc");

  const Contact chain = only<Contact>("contact bead[i] on bead[i+1] for i in 1..n-1 { law unilateral }");
  CHECK(chain.name.text.empty());
  CHECK(text_of(chain.pair.value().first) == "bead[i]");
  CHECK(text_of(chain.pair.value().second) == "bead[(++ i 1)]");
  CHECK(text_of(chain.range) == "i in 1..(+- n 1)");
  const Contact pair = only<Contact>("contact pair = bead[i] on bead[i+1] for i in 1..n-1 { law unilateral }");
  CHECK(pair.name.text == "pair");
  CHECK(text_of(pair.pair.value().first) == "bead[i]");
  CHECK(text_of(pair.range) == "i in 1..(+- n 1)");

  CHECK(text_of(only<Contact>("contact bead[*] on floor { }").pair.value().first) == "bead[*]");
  const Contact grains = only<Contact>("contact gas = grain[*] on grain[ * ] { }");
  CHECK(text_of(grains.pair.value().first) == "grain[*]");
  CHECK(text_of(grains.pair.value().second) == "grain[*]");
  CHECK(text_of(only<Contact>("contact bead[2*i] on bead[f(i)[1]] for i in a..b { }").pair.value().first) ==
        "bead[(** 2 i)]");
  CHECK(text_of(only<Constraint>("constraint rod[i in 1..n-1] { gap z[i+1] - z[i] - L }").range) == "i in 1..(+- n 1)");
}

TEST_CASE("the spans of a pair of shapes") {
  const Parsed p("contact bead[i] on bead[i+1] for i in 1..n-1 { }");
  const Contact& c = std::get<Contact>(p.model.value().declarations.at(0).value);
  CHECK(p.text(c.pair.value().first.span) == "bead[i]");
  CHECK(p.text(c.pair.value().second.span) == "bead[i+1]");
  CHECK(p.text(c.name.span) == "bead[i] on bead[i+1]");
  CHECK(p.text(c.range.value().span) == "for i in 1..n-1");
  const Parsed q("coord z[i in 1..n] [m]");
  CHECK(p.text(c.range.value().variable.span) == "i");
  CHECK(q.text(std::get<Coord>(q.model.value().declarations.at(0).value).range.value().span) == "[i in 1..n]");
}

TEST_CASE("joints") {
  const Joint j = only<Joint>("joint j = revolute(a, bar[2], at = [0, 0, 1], axis = [0, 1, 0])");
  CHECK(grouped(j.call) == "(revolute() a ([] bar 2) (vec 0 0 1) (vec 0 1 0))");
  CHECK(j.call.names.at(2).text == "at");
  CHECK(j.items.empty());
  const Joint chain = only<Joint>(
      "joint j[i in 1..n-1] = revolute(bar[i], bar[i+1], at = [i*L, 0, 0], axis = [0, 1, 0]) { law joint_friction(M0) "
      "}");
  CHECK(text_of(chain.range) == "i in 1..(+- n 1)");
  CHECK(std::get<LawUse>(chain.items.at(0)).call.text == "joint_friction");
  CHECK(only<Joint>("joint j = revolute(a, b) { let k = 1\n slip w law f }").items.size() == 3);
}

TEST_CASE("springs and dampers") {
  const Spring s =
      only<Spring>("spring s between top.point([0,0,a1]) and world.point([0,0,1]) stiffness k length L damping d");
  CHECK(!s.damper);
  CHECK(grouped(s.from.value()) == "(.point top (vec 0 0 a1))");
  CHECK(s.from.value().called);
  CHECK(grouped(s.to.value()) == "(.point world (vec 0 0 1))");
  CHECK(!s.joint);
  CHECK(grouped(s.stiffness.value()) == "k");
  CHECK(grouped(s.rest.value()) == "L");
  CHECK(grouped(s.damping.value()) == "d");
  const Spring order = only<Spring>("spring s between a.position + b and c damping d\nlength L");
  CHECK(grouped(order.from.value()) == "(++ (.position a) b)");
  CHECK(grouped(order.rest.value()) == "L");
  CHECK(!order.stiffness);

  const Spring chain =
      only<Spring>("spring s[i in 1..n-1] between bead[i].position and bead[i+1].position stiffness k");
  CHECK(text_of(chain.range) == "i in 1..(+- n 1)");
  CHECK(grouped(chain.to.value()) == "(.position ([] bead (++ i 1)))");

  const Spring t = only<Spring>("spring t on hinge[2] stiffness k angle phi0 damping d");
  CHECK(text_of(t.joint.value()) == "hinge[2]");
  CHECK(!t.from);
  CHECK(grouped(t.rest.value()) == "phi0");
  CHECK(only<Spring>("damper c between a.position and b.position damping d").damper);
  CHECK(text_of(only<Spring>("damper c[i in 1..n] on hinge[i] damping d").joint.value()) == "hinge[i]");
}

TEST_CASE("forces and torques on bodies") {
  const Force plain = only<Force>("force top : [Fx, 0, 0]");
  CHECK(!plain.torque);
  CHECK(!plain.at);
  const Force at = only<Force>("force top at [0, 0, a] : F");
  CHECK(grouped(at.at.value()) == "(vec 0 0 a)");
  CHECK(grouped(at.value) == "F");
  const Force bead = only<Force>("force bead[i] at [i, 0, 0] : F for i in 1..n");
  CHECK(bead.target.text == "bead");
  CHECK(grouped(bead.index.value()) == "i");
  CHECK(bead.at);
  CHECK(text_of(bead.range) == "i in 1..n");
  const Force torque = only<Force>("torque top : [0, 0, M]");
  CHECK(torque.torque);
  CHECK(torque.target.text == "top");
  CHECK(text_of(only<Force>("torque top[i + 1] : M for i in 1..n").range) == "i in 1..n");
}

TEST_CASE("arrays of coordinates") {
  const Coord z = only<Coord>("coord z[i in 1..n] [m] = 0.1*i");
  CHECK(text_of(z.range) == "i in 1..n");
  CHECK(z.unit.value().factors.at(0).name == "m");
  CHECK(grouped(z.initial.value()) == "(** 0.1 i)");
  CHECK(!only<Coord>("coord z[i in -n..2*n - 1]").unit);
  CHECK(text_of(only<Coord>("coord z[i ∈ -n..2*n - 1]").range) == "i in (neg n)..(+- (** 2 n) 1)");
  const Initial v = only<Initial>("initial z[i in 1..n]' = i*v0");
  CHECK(text_of(v.range) == "i in 1..n");
  CHECK(v.derivative);
  CHECK(text_of(only<Kinetic>("kinetic m/2*z[i]'^2 for i in 1..n").range) == "i in 1..n");
  CHECK(text_of(only<Potential>("potential m*g*z[i]\n  for i in 1..n").range) == "i in 1..n");
  CHECK(text_of(only<Dissipation>("dissipation d*(z[i]' - z[i+1]')^2 for i in 1..n-1").range) == "i in 1..(+- n 1)");
  CHECK(text_of(only<Force>("force z[i] : F for i in 1..n").range) == "i in 1..n");
  const Output h = only<Output>("output h[i in 1..n] [m] = bead[i].position[3]");
  CHECK(text_of(h.range) == "i in 1..n");
  CHECK(h.unit);
  CHECK(grouped(h.value) == "([] (.position ([] bead i)) 3)");
}

TEST_CASE("a unit of inches is no range") {
  CHECK(only<Coord>("coord z[in] = 1").unit.value().factors.size() == 1);
  CHECK(only<Coord>("coord z[m in] = 1").unit.value().factors.size() == 2);
  CHECK(only<Coord>("coord z[m in/s] = 1").unit.value().factors.size() == 3);
  CHECK(only<Coord>("coord z [m in s] = 1").unit.value().factors.size() == 3);
  CHECK(only<Param>("param p[m in s] = 1").unit.value().factors.size() == 3);
}

TEST_CASE("members with arguments") {
  CHECK(grouped("top.axis(3)") == "(.axis top 3)");
  CHECK(expression("top.axis(3)").called);
  CHECK(!expression("top.axis").called);
  CHECK(expression("top.energy()").called);
  CHECK(expression("top.energy()").args.size() == 1);
  CHECK(grouped("top.point([0, 0, a])[3]'") == "(' ([] (.point top (vec 0 0 a)) 3))");
  CHECK(grouped("bead[i+1].velocity + c[3].N") == "(++ (.velocity ([] bead (++ i 1))) (.N ([] c 3)))");
  CHECK(grouped("a.f(x, y).g") == "(.g (.f a x y))");
  CHECK(!same(expression("a.f()"), expression("a.f")));
}

TEST_CASE("the words of clauses are ordinary names elsewhere") {
  for (const char* word :
       {"on", "at", "for", "between", "stiffness", "length", "angle", "damping", "torque", "world"}) {
    CAPTURE(word);
    const std::string w = word;
    const Parsed p("param " + w + " = 2 [m]\nlet b = -" + w + " + " + w + "^2\nfn f(" + w + ", x = 1) = " + w +
                   "'\ncoord z [m] = " + w + "\nkinetic " + w + "*z'^2\nforce z : -" + w + "*z\nforce " + w + " : " +
                   w + "\ninitial " + w + " = " + w + "\noutput " + w + " = c." + w + " - f(" + w + ", " + w + " = " +
                   w + ")\ncontact c { gap " + w + " law u let k = " + w + "\n slip " + w + " }\nlaw u { force " + w +
                   ", T " + w + " in C }\nsimulate { record " + w + " until " + w + " " + w + " 3 }");
    CHECK_MESSAGE(p.model, render(p.diagnostics, p.sources, false));
  }
}

TEST_CASE("the words of clauses are names even beside the clauses") {
  const Parsed p(
      "shape on = sphere(radius = at) on on at at\ncontact on on on { }\ncontact for = at on at for for in 1..n { }\n"
      "spring length between length and angle stiffness stiffness length length damping damping\n"
      "damper on on on damping torque\nspring torque on torque stiffness torque damping torque angle torque\n"
      "kinetic for for for in for..for\nforce at at at : at for at in 1..n\npotential torque for torque in 1..2\n"
      "torque torque : torque torque length : torque\ntorque at[i] : for for i in 1..n\nlet a = torque\n");
  REQUIRE_MESSAGE(p.model, render(p.diagnostics, p.sources, false));
  CHECK(p.model->declarations.size() == 13);
  const auto& spring = std::get<Spring>(p.model->declarations[3].value);
  CHECK(grouped(spring.to.value()) == "angle");
  CHECK(grouped(spring.rest.value()) == "length");
}

TEST_CASE("a declaration of many follows any other on its line") {
  const Parsed p(
      "model m body a = point(mass = 1) torque a : M gravity g \"doc\" torque a : M spring s on j stiffness k torque a "
      ": M contact a on b { } torque b : M simulate { until 1 }");
  REQUIRE_MESSAGE(p.model, render(p.diagnostics, p.sources, false));
  CHECK(p.model->declarations.size() == 9);
}

TEST_CASE("drawings") {
  const Draw bob = only<Draw>("draw bob = sphere(r) at [x, y] turned phi color \"red\"");
  CHECK(bob.name.text == "bob");
  CHECK(!bob.range);
  CHECK(grouped(bob.call) == "(sphere() r)");
  CHECK(grouped(*bob.at) == "(vec x y)");
  CHECK(grouped(*bob.turned) == "phi");
  CHECK(!bob.along);
  CHECK(bob.color->text == "red");
  const Draw rods = only<Draw>("draw rod[i in 1..n] = capsule(radius = r, length = l)\n  at p[i] along -q[i]");
  CHECK(text_of(rods.range) == "i in 1..n");
  CHECK(rods.call.names[0].text == "radius");
  CHECK(grouped(*rods.along) == "(neg ([] q i))");
  const Draw label = only<Draw>("draw label = text(\"A \\\"B\\\"\") color \"#fff\" at p");
  CHECK(label.text->text == "A \"B\"");
  CHECK(label.call.args.empty());
  CHECK(grouped(*label.at) == "p");
  CHECK(only<Draw>("draw path = trace() at p").call.kind == ExprKind::call);
  // The words are names elsewhere, and so is `draw` where no declaration can begin.
  CHECK(grouped(only<Let>("let draw = along*turned + color").value) == "(++ (** along turned) color)");
  CHECK(only<Draw>("draw length = sphere(at) at p").name.text == "length");
}
