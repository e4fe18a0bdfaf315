// A pool with a few symbols, shared by the tests of compiler/symbolic.
#pragma once

#include <vector>

#include "compiler/symbolic/expr.hpp"

namespace nsmc::sym::test {

struct Fixture {
  ExprPool pool;
  Expr m = pool.symbol(Source::parameter, 0, "m");
  Expr g = pool.symbol(Source::parameter, 1, "g");
  Expr x = pool.symbol(Source::coordinate, 0, "x");
  Expr y = pool.symbol(Source::coordinate, 1, "y");
  Expr z = pool.symbol(Source::coordinate, 2, "z");

  Expr c(double value) { return pool.constant(value); }
  Expr square(Expr e) { return pool.pow(e, c(2)); }
  Expr sin(Expr e) { return pool.call(Op::sin, e); }
  Expr cos(Expr e) { return pool.call(Op::cos, e); }
  double at(Expr e, double vx, double vy = 0, double vz = 0) const {
    return evaluate(pool, e, [&](const Symbol& s) {
      if (s.source == Source::parameter) return s.index == 0 ? 2.0 : 9.81;
      if (s.source == Source::force) return 0.0;
      return s.index == 0 ? vx : s.index == 1 ? vy : vz;
    });
  }
};

}  // namespace nsmc::sym::test
