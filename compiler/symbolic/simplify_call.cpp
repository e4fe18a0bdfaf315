// Functions, conditions and selections in normal form: constants folded, signs moved out of odd and even functions.
#include <array>
#include <cmath>
#include <utility>

#include "compiler/support/internal_check.hpp"
#include "compiler/symbolic/arithmetic.hpp"
#include "compiler/symbolic/pool_impl.hpp"

namespace nsmc::sym {

namespace {

Symmetry symmetry(Op op) {
  const ScalarFunction* function = function_of(op);
  return function == nullptr ? Symmetry::neither : function->symmetry;
}

bool is_condition(Op op) { return op >= Op::less && op <= Op::logic_or; }

// 0 or 1 whatever the symbols are.
bool is_truth_value(const ExprPool& pool, Expr e) {
  return is_condition(pool.op(e)) || pool.is_constant(e, 0) || pool.is_constant(e, 1);
}

bool commutes(Op op) {
  return symmetry(op) == Symmetry::commutes || op == Op::equal || op == Op::logic_and || op == Op::logic_or;
}

bool takes_one(Op op) {
  const ScalarFunction* function = function_of(op);
  return function != nullptr ? function->arity == Arity::one : op == Op::logic_not;
}

}  // namespace

Expr ExprPool::call(Op op, Expr a) {
  internal_check(takes_one(op), "call: not a function of one argument");
  Impl& pool = *impl_;
  const auto fold = [&](Expr e) -> std::optional<Expr> {
    if (!is_constant(e)) return std::nullopt;
    const double result = operation_value(op, std::array{pool.value(e)});
    if (!std::isfinite(result)) return std::nullopt;
    return constant(result);
  };
  if (const auto folded = fold(a)) return *folded;

  bool negative = false;
  if (symmetry(op) == Symmetry::odd || symmetry(op) == Symmetry::even) {
    // One sign for u and -u: a negative coefficient goes, and a sum starts with a positive term, so that cos(a - b)
    // and cos(b - a) are one expression.
    if (pool.has_negative_sign(a)) {
      a = neg(a);
      negative = !negative;
    }
    if (this->op(a) == Op::add && args(a).size() <= flatten_limit && pool.has_negative_sign(args(a)[0])) {
      std::vector<Expr> terms(args(a).begin(), args(a).end());
      for (Expr& term : terms) term = neg(term);
      a = add(terms);
      negative = !negative;
    }
  }
  negative = negative && symmetry(op) == Symmetry::odd;

  Expr result = zero;
  if (const auto folded = fold(a)) {
    result = *folded;
  } else if (op == Op::abs) {
    const Term term = pool.split_term(a);
    const Power power = pool.split_power(term.core);
    const bool never_negative = this->op(term.core) == Op::abs || is_even(power.exponent);
    result = pool.join_term(
        {never_negative ? term.core : pool.intern(Op::abs, std::array{term.core}), std::abs(term.coefficient)});
  } else if (op == Op::sign) {
    result = pool.intern(op, std::array{pool.split_term(a).core});
  } else if (op == Op::logic_not && this->op(a) == Op::logic_not && is_truth_value(*this, args(a)[0])) {
    result = args(a)[0];
  } else {
    result = pool.intern(op, std::array{a});
  }
  return negative ? neg(result) : result;
}

Expr ExprPool::call(Op op, Expr a, Expr b) {
  internal_check((function_of(op) != nullptr || is_condition(op)) && !takes_one(op),
                 "call: not a function of two arguments");
  Impl& pool = *impl_;
  if (is_constant(a) && is_constant(b)) {
    const double result = operation_value(op, std::array{pool.value(a), pool.value(b)});
    if (std::isfinite(result)) return constant(result);
  }
  if (op == Op::hypot) {
    if (pool.has_negative_sign(a)) a = neg(a);
    if (pool.has_negative_sign(b)) b = neg(b);
    if (a == zero) return call(Op::abs, b);
    if (b == zero) return call(Op::abs, a);
  }
  if (commutes(op) && b.id < a.id) std::swap(a, b);
  if (a == b) {
    if (op == Op::min || op == Op::max) return a;
    if (op == Op::less) return zero;
    if (op == Op::less_equal || op == Op::equal) return one;
    if ((op == Op::logic_and || op == Op::logic_or) && is_truth_value(*this, a)) return a;
  }
  if (op == Op::min || op == Op::max) {
    const auto is_absolute = [&](Expr e) {
      const Term term = pool.split_term(e);
      return term.coefficient > 0 && this->op(term.core) == Op::abs;
    };
    for (const auto& [bound, e] : {std::pair{a, b}, std::pair{b, a}}) {  // |u| is not less than 0
      if (is_constant(bound) && pool.value(bound) <= 0 && is_absolute(e)) return op == Op::min ? bound : e;
    }
  }
  if (op == Op::logic_and || op == Op::logic_or) {
    const auto simplified = [&](Expr known, Expr other) -> std::optional<Expr> {
      if (!is_constant(known)) return std::nullopt;
      const bool truth = pool.value(known) != 0;
      if (truth != (op == Op::logic_and)) return truth ? one : zero;  // this side decides
      if (is_truth_value(*this, other)) return other;
      return std::nullopt;
    };
    if (const auto decided = simplified(a, b)) return *decided;
    if (const auto decided = simplified(b, a)) return *decided;
  }
  return pool.intern(op, std::array{a, b});
}

Expr ExprPool::select(Expr condition, Expr then_value, Expr else_value) {
  if (then_value == else_value) return then_value;
  for (; op(condition) == Op::logic_not; std::swap(then_value, else_value)) condition = args(condition)[0];
  if (is_constant(condition)) return impl_->value(condition) != 0 ? then_value : else_value;
  return impl_->intern(Op::select, std::array{condition, then_value, else_value});
}

}  // namespace nsmc::sym
