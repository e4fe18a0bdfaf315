// Derivatives: known ones, and random ones against central differences.
#include <doctest/doctest.h>

#include "tests/unit/symbolic/fixture.hpp"
#include "tests/unit/symbolic/random_expression.hpp"

using namespace nsmc::sym;
using nsmc::sym::test::Fixture;
using nsmc::sym::test::RandomExpression;

TEST_CASE_FIXTURE(Fixture, "known derivatives") {
  CHECK(derivative(pool, pool.pow(x, c(3)), x) == pool.mul(c(3), square(x)));
  CHECK(derivative(pool, sin(pool.mul(m, x)), x) == pool.mul(m, cos(pool.mul(m, x))));
  CHECK(derivative(pool, y, x) == c(0));
  CHECK(derivative(pool, pool.call(Op::abs, x), x) == pool.call(Op::sign, x));
  CHECK(derivative(pool, pool.call(Op::sign, x), x) == c(0));
  CHECK(derivative(pool, pool.call(Op::max, x, y), x) == pool.select(pool.call(Op::less_equal, x, y), c(0), c(1)));
  CHECK(derivative(pool, pool.call(Op::hypot, x, y), x) == pool.div(x, pool.call(Op::hypot, x, y)));
  CHECK(derivative(pool, pool.pow(x, m), x) == pool.mul(m, pool.pow(x, pool.sub(m, c(1)))));
}

TEST_CASE_FIXTURE(Fixture, "a branch not taken does not spoil the gradient") {
  // One expression and three symbols: would be reverse mode, where the branch would be multiplied by zero.
  const Expr e = pool.select(pool.call(Op::less, c(0), x), pool.sqrt(x), pool.mul(y, z));
  const auto gradient = jacobian(pool, std::vector{e}, std::vector{x, y, z});
  CHECK(at(gradient[0], 0, 2, 3) == 0);
  CHECK(at(gradient[1], 0, 2, 3) == 3);
}

TEST_CASE("derivatives of random expressions against central differences") {
  std::size_t compared = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    const bool smooth = seed % 2 == 0;
    RandomExpression e(seed, smooth, 10);
    e.positive_bases = true;
    const auto forward = jacobian(e.pool, e.exprs, e.symbols);  // more expressions than symbols
    const std::array<double, 3> point{0.61, -0.83, 1.27};
    const double h = 1e-5;
    const auto lookup = [](const std::array<double, 3>& p) { return [p](const Symbol& s) { return p[s.index]; }; };
    const auto values = evaluate(e.pool, forward, lookup(point));
    for (std::size_t j = 0; j < 3; ++j) {
      std::array<std::vector<double>, 4> plain;  // at +h, -h, +2h, -2h
      for (std::size_t k = 0; k < 4; ++k) {
        auto moved = point;
        moved[j] += std::array{h, -h, 2 * h, -2 * h}[k];
        plain[k] = e.plain_values(moved);
      }
      for (std::size_t i = 0; i < e.exprs.size(); ++i) {
        const double near = (plain[0][i] - plain[1][i]) / (2 * h);
        const double far = (plain[2][i] - plain[3][i]) / (4 * h);
        // Two step widths that disagree mean a kink, a pole or too little precision.
        if (!(std::abs(near - far) <= 1e-5 * (1 + std::abs(near))) || std::abs(near) > 1e5) continue;
        const double actual = values[i * 3 + j];
        ++compared;
        if (!(std::abs(actual - near) <= 1e-3 * (1 + std::abs(near))))
          FAIL_CHECK("seed " << seed << ": d/d" << j << " of " << to_infix(e.pool, e.exprs[i]) << " is " << actual
                             << ", expected " << near);
      }
    }
    // Reverse mode, one expression at a time, says the same.
    for (std::size_t i = 11; i < e.exprs.size(); ++i) {
      const auto reverse = jacobian(e.pool, std::vector{e.exprs[i]}, e.symbols);
      const auto again = evaluate(e.pool, reverse, lookup(point));
      for (std::size_t j = 0; j < 3; ++j)
        if (std::isfinite(values[i * 3 + j]) && std::abs(values[i * 3 + j]) < 1e6 && std::isfinite(again[j]))
          CHECK(again[j] == doctest::Approx(values[i * 3 + j]).epsilon(1e-6));
    }
  }
  CHECK(compared > 20000);
}

TEST_CASE_FIXTURE(Fixture, "the derivative of a product of many factors stays small") {
  std::vector<Expr> factors;
  for (std::uint32_t i = 0; i < 50; ++i) factors.push_back(sin(pool.add(x, pool.symbol(Source::force, i, "f"))));
  const std::size_t before = pool.size();
  (void)derivative(pool, pool.mul(factors), x);
  CHECK(pool.size() - before < 500);
}
