// The evaluator of many points agrees with evaluate(), whatever varies.
#include "compiler/symbolic/evaluator.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace nsmc::sym;

TEST_CASE("an evaluator gives what evaluate gives, at every point and after every change of what is fixed") {
  ExprPool pool;
  const Expr a = pool.symbol(Source::parameter, 0, "a"), b = pool.symbol(Source::parameter, 1, "b");
  const Expr x = pool.symbol(Source::force, 0, "x"), y = pool.symbol(Source::force, 1, "y");
  const std::vector<Expr> roots{
      pool.sqrt(pool.add(pool.mul(x, x), pool.mul(pool.mul(a, b), pool.mul(y, y)))),
      pool.select(pool.call(Op::less, x, a), pool.call(Op::max, x, y), pool.call(Op::sin, b)),
      pool.mul(a, pool.call(Op::exp, b)),
      x,
      pool.constant(3),
      x,  // twice
  };
  Evaluator evaluator(pool, roots, [](const Symbol& s) { return s.source == Source::force; });
  for (const double p : {0.3, 2.0}) {
    const auto fixed = [&](const Symbol& s) { return p + s.index; };
    evaluator.fix(fixed);
    for (const double point : {-1.0, 0.5, 4.0}) {
      const auto value = [&](const Symbol& s) {
        return s.source == Source::force ? point * (s.index + 1.0) : fixed(s);
      };
      CHECK(evaluator(value) == evaluate(pool, roots, value));
    }
  }
}
