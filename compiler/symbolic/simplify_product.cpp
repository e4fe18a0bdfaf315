// Products in normal form: flattened, one numeric coefficient first, powers of one base with constant exponents
// collected, ordered by base.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "compiler/symbolic/pool_impl.hpp"

namespace nsmc::sym {

// Coefficient and factors of a product under construction.
struct ExprPool::Impl::ProductBuilder {
  struct Factor {
    Expr expr;
    Power power;
  };
  Impl& pool;
  double coefficient = 1;
  std::vector<Factor> factors{};

  // False if the coefficient would overflow or underflow.
  bool gather(std::span<const Expr> operands) {
    for (Expr operand : operands) {
      if (pool.ops[operand.id] != Op::mul) {
        if (!take(operand)) return false;
      } else if (pool.operands(operand).size() <= flatten_limit) {
        for (Expr inner : pool.operands(operand))
          if (!take(inner)) return false;
      } else {
        const Term term = pool.split_term(operand);
        if (!scale(term.coefficient) || !take(term.core)) return false;
      }
    }
    std::stable_sort(factors.begin(), factors.end(),
                     [](const Factor& a, const Factor& b) { return a.power.base.id < b.power.base.id; });
    return true;
  }

 private:
  bool scale(double number) {
    const auto product = fold_product(coefficient, number);
    if (product) coefficient = *product;
    return product.has_value();
  }

  bool take(Expr e) {
    if (pool.is_constant(e)) return scale(pool.value(e));
    factors.push_back({e, pool.split_power(e)});
    return true;
  }
};

Expr ExprPool::mul(std::span<const Expr> operands) {
  if (operands.empty()) return one;
  if (operands.size() == 1) return operands[0];
  impl_->charge(operands.size());
  const std::vector<Expr> given(operands.begin(), operands.end());  // the span may point into the pool, which grows
  std::vector<Expr> current = given;
  for (;;) {
    Impl::ProductBuilder product{*impl_};
    if (!product.gather(current)) {
      if (std::find(given.begin(), given.end(), zero) != given.end()) return zero;
      return impl_->intern(Op::mul, given);
    }
    if (product.coefficient == 0) return zero;

    std::vector<Expr> collected;
    bool merged = false;
    for (std::size_t i = 0; i < product.factors.size();) {
      const auto [factor, power] = product.factors[i];
      double exponent = power.exponent;
      std::size_t count = 1;
      for (++i; i < product.factors.size() && product.factors[i].power.base == power.base; ++i, ++count)
        exponent += product.factors[i].power.exponent;
      if (!std::isfinite(exponent)) return impl_->intern(Op::mul, given);
      if (count == 1) {
        collected.push_back(factor);
      } else {
        merged = true;
        collected.push_back(pow(power.base, constant(exponent)));
      }
    }
    if (!merged) return impl_->join_term({impl_->join_factors(collected), product.coefficient});
    // A collected power may be a product or have a base of its own (|x|^2 = x^2): look again.
    collected.push_back(constant(product.coefficient));
    current = std::move(collected);
  }
}

Expr ExprPool::mul(Expr a, Expr b) {
  if (a == one) return b;
  if (b == one) return a;
  if (a == zero || b == zero) return zero;
  return mul(std::array{a, b});
}

Expr ExprPool::neg(Expr a) { return mul(minus_one, a); }
Expr ExprPool::div(Expr a, Expr b) {
  // 0/0 must not become the 0 that 0*x is.
  if (a == zero && b == zero) return constant(std::numeric_limits<double>::quiet_NaN());
  return mul(a, pow(b, minus_one));
}

}  // namespace nsmc::sym
