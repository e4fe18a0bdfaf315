// Forces as factors of sets by proof: what is taken out scales the whole set at every load, what is a limit stays.
#include "compiler/mechanics/homogeneity.hpp"

#include "tests/unit/mechanics/derived_model.hpp"

using namespace nsmc;
using namespace nsmc::test;
using sym::Expr;
using sym::Op;
using sym::Source;

namespace {

struct Forces {
  sym::ExprPool pool;
  Expr N = pool.symbol(Source::force, force_index(0, 0), "N");
  Expr M = pool.symbol(Source::force, force_index(0, 1), "M");
  Expr x = pool.symbol(Source::force, 0, "x");
  Expr s = pool.symbol(Source::parameter, 0, "s");
  Expr number(double value) { return pool.constant(value); }

  bool has_degree(Expr e, Expr degree) {
    const auto found = degree_in_forces(pool, e);
    return found && *found == degree;
  }
  bool has_degree(Expr e, double degree) { return has_degree(e, number(degree)); }
  bool is_open(Expr e) { return !degree_in_forces(pool, e); }
};

// A point on a floor; mu, nu, k < 1, cap = 20 N.
DerivedModel on_floor(const std::string& set) {
  return DerivedModel(R"(model on_floor
    param mu = 0.5  param nu = 0.3  param s = 3  param cap = 20 [N]
    coord x [m]  coord y [m]  coord z [m]
    kinetic 1 [kg]*(x'^2/2 + y'^2/2 + z'^2/2)
    set clover(a, b) = gauge (x, y) { 5/2*(((x/a)^2 + (y/b)^2)^(1/2) - 3/5*((x/a)^4 + (y/b)^4)^(1/4)) }
    contact floor { gap z  slip [x', y']  law unilateral  law friction()" +
                      set + ") }");
}

}  // namespace

TEST_CASE("degree in forces: sums, products and powers") {
  Forces f;
  sym::ExprPool& pool = f.pool;
  CHECK(f.has_degree(f.N, 1));
  CHECK(f.has_degree(f.x, 0));
  CHECK(f.has_degree(pool.mul(f.s, f.N), 1));
  CHECK(f.has_degree(pool.div(f.x, f.N), -1));
  CHECK(f.has_degree(pool.add(f.N, f.M), 1));
  CHECK(f.is_open(pool.add(f.N, f.number(20))));
  CHECK(f.is_open(pool.add(f.N, pool.mul(f.N, f.M))));
  CHECK(f.has_degree(pool.pow(f.N, f.s), f.s));
  CHECK(f.has_degree(pool.sqrt(pool.add(pool.mul(f.N, f.N), pool.mul(f.M, f.M))), 1));
  CHECK(f.is_open(pool.pow(f.x, f.N)));
  CHECK(f.is_open(pool.pow(f.N, pool.div(f.N, f.M))));
  CHECK(f.has_degree(pool.pow(pool.div(f.N, f.M), pool.div(f.N, f.M)), 0));
  const Expr power = pool.pow(pool.call(Op::abs, pool.div(f.x, f.N)), f.s);
  CHECK(f.has_degree(pool.pow(pool.add(power, pool.pow(f.N, pool.neg(f.s))), pool.div(f.number(1), f.s)), -1));
}

TEST_CASE("degree in forces: choices and functions") {
  Forces f;
  sym::ExprPool& pool = f.pool;
  const Expr zero = f.number(0), twice = pool.mul(f.number(2), f.N);
  CHECK(f.has_degree(pool.call(Op::min, f.N, f.M), 1));
  CHECK(f.has_degree(pool.call(Op::max, f.N, zero), 1));
  CHECK(f.has_degree(pool.call(Op::min, f.N, f.number(std::numeric_limits<double>::infinity())), 1));
  CHECK(f.is_open(pool.call(Op::min, f.N, f.number(1e300))));
  CHECK(f.is_open(pool.call(Op::max, f.N, f.number(1e-300))));
  CHECK(f.has_degree(pool.call(Op::hypot, f.N, f.M), 1));
  CHECK(f.has_degree(pool.call(Op::abs, f.N), 1));
  CHECK(f.has_degree(pool.call(Op::sign, f.N), 0));
  CHECK(f.has_degree(pool.call(Op::atan2, f.N, f.M), 0));
  CHECK(f.has_degree(pool.call(Op::mod, f.N, f.M), 1));
  CHECK(f.is_open(pool.call(Op::mod, f.N, f.x)));
  CHECK(f.has_degree(pool.call(Op::cbrt, pool.mul(f.N, pool.mul(f.N, f.M))), 1));
  CHECK(f.is_open(pool.call(Op::floor, f.N)));
  CHECK(f.has_degree(pool.call(Op::cos, pool.div(f.N, f.M)), 0));
  CHECK(f.is_open(pool.call(Op::cos, f.N)));
  CHECK(f.is_open(pool.call(Op::exp, f.N)));
  CHECK(f.has_degree(pool.select(pool.call(Op::less, f.N, f.M), f.N, twice), 1));
  CHECK(f.has_degree(pool.select(pool.call(Op::less, f.x, f.number(3)), f.N, twice), 1));
  CHECK(f.is_open(pool.select(pool.call(Op::less, f.N, f.number(40)), f.N, twice)));
  CHECK(f.is_open(pool.select(pool.call(Op::less, f.N, f.M), f.N, f.x)));
  CHECK(f.has_degree(pool.select(pool.call(Op::less, f.N, f.M), f.N, zero), 1));
}

TEST_CASE("sets by functions: a force that scales the whole set is taken out") {
  for (const char* set : {
           "gauge (a, b) { norm([a, b])/(mu*N) }",
           "gauge (a, b) { sqrt((a/(mu*N))^2 + (b/(nu*N))^2) }",
           "gauge (a, b) { (abs(a/(mu*N))^s + abs(b/(nu*N))^s)^(1/s) }",
           "gauge (a, b) { ((a/(mu*N))^12 + (b/(nu*N))^12)^(1/12) }",
           "gauge (a, b) { max(abs(a)/(mu*N), abs(b)/min(mu*N, nu*N)) }",
           "gauge (a, b) { piecewise { a < 0 [N] : norm([a, b])/(mu*N), else : norm([2*a, b])/(mu*N) } }",
           "clover(mu*N, mu*N) ∩ disc(nu*N)",
           "superellipse(mu*N, nu*N, 3)",
           "superellipse(mu*N, nu*N, 1000)",
           "superellipse(mu*N, nu*N, inf)",
           "superellipse(mu*N, nu*N, s)",
           "N*superellipse(mu, nu, s)",
           "disc(mu*N) ∩ box(nu*N, mu*N)",
           "disc(mu*N) ∩ ellipse(nu*N, mu*N)",
           "N*disc(mu) ∩ [[1, 0.5], [0, 1]]*disc(nu*N)",
           "disc(mu*N) ∩ polygon([mu*N, 0 [N]], [0 [N], nu*N], [-mu*N, 0 [N]], [0 [N], -nu*N])",
           "(disc(mu*N) + [0.1*N, 0 [N]]) ∩ disc(mu*N)",
           "(superellipse(mu*N, mu*N, s) + [0.1*N, 0 [N]]) ∩ disc(mu*N)",
           "support (v, w) { mu*N*norm([v, w]) } ∩ disc(nu*N)",
           "(support (v, w) { mu*N*norm([v, w]) } + [0.1*N, 0 [N]]) ∩ disc(mu*N)",
           "support (v, w) { mu*N*abs(v) + sqrt((nu*N*v)^2 + (nu*N*w)^2) }",
           "N*support (v, w) { mu*norm([v, w]) }",
       }) {
    CAPTURE(std::string(set));
    const DerivedModel model = on_floor(set);
    const SimpleSet& part = model.law(1).sets.at(0);
    CHECK(part.arguments.at(0) == model.contact().lambda.at(0));
    const auto is_user_force = [](const sym::Symbol& s) { return s.source == Source::force && s.index >= kUserForce; };
    CHECK(!sym::depends_on(model.pool, part.function, is_user_force));
  }
}

TEST_CASE("sets by functions: a limit keeps its force inside") {
  for (const char* set : {
           "gauge (a, b) { norm([a, b])/min(mu*N, 20 [N]) }",
           "gauge (a, b) { norm([a, b])/min(mu*N, 1e12 [N]) }",
           "gauge (a, b) { norm([a, b])/max(mu*N, 1e-12 [N]) }",
           "gauge (a, b) { norm([a, b])/(mu*N + max(0 [N], cap - 17 [N])) }",
           "gauge (a, b) { norm([a, b])/(piecewise { N < 40 [N] : mu*N, else : mu*40 [N] }) }",
           "gauge (a, b) { norm([a, b])/(mu*N*(1 + N/(1e9 [N]))) }",
           "superellipse(min(mu*N, 20 [N]), mu*N, 3)",
           "superellipse(mu*N, mu*N, 2 + N/(1e9 [N]))",
           "disc(mu*N) ∩ disc(20 [N])",
           "disc(mu*N) ∩ box(20 [N], 20 [N])",
           "disc(mu*N) ∩ disc(cap)",
           "(disc(mu*N) + [1e-9 [N], 0 [N]]) ∩ disc(mu*N)",
           "support (v, w) { min(mu*N, 20 [N])*norm([v, w]) }",
           "support (v, w) { min(mu*N, 20 [N])*norm([v, w]) } ∩ disc(nu*N)",
           "(superellipse(mu*N, mu*N, s) + [0.1 [N], 0 [N]]) ∩ disc(mu*N)",
       }) {
    CAPTURE(std::string(set));
    const DerivedModel model = on_floor(set);
    const SimpleSet& part = model.law(1).sets.at(0);
    CHECK(model.pool.is_constant(part.arguments.at(0), 1));
    CHECK(sym::depends_on(model.pool, part.function, [&](const sym::Symbol& s) {
      return s.source == Source::force && s.index == force_index(0, 0);
    }));
  }
}
