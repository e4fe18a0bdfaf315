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
        Lines{"N0104 2:1 expected an expression after '=', found the keyword 'param'"});
  CHECK(Parsed("param = 2").lines() == Lines{"N0104 1:7 expected a name after 'param', found '='"});
  CHECK(Parsed("param a 2").lines() == Lines{"N0104 1:9 expected '=' after 'a', found '2'"});
  CHECK(Parsed("let a = f(x y)").lines() == Lines{"N0104 1:13 expected ',' or ')' after 'x', found 'y'"});
  CHECK(Parsed("let a = [1 2]").lines() == Lines{"N0104 1:12 expected ',' or ']' after '1', found '2'"});
  CHECK(Parsed("let a = 1 +").lines() ==
        Lines{"N0104 1:12 expected an expression after '+', found the end of the file"});
  CHECK(Parsed("let a = x.3").lines() == Lines{"N0104 1:11 expected a name after '.', found '3'"});
  CHECK(Parsed("contact c { foo }").lines() ==
        Lines{"N0104 1:13 expected gap, slip, spin, law, let or '}' after '{', found 'foo'"});
  CHECK(Parsed("simulate { 3 }").lines() ==
        Lines{"N0104 1:12 expected the name of a setting or '}' after '{', found '3'"});
  CHECK(Parsed("contact c { gap z +\n slip x }").lines() ==
        Lines{"N0104 2:2 expected an expression after '+', found 'slip'"});
  CHECK(Parsed("fn f = 3").lines() == Lines{"N0104 1:6 expected '(' after 'f', found '='"});
  CHECK(Parsed("param a = 1 \"one\" \"two\"").lines() ==
        Lines{"N0104 1:19 unexpected the string \"two\" after \"one\""});
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

TEST_CASE("words of later versions") {
  const Diagnostic d = one("body top = rigid(mass = m)");
  CHECK(d.kind == Kind::unexpected_token);
  CHECK(d.message == "'body' is not part of this version of the language");
  for (const char* word : {"shape", "joint", "gravity", "spring", "damper"})
    CHECK(one(std::string(word) + " a").message.find("not part of this version") != std::string::npos);
  CHECK(one("param gravity = 1").message.find("reserved for a later version") != std::string::npos);
}

TEST_CASE("a missing bracket is shown where it was opened") {
  const Parsed p("contact c {\n  gap z\n  law u\n\nparam a = 1");
  REQUIRE(p.errors().size() == 1);
  CHECK(p.lines()[0] == "N0104 5:1 expected '}' before 'param'");
  REQUIRE(p.errors()[0].labels.size() == 1);
  CHECK(p.errors()[0].labels[0].span.begin == 10);
  CHECK(p.text(p.errors()[0].labels[0].span) == "{");

  CHECK(Parsed("contact c {\n  gap z\n").lines() == Lines{"N0104 2:8 expected '}' before the end of the file"});
  CHECK(Parsed("param a = f(1\nparam b = 1").lines() == Lines{"N0104 2:1 expected ')' before 'param'"});
  CHECK(Parsed("param a = [1\nparam b = 1").lines() == Lines{"N0104 2:1 expected ']' before 'param'"});
  CHECK(Parsed("param a = 1 [m\nparam b = 1").lines() == Lines{"N0104 2:1 expected ']' before 'param'"});
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
        Lines{"N0104 2:1 expected an expression after '=', found the keyword 'contact'",
              "N0104 4:3 expected an expression after '+', found 'slip'",
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
      "set s = gauge (x, y) { piecewise { x < 0 : -x, else : x^2 } } simulate { until 3 [s] /* c */ }";
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
