// Simplification keeps the value wherever the expression as written has one.
#include <doctest/doctest.h>

#include "tests/unit/symbolic/random_expression.hpp"

using namespace nsmc::sym;
using nsmc::sym::test::RandomExpression;

TEST_CASE("the normal form has the value of the expression as written") {
  std::size_t compared = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    const RandomExpression e(seed, false, 14);
    std::mt19937 random(seed + 77777);
    std::uniform_real_distribution<double> uniform(-2, 2);
    for (int trial = 0; trial < 6; ++trial) {
      std::array<double, 3> point{};
      for (double& p : point) p = random() % 4 == 0 ? 0 : uniform(random);
      const auto expected = e.plain_values(point);
      const auto actual = evaluate(e.pool, e.exprs, [&](const Symbol& s) { return point[s.index]; });
      for (std::size_t i = 0; i < expected.size(); ++i) {
        if (std::isnan(expected[i])) continue;
        ++compared;
        CAPTURE(seed);
        CAPTURE(point[0]);
        CAPTURE(point[1]);
        CAPTURE(point[2]);
        CAPTURE(i);
        if (!(std::abs(actual[i] - expected[i]) <= 1e-6 * (1 + std::abs(expected[i]))))
          FAIL_CHECK(to_infix(e.pool, e.exprs[i]) << " is " << actual[i] << ", expected " << expected[i]);
      }
    }
  }
  CHECK(compared > 100000);
}

TEST_CASE("the same calls give the same ids and the same text") {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const RandomExpression a(seed, false, 30);
    const RandomExpression b(seed, false, 30);
    CHECK(a.exprs == b.exprs);
    CHECK(a.pool.size() == b.pool.size());
    CHECK(to_infix(a.pool, a.exprs.back()) == to_infix(b.pool, b.exprs.back()));
    CHECK(to_latex(a.pool, a.exprs.back()) == to_latex(b.pool, b.exprs.back()));
  }
}

TEST_CASE("substituting symbols by themselves or by constants keeps the value") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomExpression e(seed, false, 14);
    CHECK(substitute(e.pool, e.exprs, [](Expr s) { return s; }) == e.exprs);
    const std::array<double, 3> point{0.7, -1.3, 0.4};
    const auto expected = e.plain_values(point);
    const auto folded =
        substitute(e.pool, e.exprs, [&](Expr s) { return e.pool.constant(point[e.pool.symbol(s).index]); });
    const auto actual = evaluate(e.pool, folded, [](const Symbol&) { return NAN; });
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (!std::isnan(expected[i])) CHECK(actual[i] == doctest::Approx(expected[i]).epsilon(1e-6));
  }
}
