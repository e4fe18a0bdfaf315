// Spans are bytes of the source, whatever alphabet stands before them.
#include <doctest/doctest.h>

#include "tests/unit/syntax/parse_text.hpp"

using namespace nsmc;
using namespace nsmc::test;
using namespace nsmc::ast;

TEST_CASE("spans cover what was written") {
  const Parsed p("/* θψ */ param α = 2*(β + 1 [m]) \"дoc\"\nlet γ = f(x, y = δ')");
  REQUIRE(p.model);
  const Declaration& d = p.model->declarations[0];
  CHECK(p.text(d.span) == "param α = 2*(β + 1 [m]) \"дoc\"");
  const Param& a = std::get<Param>(d.value);
  CHECK(p.text(a.name.span) == "α");
  CHECK(p.text(a.value.span) == "2*(β + 1 [m])");
  CHECK(p.text(a.value.args[1].span) == "β + 1 [m]");
  CHECK(p.text(a.value.args[1].args[1].span) == "1 [m]");
  CHECK(p.text(a.value.args[1].args[1].unit->span) == "[m]");
  CHECK(p.text(a.value.args[1].args[1].unit->factors[0].span) == "m");
  const Expr& call = std::get<Let>(p.model->declarations[1].value).value;
  CHECK(p.text(call.span) == "f(x, y = δ')");
  CHECK(p.text(call.names[1].span) == "y");
  CHECK(p.text(call.args[1].span) == "δ'");
  CHECK(p.text(call.args[1].args[0].span) == "δ");
}

TEST_CASE("spans of suffixes start with their operand") {
  const Parsed p("let a = top.axis[3]'");
  const Expr& e = std::get<Let>(p.model.value().declarations[0].value).value;
  CHECK(p.text(e.span) == "top.axis[3]'");
  CHECK(p.text(e.args[0].span) == "top.axis[3]");
  CHECK(p.text(e.args[0].args[0].span) == "top.axis");
}

TEST_CASE("the law of a contact is the call without its keyword") {
  const Parsed p("contact c { law coulomb(0.3) }");
  const Contact& c = std::get<Contact>(p.model.value().declarations[0].value);
  CHECK(p.text(std::get<LawUse>(c.items[0]).call.span) == "coulomb(0.3)");
}

TEST_CASE("a byte order mark is skipped and counted") {
  for (const char* mark : {"\xEF\xBB\xBF", "\xEF\xBB\xBF\xEF\xBB\xBF"}) {
    const Parsed p(std::string(mark) + "param θ = 1");
    REQUIRE(p.model);
    CHECK(p.text(p.model->declarations[0].span) == "param θ = 1");
  }
}

TEST_CASE("spans stay right far into a file with wide characters") {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "param αβγ" + std::to_string(i) + " = 1 // 𝛼 ∈ ℝ\n";
  const Parsed p(text);
  REQUIRE(p.model);
  for (int i = 0; i < 300; ++i)
    REQUIRE(p.text(std::get<Param>(p.model->declarations[static_cast<std::size_t>(i)].value).name.span) ==
            "αβγ" + std::to_string(i));
}

TEST_CASE("diagnostics point at bytes too") {
  const Parsed p("param θ = 1 /* ∈∈ */ }");
  REQUIRE(p.errors().size() == 1);
  CHECK(p.text(p.errors()[0].span) == "}");
}
