// Printing and parsing again gives the same abstract syntax.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "tests/unit/syntax/parse_text.hpp"

using namespace nsmc;
using namespace nsmc::test;
using namespace nsmc::ast;

namespace {

void round_trip(const std::string& text) {
  const Parsed first(text);
  REQUIRE_MESSAGE(first.model, render(first.diagnostics, first.sources, false));
  const std::string printed = print(*first.model);
  const Parsed second(printed);
  REQUIRE_MESSAGE(second.model, printed << render(second.diagnostics, second.sources, false));
  CHECK_MESSAGE(same(*first.model, *second.model), printed);
  CHECK(print(*second.model) == printed);
}

std::string reprinted(const std::string& text) { return print(expression(text)); }

// Random expressions of every kind, as the parser could have made them.
class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  Expr any(int depth) {
    using enum ExprKind;
    static constexpr ExprKind kinds[] = {number,    name,         sum,       product, negate,     power,     derivative,
                                         index,     member,       call,      vector,  comparison, logic_and, logic_or,
                                         logic_not, intersection, piecewise, gauge,   support,    reduction};
    Expr e;
    e.kind = kinds[depth == 0 ? pick(2) : pick(std::size(kinds))];
    switch (e.kind) {
      case number:
        e.value = pick(2) ? static_cast<double>(pick(1000)) : std::ldexp(static_cast<double>(random_()), -40);
        if (pick(3) == 0) e.unit = unit();
        break;
      case name: e.text = word(); break;
      case sum:
      case product:
        fill(e, 2 + pick(2), depth);
        e.ops = e.kind == sum ? "+" : "*";
        while (e.ops.size() < e.args.size()) e.ops += (e.kind == sum ? "+-" : "*/x")[pick(e.kind == sum ? 2 : 3)];
        break;
      case negate:
      case derivative:
      case logic_not: fill(e, 1, depth); break;
      case member:
        e.called = pick(2) == 0;
        fill(e, e.called ? 1 + pick(3) : 1, depth);
        e.text = pick(2) ? "mass" : word();
        break;
      case power: fill(e, 2, depth); break;
      case comparison:
        fill(e, 2, depth);
        e.text = std::vector<std::string>{"<", "<=", ">", ">=", "==", "!="}[pick(6)];
        break;
      case index:
      case logic_and:
      case logic_or:
      case intersection: fill(e, 2 + pick(2), depth); break;
      case call:
        e.text = pick(4) == 0 ? "gauge" : word();
        fill(e, e.text == "gauge" ? 2 : pick(3), depth);
        e.names.resize(e.args.size());
        for (Name& label : e.names)
          if (pick(3) == 0) label.text = pick(2) ? "force" : word();
        break;
      case reduction:
        e.text = std::vector<std::string>{"sum", "min", "max", "norm"}[pick(4)];
        e.names = {Name{"i", {}}};
        fill(e, 3, depth);
        break;
      case vector:
        fill(e, 1 + pick(3), depth);
        if (pick(4) == 0) e.unit = unit();
        break;
      case piecewise: fill(e, 3 + 2 * pick(2), depth); break;
      case gauge:
      case support:
        e.names = {Name{"x", {}}, Name{"y", {}}};
        fill(e, 1, depth);
        break;
    }
    return e;
  }

 private:
  std::size_t pick(std::size_t below) { return random_() % below; }
  std::string word() { return std::vector<std::string>{"a", "gap", "θ", "restitution", "x1", "slip"}[pick(6)]; }
  Unit unit() {
    Unit u;
    if (pick(4) == 0) return u;
    u.factors.push_back({"kg", static_cast<int>(pick(5)) - 2, 1, {}});
    u.factors.push_back({"in", -1, 2, {}});
    return u;
  }
  void fill(Expr& e, std::size_t count, int depth) {
    for (std::size_t i = 0; i < count; ++i) e.args.push_back(any(depth - 1));
  }

  std::mt19937 random_;
};

}  // namespace

TEST_CASE("declarations survive the round trip") {
  round_trip(
      "model ball \"A \\\"ball\\\" \\\\ \\mu\"\nimport \"laws.nsm\"\nparam m = 0.1 [kg]\nparam e [1] = 0.8 \"doc\"\n"
      "let c = 1e-300*1e300\nfn f(a, b = 2) = a^b\nfn g() = 1\ncoord z [m] = 1\ncoord y\nvelocity v [m/s]\n"
      "kinematics z' = v\ninitial z' = 0 [m/s]\ninitial z = 1\nkinetic m/2 * z'^2\npotential m*z\ndissipation d\n"
      "force z : -d*z'\nforce [1, 2] [N]\nmass [[m, 0], [0, m]]\n"
      "contact c { gap z - A*sin(w*t) slip [x', y'] spin -w let k = 1 law u law v(mu = 2, 3) } \"floor\"\n"
      "constraint r { gap z }\nset C = gauge (x, y) { x^2 }\nset D(a, b = 1) = C × C ∩ support (v) { v }\n"
      "law u(restitution = 0) { force N gap' in normal_cone(nonpos, -N) restitution restitution }\n"
      "law w { force T[2], tau let r = mu\n (-slip) in C\n }\nlaw empty { }\n"
      "output h [mm] = z\nsimulate { until 3 [s] step 1e-4 [s] method moreau record [a, b] x -3 }\nsimulate { }");
}

TEST_CASE("bodies and arrays survive the round trip") {
  for (const char* text : {
           "body top = rigid(mass = m, inertia = [I1, I1, I3], position = [0, 0, h], orientation = rotation([0, 1, 0], "
           "theta0), spin = [0, 0, w]) \"a top\"",
           "body bead[i in 1..n] = point(mass = m*i)",
           "gravity [0, 0, -9.81] [m/s^2]",
           "shape head = sphere(radius = r1) on top at [0, 0, a1]",
           "shape ball[i in 1..n] = sphere(radius = r) on bead[i]",
           "shape floor = plane(normal = [0, 0, 1])",
           "shape floor = plane(normal = [0, 0, 1]) at [0, 0, h] [m] \"doc\"",
           "contact table { gap z  law unilateral }",
           "contact touch[i in 1..n] { gap z[i] law unilateral }",
           "contact head on floor { law unilateral }",
           "contact rim = disc on floor { law unilateral }",
           "contact bead[i] on bead[i+1] for i in 1..n-1 { let k = 1 law u(k) }",
           "contact pair = bead[i] on bead[i+1] for i in 1..n-1 { law u }",
           "contact bead[*] on floor { law u }",
           "contact grain[*] on grain[*] { law u } \"doc\"",
           "contact gas = grain[*] on grain[*] { }",
           "constraint rod[i in 1..n-1] { gap z[i+1] - z[i] - L }",
           "joint j = revolute(a, bar[2], at = [0,0,1], axis = [0,1,0])",
           "joint j[i in 1..n-1] = revolute(bar[i], bar[i+1], at = [i*L,0,0], axis = [0,1,0]) { law joint_friction(M0) "
           "}",
           "spring s between top.point([0,0,a1]) and world.point([0,0,1]) stiffness k length L damping d",
           "spring s[i in 1..n-1] between bead[i].position and bead[i+1].position stiffness k",
           "spring s between (a or b) and -c - (d and e) damping a or b stiffness (1 + 2)*k",
           "spring t on hinge stiffness k angle phi0 damping d",
           "spring t[i in 1..n] on hinge[i] damping d",
           "spring t on hinge",
           "damper c between a.position and b.position damping d",
           "damper c on hinge damping d",
           "force top : [Fx, 0, 0]",
           "force top at [0, 0, a] : F",
           "force bead[i] : F for i in 1..n",
           "force bead[i] at a < b : F for i in 1..n",
           "torque top : [0, 0, M]",
           "torque top[i] : M for i in 1..n",
           "coord z[i in 1..n] [m] = 0.1*i",
           "coord z[i in (a < b)..-n]",
           "initial z[i in 1..n]' = i*v0",
           "initial z[i in 1..n] = i",
           "kinetic m/2*z[i]'^2 for i in 1..n",
           "potential m*g*z[i] for i in 1..n",
           "dissipation d*z[i]'^2 for i in 1..n",
           "force z[i] : F for i in 1..n",
           "output h[i in 1..n] [m] = bead[i].position[3]",
           "output h[i in 1..n] = top.axis(3)[1] + top.point([0, 0, a])[3] + bead[i+1].velocity[1] + c[3].N + z[i]' + "
           "a.f()",
           "kinetic for for for in 1..2",
           "torque torque : torque",
       })
    round_trip(text);
}

TEST_CASE("parentheses only where they are needed") {
  CHECK(reprinted("((a + b)) + c") == "(a + b) + c");
  CHECK(reprinted("a + (b*c)") == "a + b*c");
  CHECK(reprinted("(a + b)*(c)") == "(a + b)*c");
  CHECK(reprinted("-(x^2)") == "-x^2");
  CHECK(reprinted("(-x)^2") == "(-x)^2");
  CHECK(reprinted("2^(-3)") == "2^-3");
  CHECK(reprinted("(2^3)^2") == "(2^3)^2");
  CHECK(reprinted("2^(3^2)") == "2^3^2");
  CHECK(reprinted("a - (b - c)") == "a - (b - c)");
  CHECK(reprinted("a/(b*c)") == "a/(b*c)");
  CHECK(reprinted("(a)'") == "a'");
  CHECK(reprinted("(a + b)'") == "(a + b)'");
  CHECK(reprinted("([a, b])[1]") == "([a, b])[1]");
  CHECK(reprinted("not (a and b) or (c and d)") == "not (a and b) or c and d");
}

TEST_CASE("numbers are printed as short as they can be read back") {
  CHECK(reprinted("0.1") == "0.1");
  CHECK(reprinted("1.50") == "1.5");
  CHECK(reprinted("0.0001") == "1e-4");
  CHECK(reprinted("1e+20") == "1e20");
  CHECK(reprinted("6.02214076e23 [mol^-1]") == "6.02214076e23 [mol^-1]");
  CHECK(reprinted("9.81 [m/s^2]") == "9.81 [m s^-2]");
}

TEST_CASE("random expressions survive the round trip") {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    const Expr e = Generator(seed).any(4);
    const std::string printed = print(e);
    const Parsed p("let a = " + printed);
    REQUIRE_MESSAGE(p.model, printed << "\n" << render(p.diagnostics, p.sources, false));
    REQUIRE_MESSAGE(same(std::get<Let>(p.model->declarations[0].value).value, e), printed);
  }
}

TEST_CASE("same looks at everything but spans") {
  auto model = [](const char* text) { return Parsed(text).model.value(); };
  CHECK(same(model("param a = 1"), model("  param   a=1.0")));
  for (const char* other : {"param b = 1", "param a = 2", "param a [m] = 1", "let a = 1", "param a = 1 \"doc\"",
                            "param a = 1 [m]", "param a = 1 param b = 1", "model m param a = 1"})
    CHECK(!same(model("param a = 1"), model(other)));
  CHECK(!same(expression("f(a = 1)"), expression("f(1)")));
  CHECK(!same(expression("a + b"), expression("a - b")));
  CHECK(!same(expression("1 [m]"), expression("1 [m^2]")));
  CHECK(!same(expression("a.f()"), expression("a.f")));

  const std::vector<std::string> different = {
      "coord z",
      "coord z[i in 1..n]",
      "coord z[j in 1..n]",
      "coord z[i in 2..n]",
      "coord z[i in 1..m]",
      "initial z = 1",
      "initial z[i in 1..n] = 1",
      "kinetic a",
      "kinetic a for i in 1..n",
      "potential a",
      "potential a for i in 1..n",
      "dissipation a",
      "dissipation a for i in 1..n",
      "force z : 1",
      "force z[1] : 1",
      "force z at 1 : 1",
      "force z : 1 for i in 1..n",
      "torque z : 1",
      "contact c { }",
      "contact c[i in 1..n] { }",
      "contact c on d { }",
      "contact c on e { }",
      "contact c[1] on d { }",
      "contact c[*] on d { }",
      "contact c on d for i in 1..n { }",
      "contact d = c on d { }",
      "constraint c { }",
      "constraint c[i in 1..n] { }",
      "body a = b",
      "body a = c",
      "body a[i in 1..n] = b",
      "gravity 1",
      "gravity 2",
      "shape a = b",
      "shape a[i in 1..n] = b",
      "shape a = b on c",
      "shape a = b at c",
      "joint a = b",
      "joint a[i in 1..n] = b",
      "joint a = b { law u }",
      "spring a between b and c",
      "spring a between b and d",
      "spring a between d and c",
      "spring a[i in 1..n] between b and c",
      "spring a on b",
      "spring a on b damping c",
      "spring a on b stiffness c",
      "spring a on b angle c",
      "damper a on b damping c",
      "output a = 1",
      "output a[i in 1..n] = 1",
  };
  for (const std::string& a : different)
    for (const std::string& b : different)
      CHECK_MESSAGE(same(model(a.c_str()), model(b.c_str())) == (a == b), a << " / " << b);
}
