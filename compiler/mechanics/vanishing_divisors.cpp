#include "compiler/mechanics/vanishing_divisors.hpp"

#include <algorithm>
#include <map>

#include "compiler/mechanics/homogeneity.hpp"

namespace nsmc {

using sym::Expr;
using sym::Op;

namespace {

constexpr double kSmallestForce = 1e-30;
constexpr double kThinnest = 1e-12;

bool is_force(const sym::Symbol& s) { return s.source == sym::Source::force; }

// The coefficients with divisors at least as large as they are at forces of the size `least`.
std::vector<Expr> bounded(sym::ExprPool& pool, const std::vector<Expr>& coefficients, Expr least) {
  std::map<std::uint32_t, Expr> image;
  for (const Expr e : sym::topological_order(pool, coefficients)) {
    if (pool.op(e) == Op::constant || pool.op(e) == Op::symbol) {
      image.emplace(e.id, e);
      continue;
    }
    std::vector<Expr> arguments(pool.args(e).begin(), pool.args(e).end());
    const Expr base = arguments[0];
    for (Expr& argument : arguments) argument = image.at(argument.id);
    if (pool.op(e) == Op::pow && sym::depends_on(pool, base, is_force)) {
      const auto degree = degree_in_forces(pool, base);
      const bool grows = degree && pool.is_constant(*degree) && pool.value(*degree) > 0;
      const Expr smallest = grows ? pool.pow(least, *degree) : least;            // a divisor N^2 + M^2 stops at least^2
      const Expr divides = pool.call(Op::less, arguments[1], pool.constant(0));  // positive powers keep their 0
      const Expr vanishes = pool.call(Op::less, pool.call(Op::abs, arguments[0]), smallest);
      arguments[0] = pool.select(pool.call(Op::logic_and, divides, vanishes), smallest, arguments[0]);
    }
    image.emplace(e.id, sym::rebuild(pool, pool.op(e), arguments));
  }
  std::vector<Expr> result;
  for (const Expr e : coefficients) result.push_back(image.at(e.id));
  return result;
}

// The gauge k on the axes, in both directions.
std::vector<Expr> on_axes(sym::ExprPool& pool, Expr k, std::size_t dim, const std::vector<Expr>& coefficients) {
  std::vector<Expr> result;
  for (std::size_t axis = 0; axis < 2 * dim; ++axis) {
    result.push_back(sym::substitute(pool, std::span(&k, 1), [&](Expr s) {
      const sym::Symbol& symbol = pool.symbol(s);
      if (symbol.source == sym::Source::instance) return coefficients[symbol.index];
      return pool.constant(symbol.index != axis / 2 ? 0 : axis % 2 == 0 ? 1 : -1);
    })[0]);
  }
  return result;
}

// The longest extent.
Expr reach(sym::ExprPool& pool, const std::vector<Expr>& k) {
  const Expr zero = pool.constant(0);
  Expr result = zero;
  for (const Expr e : k) {
    const Expr extent = pool.select(pool.call(Op::less, zero, e), pool.div(pool.constant(1), e), zero);
    result = pool.call(Op::max, result, extent);
  }
  return result;
}

}  // namespace

void keep_divisors_from_zero(sym::ExprPool& pool, bool gauge, Expr function, std::size_t dim,
                             std::vector<Expr>& coefficients) {
  const Expr smallest = pool.constant(kSmallestForce);
  std::vector<Expr> result = bounded(pool, coefficients, smallest);
  if (result == coefficients) return;
  // Gauges that are solved for by iteration are not asked one more time for each axis.
  const auto nodes = sym::topological_order(pool, std::span(&function, 1));
  const bool direct = std::none_of(nodes.begin(), nodes.end(), [&](Expr e) { return pool.op(e) == Op::implicit; });
  const auto shrinks = [&](Expr k) {
    const auto degree = degree_in_forces(pool, k);
    return degree && pool.is_constant(*degree) && pool.value(*degree) < 0;
  };
  if (gauge && direct && !std::ranges::all_of(on_axes(pool, function, dim, coefficients), shrinks)) {
    const Expr thinnest = pool.mul(pool.constant(kThinnest), reach(pool, on_axes(pool, function, dim, result)));
    result = bounded(pool, coefficients, pool.call(Op::max, smallest, thinnest));
  }
  coefficients = std::move(result);
}

}  // namespace nsmc
