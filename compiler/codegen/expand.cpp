#include "compiler/codegen/expand.hpp"

#include <cmath>
#include <map>
#include <utility>

#include "compiler/codegen/common_pairs.hpp"
#include "compiler/support/internal_check.hpp"
#include "runtime/collision/kernel.hpp"

namespace nsmc {

namespace {

using sym::Expr;
using sym::Op;
using Value = ValueGraph::Value;

// A chain is one dependent operation after another; longer ones are cut in halves to keep several units busy.
constexpr std::size_t longest_chain = 8;
constexpr double largest_expanded_power = 64;

// x^exponent is computed by products and at most one square root.
bool is_product_of_roots(double exponent) {
  return std::abs(exponent) <= largest_expanded_power && 2 * exponent == std::trunc(2 * exponent);
}

// A value up to its sign; sums take the sign into the choice between addition and subtraction.
struct Signed {
  Value value = 0;
  bool negative = false;
};

// The operands of sums or of products, numbered for share_common_pairs.
struct Lists {
  static constexpr std::uint32_t none = ~0u;

  std::vector<std::vector<SignedOperand>> lists;
  std::map<std::vector<SignedOperand>, std::uint32_t> ids;
  std::vector<OperandPair> pairs;
  std::uint32_t n_operands = 0;

  // Equal lists get one number: what is computed once anyway must not count as two uses of its pairs.
  std::uint32_t intern(std::vector<SignedOperand> list) {
    if (list.empty()) return none;
    const auto [entry, is_new] = ids.try_emplace(std::move(list), static_cast<std::uint32_t>(lists.size()));
    if (is_new) lists.push_back(entry->first);
    return entry->second;
  }

  void share() { pairs = share_common_pairs(lists, n_operands); }
};

struct Factor {
  Expr base;
  double exponent = 1;
};

// coefficient * fixed[0]^... * ... * numerator / denominator, the fixed factors depending on parameters alone.
struct Product {
  double coefficient = 1;
  std::vector<Factor> fixed;
  std::uint32_t numerator = Lists::none, denominator = Lists::none;
};

struct Sum {
  std::vector<Expr> fixed;
  std::uint32_t terms = Lists::none;
};

class Expansion {
 public:
  Expansion(const sym::ExprPool& pool, ValueGraph& graph) : pool_(pool), graph_(graph) {}

  std::vector<Value> run(std::span<const Expr> roots) {
    const std::vector<Expr> order = sym::topological_order(pool_, roots);
    fixed_.resize(pool_.size());
    compound_.resize(pool_.size());
    value_.resize(pool_.size());
    for (Expr e : order) classify(e);
    products_.share();
    sums_.share();
    product_operand_value_.resize(products_.n_operands + products_.pairs.size(), no_value);
    for (Expr e : order) value_[e.id] = compute(e);

    std::vector<Value> result;
    result.reserve(roots.size());
    for (Expr e : roots) result.push_back(plain(value_[e.id]));
    return result;
  }

 private:
  static constexpr Value no_value = ~0u;

  // First pass: what depends on parameters alone, and the operand lists of sums and products.
  void classify(Expr e) {
    const Op op = pool_.op(e);
    const std::span<const Expr> args = pool_.args(e);
    if (op == Op::symbol) {
      fixed_[e.id] = pool_.symbol(e).source == sym::Source::parameter;
    } else {
      bool fixed = true;
      for (Expr a : args) fixed = fixed && fixed_[a.id];
      fixed_[e.id] = fixed;
    }
    if (op == Op::mul) {
      compound_[e.id] = static_cast<std::uint32_t>(product_of_.size());
      product_of_.push_back(split_product(args));
    } else if (op == Op::add) {
      compound_[e.id] = static_cast<std::uint32_t>(sum_of_.size());
      sum_of_.push_back(split_sum(args));
    }
  }

  Product split_product(std::span<const Expr> args) {
    Product product;
    std::vector<SignedOperand> numerator, denominator;
    for (Expr a : args) {
      if (pool_.is_constant(a)) {
        product.coefficient *= pool_.value(a);
        continue;
      }
      Factor f{a, 1};
      if (pool_.op(a) == Op::pow) {
        const Expr base = pool_.args(a)[0], exponent = pool_.args(a)[1];
        // x^-0.3 stays: pow(x, -0.3) needs no division.
        if (pool_.is_constant(exponent) && is_product_of_roots(pool_.value(exponent)))
          f = {base, pool_.value(exponent)};
      }
      if (fixed_[a.id])
        product.fixed.push_back(f);
      else if (f.exponent < 0)
        denominator.push_back({product_operand({f.base, -f.exponent}), false});
      else
        numerator.push_back({product_operand(f), false});
    }
    product.numerator = products_.intern(std::move(numerator));
    product.denominator = products_.intern(std::move(denominator));
    return product;
  }

  std::uint32_t product_operand(Factor f) {
    const auto [entry, is_new] = product_operand_ids_.try_emplace({f.base.id, f.exponent}, products_.n_operands);
    if (is_new) {
      product_operand_.push_back(f);
      ++products_.n_operands;
    }
    return entry->second;
  }

  Sum split_sum(std::span<const Expr> args) {
    Sum sum;
    std::vector<SignedOperand> terms;
    for (Expr a : args) {
      if (fixed_[a.id]) {
        sum.fixed.push_back(a);
        continue;
      }
      // x*y and -x*y are one operand, once added and once subtracted.
      double magnitude = 1;
      bool negative = false;
      std::vector<std::uint32_t> body;
      if (pool_.op(a) == Op::mul) {
        for (Expr f : pool_.args(a)) {
          if (pool_.is_constant(f))
            magnitude *= pool_.value(f);
          else
            body.push_back(f.id);
        }
        negative = magnitude < 0;
        magnitude = std::abs(magnitude);
      } else {
        body.push_back(a.id);
      }
      const auto [entry, is_new] = sum_operand_ids_.try_emplace({magnitude, std::move(body)}, sums_.n_operands);
      if (is_new) {
        sum_operand_.push_back(a);
        ++sums_.n_operands;
      }
      terms.push_back({entry->second, negative});
    }
    sum.terms = sums_.intern(std::move(terms));
    return sum;
  }

  // Second pass. The arguments of `e` have their values.
  Signed compute(Expr e) {
    const Op op = pool_.op(e);
    const std::span<const Expr> args = pool_.args(e);
    switch (op) {
      case Op::constant: return {graph_.constant(pool_.value(e)), false};
      case Op::symbol: return {load(pool_.symbol(e)), false};
      case Op::add: return sum(sum_of_[compound_[e.id]]);
      case Op::mul: return product(product_of_[compound_[e.id]]);
      case Op::pow: return {power(args[0], args[1]), false};
#define NSMC_FUNCTION(name, arguments, dimensions, symmetry, value, derivative, latex) \
  case Op::name: {                                                                     \
    const Number a = number(args.front());                                             \
    [[maybe_unused]] const Number b = number(args.back());                             \
    return value.signed_value();                                                       \
  }
#define LIBM1(f) f(a)
#define LIBM2(f) f(a, b)
#define OPERATIONS(...) (__VA_ARGS__)
#include "compiler/support/functions.def"
      case Op::logic_not: return {graph_.unary(Opcode::logic_not, of(args[0])), false};
      case Op::less: return binary(Opcode::less, args);
      case Op::less_equal: return binary(Opcode::less_equal, args);
      case Op::equal: return binary(Opcode::equal, args);
      case Op::logic_and: return binary(Opcode::logic_and, args);
      case Op::logic_or: return binary(Opcode::logic_or, args);
      case Op::select: return {graph_.select(of(args[0]), of(args[1]), of(args[2])), false};
      case Op::implicit: return {implicit(e), false};
    }
    throw InternalError("an expression has an unknown operation");
  }

  // A value with the operations that the rows of functions.def are computed by.
  class Number {
   public:
    Number(Expansion& in, Signed s) : in_(&in), signed_(s) {}
    Signed signed_value() const { return signed_; }

    friend Number operator-(Number a, Number b) { return a.made(a.graph().sub(a.plain(), b.plain())); }
    friend Number operator*(Number a, Number b) { return a.made(a.graph().mul(a.plain(), b.plain())); }
    friend Number operator/(Number a, Number b) { return a.made(a.graph().div(a.plain(), b.plain())); }
    friend Number fabs(Number a) { return a.made(a.graph().unary(Opcode::fabs, a.signed_.value)); }
    friend Number sign(Number a) { return a.made(a.graph().unary(Opcode::sign, a.plain())); }
    friend Number min(Number a, Number b) { return a.made(a.graph().binary(Opcode::min, a.plain(), b.plain())); }
    friend Number max(Number a, Number b) { return a.made(a.graph().binary(Opcode::max, a.plain(), b.plain())); }
#define NSMC_FUNCTION(name, arguments, dimensions, symmetry, value, derivative, latex) value
#define LIBM1(f) \
  friend Number f(Number a) { return a.made(a.graph().call(#f, a.plain())); }
#define LIBM2(f) \
  friend Number f(Number a, Number b) { return a.made(a.graph().call(#f, a.plain(), b.plain())); }
#define OPERATIONS(...)
#include "compiler/support/functions.def"

   private:
    ValueGraph& graph() const { return in_->graph_; }
    Value plain() const { return in_->plain(signed_); }
    Number made(Value v) const { return {*in_, {v, false}}; }

    Expansion* in_;
    Signed signed_;
  };
  Number number(Expr e) { return {*this, value_[e.id]}; }

  Value implicit(Expr e) {
    const sym::ImplicitGauge& gauge = pool_.implicit_of(e);
    const std::span<const Expr> args = pool_.args(e);
    std::vector<Value> arguments;
    for (const Expr a : args.subspan(2)) arguments.push_back(of(a));
    Instruction instruction;
    const auto component = static_cast<std::uint32_t>(pool_.value(args[1]));
    instruction.index = static_cast<std::uint32_t>(pool_.value(args[0]));
    instruction.b = gauge.dim;
    instruction.c = gauge.kind == sym::ImplicitGauge::parabolic ? 1 : gauge.kind == sym::ImplicitGauge::uniform ? 2 : 0;
    if (gauge.kind == sym::ImplicitGauge::table)
      return graph_.component(graph_.implicit("nsm_table", arguments, instruction), component);
    if (gauge.kind == sym::ImplicitGauge::touch) {
      const char* asked = component < rt::collision::touch_values ? "nsm_touch" : "nsm_touch_slopes";
      return graph_.component(graph_.implicit(asked, arguments, instruction), component);
    }
    const bool shifted = gauge.kind == sym::ImplicitGauge::shifted;
    const Value solved = graph_.implicit(shifted ? "nsm_shifted_gauge" : "nsm_polar_gauge", arguments, instruction);
    return graph_.component(solved, component);
  }

  Value of(Expr e) { return plain(value_[e.id]); }

  // The sign goes into a factor that is known before the kernel runs, if there is one.
  Value plain(Signed s) {
    if (!s.negative) return s.value;
    const Instruction instruction = graph_.instruction(s.value);
    const auto known = [this](Value v) { return graph_.is_constant(v) || graph_.belongs_to_prepare(v); };
    if (instruction.opcode == Opcode::mul) {
      if (known(instruction.a)) return graph_.mul(graph_.neg(instruction.a), instruction.b);
      if (known(instruction.b)) return graph_.mul(instruction.a, graph_.neg(instruction.b));
    }
    return graph_.neg(s.value);
  }

  Signed binary(Opcode opcode, std::span<const Expr> args) {
    const Value a = of(args[0]), b = of(args[1]);
    return {graph_.binary(opcode, a, b), false};
  }

  Value load(const sym::Symbol& symbol) {
    switch (symbol.source) {
      case sym::Source::parameter: return graph_.load(Opcode::load_p, symbol.index);
      case sym::Source::time: return graph_.load(Opcode::load_t, 0);
      case sym::Source::coordinate: return graph_.load(Opcode::load_q, symbol.index);
      case sym::Source::velocity: return graph_.load(Opcode::load_u, symbol.index);
      case sym::Source::force: return graph_.load(Opcode::load_lambda, symbol.index);
      case sym::Source::instance: return graph_.load(Opcode::load_self, symbol.index);
      case sym::Source::signal: return graph_.load(Opcode::load_z, symbol.index);
    }
    throw InternalError("a symbol has an unknown source");
  }

  Value power(Expr base, Expr exponent) {
    if (!pool_.is_constant(exponent) || !is_product_of_roots(pool_.value(exponent)))
      return graph_.call("pow", of(base), of(exponent));
    const double n = pool_.value(exponent);
    const Value magnitude = positive_power(base, std::abs(n));
    return n < 0 ? graph_.div(graph_.constant(1), magnitude) : magnitude;
  }

  // x^n for n = 0, 1/2, 1, 3/2, ...: x^(whole part) by squaring, times sqrt(x).
  Value positive_power(Expr base, double n) {
    auto whole = static_cast<unsigned>(n);
    const bool has_root = n != std::trunc(n);
    // The sign of the base does not matter in an even power.
    const Value x = !has_root && whole % 2 == 0 ? value_[base.id].value : of(base);
    Value result = no_value;
    for (Value square = x; whole != 0; whole /= 2) {
      if (whole % 2 == 1) result = result == no_value ? square : graph_.mul(result, square);
      if (whole > 1) square = graph_.mul(square, square);
    }
    if (has_root) {
      const Value root = graph_.unary(Opcode::sqrt, x);
      result = result == no_value ? root : graph_.mul(result, root);
    }
    return result == no_value ? graph_.constant(1) : result;
  }

  Signed product(const Product& p) {
    Signed result;
    result.negative = p.coefficient < 0;
    const double magnitude = std::abs(p.coefficient);
    const Value fixed = fixed_factor(magnitude, p.fixed, result.negative);
    Value numerator = fixed;
    if (p.numerator != Lists::none) {
      const Value moving = product_of_list(products_.lists[p.numerator]);
      numerator = graph_.mul(fixed, moving);
    }
    result.value = p.denominator == Lists::none
                       ? numerator
                       : graph_.div(numerator, product_of_list(products_.lists[p.denominator]));
    return result;
  }

  Value fixed_factor(double magnitude, const std::vector<Factor>& factors, bool& negative) {
    std::vector<Value> over, under;
    for (const Factor& f : factors) {
      Signed base = value_[f.base.id];
      if (f.exponent == 1) {
        negative = negative != base.negative;
        over.push_back(base.value);
      } else {
        (f.exponent > 0 ? over : under).push_back(positive_power(f.base, std::abs(f.exponent)));
      }
    }
    Value result = over.empty() ? graph_.constant(magnitude) : multiply(over);
    if (!over.empty()) result = graph_.mul(graph_.constant(magnitude), result);
    return under.empty() ? result : graph_.div(result, multiply(under));
  }

  Value product_of_list(const std::vector<SignedOperand>& list) {
    std::vector<Value> factors;
    factors.reserve(list.size());
    for (SignedOperand o : list) factors.push_back(product_operand_value(o.operand));
    return multiply(factors);
  }

  Value multiply(std::span<const Value> factors) {
    if (factors.size() > longest_chain) {
      const std::size_t half = factors.size() / 2;
      const Value left = multiply(factors.first(half));
      return graph_.mul(left, multiply(factors.subspan(half)));
    }
    Value result = factors[0];
    for (Value f : factors.subspan(1)) result = graph_.mul(result, f);
    return result;
  }

  // Recursion is as deep as a list is long, and only lists of at most 64 operands have pairs.
  Value product_operand_value(std::uint32_t operand) {
    Value& known = product_operand_value_[operand];
    if (known != no_value) return known;
    if (operand < products_.n_operands) {
      const Factor f = product_operand_[operand];
      return known = positive_power(f.base, f.exponent);
    }
    const OperandPair pair = products_.pairs[operand - products_.n_operands];
    const Value first = product_operand_value(pair.first);
    return known = graph_.mul(first, product_operand_value(pair.second));
  }

  Signed sum(const Sum& s) {
    std::vector<Signed> terms;
    for (Expr e : s.fixed) terms.push_back(value_[e.id]);
    // Grouped into one value for `prepare`.
    if (terms.size() > 1) terms = {add_up(terms)};
    if (s.terms != Lists::none) {
      for (SignedOperand o : sums_.lists[s.terms]) {
        Signed term = sum_operand_value(o.operand);
        term.negative = term.negative != o.negative;
        terms.push_back(term);
      }
    }
    // Starting with what is no product lets every product fuse with the addition that follows it.
    for (Signed& t : terms) {
      if (graph_.instruction(t.value).opcode == Opcode::mul && !graph_.belongs_to_prepare(t.value)) continue;
      std::swap(t, terms.front());
      break;
    }
    return add_up(terms);
  }

  Signed add_up(std::span<const Signed> terms) {
    if (terms.size() > longest_chain) {
      const std::size_t half = terms.size() / 2;
      const Signed left = add_up(terms.first(half));
      return add(left, add_up(terms.subspan(half)));
    }
    Signed result = terms[0];
    for (Signed t : terms.subspan(1)) result = add(result, t);
    return result;
  }

  Signed add(Signed a, Signed b) {
    if (a.negative == b.negative) return {graph_.add(a.value, b.value), a.negative};
    return {a.negative ? graph_.sub(b.value, a.value) : graph_.sub(a.value, b.value), false};
  }

  Signed sum_operand_value(std::uint32_t operand) {
    if (operand < sums_.n_operands) {
      // The sign of the numeric coefficient is the list's matter; a sign from inside the operand stays with it.
      const Expr e = sum_operand_[operand];
      Signed v = value_[e.id];
      if (pool_.op(e) == Op::mul && product_of_[compound_[e.id]].coefficient < 0) v.negative = !v.negative;
      return v;
    }
    const OperandPair pair = sums_.pairs[operand - sums_.n_operands];
    const Signed first = sum_operand_value(pair.first);
    Signed second = sum_operand_value(pair.second);
    second.negative = second.negative != pair.opposite;
    return add(first, second);
  }

  const sym::ExprPool& pool_;
  ValueGraph& graph_;

  // By expression id.
  std::vector<char> fixed_;              // depends on parameters alone
  std::vector<std::uint32_t> compound_;  // index into product_of_ or sum_of_
  std::vector<Signed> value_;

  std::vector<Product> product_of_;
  std::vector<Sum> sum_of_;

  Lists products_, sums_;
  std::map<std::pair<std::uint32_t, double>, std::uint32_t> product_operand_ids_;
  std::vector<Factor> product_operand_;
  std::vector<Value> product_operand_value_;
  std::map<std::pair<double, std::vector<std::uint32_t>>, std::uint32_t> sum_operand_ids_;
  std::vector<Expr> sum_operand_;
};

}  // namespace

std::vector<Value> expand(const sym::ExprPool& pool, std::span<const Expr> roots, ValueGraph& graph) {
  return Expansion(pool, graph).run(roots);
}

}  // namespace nsmc
