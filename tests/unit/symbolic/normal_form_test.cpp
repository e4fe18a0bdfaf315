// Normal form, hash-consing and walks over the DAG.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/unit/symbolic/fixture.hpp"

using namespace nsmc::sym;
using nsmc::sym::test::Fixture;

TEST_CASE_FIXTURE(Fixture, "equal structure has one id") {
  CHECK(pool.add(x, y) == pool.add(y, x));
  CHECK(pool.mul(x, y) == pool.mul(y, x));
  CHECK(pool.symbol(Source::coordinate, 0, "other") == x);
  CHECK(pool.symbol(x).name == "x");
  CHECK(pool.add(pool.add(x, y), z) == pool.add(x, pool.add(y, z)));
  CHECK(pool.mul(pool.mul(x, y), z) == pool.mul(x, pool.mul(y, z)));
  CHECK(c(0.0) == c(-0.0));
  CHECK(Expr{} == c(0));
  const std::size_t before = pool.size();
  (void)pool.add(pool.mul(x, y), z);
  const std::size_t after = pool.size();
  (void)pool.add(z, pool.mul(y, x));
  CHECK(pool.size() == after);
  CHECK(after > before);
}

TEST_CASE_FIXTURE(Fixture, "sums collect like terms") {
  CHECK(pool.add(pool.mul(c(2), x), pool.mul(c(3), x)) == pool.mul(c(5), x));
  CHECK(pool.sub(x, x) == c(0));
  CHECK(pool.sub(x, pool.add(x, y)) == pool.neg(y));
  CHECK(pool.sub(pool.mul(c(2), pool.add(x, y)), pool.add(pool.mul(c(2), x), pool.mul(c(2), y))) == c(0));
  CHECK(pool.add(pool.add(x, c(1)), c(-1)) == x);
  CHECK(pool.neg(pool.neg(pool.add(x, y))) == pool.add(x, y));
  CHECK(pool.op(pool.mul(c(2), pool.add(x, y))) == Op::mul);
  const Expr sum = pool.add(x, c(3));
  CHECK(pool.is_constant(pool.args(sum)[0], 3));
}

TEST_CASE_FIXTURE(Fixture, "products collect powers of one base") {
  CHECK(pool.mul(x, x) == square(x));
  CHECK(pool.mul(square(x), pool.pow(x, c(-1))) == x);
  CHECK(pool.div(x, x) == c(1));
  CHECK(pool.mul(pool.sqrt(x), pool.sqrt(x)) == x);
  CHECK(pool.mul(x, c(0)) == c(0));
  CHECK(pool.mul(pool.mul(c(2), x), pool.mul(c(3), y)) == pool.mul(c(6), pool.mul(x, y)));
  const Expr root = pool.sqrt(pool.mul(x, y));
  CHECK(pool.mul(std::vector{root, root, x}) == pool.mul(square(x), y));
  const Expr size = pool.call(Op::abs, x);
  CHECK(pool.mul(std::vector{size, size, x}) == pool.pow(x, c(3)));
}

TEST_CASE_FIXTURE(Fixture, "powers") {
  CHECK(pool.pow(x, c(0)) == c(1));
  CHECK(pool.pow(x, c(1)) == x);
  CHECK(pool.pow(c(1), x) == c(1));
  CHECK(pool.sqrt(square(x)) == pool.call(Op::abs, x));
  CHECK(pool.pow(pool.pow(x, c(3)), c(2)) == pool.pow(x, c(6)));
  CHECK(pool.pow(pool.pow(x, y), c(2)) == pool.pow(x, pool.mul(c(2), y)));
  CHECK(square(pool.mul(c(3), pool.mul(x, y))) == pool.mul(c(9), pool.mul(square(x), square(y))));
  CHECK(pool.sqrt(c(2)) == c(std::sqrt(2.0)));
  CHECK(pool.sqrt(pool.mul(c(4), x)) == pool.mul(c(2), pool.sqrt(x)));
  CHECK(pool.op(pool.sqrt(pool.mul(c(2), x))) == Op::pow);
  // Not folded: no finite value.
  CHECK_FALSE(pool.is_constant(pool.pow(c(0), c(-1))));
  CHECK_FALSE(pool.is_constant(pool.sqrt(c(-1))));
  // (x^2 y)^(1/2) is 0 for x = 0 and y < 0: it must not become |x| y^(1/2).
  CHECK(at(pool.sqrt(pool.mul(square(x), y)), 0, -1) == 0);
}

TEST_CASE_FIXTURE(Fixture, "squares of sine and cosine") {
  const Expr s2 = square(sin(x));
  const Expr c2 = square(cos(x));
  CHECK(pool.add(s2, c2) == c(1));
  CHECK(pool.add(c2, s2) == c(1));
  const Expr rest = pool.mul(c(3), pool.mul(m, square(y)));
  CHECK(pool.add(pool.mul(rest, s2), pool.mul(rest, c2)) == rest);
  CHECK(pool.add(std::vector{pool.mul(m, s2), z, pool.mul(m, c2), pool.neg(m)}) == z);
  CHECK(pool.op(pool.add(s2, pool.mul(c(2), c2))) == Op::add);
  CHECK(pool.op(pool.sub(s2, c2)) == Op::add);
  // Twice: (s_x^2 + c_x^2)(s_y^2 + c_y^2) multiplied out.
  const Expr sy = square(sin(y));
  const Expr cy = square(cos(y));
  CHECK(pool.add(std::vector{pool.mul(s2, sy), pool.mul(s2, cy), pool.mul(c2, sy), pool.mul(c2, cy)}) == c(1));
}

TEST_CASE_FIXTURE(Fixture, "functions move signs out and fold constants") {
  CHECK(sin(pool.neg(x)) == pool.neg(sin(x)));
  CHECK(cos(pool.mul(c(-2), x)) == cos(pool.mul(c(2), x)));
  CHECK(cos(pool.sub(x, y)) == cos(pool.sub(y, x)));
  CHECK(sin(pool.sub(x, y)) == pool.neg(sin(pool.sub(y, x))));
  CHECK(pool.call(Op::abs, pool.neg(x)) == pool.call(Op::abs, x));
  CHECK(pool.call(Op::abs, pool.mul(c(-2), x)) == pool.mul(c(2), pool.call(Op::abs, x)));
  CHECK(pool.call(Op::abs, square(x)) == square(x));
  CHECK(pool.call(Op::sign, pool.mul(c(-2), x)) == pool.neg(pool.call(Op::sign, x)));
  CHECK(sin(c(0)) == c(0));
  CHECK(pool.call(Op::exp, c(0)) == c(1));
  CHECK_FALSE(pool.is_constant(pool.call(Op::log, c(0))));
  CHECK(pool.call(Op::min, x, x) == x);
  const Expr absolute = pool.mul(pool.constant(3), pool.call(Op::abs, x));
  CHECK(pool.call(Op::max, pool.constant(0), absolute) == absolute);
  CHECK(pool.call(Op::min, absolute, pool.constant(-1)) == pool.constant(-1));
  CHECK((pool.op(pool.call(Op::max, absolute, pool.constant(1))) == Op::max));
  CHECK((pool.op(pool.call(Op::max, pool.neg(absolute), pool.constant(0))) == Op::max));
  CHECK(pool.call(Op::hypot, x, c(0)) == pool.call(Op::abs, x));
}

TEST_CASE_FIXTURE(Fixture, "conditions and selections") {
  const Expr less = pool.call(Op::less, x, y);
  CHECK(pool.call(Op::less, x, x) == c(0));
  CHECK(pool.call(Op::less_equal, x, x) == c(1));
  CHECK(pool.call(Op::equal, x, x) == c(1));
  CHECK(pool.call(Op::less, c(1), c(2)) == c(1));
  const Expr negated = pool.call(Op::logic_not, less);
  CHECK(pool.call(Op::logic_not, negated) == less);
  CHECK(pool.call(Op::logic_and, less, c(1)) == less);
  CHECK(pool.call(Op::logic_and, less, c(0)) == c(0));
  CHECK(pool.call(Op::logic_or, c(1), less) == c(1));
  CHECK(pool.select(c(1), x, y) == x);
  CHECK(pool.select(c(0), x, y) == y);
  CHECK(pool.select(less, x, x) == x);
  CHECK(pool.select(negated, x, y) == pool.select(less, y, x));
  CHECK(at(pool.select(less, x, y), 1, 2) == 1);
  CHECK(at(pool.select(pool.call(Op::less, x, c(0)), pool.sqrt(pool.neg(x)), c(7)), 3) == 7);
}

TEST_CASE_FIXTURE(Fixture, "folding neither overflows nor underflows") {
  const Expr big = c(1e200);
  const Expr product = pool.mul(pool.mul(big, x), big);
  CHECK(at(product, 1e-300) == doctest::Approx(1e100));
  CHECK(at(pool.mul(product, c(1e-200)), 1e-100) == doctest::Approx(1e100));
  const Expr tiny = pool.mul(pool.mul(c(1e-200), x), c(1e-200));
  CHECK(at(tiny, 1e300) == doctest::Approx(1e-100));
  const Expr huge = pool.mul(c(1.5e308), x);
  CHECK(at(pool.add(huge, huge), 0.1) == doctest::Approx(3e307));
  CHECK(at(square(pool.mul(big, x)), 1e-200) == doctest::Approx(1));
}

TEST_CASE_FIXTURE(Fixture, "walks") {
  const Expr e = pool.add(sin(pool.mul(x, y)), pool.mul(m, x));
  const auto order = topological_order(pool, std::vector{e, e, x});
  std::vector<bool> seen(pool.size());
  for (Expr node : order) {
    CHECK_FALSE(seen[node.id]);
    for (Expr argument : pool.args(node)) CHECK(seen[argument.id]);
    seen[node.id] = true;
  }
  CHECK(depends_on(pool, e, [](const Symbol& s) { return s.name == "y"; }));
  CHECK_FALSE(depends_on(pool, e, [](const Symbol& s) { return s.name == "z"; }));
  const auto replaced = substitute(pool, std::vector{e, x}, [&](Expr s) { return s == y ? c(0) : s; });
  CHECK(replaced[0] == pool.mul(m, x));
  CHECK(replaced[1] == x);
}

TEST_CASE_FIXTURE(Fixture, "a million nodes deep") {
  constexpr int depth = 1000000;
  SUBCASE("nested functions") {
    Expr e = x;
    for (int i = 0; i < depth; ++i) e = sin(e);
    CHECK(topological_order(pool, std::vector{e}).size() == depth + 1u);
    CHECK(std::isfinite(at(e, 1)));
    CHECK(depends_on(pool, e, [](const Symbol& s) { return s.name == "x"; }));
    CHECK(to_infix(pool, e, 100).size() == 103);
    CHECK(to_latex(pool, e, 100).size() < 1000);
    CHECK(substitute(pool, std::vector{e}, [&](Expr) { return c(0); })[0] == c(0));
    Expr less = x;  // its derivative has several nodes for each of these, and there is a limit
    for (int i = 0; i < depth / 10; ++i) less = sin(less);
    CHECK(at(derivative(pool, less, x), 1) == doctest::Approx(0).epsilon(1e-3));
  }
  SUBCASE("running sum and product") {
    Expr sum = x;
    for (int i = 0; i < depth / 4; ++i) sum = pool.add(sum, pool.symbol(Source::force, static_cast<unsigned>(i), "f"));
    CHECK(at(sum, 1) == 1);
    CHECK(at(derivative(pool, sum, x), 1) == 1);
    Expr product = x;
    for (int i = 0; i < depth / 4; ++i)
      product = pool.mul(product, pool.symbol(Source::force, static_cast<unsigned>(i), "f"));
    CHECK(at(product, 1) == 0);
    CHECK(at(square(product), 1) == 0);
  }
}
