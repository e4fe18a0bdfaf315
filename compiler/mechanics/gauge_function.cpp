#include "compiler/mechanics/gauge_function.hpp"

#include <cmath>
#include <limits>

#include "compiler/mechanics/linear_algebra.hpp"
#include "compiler/support/internal_check.hpp"

namespace nsmc {

using sym::Expr;
using sym::Op;

namespace {

// The part of an interval's gauge on one side of 0: x/bound, nothing to say if the bound is infinite, everything if 0.
Expr one_side(sym::ExprPool& pool, Expr x, Expr bound) {
  if (pool.is_constant(bound) && std::isinf(pool.value(bound))) return pool.constant(0);
  if (pool.is_constant(bound, 0)) return pool.constant(std::numeric_limits<double>::infinity());
  return pool.div(x, bound);
}

Expr sum_of_squares(sym::ExprPool& pool, std::span<const Expr> x) {
  std::vector<Expr> squares;
  for (const Expr e : x) squares.push_back(pool.pow(e, pool.constant(2)));
  return pool.add(squares);
}

// The largest of n_i.x/d_i over the edges, n the outward normal of an edge and d its distance (times |n|) from 0.
Expr polygon(sym::ExprPool& pool, const std::vector<Expr>& corners, std::span<const Expr> x) {
  const std::size_t n = corners.size() / 2;
  Expr result = pool.constant(0);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = (i + 1) % n;
    const Expr nx = pool.sub(corners[2 * j + 1], corners[2 * i + 1]);
    const Expr ny = pool.sub(corners[2 * i], corners[2 * j]);
    const Expr d = pool.add(pool.mul(nx, corners[2 * i]), pool.mul(ny, corners[2 * i + 1]));
    result = pool.call(Op::max, result, pool.div(pool.add(pool.mul(nx, x[0]), pool.mul(ny, x[1])), d));
  }
  return result;
}

}  // namespace

Expr gauge_function(const TypedModel& model, const Lowering& lowering, sym::ExprPool& pool, NodeId set,
                    std::span<const Expr> x) {
  const Node& node = model.node(set);
  const auto scalar = [&](std::size_t i) { return lowering.scalar(node.args[i]); };
  const auto largest = [&](auto&& part) {
    Expr result = part(0);
    for (std::size_t i = 1; i < node.args.size(); ++i) result = pool.call(Op::max, result, part(i));
    return result;
  };
  switch (node.kind) {
    case NodeKind::set_interval:
      return pool.select(pool.call(Op::less, x[0], pool.constant(0)), one_side(pool, x[0], scalar(0)),
                         one_side(pool, x[0], scalar(1)));
    case NodeKind::set_ball: return pool.div(pool.sqrt(sum_of_squares(pool, x)), scalar(0));
    case NodeKind::set_ellipsoid: {
      std::vector<Expr> ratios;
      for (std::size_t i = 0; i < x.size(); ++i) ratios.push_back(pool.div(x[i], scalar(i)));
      return pool.sqrt(sum_of_squares(pool, ratios));
    }
    case NodeKind::set_superellipse: {
      const Expr s = scalar(2);
      std::vector<Expr> terms;
      for (std::size_t i = 0; i < 2; ++i) terms.push_back(pool.pow(pool.call(Op::abs, pool.div(x[i], scalar(i))), s));
      return pool.pow(pool.add(terms), pool.div(pool.constant(1), s));
    }
    case NodeKind::set_polygon: {
      std::vector<Expr> corners;
      for (std::size_t i = 0; i < node.args.size(); ++i) corners.push_back(scalar(i));
      return polygon(pool, corners, x);
    }
    case NodeKind::set_product: {
      std::size_t row = 0;
      return largest([&](std::size_t i) {
        const std::size_t n = model.type(node.args[i]).rows;
        row += n;
        return gauge_function(model, lowering, pool, node.args[i], x.subspan(row - n, n));
      });
    }
    case NodeKind::set_intersection:
      return largest([&](std::size_t i) { return gauge_function(model, lowering, pool, node.args[i], x); });
    case NodeKind::set_map: {
      const auto entries = lowering.components(node.args[0]);
      const auto inverted = inverse(pool, Matrix{x.size(), x.size(), {entries.begin(), entries.end()}});
      // A singular map is reported with the law that uses the set; until then the value does not matter.
      if (!inverted) return pool.constant(0);
      return gauge_function(model, lowering, pool, node.args[1], multiply(pool, *inverted, x));
    }
    case NodeKind::set_scale: {
      std::vector<Expr> scaled;
      for (const Expr e : x) scaled.push_back(pool.div(e, scalar(0)));
      return gauge_function(model, lowering, pool, node.args[1], scaled);
    }
    case NodeKind::set_gauge: {
      const Expr body = scalar(0);
      return sym::substitute(pool, std::span(&body, 1), [&](Expr s) {
        const sym::Symbol& symbol = pool.symbol(s);
        if (symbol.source != sym::Source::force || symbol.index < kSetVariable) return s;
        const std::uint32_t k = symbol.index - kSetVariable - node.index;
        return k < x.size() ? x[k] : s;  // others belong to an enclosing set
      })[0];
    }
    default: throw InternalError("the gauge of a set that has none");
  }
}

}  // namespace nsmc
