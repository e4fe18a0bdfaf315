// Large and deep files: bounded memory, and a diagnostic instead of a stack overflow.
#include <doctest/doctest.h>

#include "compiler/syntax/limits.hpp"
#include "tests/unit/syntax/parse_text.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

std::string repeat(const std::string& text, std::size_t times) {
  std::string result;
  result.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

Kind kind_of_only_error(const std::string& text) {
  const Parsed p(text);
  REQUIRE(p.errors().size() == 1);
  return p.errors()[0].kind;
}

}  // namespace

TEST_CASE("many declarations") {
  const Parsed p(repeat("param p = 1 [m]\n", 20'000));
  REQUIRE(p.model);
  CHECK(p.model->declarations.size() == 20'000);
}

TEST_CASE("long chains are not deep") {
  const Parsed p("param a = 1" + repeat(" - x", 20'000));
  REQUIRE(p.model);
  CHECK(std::get<ast::Param>(p.model->declarations[0].value).value.args.size() == 20'001);
}

TEST_CASE("nesting up to the limit is accepted") {
  CHECK(Parsed("param a = " + repeat("(", 250) + "1" + repeat(")", 250)).model);
  CHECK(Parsed("param a = " + repeat("f(", 250) + "1" + repeat(")", 250)).model);
  CHECK(Parsed("param a = " + repeat("-", 250) + "1").model);
  CHECK(Parsed("param a = x" + repeat("'", 250)).model);
  CHECK(Parsed("param a = " + repeat("2^", 250) + "2").model);
  CHECK(Parsed("param a = " + repeat("[", 250) + "1" + repeat("]", 250)).model);
}

TEST_CASE("nesting beyond the limit is refused") {
  CHECK(kind_of_only_error("param a = " + repeat("(", 1'000'000)) == Kind::nesting_too_deep);
  CHECK(kind_of_only_error("param a = " + repeat("-", 5'000) + "1") == Kind::nesting_too_deep);
  CHECK(kind_of_only_error("param a = " + repeat("not ", 5'000) + "1") == Kind::nesting_too_deep);
  CHECK(kind_of_only_error("param a = " + repeat("2^", 5'000) + "1") == Kind::nesting_too_deep);
  CHECK(kind_of_only_error("param a = x" + repeat("'", 5'000)) == Kind::nesting_too_deep);
  CHECK(kind_of_only_error("param a = x" + repeat(".x", 5'000)) == Kind::nesting_too_deep);
  CHECK(kind_of_only_error("param a = x" + repeat("[1]", 5'000)) == Kind::nesting_too_deep);
  // Half the limit in parentheses, each with suffixes: every level counts.
  CHECK(kind_of_only_error("param a = " + repeat("(", 100) + "x" + repeat("''')", 100)) == Kind::nesting_too_deep);
}

TEST_CASE("files and declarations have a largest size") {
  CHECK(kind_of_only_error(std::string(max_file_bytes + 1, ' ')) == Kind::file_too_large);
  CHECK(kind_of_only_error("param a = " + repeat("x+", max_declaration_tokens)) == Kind::model_too_large);
}

TEST_CASE("a broken file of many lines stops after fifty diagnostics") {
  CHECK(Parsed(repeat("param a = (1\n", 50'000)).errors().size() == 50);
}
