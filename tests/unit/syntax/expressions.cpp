// How expressions group: precedence, associativity, suffixes, brackets, units.
#include <doctest/doctest.h>

#include "tests/unit/syntax/parse_text.hpp"

using namespace nsmc;
using namespace nsmc::test;
using ast::Expr;
using ast::ExprKind;

TEST_CASE("chains are flat") {
  CHECK(grouped("a + b - c") == "(++- a b c)");
  CHECK(grouped("a*b/c") == "(**/ a b c)");
  CHECK(grouped("A × B × C") == "(*xx A B C)");
  CHECK(grouped("A ∩ B ∩ C") == "(cap A B C)");
  CHECK(grouped("a or b or c") == "(or a b c)");
}

TEST_CASE("operators bind in the order of the grammar") {
  CHECK(grouped("a or b and not c < d") == "(or a (and b (not (< c d))))");
  CHECK(grouped("not not a") == "(not (not a))");
  CHECK(grouped("a < b ∩ c + d*e") == "(< a (cap b (++ c (** d e))))");
  CHECK(grouped("-x^2") == "(neg (^ x 2))");
  CHECK(grouped("-a*b") == "(** (neg a) b)");
  CHECK(grouped("a*-b") == "(** a (neg b))");
  CHECK(grouped("a - -b") == "(+- a (neg b))");
  CHECK(grouped("2^3^2") == "(^ 2 (^ 3 2))");
  CHECK(grouped("2^-3") == "(^ 2 (neg 3))");
  CHECK(grouped("2^-x^2") == "(^ 2 (neg (^ x 2)))");
  CHECK(grouped("x'^2") == "(^ (' x) 2)");
  CHECK(grouped("(a + b)*c") == "(** (++ a b) c)");
  for (const char* op : {"<", "<=", ">", ">=", "==", "!="})
    CHECK(grouped(std::string("a ") + op + " b") == std::string("(") + op + " a b)");
}

TEST_CASE("suffixes apply from left to right") {
  CHECK(grouped("x''") == "(' (' x))");
  CHECK(grouped("x[1]'") == "(' ([] x 1))");
  CHECK(grouped("A[1, 2][3]") == "([] ([] A 1 2) 3)");
  CHECK(grouped("head.gap.N[1]") == "([] (.N (.gap head)) 1)");
  CHECK(grouped("f(x)[2]") == "([] (f() x) 2)");
  CHECK(grouped("(a + b)[2]'") == "(' ([] (++ a b) 2))");
  CHECK(grouped("[x, y]'") == "(' (vec x y))");
  CHECK(grouped("[x, y]'[1]") == "([] (' (vec x y)) 1)");
}

TEST_CASE("members and labels may be keywords") {
  CHECK(grouped("top.mass") == "(.mass top)");
  CHECK(grouped("c.restitution + c.gap") == "(++ (.restitution c) (.gap c))");
  const Expr call = expression("rigid(mass = m, force = 2, 3)");
  REQUIRE(call.args.size() == 3);
  REQUIRE(call.names.size() == 3);
  CHECK(call.names[0].text == "mass");
  CHECK(call.names[1].text == "force");
  CHECK(call.names[2].text.empty());
}

TEST_CASE("calls take positional and named arguments") {
  const Expr call = expression("f(x, restitution = e)");
  CHECK(call.kind == ExprKind::call);
  CHECK(call.text == "f");
  CHECK(call.names.at(0).text.empty());
  CHECK(call.names.at(1).text == "restitution");
  CHECK(grouped("f()") == "(f())");
  CHECK(grouped("f (x)") == "(f() x)");
  CHECK(grouped("gauge(D, -T)") == "(gauge() D (neg T))");
  CHECK(grouped("support(D, v)/2") == "(*/ (support() D v) 2)");
}

TEST_CASE("vectors and matrices") {
  CHECK(grouped("[a, b]") == "(vec a b)");
  CHECK(grouped("[[a, b],\n [c, d]]") == "(vec (vec a b) (vec c d))");
  const Expr v = expression("[0, 0, -9.81] [m/s^2]");
  REQUIRE(v.unit);
  CHECK(v.unit->factors.size() == 2);
  CHECK(grouped("-[T, tau]") == "(neg (vec T tau))");
}

TEST_CASE("sets by functions, case distinctions") {
  const Expr g = expression("gauge (x, y) { x^2 + y^2 }");
  CHECK(g.kind == ExprKind::gauge);
  REQUIRE(g.names.size() == 2);
  CHECK(g.names[1].text == "y");
  CHECK(grouped(g.args.at(0)) == "(++ (^ x 2) (^ y 2))");
  CHECK(expression("support (v, w) { v }").kind == ExprKind::support);
  CHECK(grouped("piecewise { x < 0 : -1, x < 1 : 2, else : 3 }") == "(cases (< x 0) (neg 1) (< x 1) 2 3)");
  CHECK(grouped("piecewise { x < 0 : 1  x < 1 : 2  else : 3 }") == "(cases (< x 0) 1 (< x 1) 2 3)");
  CHECK(grouped("piecewise { a : 1 else : 0 } - 2") == "(+- (cases a 1 0) 2)");
}

TEST_CASE("numbers") {
  CHECK(expression("6e-3").value == 6e-3);
  CHECK(expression("1.25E+2").value == 125);
  CHECK(expression("0.1").value == 0.1);
  CHECK(expression("1e-310").value == 1e-310);
  CHECK(!expression("3").unit);
}

TEST_CASE("units") {
  auto unit = [](const std::string& text) {
    std::string result;
    const Expr number = expression("1 [" + text + "]");
    for (const ast::UnitFactor& f : number.unit.value().factors)
      result += f.name + ":" + std::to_string(f.numerator) + "/" + std::to_string(f.denominator) + " ";
    return result;
  };
  CHECK(unit("kg") == "kg:1/1 ");
  CHECK(unit("1") == "");
  CHECK(unit("1/s") == "s:-1/1 ");
  CHECK(unit("kg m/s^2") == "kg:1/1 m:1/1 s:-2/1 ");
  CHECK(unit("a/b c") == "a:1/1 b:-1/1 c:1/1 ");
  CHECK(unit("N*m·s") == "N:1/1 m:1/1 s:1/1 ");
  CHECK(unit("m^-1") == "m:-1/1 ");
  CHECK(unit("m^(2/4)/s^(-1/2)") == "m:1/2 s:1/2 ");
  CHECK(unit("µm") == "µm:1/1 ");
  CHECK(unit("°") == "°:1/1 ");
  CHECK(unit("°C in") == "°C:1/1 in:1/1 ");
}

TEST_CASE("a bracket after a name is an index, never a unit") {
  CHECK(grouped("m[kg]") == "([] m kg)");
  CHECK(grouped("(2)[kg]") == "([] 2 kg)");
}

TEST_CASE("names may be letters of many alphabets") {
  for (const char* name : {"θ", "μ", "é", "x₁", "ψ_0", "Ω2", "ж", "ℓ", "𝛼"}) CHECK(expression(name).text == name);
}
