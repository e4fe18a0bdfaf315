// Powers in normal form. Every rule keeps the value wherever the original is defined over the reals: x^p with p not
// whole needs x >= 0, x^-n needs x != 0.
#include <array>
#include <cmath>

#include "compiler/symbolic/arithmetic.hpp"
#include "compiler/symbolic/pool_impl.hpp"

namespace nsmc::sym {

Expr ExprPool::pow(Expr base, Expr exponent) {
  Impl& pool = *impl_;
  // Each turn of the loop takes one layer of powers or absolute values off the base.
  for (;;) {
    if (exponent == zero || base == one) return one;
    if (exponent == one) return base;
    if (!is_constant(exponent)) return pool.intern(Op::pow, std::array{base, exponent});
    const double p = pool.value(exponent);

    if (is_constant(base)) {
      if (const auto folded = fold_power(pool.value(base), p)) return constant(*folded);
      return pool.intern(Op::pow, std::array{base, exponent});
    }

    if (op(base) == Op::abs && is_even(p)) {
      base = args(base)[0];  // |u|^2 = u^2
      continue;
    }

    if (op(base) == Op::pow) {
      const Expr inner_base = args(base)[0];
      const Expr inner_exponent = args(base)[1];
      if (is_constant(inner_exponent)) {
        const double a = pool.value(inner_exponent);
        const auto folded = fold_product(a, p);
        if (folded) {
          // (u^2)^(1/2) = |u|; with an odd or fractional inner exponent a fractional p already demands u >= 0.
          base = !is_whole(p) && is_even(a) ? call(Op::abs, inner_base) : inner_base;
          exponent = constant(*folded);
          continue;
        }
      } else if (is_whole(p)) {
        base = inner_base;  // (u^v)^n = u^(n v)
        exponent = mul(exponent, inner_exponent);
        continue;
      }
    }

    if (op(base) == Op::mul && is_whole(p)) {
      std::vector<Expr> factors(args(base).begin(), args(base).end());
      bool exact = true;
      for (Expr& factor : factors) {
        if (is_constant(factor)) exact = exact && fold_power(pool.value(factor), p).has_value();
        if (!exact) break;
        // A product within a product was too long to flatten; it stays closed here too.
        factor = op(factor) == Op::mul ? pool.intern(Op::pow, std::array{factor, exponent}) : pow(factor, exponent);
      }
      if (exact) return mul(factors);
    } else if (op(base) == Op::mul && std::abs(p) == 0.5) {
      // sqrt(4 u) = 2 sqrt(u), but sqrt(2 g h) stays as it is: only where the root is exact.
      const Term term = pool.split_term(base);
      const double root = std::sqrt(term.coefficient);
      if (term.coefficient > 0 && term.coefficient != 1 && std::fma(root, root, -term.coefficient) == 0)
        return mul(constant(power(root, 2 * p)), pow(term.core, exponent));
    }
    return pool.intern(Op::pow, std::array{base, exponent});
  }
}

Expr ExprPool::sqrt(Expr a) { return pow(a, constant(0.5)); }

}  // namespace nsmc::sym
