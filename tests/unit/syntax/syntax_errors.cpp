// What is said about text that is not .nsm, and how the parser finds its way again.
#include <doctest/doctest.h>

#include "tests/unit/syntax/parse_text.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

using Lines = std::vector<std::string>;

// The only diagnostic of a text.
Diagnostic one(const std::string& text) {
  const Parsed p(text);
  CHECK_MESSAGE(!p.model, text);
  REQUIRE_MESSAGE(p.errors().size() == 1, text << render(p.diagnostics, p.sources, false));
  return p.errors()[0];
}

}  // namespace

TEST_CASE("messages say what was expected and what was found") {
  CHECK(Parsed("param a =\nparam b = 2").lines() ==
        Lines{"N0104 1:10 expected an expression after '=', found the keyword 'param'"});
  CHECK(Parsed("param = 2").lines() == Lines{"N0104 1:7 expected a name after 'param', found '='"});
  CHECK(Parsed("param a 2").lines() == Lines{"N0104 1:9 expected '=' after 'a', found '2'"});
  CHECK(Parsed("let a = f(x y)").lines() == Lines{"N0104 1:13 expected ',' or ')' after 'x', found 'y'"});
  CHECK(Parsed("let a = [1 2]").lines() == Lines{"N0104 1:12 expected ',' or ']' after '1', found '2'"});
  CHECK(Parsed("let a = 1 +").lines() ==
        Lines{"N0104 1:12 expected an expression after '+', found the end of the file"});
  CHECK(Parsed("let a = x.3").lines() == Lines{"N0104 1:11 expected a name after '.', found '3'"});
  CHECK(Parsed("contact c { foo }").lines() ==
        Lines{"N0104 1:13 expected gap, slip, spin, roll, law, let or '}' after '{', found 'foo'"});
  CHECK(Parsed("simulate { 3 }").lines() ==
        Lines{"N0104 1:12 expected the name of a setting or '}' after '{', found '3'"});
  CHECK(Parsed("contact c { gap z +\n slip x }").lines() ==
        Lines{"N0104 1:20 expected an expression after '+', found 'slip'"});
  CHECK(Parsed("fn f = 3").lines() == Lines{"N0104 1:6 expected '(' after 'f', found '='"});
  CHECK(Parsed("param a = 1 \"one\" \"two\"").lines() == Lines{"N0104 1:19 unexpected string \"two\" after \"one\""});
}

TEST_CASE("common slips get a hint") {
  CHECK(one("param a = 1;").hint.find("no semicolons") == 0);
  CHECK(one("param a = 2**3").hint == "use ^ for powers");
  CHECK(one("let a = piecewise { x = 1 : 2 else : 3 }").hint == "use == to compare");
  CHECK(one("let a = b = c").hint == "use == to compare");
  CHECK(one("param a = b [kg]").hint.find("units follow numbers: 3 [m]") == 0);
  CHECK(one("parm a = 1").hint == "did you mean 'param'?");
  CHECK(one("param a = 1\nkinetc a").hint == "did you mean 'kinetic'?");
  CHECK(one("let a = 2 m").hint.find("a unit stands in brackets") == 0);
  CHECK(one("let a = piecewise { 1 < x < 2 : 1 else : 2 }").hint.find("comparisons do not chain") == 0);
  CHECK(one("param a = 1.").hint.find("write digits after the point") == 0);
  CHECK(one("param a = .5").hint.find("write a digit before the point") == 0);
  CHECK(one("param a = +5").hint == "a number needs no sign +");
  CHECK(one("param a = 1 }").hint == "there is no open '{' for it");
  CHECK(one("force z = 3").hint == "a force is written force x : value");
  CHECK(one("param mass = 1").hint.find("'mass' is a word of the language") == 0);
  CHECK(one("law a { let r = mu -slip in C }").hint.find("put the left side") == 0);
  CHECK(one("law a { force T [2] slip in C }").hint.find("an index touches") == 0);
}

TEST_CASE("words of bodies are no names") {
  CHECK(Parsed("param gravity = 1").lines() ==
        Lines{"N0104 1:7 expected a name after 'param', found the keyword 'gravity'"});
  for (const char* word : {"body", "shape", "joint", "gravity", "spring", "damper"})
    CHECK(one("param " + std::string(word) + " = 1").hint.find("is a word of the language") != std::string::npos);
  CHECK(one("bodi a = point(mass = 1)").hint == "did you mean 'body'?");
}

TEST_CASE("broken ranges") {
  CHECK(Parsed("coord z[i in n] [m]").lines() == Lines{"N0104 1:15 expected '..' after 'n', found ']'"});
  CHECK(one("coord z[i in n] [m]").hint == "a range has two ends: i in 1..n");
  CHECK(Parsed("body b[i = 1..n] = point()").lines() == Lines{"N0104 1:10 expected 'in' after 'i', found '='"});
  CHECK(one("body b[i = 1..n] = point()").hint == "the range of an array is written [i in 1..n]");
  CHECK(Parsed("body b[3] = point()").lines() == Lines{"N0104 1:8 expected a name after '[', found '3'"});
  CHECK(one("body b[3] = point()").hint == "the range of an array is written [i in 1..n]");
  CHECK(Parsed("body b[i in 1..n, 2] = point()").lines() == Lines{"N0104 1:17 expected ']' after 'n', found ','"});
  CHECK(Parsed("body b[i in 1..] = point()").lines() ==
        Lines{"N0104 1:16 expected an expression after '..', found ']'"});
  CHECK(Parsed("kinetic a for").lines() == Lines{"N0104 1:14 expected a name after 'for', found the end of the file"});
  CHECK(one("kinetic a for").hint == "a range is written for i in 1..n");
  CHECK(Parsed("kinetic a for i = 1..n").lines() == Lines{"N0104 1:17 expected 'in' after 'i', found '='"});
  CHECK(one("kinetic a for i = 1..n").hint == "a range is written for i in 1..n");
  CHECK(one("coord z[i in 1..n = 3").hint.empty());
  for (const char* text : {"force [1, 2] for i in 1..n", "force z[i] for i in 1..n : F"})
    CHECK(one(text).hint == "a force on each element is written force z[i] : value for i in 1..n");
  CHECK(one("kinetic a for i in 3").hint == "a range has two ends: i in 1..n");
  CHECK(one("coord z [i in 1..n]").hint == "the range of an array touches its name: z[i in 1..n]");
  CHECK(one("velocity z[i in 1..n]").hint.find("only coordinates, outputs") == 0);
  CHECK(one("shape a = b on c[i] for i in 1..n").hint == "the range of an array follows its name: shape a[i in 1..n]");
  CHECK(one("body a[*] = b").hint == "the range of an array is written [i in 1..n]");
}

TEST_CASE("broken contacts of shapes") {
  CHECK(Parsed("contact a floor { }").lines() == Lines{"N0104 1:11 expected '{' after 'a', found 'floor'"});
  CHECK(one("contact a floor { }").hint == "a contact of two shapes is written contact a on b { ... }");
  CHECK(Parsed("contact a[*] { }").lines() == Lines{"N0104 1:14 expected 'on' after ']', found '{'"});
  CHECK(Parsed("contact a[1] b { }").lines() == Lines{"N0104 1:14 expected 'on' after ']', found 'b'"});
  CHECK(Parsed("contact c = a { }").lines() == Lines{"N0104 1:15 expected 'on' after 'a', found '{'"});
  CHECK(Parsed("contact a on { }").lines() == Lines{"N0104 1:14 expected a name after 'on', found '{'"});
  CHECK(Parsed("contact a on b[* + 1] { }").lines() == Lines{"N0104 1:18 expected ']' after '*', found '+'"});
  for (const char* text : {"contact a[i in 1..n] on b { }", "contact c[i in 1..n] = a[i] on b { }"})
    CHECK(one(text).hint.find("many contacts of shapes") == 0);
  CHECK(one("let x = bead[*].position").hint.find("only the shapes of a contact") == 0);
  CHECK(Parsed("joint j = a { foo }").lines() ==
        Lines{"N0104 1:15 expected gap, slip, spin, roll, law, let or '}' after '{', found 'foo'"});
  CHECK(Parsed("shape a = b on c[*]").lines() == Lines{"N0104 1:18 expected an expression after '[', found '*'"});
}

TEST_CASE("broken springs") {
  CHECK(Parsed("spring s stiffness k").lines() ==
        Lines{"N0104 1:10 expected 'on' or 'between' after 's', found 'stiffness'"});
  CHECK(one("spring s stiffness k").hint.find("a spring is written spring s between p and q") == 0);
  CHECK(Parsed("spring s between a, b").lines() == Lines{"N0104 1:19 expected 'and' after 'a', found ','"});
  CHECK(one("spring s between a and b stifness k").hint == "did you mean 'stiffness'?");
  CHECK(Parsed("spring s on j stiffness k stiffness l").lines() ==
        Lines{"N0104 1:27 second 'stiffness' of one spring"});
  CHECK(one("spring s on j stiffness k stiffness l").labels.size() == 1);
  CHECK(Parsed("spring s on j length l").lines() == Lines{"N0104 1:15 'length' of a spring on a joint"});
  CHECK(Parsed("spring s between a and b angle l").lines() ==
        Lines{"N0104 1:26 'angle' of a spring between two points"});
  CHECK(Parsed("damper c on j").lines() == Lines{"N0104 1:14 expected 'damping' after 'j', found the end of the file"});
  CHECK(Parsed("damper c on j stiffness k").lines() ==
        Lines{"N0104 1:15 expected 'damping' after 'j', found 'stiffness'"});
  CHECK(one("damper c on j stiffness k").hint == "a damper has a damping only; a spring may have one too");
}

TEST_CASE("broken forces and members") {
  CHECK(Parsed("force 2*z : 1").lines() == Lines{"N0104 1:7 expected a coordinate, a velocity or a body before ':'"});
  CHECK(Parsed("force z[1, 2] : 1").lines() ==
        Lines{"N0104 1:7 expected a coordinate, a velocity or a body before ':'"});
  CHECK(Parsed("force a at [1] F").lines() == Lines{"N0104 1:16 expected ':' after ']', found 'F'"});
  CHECK(one("torque a at [1] : F").hint == "a torque acts on the whole body, not at a point");
  CHECK(one("torque a = F").hint == "a torque is written torque top : value");
  CHECK(one("let a = b.f(x = 1)").hint == "arguments after a '.' have no names");
  CHECK(Parsed("let a = f(1\ntorque top : M").lines() == Lines{"N0104 1:12 expected ')' before 'torque'"});
  CHECK(Parsed("let a = 1 +\ntorque top : M").lines() ==
        Lines{"N0104 1:12 expected an expression after '+', found the keyword 'torque'"});
  CHECK(Parsed("let a = 1 + torque x").lines() == Lines{"N0104 1:20 unexpected 'x' after 'torque'"});
}

TEST_CASE("a missing bracket is shown where it was opened") {
  const Parsed p("contact c {\n  gap z\n  law u\n\nparam a = 1");
  REQUIRE(p.errors().size() == 1);
  CHECK(p.lines()[0] == "N0104 3:8 expected '}' before 'param'");
  REQUIRE(p.errors()[0].labels.size() == 1);
  CHECK(p.errors()[0].labels[0].span.begin == 10);
  CHECK(p.text(p.errors()[0].labels[0].span) == "{");

  CHECK(Parsed("contact c {\n  gap z\n").lines() == Lines{"N0104 2:8 expected '}' before the end of the file"});
  CHECK(Parsed("param a = f(1\nparam b = 1").lines() == Lines{"N0104 1:14 expected ')' before 'param'"});
  CHECK(Parsed("param a = [1\nparam b = 1").lines() == Lines{"N0104 1:13 expected ']' before 'param'"});
  CHECK(Parsed("param a = 1 [m\nparam b = 1").lines() == Lines{"N0104 1:15 expected ']' before 'param'"});
}

TEST_CASE("a law after an unclosed contact is a law again") {
  const Parsed p("contact c {\n  gap z\n  law u\n\nlaw foo(mu) {\n  force N\n  gap' in C\n}\nparam b = ");
  CHECK(p.lines() == Lines{"N0104 5:1 expected '}' before 'law'",
                           "N0104 9:10 expected an expression after '=', found the end of the file"});
}

TEST_CASE("one diagnostic for each broken declaration, and none for the good ones") {
  const Parsed p(
      "param a =\n"
      "contact c {\n  gap z +\n  slip [1, 2\n  law foo\n  let k = 2\n}\n"
      "param b = 2\n"
      "law l {\n  force\n  gap' in C\n}\n"
      "coord (\n"
      "simulate { until 1 }\n");
  CHECK(p.lines() ==
        Lines{"N0104 1:10 expected an expression after '=', found the keyword 'contact'",
              "N0104 3:10 expected an expression after '+', found 'slip'",
              "N0104 11:6 expected force, let, an inclusion or '}' after 'gap', found the derivative sign '",
              "N0104 13:7 expected a name after 'coord', found '('"});
}

TEST_CASE("at most fifty") {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "param = 1\n";
  CHECK(Parsed(text).errors().size() == 50);
}

TEST_CASE("characters, comments and strings") {
  CHECK(Parsed("param a = 1 $ 2").lines() == Lines{"N0101 1:13 unexpected character '$'"});
  CHECK(Parsed("param a = b && c\nparam d = e ≤ f").lines() ==
        Lines{"N0101 1:13 unexpected character '&'", "N0101 2:13 unexpected character '≤'"});
  CHECK(Parsed(std::string("param a = 1 \0", 13)).lines() == Lines{"N0101 1:13 unexpected character U+0000"});
  CHECK(Parsed("param a = 1 /* b * / **\nparam c = ").lines() == Lines{"N0102 1:13 comment without its end"});
  CHECK(Parsed("param a = 1 /* b **/ /***/ /**/ /* * / */").model);
  CHECK(Parsed("param a = 1 \"b\nparam c = 1").lines() == Lines{"N0103 1:13 string without its closing quote"});
  CHECK(Parsed("param a = 1 \"b\\").lines() == Lines{"N0103 1:13 string without its closing quote"});
  CHECK(Parsed("param a = 1 // \"no string /* no comment").model);
}

TEST_CASE("files that are not models") {
  CHECK(Parsed("").lines() == Lines{"N0106 1:1 the file declares nothing"});
  CHECK(Parsed("\n// nothing\n/* at all */").lines() == Lines{"N0106 1:1 the file declares nothing"});
  CHECK(Parsed("param a = 1\nparam \xC3 = 2").lines() == Lines{"N0001 2:7 byte 0xC3 is not valid UTF-8"});
  CHECK(one("param a = 1\nmodel b\nmodel c").labels.size() == 1);
}

TEST_CASE("numbers and units that cannot be") {
  CHECK(one("param a = 1e999").kind == Kind::number_out_of_range);
  CHECK(one("param a = 1e-999").kind == Kind::number_out_of_range);
  CHECK(one("param a = 1 [m^99999999999]").kind == Kind::number_out_of_range);
  CHECK(one("param a = 1 [m^0.5]").hint == "write a fraction in parentheses: m^(1/2)");
  CHECK(one("param a = 1 [m^(1/0)]").kind == Kind::unexpected_token);
  CHECK(one("param a = 1 [2 m]").kind == Kind::unexpected_token);
  CHECK(one("set C = gauge (x, 2*y) { x }").kind == Kind::unexpected_token);
}

TEST_CASE("ranges lex as numbers and dots") {
  CHECK(Parsed("param a = 1..n").lines() == Lines{"N0104 1:12 unexpected '..' after '1'"});
}

TEST_CASE("every prefix of a model is answered, never a crash") {
  const std::string text =
      "model m \"d\"\nparam θ [m^(1/2)] = f(x, y = 2 [s])[1]'\ncontact c { gap z slip [x', y] law u(e = 1) }\n"
      "law l(mu = 1) { force T[2], tau [slip, spin] in normal_cone(C ∩ D, -[T, tau]) restitution mu }\n"
      "set s = gauge (x, y) { piecewise { x < 0 : -x, else : x^2 } } simulate { until 3 [s] /* c */ }\n"
      "body b[i in 1..n-1] = point(mass = m) shape s = sphere(r) on b[2] at [0, 0, 1] coord z[i in 1..n] [m] = 1\n"
      "contact p = b[i] on b[i+1] for i in 1..n { law u } contact b[*] on f { } joint j = r(a, b) { law f }\n"
      "spring s[i in 1..n] between b[i].point([1]) and w stiffness k length l damper d on j damping c\n"
      "force b[i] at [1] : F for i in 1..n torque top : M";
  REQUIRE(Parsed(text).model);
  for (std::size_t length = 0; length < text.size(); ++length) {
    const Parsed p(text.substr(0, length));
    CHECK(p.model.has_value() == p.errors().empty());
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const Parsed p(text.substr(0, i) + text.substr(i + 1));
    CHECK(p.model.has_value() == p.errors().empty());
  }
}
