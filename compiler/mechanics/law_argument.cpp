#include "compiler/mechanics/law_argument.hpp"

#include <algorithm>
#include <cmath>

#include "compiler/mechanics/gauge_function.hpp"
#include "compiler/mechanics/sets.hpp"

namespace nsmc {

using sym::Expr;
using sym::Op;

namespace {

// e/s where the symbol s is a factor of e, term by term in sums. depth: products of sums of products ... need no more.
std::optional<Expr> divide_out(sym::ExprPool& pool, Expr e, Expr s, int depth = 8) {
  const std::uint32_t wanted = pool.symbol(s).index;
  const auto free_of_s = [&](Expr a) {
    return !sym::depends_on(pool, a, [&](const sym::Symbol& symbol) {
      return symbol.source == sym::Source::force && symbol.index == wanted;
    });
  };
  if (pool.is_constant(e, 0)) return e;
  if (pool.op(e) == Op::add && depth > 0) {
    const std::vector<Expr> terms(pool.args(e).begin(), pool.args(e).end());
    std::vector<Expr> quotients;
    for (const Expr term : terms) {
      const auto quotient = divide_out(pool, term, s, depth - 1);
      if (!quotient) return std::nullopt;
      quotients.push_back(*quotient);
    }
    return pool.add(quotients);
  }
  if (pool.op(e) == Op::mul && depth > 0) {
    std::vector<Expr> factors(pool.args(e).begin(), pool.args(e).end());
    if (std::find(factors.begin(), factors.end(), s) == factors.end()) {
      for (Expr& factor : factors) {
        if (free_of_s(factor)) continue;
        const auto quotient = divide_out(pool, factor, s, depth - 1);
        if (!quotient) continue;
        factor = *quotient;
        return pool.mul(factors);
      }
      return std::nullopt;
    }
    return pool.div(e, s);
  }
  if (e == s) return pool.constant(1);
  // s^2, s^3: not a root, which would leave 1/sqrt(s)
  if (pool.op(e) == Op::pow && pool.args(e)[0] == s && pool.is_constant(pool.args(e)[1]) &&
      pool.value(pool.args(e)[1]) >= 1) {
    return pool.div(e, s);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Expr> ratio_to_force(sym::ExprPool& pool, std::span<const Expr> argument, std::span<const Expr> lambda) {
  const auto ratio = divide_out(pool, argument[0], lambda[0]);
  if (!ratio || pool.is_constant(*ratio, 0)) return std::nullopt;
  for (std::size_t k = 1; k < lambda.size(); ++k) {
    if (divide_out(pool, argument[k], lambda[k]) != ratio) return std::nullopt;
  }
  // A ratio that grows as the force shrinks, 1/norm(T), would leave something for no force.
  const std::vector<Expr> at_zero = sym::substitute(pool, argument, [&](Expr s) {
    return std::find(lambda.begin(), lambda.end(), s) != lambda.end() ? pool.constant(0) : s;
  });
  const bool vanishes = std::all_of(at_zero.begin(), at_zero.end(), [&](Expr a) { return pool.is_constant(a, 0); });
  return vanishes ? ratio : std::nullopt;
}

bool is_positive_at_start(const sym::ExprPool& pool, Expr ratio, std::span<const Expr> lambda, StartView& start) {
  const std::uint32_t first = pool.symbol(lambda[0]).index;
  for (const double others : {1.0, 1e3, 1e-3}) {
    start.set_force(others);
    for (const double size : {1e-9, 1e-6, 1e-3, 1.0, 1e3}) {
      const double value = sym::evaluate(pool, ratio, [&](const sym::Symbol& s) {
        const bool own = s.source == sym::Source::force && s.index >= first && s.index - first < lambda.size();
        return own ? size / (1.37 + s.index - first) : start(s);
      });
      if (!std::isfinite(value) || value == 0) continue;
      start.set_force(1);
      return value > 0;
    }
  }
  start.set_force(1);
  return false;
}

std::optional<Reservoir> two_set_reservoir(const Derivation& d, const TypedLaw& law, Expr ratio, bool positive_sign,
                                           std::span<const Expr> lambda) {
  sym::ExprPool& pool = d.pool;
  std::vector<Expr> x;
  for (const Expr force : lambda) x.push_back(positive_sign ? force : pool.neg(force));
  // Not every set has a gauge, so D's is made only if the argument speaks of gauges at all.
  std::vector<NodeId> gauges;
  std::vector<NodeId> rest{law.argument};
  std::vector<bool> seen(d.model.nodes.size());
  while (!rest.empty()) {
    const NodeId id = rest.back();
    rest.pop_back();
    if (seen[id]) continue;
    seen[id] = true;
    const Node& node = d.model.node(id);
    if (node.kind == NodeKind::gauge && d.model.type(node.args[0]).rows == lambda.size()) gauges.push_back(id);
    rest.insert(rest.end(), node.args.begin(), node.args.end());
  }
  if (gauges.empty()) return std::nullopt;
  const Expr k_D = gauge_function(d.model, d.lowering, pool, law.set, x, GaugeOf::star);
  const Expr alpha = positive_sign ? ratio : pool.neg(ratio);
  for (const NodeId id : gauges) {
    const Expr k_C = d.lowering.scalar(id);
    const Expr sum = pool.add(pool.sub(k_D, k_C), pool.constant(1));
    if (pool.div(pool.constant(1), sum) != alpha) continue;
    Reservoir reservoir{k_C, k_D, {}, {}};
    if (auto form = normal_form(d.model, d.lowering, pool, d.model.node(id).args[0], GaugeOf::star)) {
      reservoir.A = std::move(form->A);
      reservoir.sets = std::move(form->sets);
    }
    return reservoir;
  }
  return std::nullopt;
}

}  // namespace nsmc
