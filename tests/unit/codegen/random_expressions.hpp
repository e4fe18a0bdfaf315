// Random expressions over all operations, kept in ranges where every function is defined and well conditioned, so that
// a compiled kernel can be compared with the interpreter to a few units in the last place.
#pragma once

#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "compiler/codegen/program.hpp"

namespace nsmc::test {

class RandomExpressions {
 public:
  RandomExpressions(sym::ExprPool& pool, unsigned seed) : pool_(pool), random_(seed) {
    using sym::Source;
    for (std::uint32_t i = 0; i < 4; ++i) {
      add_symbol(Source::parameter, i);
      add_symbol(Source::parameter, i + 4);
      add_symbol(Source::coordinate, i);
      add_symbol(Source::coordinate, second_block + i);
      add_symbol(Source::velocity, i);
      add_symbol(Source::velocity, second_block + i);
      add_symbol(Source::force, i);
      add_symbol(Source::signal, i);
    }
    add_symbol(Source::time, 0);
  }

  // Adds `n` expressions built from the ones before; all of them stay within about [-3, 3].
  void grow(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) known_.push_back(next());
  }

  sym::Expr pick() { return known_[random_() % known_.size()]; }
  std::vector<sym::Expr> pick(std::size_t n) {
    std::vector<sym::Expr> result;
    for (std::size_t i = 0; i < n; ++i) result.push_back(pick());
    return result;
  }

 private:
  void add_symbol(sym::Source source, std::uint32_t index) {
    known_.push_back(pool_.symbol(source, index, "s" + std::to_string(known_.size())));
  }

  sym::Expr number(double x) { return pool_.constant(x); }
  sym::Expr bounded(sym::Expr e) { return pool_.call(sym::Op::tanh, e); }                              // in (-1, 1)
  sym::Expr positive(sym::Expr e) { return pool_.add(number(1), pool_.mul(bounded(e), bounded(e))); }  // in [1, 2)

  sym::Expr condition() {
    using sym::Op;
    switch (random_() % 6) {
      case 0: return pool_.call(Op::less, pick(), pick());
      case 1: return pool_.call(Op::less_equal, pick(), pick());
      case 2: return pool_.call(Op::equal, pick(), pick());
      case 3: return pool_.call(Op::logic_not, condition());
      case 4: return pool_.call(Op::logic_and, condition(), condition());
      default: return pool_.call(Op::logic_or, condition(), condition());
    }
  }

  // A row of functions.def, in the middle of (0, 1), where all of them are defined.
  sym::Expr any_function(sym::Expr a, sym::Expr b) {
    const auto middle = [&](sym::Expr e) { return pool_.add(number(0.5), pool_.mul(number(0.4), e)); };
    const std::size_t n = std::size(scalar_functions);
    for (;;) {
      const ScalarFunction& row = scalar_functions[random_() % n];
      const auto op = sym::function_named(row.name);
      if (op) return row.arity == Arity::one ? pool_.call(*op, middle(a)) : pool_.call(*op, middle(a), middle(b));
    }
  }

  sym::Expr next() {
    using sym::Op;
    const sym::Expr a = pick(), b = pick(), c = pick();
    switch (random_() % 26) {
      case 0: return pool_.call(Op::sin, a);
      case 1: return pool_.call(Op::cos, a);
      case 2: return pool_.call(Op::tan, pool_.mul(number(0.5), bounded(a)));
      case 3: return pool_.call(Op::asin, pool_.mul(number(0.75), bounded(a)));
      case 4: return pool_.call(Op::acos, pool_.mul(number(0.75), bounded(a)));
      case 5: return pool_.call(Op::atan, a);
      case 6: return pool_.call(Op::sinh, bounded(a));
      case 7: return pool_.call(Op::cosh, bounded(a));
      case 8: return pool_.call(Op::exp, bounded(a));
      case 9: return pool_.call(Op::log, pool_.add(number(1), positive(a)));
      case 10: return pool_.call(Op::abs, a);
      case 11: return pool_.mul(pool_.call(Op::sign, a), b);
      case 12: return pool_.call(Op::atan2, a, positive(b));
      case 13: return pool_.call(Op::hypot, bounded(a), positive(b));
      case 14: return pool_.call(Op::min, a, b);
      case 15: return pool_.call(Op::max, a, b);
      case 16: return pool_.select(condition(), a, b);
      case 17: return pool_.div(bounded(pool_.mul(a, b)), pool_.mul(positive(b), positive(c)));
      case 18: return pool_.pow(positive(a), number(static_cast<double>(random_() % 9) / 2 - 2.5));
      case 19: return pool_.pow(bounded(a), number(1 + static_cast<double>(random_() % 7)));
      case 20: return pool_.pow(positive(a), bounded(b));
      case 21: return bounded(pool_.add(pool_.mul(a, b), pool_.mul(number(-1.5), pool_.mul(b, c))));
      case 22: return bounded(pool_.sub(pool_.add(a, b), c));
      case 23: return any_function(bounded(a), bounded(b));
      case 24: return pool_.call(Op::mod, pool_.mul(number(3), bounded(a)), positive(b));
      default: return bounded(pool_.neg(pool_.mul(pool_.mul(a, b), c)));
    }
  }

  sym::ExprPool& pool_;
  std::mt19937 random_;
  std::vector<sym::Expr> known_;
};

// Five kernels of 20 such expressions, each of another stage.
inline std::vector<KernelSpec> random_kernels(sym::ExprPool& pool, unsigned seed) {
  RandomExpressions expressions(pool, seed);
  expressions.grow(120);
  std::vector<KernelSpec> specs;
  for (std::uint32_t k = 0; k < 5; ++k) {
    specs.push_back({{KernelKind::output, k}, expressions.pick(20), static_cast<Stage>(k)});
    specs.back().label = std::to_string(k);
  }
  return specs;
}

}  // namespace nsmc::test
