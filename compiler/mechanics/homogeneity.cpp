// The degrees of all nodes, from the symbols up. Exponents may be parameters, as in (|x/N|^s + |y/N|^s)^(1/s): degrees
// are expressions themselves, and two are equal if their normal forms are.
#include "compiler/mechanics/homogeneity.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "compiler/mechanics/lowering.hpp"

namespace nsmc {

using sym::Expr;
using sym::Op;

namespace {

// Nothing: not proved.
struct Degree {
  Expr value;
  bool any = false;  // 0 and the infinities have every degree
};
using Proved = std::optional<Degree>;

class Proof {
 public:
  explicit Proof(sym::ExprPool& pool) : pool_(pool), zero_{pool.constant(0)} {}

  // `symbol` says the degrees of symbols.
  Proved of(Expr root, auto&& symbol) {
    std::map<std::uint32_t, Proved> known;
    for (const Expr e : sym::topological_order(pool_, std::span(&root, 1))) {
      if (pool_.op(e) == Op::constant) {
        const double value = pool_.value(e);
        known[e.id] = Degree{zero_.value, value == 0 || std::isinf(value)};
        continue;
      }
      if (pool_.op(e) == Op::symbol) {
        known[e.id] = symbol(pool_.symbol(e));
        continue;
      }
      const std::vector<Expr> arguments(pool_.args(e).begin(), pool_.args(e).end());
      std::vector<Degree> degrees;
      bool all = true;
      for (const Expr argument : arguments) {
        const Proved& degree = known.at(argument.id);
        all = all && degree.has_value();
        if (all) degrees.push_back(*degree);
      }
      known[e.id] = all ? node(e, arguments, degrees) : std::nullopt;
    }
    return known.at(root.id);
  }

 private:
  // The degree that all of them have in common, if there is one.
  Proved common(std::span<const Degree> degrees) const {
    Proved result;
    for (const Degree& degree : degrees) {
      if (degree.any) continue;
      if (result && result->value != degree.value) return std::nullopt;
      result = degree;
    }
    return result ? result : Degree{zero_.value, true};
  }

  // Values that stay the same.
  Proved invariant(std::span<const Degree> degrees) const {
    const Proved degree = common(degrees);
    return degree && degree->value == zero_.value ? Proved(zero_) : std::nullopt;
  }

  Proved node(Expr e, const std::vector<Expr>& arguments, const std::vector<Degree>& degrees) {
    const std::span<const Degree> all = degrees;
    switch (pool_.op(e)) {
      case Op::add: return common(all);
      case Op::mul: {
        std::vector<Expr> sum;
        for (const Degree& degree : degrees) {
          if (degree.any) return degree;
          sum.push_back(degree.value);
        }
        return Degree{pool_.add(sum)};
      }
      case Op::pow: {
        if (const Proved same = invariant(all)) return same;
        // rho^(d v) is a factor only if the exponent v is the same at all forces.
        if (degrees[0].any || mentions_force(arguments[1])) return std::nullopt;
        return Degree{pool_.mul(degrees[0].value, arguments[1])};
      }
      // What is compared grows on both sides alike.
      case Op::less:
      case Op::less_equal:
      case Op::equal: return common(all) ? Proved(zero_) : std::nullopt;
      case Op::select: return invariant(all.first(1)) ? common(all.subspan(1)) : std::nullopt;
      case Op::implicit: return implicit(e, all);
      default: return function(pool_.op(e), all);
    }
  }

  // A factor passes through a function as the unit of a dimension does.
  Proved function(Op op, std::span<const Degree> degrees) {
    const ScalarFunction* row = sym::function_of(op);
    if (row == nullptr) return invariant(degrees);
    switch (row->dimensions) {
      case DimensionRule::pure: return invariant(degrees);
      case DimensionRule::alike: return common(degrees);
      case DimensionRule::alike_to_pure: return common(degrees) ? Proved(zero_) : std::nullopt;
      case DimensionRule::square_root: return root(degrees[0], 2);
      case DimensionRule::cube_root: return root(degrees[0], 3);
    }
    return std::nullopt;
  }
  Proved root(const Degree& degree, double n) { return Degree{pool_.div(degree.value, pool_.constant(n)), degree.any}; }

  // k(x; c) for the kinds of sym::ImplicitGauge. With x and the shift of the degrees a and d, and the body, at a given
  // point, of degree b: a polar v.x/body has the degree a - b; moved, body(x/k - shift) = 1 has the solution
  // rho^(a - d) k where b = -d, as gauges are homogeneous in the point.
  Proved implicit(Expr e, std::span<const Degree> degrees) {
    if (!pool_.is_constant(pool_.args(e)[1], 0)) return std::nullopt;  // a derivative
    const sym::ImplicitGauge& gauge = pool_.implicit_of(e);
    if (gauge.kind == sym::ImplicitGauge::touch || gauge.kind == sym::ImplicitGauge::table)
      return invariant(degrees.subspan(2));
    const bool polar = gauge.kind == sym::ImplicitGauge::polar, moved = gauge.kind == sym::ImplicitGauge::shifted;
    const std::span<const Degree> inputs = degrees.subspan(2);
    const Proved x = common(inputs.first(gauge.dim));
    const std::span<const Degree> coefficients = inputs.subspan(polar ? gauge.dim : 2 * gauge.dim);
    const Proved shift = polar ? Proved(zero_) : common(inputs.subspan(gauge.dim, gauge.dim));
    if (!x || !shift) return std::nullopt;
    if (!polar && !moved) return shift->any || shift->value == zero_.value ? x : std::nullopt;
    const Proved body = of(gauge.body, [&](const sym::Symbol& s) -> Proved {
      return s.source == sym::Source::instance ? coefficients[s.index] : zero_;
    });
    if (!body || body->any) return std::nullopt;
    if (moved && !shift->any && pool_.neg(shift->value) != body->value) return std::nullopt;
    return Degree{polar ? pool_.sub(x->value, body->value) : pool_.add(x->value, body->value), x->any};
  }

  bool mentions_force(Expr e) const {
    return sym::depends_on(pool_, e, [](const sym::Symbol& s) { return s.source == sym::Source::force; });
  }

  sym::ExprPool& pool_;
  Degree zero_;
};

}  // namespace

std::optional<Expr> degree_in_forces(sym::ExprPool& pool, Expr e) {
  const Degree constant{pool.constant(0)}, linear{pool.constant(1)};
  const Proved degree = Proof(pool).of(e, [&](const sym::Symbol& s) -> Proved {
    return s.source == sym::Source::force && s.index >= kUserForce && s.index < kSetVariable ? linear : constant;
  });
  return degree ? std::optional(degree->value) : std::nullopt;
}

}  // namespace nsmc
