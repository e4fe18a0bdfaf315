#include "compiler/mechanics/sets.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "compiler/mechanics/gauge_function.hpp"
#include "compiler/mechanics/homogeneity.hpp"
#include "compiler/mechanics/linear_algebra.hpp"
#include "compiler/support/internal_check.hpp"

namespace nsmc {

using sym::Expr;
using sym::Op;

namespace {

bool depends_on_force(const sym::ExprPool& pool, Expr e) {
  return sym::depends_on(pool, e, [](const sym::Symbol& s) { return s.source == sym::Source::force; });
}

Expr replace_point(sym::ExprPool& pool, Expr function, auto&& image) {
  return sym::substitute(pool, std::span(&function, 1), [&](Expr s) {
    const sym::Symbol& symbol = pool.symbol(s);
    return symbol.source == sym::Source::force && symbol.index < kUserForce ? image(symbol.index, s) : s;
  })[0];
}

// e = alpha * phi with all factors that depend on forces in phi.
std::pair<Expr, Expr> split_force_factor(sym::ExprPool& pool, Expr e) {
  std::vector<Expr> alpha;
  std::vector<Expr> phi;
  if (pool.op(e) == Op::mul) {
    const std::vector<Expr> factors(pool.args(e).begin(), pool.args(e).end());
    for (const Expr factor : factors) (depends_on_force(pool, factor) ? phi : alpha).push_back(factor);
  } else {
    (depends_on_force(pool, e) ? phi : alpha).push_back(e);
  }
  return {alpha.empty() ? pool.constant(1) : pool.mul(alpha), phi.empty() ? pool.constant(1) : pool.mul(phi)};
}

void scale(sym::ExprPool& pool, SimpleSet& set, Expr s) {
  for (Expr& c : set.centre) c = pool.mul(s, c);
  const bool negative = has_minus_sign(pool, s);
  if (set.kind == SimpleSetKind::polygon) {
    for (Expr& corner : set.arguments) corner = pool.mul(s, corner);  // a point reflection keeps the orientation
    return;
  }
  if (set.kind == SimpleSetKind::gauge || set.kind == SimpleSetKind::support) {
    if (negative) set.function = replace_point(pool, set.function, [&](std::uint32_t, Expr x) { return pool.neg(x); });
    set.arguments[0] = pool.mul(negative ? pool.neg(s) : s, set.arguments[0]);
    return;
  }
  if (set.kind == SimpleSetKind::interval) {
    const Expr a = pool.mul(s, set.arguments[0]);
    const Expr b = pool.mul(s, set.arguments[1]);
    if (pool.is_constant(s)) {
      set.arguments = negative ? std::vector{b, a} : std::vector{a, b};
    } else {
      set.arguments = {pool.call(Op::min, a, b), pool.call(Op::max, a, b)};
    }
    return;
  }
  if (is_contensou(set.kind)) {  // the other argument is a ratio of extents
    set.arguments[0] = pool.mul(pool.call(Op::abs, s), set.arguments[0]);
    return;
  }
  for (Expr& extent : set.arguments) extent = pool.mul(pool.call(Op::abs, s), extent);
}

SimpleSet simple(SimpleSetKind kind, std::size_t dim, std::vector<Expr> arguments) {
  SimpleSet set;
  set.kind = kind;
  set.dim = dim;
  set.arguments = std::move(arguments);
  return set;
}

SetForm single(sym::ExprPool& pool, SimpleSet set) {
  SetForm form;
  form.A = identity(pool, set.dim);
  form.sets.push_back(std::move(set));
  return form;
}

SetForm symmetric_interval(sym::ExprPool& pool, Expr r) {
  return single(pool, simple(SimpleSetKind::interval, 1, {pool.neg(r), r}));
}

// The ellipsoid with semi-axes a_i = alpha_i*phi is diag(alpha_i/m) applied to the ball of radius m*phi with
// m = max alpha_i: exact where a semi-axis vanishes, and free of forces. Axes whose dependence on the forces differs
// are projected on directly.
SetForm ellipsoid(sym::ExprPool& pool, const std::vector<Expr>& axes) {
  if (axes.size() == 1) return symmetric_interval(pool, axes[0]);
  std::vector<Expr> alpha;
  std::optional<Expr> phi;
  bool common = true;
  for (const Expr axis : axes) {
    const auto [a, f] = split_force_factor(pool, axis);
    alpha.push_back(a);
    common = common && (!phi || *phi == f);
    phi = f;
  }
  const std::size_t n = axes.size();
  // Nor is there a map where an axis is 0 for good, orthotropic(0, 0.3): it would have no inverse.
  const bool flat = std::any_of(axes.begin(), axes.end(), [&](Expr e) { return pool.is_constant(e, 0); });
  if (!common || flat) return single(pool, simple(SimpleSetKind::ellipsoid, n, axes));
  if (std::all_of(axes.begin(), axes.end(), [&](Expr e) { return e == axes[0]; })) {
    return single(pool, simple(SimpleSetKind::ball, n, {axes[0]}));
  }
  Expr m = alpha[0];
  for (const Expr a : alpha) m = pool.call(Op::max, m, a);
  SetForm form = single(pool, simple(SimpleSetKind::ball, n, {pool.mul(m, *phi)}));
  const Expr divisor = pool.select(pool.call(Op::equal, m, pool.constant(0)), pool.constant(1), m);
  for (std::size_t i = 0; i < n; ++i) form.A(i, i) = pool.div(alpha[i], divisor);
  return form;
}

// Coulomb-Contensou friction is diag(1, 1, mean radius) applied to the body with equal extents, so that the rows of
// force and torque are of one scale. A radius that depends on forces cannot go into the map.
SetForm contensou(sym::ExprPool& pool, const Lowering& lowering, const Node& node, bool direct) {
  const bool uniform = node.index == 1;
  const Expr f = lowering.scalar(node.args[0]), r = contensou_mean_radius(pool, uniform, lowering.scalar(node.args[1]));
  const auto kind = uniform ? SimpleSetKind::contensou_uniform : SimpleSetKind::contensou_parabolic;
  if (direct || depends_on_force(pool, r)) return single(pool, simple(kind, 3, {f, r}));
  SetForm form = single(pool, simple(kind, 3, {f, pool.constant(1)}));
  form.A(2, 2) = r;
  return form;
}

SetForm product(sym::ExprPool& pool, const std::vector<SetForm>& factors) {
  SetForm form;
  std::size_t n = 0;
  for (const SetForm& factor : factors) n += factor.A.rows;
  form.A = identity(pool, n);
  std::size_t offset = 0;
  for (const SetForm& factor : factors) {
    for (std::size_t i = 0; i < factor.A.rows; ++i) {
      for (std::size_t j = 0; j < factor.A.cols; ++j) form.A(offset + i, offset + j) = factor.A(i, j);
    }
    offset += factor.A.rows;
    form.sets.insert(form.sets.end(), factor.sets.begin(), factor.sets.end());
  }
  return form;
}

// A set by its function. Where it is proved that one force scales the whole set (a reservoir mu*N*C), the force is
// taken out as a factor, so that the function depends on the state alone and the set shrinks to a point with the force.
SimpleSet by_function(sym::ExprPool& pool, SimpleSetKind kind, std::size_t dim, Expr function, Span span) {
  SimpleSet set = simple(kind, dim, {pool.constant(1)});
  set.function = function;
  set.span = span;
  std::vector<Expr> forces;
  for (const Expr e : sym::topological_order(pool, std::span(&function, 1))) {
    if (pool.op(e) != Op::symbol) continue;
    const sym::Symbol& symbol = pool.symbol(e);
    if (symbol.source == sym::Source::force && symbol.index >= kUserForce) forces.push_back(e);
  }
  if (forces.size() != 1) return set;
  const auto degree = degree_in_forces(pool, function);
  if (!degree || !pool.is_constant(*degree, kind == SimpleSetKind::gauge ? -1 : 1)) return set;
  set.arguments[0] = forces[0];
  set.function =
      sym::substitute(pool, std::span(&function, 1), [&](Expr s) { return s == forces[0] ? pool.constant(1) : s; })[0];
  return set;
}

SetForm gauge_form(const TypedModel& model, const Lowering& lowering, sym::ExprPool& pool, NodeId id) {
  const std::size_t n = model.type(id).rows;
  std::vector<Expr> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(set_point(pool, i));
  return single(pool, by_function(pool, SimpleSetKind::gauge, n,
                                  gauge_function(model, lowering, pool, id, x, GaugeOf::convex), model.node(id).span));
}

// A*K + c = A*(K + A^-1 c)
bool shift(sym::ExprPool& pool, SetForm& form, const std::vector<Expr>& c) {
  std::vector<Expr> inner = c;
  if (!is_identity(pool, form.A)) {
    const auto inverted = inverse(pool, form.A);
    if (!inverted) return false;
    inner = multiply(pool, *inverted, c);
  }
  std::size_t row = 0;
  for (SimpleSet& set : form.sets) {
    if (set.kind == SimpleSetKind::interval || set.kind == SimpleSetKind::polygon) {
      for (std::size_t k = 0; k < set.arguments.size(); ++k) {
        set.arguments[k] = pool.add(set.arguments[k], inner[row + k % set.dim]);
      }
    } else {
      set.centre.resize(set.dim, pool.constant(0));
      for (std::size_t k = 0; k < set.dim; ++k) set.centre[k] = pool.add(set.centre[k], inner[row + k]);
    }
    row += set.dim;
  }
  return true;
}

}  // namespace

Expr contensou_mean_radius(sym::ExprPool& pool, bool uniform, Expr R) {
  return pool.mul(pool.constant(uniform ? 2.0 / 3 : 3 * std::numbers::pi / 16), R);
}

bool has_minus_sign(const sym::ExprPool& pool, Expr e) {
  const Expr first = pool.op(e) == Op::mul ? pool.args(e)[0] : e;  // the coefficient stands first
  return pool.is_constant(first) && pool.value(first) < 0;
}

Expr set_point(sym::ExprPool& pool, std::size_t i) {
  return pool.symbol(sym::Source::force, static_cast<std::uint32_t>(i), "x[" + std::to_string(i + 1) + "]");
}

std::optional<SetForm> direct_form(const TypedModel& model, const Lowering& lowering, sym::ExprPool& pool, NodeId id) {
  const Node& node = model.node(id);
  if (node.kind == NodeKind::set_ellipsoid) {
    std::vector<Expr> axes;
    for (const NodeId axis : node.args) axes.push_back(lowering.scalar(axis));
    return single(pool, simple(SimpleSetKind::ellipsoid, axes.size(), axes));
  }
  if (node.kind == NodeKind::set_contensou) return contensou(pool, lowering, node, true);
  auto form = normal_form(model, lowering, pool, id);
  if (!form || is_identity(pool, form->A)) return form;
  return gauge_form(model, lowering, pool, id);
}

std::optional<SetForm> normal_form(const TypedModel& model, const Lowering& lowering, sym::ExprPool& pool, NodeId id) {
  const Node& node = model.node(id);
  const auto vector = [&](NodeId arg) {
    return std::vector<Expr>(lowering.components(arg).begin(), lowering.components(arg).end());
  };
  switch (node.kind) {
    case NodeKind::set_interval:
      return single(pool,
                    simple(SimpleSetKind::interval, 1, {lowering.scalar(node.args[0]), lowering.scalar(node.args[1])}));
    case NodeKind::set_ball: {
      const Expr r = lowering.scalar(node.args[0]);
      const std::size_t n = model.type(id).rows;
      return n == 1 ? symmetric_interval(pool, r) : single(pool, simple(SimpleSetKind::ball, n, {r}));
    }
    case NodeKind::set_ellipsoid: {
      std::vector<Expr> axes;
      for (const NodeId axis : node.args) axes.push_back(lowering.scalar(axis));
      return ellipsoid(pool, axes);
    }
    case NodeKind::set_contensou: return contensou(pool, lowering, node, false);
    case NodeKind::set_product: {
      std::vector<SetForm> factors;
      for (const NodeId factor : node.args) {
        auto form = normal_form(model, lowering, pool, factor);
        if (!form) return std::nullopt;
        factors.push_back(std::move(*form));
      }
      return product(pool, factors);
    }
    case NodeKind::set_map: {
      auto form = normal_form(model, lowering, pool, node.args[1]);
      if (!form) return std::nullopt;
      const std::size_t n = form->A.rows;
      form->A = multiply(pool, Matrix{n, n, vector(node.args[0])}, form->A);
      return form;
    }
    case NodeKind::set_scale: {
      auto form = normal_form(model, lowering, pool, node.args[1]);
      if (!form) return std::nullopt;
      for (SimpleSet& set : form->sets) scale(pool, set, lowering.scalar(node.args[0]));
      return form;
    }
    case NodeKind::set_shift: {
      auto form = normal_form(model, lowering, pool, node.args[0]);
      if (!form || !shift(pool, *form, vector(node.args[1]))) return std::nullopt;
      return form;
    }
    case NodeKind::set_polygon: {
      SimpleSet set = simple(SimpleSetKind::polygon, 2, {});
      for (const NodeId coordinate : node.args) set.arguments.push_back(lowering.scalar(coordinate));
      return single(pool, std::move(set));
    }
    case NodeKind::set_superellipse:
    case NodeKind::set_intersection:
    case NodeKind::set_gauge: return gauge_form(model, lowering, pool, id);
    case NodeKind::set_support: {
      const Expr body = lowering.scalar(node.args[0]);
      return single(
          pool, by_function(pool, SimpleSetKind::support, model.type(id).rows,
                            sym::substitute(pool, std::span(&body, 1),
                                            [&](Expr s) {
                                              const sym::Symbol& symbol = pool.symbol(s);
                                              return symbol.source == sym::Source::force && symbol.index >= kSetVariable
                                                         ? set_point(pool, symbol.index - kSetVariable - node.index)
                                                         : s;
                                            })[0],
                            node.span));
    }
    default: throw InternalError("a law's set is not a set");
  }
}

SetForm reflected(sym::ExprPool& pool, SetForm form) {
  for (SimpleSet& set : form.sets) scale(pool, set, pool.constant(-1));
  return form;
}

}  // namespace nsmc
