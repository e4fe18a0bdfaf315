#include "compiler/mechanics/gauge_function.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "compiler/mechanics/coefficients.hpp"
#include "compiler/mechanics/homogeneity.hpp"
#include "compiler/mechanics/linear_algebra.hpp"
#include "compiler/mechanics/power_sums.hpp"
#include "compiler/mechanics/sets.hpp"
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

Expr product_of(sym::ExprPool& pool, std::span<const Expr> a, std::span<const Expr> b) {
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < a.size(); ++i) terms.push_back(pool.mul(a[i], b[i]));
  return pool.add(terms);
}

Expr length(sym::ExprPool& pool, std::span<const Expr> x) { return pool.sqrt(product_of(pool, x, x)); }

// Of the unit ball around c with |c| < 1: the root k > 0 of |x/k - c| = 1.
Expr shifted_ball(sym::ExprPool& pool, std::span<const Expr> x, std::span<const Expr> c) {
  const Expr along = product_of(pool, x, c), rest = pool.sub(pool.constant(1), product_of(pool, c, c));
  const Expr root = pool.sqrt(pool.add(pool.mul(along, along), pool.mul(rest, product_of(pool, x, x))));
  return pool.div(pool.sub(root, along), rest);
}

std::vector<Expr> divided(sym::ExprPool& pool, std::span<const Expr> x, auto&& divisor) {
  std::vector<Expr> result;
  for (std::size_t i = 0; i < x.size(); ++i) result.push_back(pool.div(x[i], divisor(i)));
  return result;
}

// p x q, twice the area of the triangle 0, p, q
Expr area(sym::ExprPool& pool, std::span<const Expr> p, std::span<const Expr> q) {
  return pool.sub(pool.mul(p[0], q[1]), pool.mul(p[1], q[0]));
}

// n_i.x/d_i of the edges, n the outward normal of an edge and d its distance (times |n|) from 0: the largest of them if
// the polygon is convex, else that of the edge which the ray through x meets.
Expr polygon(sym::ExprPool& pool, const std::vector<Expr>& corners, std::span<const Expr> x, GaugeOf shape) {
  const std::size_t n = corners.size() / 2;
  const auto corner = [&](std::size_t i) { return std::span(corners).subspan(2 * (i % n), 2); };
  const auto edge = [&](std::size_t i) {
    return std::array{pool.sub(corner(i + 1)[0], corner(i)[0]), pool.sub(corner(i + 1)[1], corner(i)[1])};
  };
  const Expr zero = pool.constant(0);
  const auto not_negative = [&](Expr e) { return pool.call(Op::less_equal, zero, e); };
  Expr largest = zero;
  Expr convex = pool.constant(1);
  std::vector<Expr> gauges;
  for (std::size_t i = 0; i < n; ++i) {
    const auto along = edge(i);
    gauges.push_back(pool.div(area(pool, x, along), area(pool, corner(i), corner(i + 1))));
    largest = pool.call(Op::max, largest, gauges.back());
    convex = pool.call(Op::logic_and, convex, not_negative(area(pool, along, edge(i + 1))));
  }
  if (shape == GaugeOf::convex) return largest;
  Expr met = gauges[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) {
    const Expr here =
        pool.call(Op::logic_and, not_negative(area(pool, corner(i), x)), not_negative(area(pool, x, corner(i + 1))));
    met = pool.select(here, gauges[i], met);
  }
  return pool.select(convex, largest, met);
}

// Of the set moved by c; c is empty where it stays.
class Gauge {
 public:
  Gauge(const TypedModel& model, const Lowering& lowering, sym::ExprPool& pool, GaugeOf shape, GaugeParts* parts)
      : model_(model), lowering_(lowering), pool_(pool), shape_(shape), parts_(parts) {}

  Expr of(NodeId set, std::span<const Expr> x, std::span<const Expr> c) {
    const Node& node = model_.node(set);
    const auto scalar = [&](std::size_t i) { return lowering_.scalar(node.args[i]); };
    const auto moved = [&](Expr bound, std::size_t i) { return c.empty() ? bound : pool_.add(bound, c[i]); };
    switch (node.set) {
      case SetKind::interval:
        return pool_.select(pool_.call(Op::less, x[0], pool_.constant(0)), one_side(pool_, x[0], moved(scalar(0), 0)),
                            one_side(pool_, x[0], moved(scalar(1), 0)));
      case SetKind::ball:
        if (c.empty()) return pool_.div(length(pool_, x), radius(scalar(0)));
        return ellipsoid(x, c, [&](std::size_t) { return radius(scalar(0)); });
      case SetKind::ellipsoid: return ellipsoid(x, c, [&](std::size_t i) { return radius(scalar(i)); });
      case SetKind::superellipse: {
        return centred_at(c, x, [&](std::span<const Expr> y) {
          std::vector<Expr> ratios;
          for (std::size_t i = 0; i < 2; ++i) {
            ratios.push_back(pool_.call(Op::abs, pool_.div(y[i], radius(scalar(i)))));
          }
          return power_norm(pool_, ratios, scalar(2));
        });
      }
      case SetKind::polygon: {
        std::vector<Expr> corners;
        for (std::size_t i = 0; i < node.args.size(); ++i) corners.push_back(moved(scalar(i), i % 2));
        if (parts_ != nullptr) parts_->polygons.push_back({corners, node.span});
        return polygon(pool_, corners, x, shape_);
      }
      case SetKind::product: {
        std::size_t row = 0;
        return chosen(Op::max, node, [&](NodeId part) {
          const std::size_t n = model_.type(part).rows, first = row;
          row += n;
          return of(part, x.subspan(first, n), c.empty() ? c : c.subspan(first, n));
        });
      }
      case SetKind::intersection: return chosen(Op::max, node, [&](NodeId part) { return of(part, x, c); });
      case SetKind::union_of: return chosen(Op::min, node, [&](NodeId part) { return of(part, x, c); });
      case SetKind::map: {
        const auto entries = lowering_.components(node.args[0]);
        const auto inverted = inverse(pool_, Matrix{x.size(), x.size(), {entries.begin(), entries.end()}});
        if (parts_ != nullptr) parts_->maps.push_back(set);
        // A singular map is reported by the checks; until then the value does not matter.
        if (!inverted) return pool_.constant(0);
        return of(node.args[1], multiply(pool_, *inverted, x),
                  c.empty() ? std::vector<Expr>() : multiply(pool_, *inverted, c));
      }
      case SetKind::scale: {
        const auto divisor = [&](std::size_t) { return scalar(0); };
        return of(node.args[1], divided(pool_, x, divisor), divided(pool_, c, divisor));
      }
      case SetKind::shift: {
        const auto by = lowering_.components(node.args[1]);
        std::vector<Expr> centre;
        for (std::size_t i = 0; i < x.size(); ++i) centre.push_back(moved(by[i], i));
        return of(node.args[0], x, centre);
      }
      case SetKind::gauge: {
        return centred_at(c, x, [&](std::span<const Expr> y) { return body_at(node, y); });
      }
      case SetKind::support: {
        const std::vector<Expr> v = points(x.size());
        const Expr Phi = body_at(node, v);
        return implicit(sym::ImplicitGauge::polar, c.empty() ? Phi : pool_.add(Phi, product_of(pool_, c, v)), x, {});
      }
      case SetKind::contensou_parabolic:
      case SetKind::contensou_uniform: {
        const auto extent = [&](std::size_t i) {
          return i < 2 ? scalar(0) : pool_.mul(scalar(0), contensou_mean_radius(pool_, node.set, scalar(1)));
        };
        std::vector<Expr> shift = divided(pool_, c, extent);
        shift.resize(x.size(), pool_.constant(0));
        return implicit(
            node.set == SetKind::contensou_uniform ? sym::ImplicitGauge::uniform : sym::ImplicitGauge::parabolic, {},
            divided(pool_, x, extent), shift);
      }
    }
    throw InternalError("the gauge of a set that has none");
  }

 private:
  const TypedModel& model_;
  const Lowering& lowering_;
  sym::ExprPool& pool_;
  GaugeOf shape_;
  GaugeParts* parts_;

  // A radius that may become negative with the forces counts as 0 then; one that just grows with them stays as it is.
  Expr radius(Expr r) { return degree_in_forces(pool_, r) ? r : pool_.call(Op::max, r, pool_.constant(0)); }

  Expr ellipsoid(std::span<const Expr> x, std::span<const Expr> c, auto&& axis) {
    const std::vector<Expr> ratios = divided(pool_, x, axis);
    return c.empty() ? length(pool_, ratios) : shifted_ball(pool_, ratios, divided(pool_, c, axis));
  }

  // The body of a gauge or support at the point y.
  Expr body_at(const Node& node, std::span<const Expr> y) {
    const Expr body = lowering_.scalar(node.args[0]);
    return sym::substitute(pool_, std::span(&body, 1), [&](Expr s) {
      const sym::Symbol& symbol = pool_.symbol(s);
      if (symbol.source != sym::Source::force || symbol.index < kSetVariable) return s;
      const std::uint32_t k = symbol.index - kSetVariable - node.index;
      return k < y.size() ? y[k] : s;  // others belong to an enclosing set
    })[0];
  }

  std::vector<Expr> points(std::size_t n) {
    std::vector<Expr> result;
    for (std::size_t i = 0; i < n; ++i) result.push_back(set_point(pool_, i));
    return result;
  }

  // The gauge k0 itself, or that of its set moved by c.
  Expr centred_at(std::span<const Expr> c, std::span<const Expr> x, auto&& k0) {
    if (c.empty()) return k0(x);
    return implicit(sym::ImplicitGauge::shifted, k0(points(x.size())), x, c);
  }

  Expr implicit(sym::ImplicitGauge::Kind kind, Expr body, std::span<const Expr> x, std::span<const Expr> shift) {
    std::vector<Expr> coefficients, arguments(x.begin(), x.end());
    arguments.insert(arguments.end(), shift.begin(), shift.end());
    sym::ImplicitGauge gauge{kind, static_cast<std::uint32_t>(x.size()), body};
    const bool has_body = kind == sym::ImplicitGauge::polar || kind == sym::ImplicitGauge::shifted;
    if (has_body) gauge.body = extract_coefficients(pool_, body, coefficients);
    arguments.insert(arguments.end(), coefficients.begin(), coefficients.end());
    return pool_.implicit(pool_.add_implicit(std::move(gauge)), 0, arguments);
  }

  // The largest or the smallest of the gauges of its parts.
  Expr chosen(Op op, const Node& node, auto&& part) {
    Expr result = part(node.args[0]);
    for (std::size_t i = 1; i < node.args.size(); ++i) result = pool_.call(op, result, part(node.args[i]));
    return result;
  }
};

}  // namespace

Expr gauge_function(const TypedModel& model, const Lowering& lowering, sym::ExprPool& pool, NodeId set,
                    std::span<const Expr> x, GaugeOf shape, GaugeParts* parts) {
  return Gauge(model, lowering, pool, shape, parts).of(set, x, {});
}

}  // namespace nsmc
