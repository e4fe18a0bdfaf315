// Expressions of a pool in the notation of mathematics: what the column `derivative` of functions.def is written in.
#pragma once

#include "compiler/symbolic/expr.hpp"

namespace nsmc::sym {

class Formula {
 public:
  Formula(ExprPool& pool, Expr e) : pool_(&pool), expr_(e) {}
  Formula(double number) : number_(number) {}  // in whichever pool it is used

  Expr in(ExprPool& pool) const { return pool_ == nullptr ? pool.constant(number_) : expr_; }

  friend Formula operator+(Formula a, Formula b) { return made<&ExprPool::add>(a, b); }
  friend Formula operator-(Formula a, Formula b) { return made<&ExprPool::sub>(a, b); }
  friend Formula operator*(Formula a, Formula b) { return made<&ExprPool::mul>(a, b); }
  friend Formula operator/(Formula a, Formula b) { return made<&ExprPool::div>(a, b); }
  friend Formula pow(Formula a, Formula b) { return made<&ExprPool::pow>(a, b); }
  friend Formula operator-(Formula a) { return {*a.pool_, a.pool_->neg(a.expr_)}; }
  friend Formula operator<=(Formula a, Formula b) { return called(Op::less_equal, a, b); }

#define NSMC_FUNCTION(name, arguments, ...) NSMC_OF_##arguments(name)
#define NSMC_OF_one(name) \
  friend Formula name(Formula a) { return {*a.pool_, a.pool_->call(Op::name, a.expr_)}; }
#define NSMC_OF_two(name) \
  friend Formula name(Formula a, Formula b) { return called(Op::name, a, b); }
#define NSMC_OF_many(name) NSMC_OF_two(name)
#include "compiler/support/functions.def"
#undef NSMC_OF_one
#undef NSMC_OF_two
#undef NSMC_OF_many

 private:
  static ExprPool& pool_of(Formula a, Formula b) { return a.pool_ != nullptr ? *a.pool_ : *b.pool_; }
  template <Expr (ExprPool::*make)(Expr, Expr)>
  static Formula made(Formula a, Formula b) {
    ExprPool& pool = pool_of(a, b);
    const Expr left = a.in(pool), right = b.in(pool);
    return {pool, (pool.*make)(left, right)};
  }
  static Formula called(Op op, Formula a, Formula b) {
    ExprPool& pool = pool_of(a, b);
    const Expr left = a.in(pool), right = b.in(pool);
    return {pool, pool.call(op, left, right)};
  }

  ExprPool* pool_ = nullptr;  // null: a number
  Expr expr_{};
  double number_ = 0;
};

// One of two formulas, chosen by value.
struct Choice {
  Formula condition, then_value, else_value;
};
inline Choice either(Formula condition, Formula then_value, Formula else_value) {
  return {condition, then_value, else_value};
}

inline Expr in_pool(ExprPool& pool, Formula formula) { return formula.in(pool); }
inline Expr in_pool(ExprPool& pool, const Choice& choice) {
  return pool.select(choice.condition.in(pool), choice.then_value.in(pool), choice.else_value.in(pool));
}

}  // namespace nsmc::sym
