// The formatter changes blanks only, and only once.
#include <doctest/doctest.h>

#include "tests/unit/syntax/parse_text.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

std::string without_blanks(const std::string& text) {
  std::string result;
  for (char c : text)
    if (c != ' ' && c != '\n' && c != '\t' && c != '\r') result += c;
  return result;
}

std::string formatted(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  const std::optional<std::string> once = format(sources, sources.add("a", text), diagnostics);
  REQUIRE_MESSAGE(once, render(diagnostics, sources, false));
  CHECK(without_blanks(*once) == without_blanks(text));
  const std::optional<std::string> twice = format(sources, sources.add("b", *once), diagnostics);
  REQUIRE(twice);
  CHECK(*twice == *once);
  CHECK(same(Parsed(text).model.value(), Parsed(*once).model.value()));
  return *once;
}

}  // namespace

TEST_CASE("blanks between tokens") {
  CHECK(formatted("param   m=0.1[kg]") == "param m = 0.1 [kg]\n");
  CHECK(formatted("let a=-b+c -d") == "let a = -b + c - d\n");
  CHECK(formatted("let a = x[ 1 ]*2") == "let a = x[1]*2\n");
}

TEST_CASE("products keep the room their author gave them") {
  CHECK(formatted("kinetic m/2 * z'^2") == "kinetic m/2 * z'^2\n");
  CHECK(formatted("kinetic m/2*z ' ^ 2") == "kinetic m/2*z'^2\n");
  CHECK(formatted("let a = b* c") == "let a = b * c\n");
  CHECK(formatted("set C = A×B∩D") == "set C = A × B ∩ D\n");
}

TEST_CASE("calls, indices, members, units, conditions") {
  CHECK(formatted("let a = f ( x,y , e=2 )[ 1 ] . b") == "let a = f(x, y, e = 2)[1].b\n");
  CHECK(formatted("let a = 2 ^ - 3 - - b") == "let a = 2^-3 - -b\n");
  CHECK(formatted("coord z[m]=1") == "coord z [m] = 1\n");
  CHECK(formatted("param a = 1[ kg m / s^ 2 ]") == "param a = 1 [kg m / s^2]\n");
  CHECK(formatted("force z:-[ 1,2 ][N]") == "force z : -[1, 2] [N]\n");
  CHECK(formatted("let a = piecewise{x<0:1,not b and c:2 else:3}") ==
        "let a = piecewise { x < 0 : 1, not b and c : 2 else : 3 }\n");
  CHECK(formatted("set C = gauge (x,y){x+gauge(D,-y)}") == "set C = gauge (x, y) { x + gauge(D, -y) }\n");
  CHECK(formatted("law l{force T[2],tau [slip,spin]∈C restitution -e}") ==
        "law l { force T[2], tau [slip, spin] ∈ C restitution -e }\n");
  CHECK(formatted("simulate{until 3[s]   step 1e-4 [s] record [a]  end (2) x -1}") ==
        "simulate { until 3 [s]  step 1e-4 [s] record [a]  end (2) x -1 }\n");
}

TEST_CASE("bodies and arrays") {
  CHECK(formatted("body bead[ i in 1 .. n ]=point( mass=m*i )") == "body bead[i in 1..n] = point(mass = m*i)\n");
  CHECK(formatted("body bead[i in 1..n - 1] = b") == "body bead[i in 1..n-1] = b\n");
  CHECK(formatted("coord z[i in n +1..2*(n - 1) - k] = i - 1") == "coord z[i in n+1..2*(n - 1)-k] = i - 1\n");
  CHECK(formatted("kinetic m/2*z[i - 1]'^2 for i in 1..n - 1") == "kinetic m/2*z[i - 1]'^2 for i in 1..n-1\n");
  CHECK(formatted("coord z[i in - 1 .. - n][m]=1") == "coord z[i in -1..-n] [m] = 1\n");
  CHECK(formatted("gravity[0,0,-9.81][m/s^2]") == "gravity [0, 0, -9.81] [m/s^2]\n");
  CHECK(formatted("shape a=sphere( r )  on   b[ 1 ]  at[0,0,1]") == "shape a = sphere(r) on b[1] at [0, 0, 1]\n");
  CHECK(formatted("contact a[ * ]  on  b[ i+1 ]   for  i  in 1..n{law u}") ==
        "contact a[*] on b[i + 1] for i in 1..n { law u }\n");
  CHECK(formatted("contact p=a on b{\nlaw u\n}") == "contact p = a on b {\n  law u\n}\n");
  CHECK(formatted("joint j=revolute(a,b,\nat=[0,0,1]){\nlaw f\n}") ==
        "joint j = revolute(a, b,\n  at = [0, 0, 1]) {\n  law f\n}\n");
  CHECK(formatted("spring s between a . point( [0] ) and b\nstiffness k  length l   damping d") ==
        "spring s between a.point([0]) and b\n    stiffness k  length l  damping d\n");
  CHECK(formatted("force a at[1]:F   for i in 1..n\ntorque a:M") == "force a at [1] : F for i in 1..n\ntorque a : M\n");
  CHECK(formatted("kinetic a // one\nfor /* two */ i in 1../* three */n") ==
        "kinetic a  // one\n    for /* two */ i in 1.. /* three */ n\n");
  CHECK(formatted("coord z[/* a */ i in 1..n] [m]") == "coord z[ /* a */ i in 1..n] [m]\n");
}

TEST_CASE("indentation") {
  CHECK(formatted("contact c {\ngap z\n      slip f(\na,\nb\n)\n  law u\n}\n") ==
        "contact c {\n  gap z\n  slip f(\n    a,\n    b\n  )\n  law u\n}\n");
  CHECK(formatted("mass [[a, b],\n[c, d]]\n") == "mass [[a, b],\n  [c, d]]\n");
  CHECK(formatted("kinetic a\n+ b\n  potential c") == "kinetic a\n    + b\npotential c\n");
  CHECK(formatted("law l {\nforce N\ngap' in\nC\nrestitution e\n}") ==
        "law l {\n  force N\n  gap' in\n      C\n      restitution e\n}\n");
  CHECK(formatted("let a = piecewise {\nx < 0 : f(g(\n1)),\nelse : 2\n}") ==
        "let a = piecewise {\n  x < 0 : f(g(\n    1)),\n  else : 2\n}\n");
}

TEST_CASE("lines") {
  CHECK(formatted("\n\nparam a = 1   \n\n\n\n\nparam b = 2\n\n\n") == "param a = 1\n\nparam b = 2\n");
  CHECK(formatted("param a = 1\r\nparam b = 2\r\n") == "param a = 1\nparam b = 2\n");
  CHECK(formatted("param a = 1 param b = 2") == "param a = 1 param b = 2\n");
}

TEST_CASE("comments and documentation keep their column") {
  CHECK(formatted("param a = 1// one") == "param a = 1  // one\n");
  CHECK(formatted("param a = 1    // one\nparam bb = 2   // two  \n") ==
        "param a = 1    // one\nparam bb = 2   // two\n");
  CHECK(formatted("kinetic   a    // one\npotential b    // two") == "kinetic a      // one\npotential b    // two\n");
  CHECK(formatted("param a = 1 \"one\"") == "param a = 1 \"one\"\n");
  CHECK(formatted("param a = 1     \"one\"  // c") == "param a = 1     \"one\"  // c\n");
  CHECK(formatted("contact c {\n// in\n  gap z /* a\n   b  \n*/ law u\n}") ==
        "contact c {\n  // in\n  gap z /* a\n   b\n*/ law u\n}\n");
}

TEST_CASE("a file with errors is not formatted") {
  Sources sources;
  Diagnostics diagnostics;
  CHECK(!format(sources, sources.add("a", "param a = "), diagnostics));
  CHECK(diagnostics.has_errors());
}
