// Every row of functions.def holds what its columns promise: the derivative by differences, the symmetry by values and
// in the normal form, the number of arguments, the texts. A new row is tested by being there.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "compiler/support/functions.hpp"
#include "tests/unit/symbolic/fixture.hpp"

using namespace nsmc;
using namespace nsmc::sym;
using nsmc::sym::test::Fixture;

namespace {

struct Rows : Fixture {
  // Of all functions; `call` is the function of x, or of x and y.
  template <class Check>
  void for_each(const Check& check) {
    for (const ScalarFunction& row : scalar_functions) {
      const std::optional<Op> op = function_named(row.name);
      if (!op) continue;
      INFO(row.name);
      check(row, *op, row.arity == Arity::one ? pool.call(*op, x) : pool.call(*op, x, y));
    }
  }
};

// Where every function is defined and none has a jump or a kink.
constexpr double points[][2] = {{0.15, 0.4}, {0.37, 0.22}, {0.61, 0.83}, {0.93, 0.07}};

}  // namespace

TEST_CASE("functions: an operation has its own row") {
  CHECK(function_of(Op::sin)->name == std::string("sin"));
  CHECK(function_of(Op::mod)->name == std::string("mod"));
  CHECK(function_of(Op::pow) == nullptr);
  CHECK(function_of(Op::less) == nullptr);
  CHECK(function_named("cbrt") == Op::cbrt);
  CHECK(function_named("sqrt") == std::nullopt);  // a shorthand
  CHECK(function_named("sine") == std::nullopt);
}

TEST_CASE_FIXTURE(Rows, "functions: derivatives by differences") {
  constexpr double h = 1e-5;
  for_each([&](const ScalarFunction&, Op, Expr f) {
    const Expr by_x = derivative(pool, f, x), by_y = derivative(pool, f, y);
    for (const auto& [a, b] : points) {
      CHECK(at(by_x, a, b) == doctest::Approx((at(f, a + h, b) - at(f, a - h, b)) / (2 * h)).epsilon(1e-6));
      CHECK(at(by_y, a, b) == doctest::Approx((at(f, a, b + h) - at(f, a, b - h)) / (2 * h)).epsilon(1e-6));
    }
  });
}

TEST_CASE_FIXTURE(Rows, "functions: symmetries, by values and as one expression") {
  for_each([&](const ScalarFunction& row, Op op, Expr f) {
    const bool single = row.arity == Arity::one;
    const Expr mirrored = single ? pool.call(op, pool.neg(x)) : pool.call(op, y, x);
    switch (row.symmetry) {
      case Symmetry::odd:
        CHECK(mirrored == pool.neg(f));
        for (const auto& [a, b] : points) CHECK(at(f, -a) == -at(f, a));
        break;
      case Symmetry::even:
        CHECK(mirrored == f);
        for (const auto& [a, b] : points) CHECK(at(f, -a) == at(f, a));
        break;
      case Symmetry::commutes:
        CHECK_FALSE(single);
        CHECK(mirrored == f);
        for (const auto& [a, b] : points) CHECK(at(f, a, b) == at(f, b, a));
        break;
      case Symmetry::neither: CHECK(mirrored != f);
    }
  });
}

TEST_CASE_FIXTURE(Rows, "functions: constants are folded to the values of the interpreter") {
  for_each([&](const ScalarFunction& row, Op op, Expr f) {
    for (const auto& [a, b] : points) {
      const Expr folded = row.arity == Arity::one ? pool.call(op, c(a)) : pool.call(op, c(a), c(b));
      REQUIRE(pool.is_constant(folded));
      CHECK(pool.value(folded) == at(f, a, b));
    }
  });
}

TEST_CASE_FIXTURE(Rows, "functions: texts") {
  for_each([&](const ScalarFunction& row, Op, Expr f) {
    const std::string arguments = row.arity == Arity::one ? "x" : "x, y";
    CHECK(to_infix(pool, f) == row.name + ("(" + arguments + ")"));
    const std::string left = row.latex.left;
    CHECK(to_latex(pool, f) == (row.latex.right == nullptr ? left + "\\left(" + arguments + "\\right)"
                                                           : left + arguments + row.latex.right));
  });
}

TEST_CASE_FIXTURE(Fixture, "functions: whole numbers, remainders and cube roots") {
  const Expr floor = pool.call(Op::floor, x), ceil = pool.call(Op::ceil, x), round = pool.call(Op::round, x);
  CHECK(at(floor, -1.5) == -2);
  CHECK(at(ceil, -1.5) == -1);
  CHECK(at(round, -1.5) == -2);  // halves go away from zero
  CHECK(at(round, 2.5) == 3);
  CHECK(derivative(pool, floor, x) == c(0));
  const Expr mod = pool.call(Op::mod, x, y);
  CHECK(at(mod, 7, 3) == 1);
  CHECK(at(mod, -7, 3) == 2);  // the sign of the divisor
  CHECK(at(mod, 7, -3) == -2);
  CHECK(at(mod, 6, 3) == 0);
  CHECK(derivative(pool, mod, x) == c(1));
  CHECK(at(derivative(pool, mod, y), 7, 3) == -2);
  const Expr root = pool.call(Op::cbrt, x);
  CHECK(at(root, -27) == doctest::Approx(-3).epsilon(1e-15));
  CHECK(to_latex(pool, root) == "\\sqrt[3]{x}");
  CHECK(to_latex(pool, square(root)) == "{\\sqrt[3]{x}}^{2}");
  CHECK(to_latex(pool, floor) == "\\left\\lfloor x\\right\\rfloor");
  CHECK(to_infix(pool, mod) == "mod(x, y)");
}
