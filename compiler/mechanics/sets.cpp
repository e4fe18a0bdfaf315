#include "compiler/mechanics/sets.hpp"

#include <algorithm>
#include <cmath>

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

SimpleSet simple(SetKind kind, std::size_t dim, std::vector<Expr> arguments) {
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
  return single(pool, simple(SetKind::interval, 1, {pool.neg(r), r}));
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
  if (!common || flat) return single(pool, simple(SetKind::ellipsoid, n, axes));
  if (std::all_of(axes.begin(), axes.end(), [&](Expr e) { return e == axes[0]; })) {
    return single(pool, simple(SetKind::ball, n, {axes[0]}));
  }
  Expr m = alpha[0];
  for (const Expr a : alpha) m = pool.call(Op::max, m, a);
  SetForm form = single(pool, simple(SetKind::ball, n, {pool.mul(m, *phi)}));
  const Expr divisor = pool.select(pool.call(Op::equal, m, pool.constant(0)), pool.constant(1), m);
  for (std::size_t i = 0; i < n; ++i) form.A(i, i) = pool.div(alpha[i], divisor);
  return form;
}

// Coulomb-Contensou friction is diag(1, 1, mean radius) applied to the body with equal extents, so that the rows of
// force and torque are of one scale. A radius that depends on forces cannot go into the map.
SetForm contensou(sym::ExprPool& pool, const Lowering& lowering, const Node& node, bool direct) {
  const Expr f = lowering.scalar(node.args[0]);
  const Expr r = contensou_mean_radius(pool, node.set, lowering.scalar(node.args[1]));
  if (direct || depends_on_force(pool, r)) return single(pool, simple(node.set, 3, {f, r}));
  SetForm form = single(pool, simple(node.set, 3, {f, pool.constant(1)}));
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
SimpleSet by_function(sym::ExprPool& pool, SetKind kind, std::size_t dim, Expr function, Span span) {
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
  if (!degree || !pool.is_constant(*degree, kind == SetKind::gauge ? -1 : 1)) return set;
  set.arguments[0] = forces[0];
  set.function =
      sym::substitute(pool, std::span(&function, 1), [&](Expr s) { return s == forces[0] ? pool.constant(1) : s; })[0];
  return set;
}

SetForm gauge_form(const TypedModel& model, const Lowering& lowering, sym::ExprPool& pool, NodeId id, GaugeOf shape) {
  const std::size_t n = model.type(id).rows;
  std::vector<Expr> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(set_point(pool, i));
  return single(pool, by_function(pool, SetKind::gauge, n, gauge_function(model, lowering, pool, id, x, shape),
                                  model.node(id).span));
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
    shift(pool, set, std::span<const Expr>(inner).subspan(row, set.dim));
    row += set.dim;
  }
  return true;
}

}  // namespace

std::optional<SetForm> direct_form(const TypedModel& model, const Lowering& lowering, sym::ExprPool& pool, NodeId id) {
  const Node& node = model.node(id);
  if (node.set == SetKind::ellipsoid) {
    std::vector<Expr> axes;
    for (const NodeId axis : node.args) axes.push_back(lowering.scalar(axis));
    return single(pool, simple(SetKind::ellipsoid, axes.size(), axes));
  }
  if (is_contensou(node.set)) return contensou(pool, lowering, node, true);
  auto form = normal_form(model, lowering, pool, id);
  if (!form || is_identity(pool, form->A)) return form;
  return gauge_form(model, lowering, pool, id, GaugeOf::convex);
}

std::optional<SetForm> normal_form(const TypedModel& model, const Lowering& lowering, sym::ExprPool& pool, NodeId id,
                                   GaugeOf shape) {
  const Node& node = model.node(id);
  const auto vector = [&](NodeId arg) {
    return std::vector<Expr>(lowering.components(arg).begin(), lowering.components(arg).end());
  };
  switch (node.set) {
    case SetKind::interval:
      return single(pool, simple(SetKind::interval, 1, {lowering.scalar(node.args[0]), lowering.scalar(node.args[1])}));
    case SetKind::ball: {
      const Expr r = lowering.scalar(node.args[0]);
      const std::size_t n = model.type(id).rows;
      return n == 1 ? symmetric_interval(pool, r) : single(pool, simple(SetKind::ball, n, {r}));
    }
    case SetKind::ellipsoid: {
      std::vector<Expr> axes;
      for (const NodeId axis : node.args) axes.push_back(lowering.scalar(axis));
      return ellipsoid(pool, axes);
    }
    case SetKind::contensou_parabolic:
    case SetKind::contensou_uniform: return contensou(pool, lowering, node, false);
    case SetKind::product: {
      std::vector<SetForm> factors;
      for (const NodeId factor : node.args) {
        auto form = normal_form(model, lowering, pool, factor, shape);
        if (!form) return std::nullopt;
        factors.push_back(std::move(*form));
      }
      return product(pool, factors);
    }
    case SetKind::map: {
      auto form = normal_form(model, lowering, pool, node.args[1], shape);
      if (!form) return std::nullopt;
      const std::size_t n = form->A.rows;
      form->A = multiply(pool, Matrix{n, n, vector(node.args[0])}, form->A);
      return form;
    }
    case SetKind::scale: {
      auto form = normal_form(model, lowering, pool, node.args[1], shape);
      if (!form) return std::nullopt;
      for (SimpleSet& set : form->sets) scale(pool, set, lowering.scalar(node.args[0]));
      return form;
    }
    case SetKind::shift: {
      auto form = normal_form(model, lowering, pool, node.args[0], shape);
      if (!form || !shift(pool, *form, vector(node.args[1]))) return std::nullopt;
      return form;
    }
    case SetKind::polygon: {
      SimpleSet set = simple(SetKind::polygon, 2, {});
      for (const NodeId coordinate : node.args) set.arguments.push_back(lowering.scalar(coordinate));
      return single(pool, std::move(set));
    }
    case SetKind::superellipse:
    case SetKind::intersection:
    case SetKind::union_of:
    case SetKind::gauge: return gauge_form(model, lowering, pool, id, shape);
    case SetKind::support: {
      const Expr body = lowering.scalar(node.args[0]);
      return single(
          pool, by_function(pool, SetKind::support, model.type(id).rows,
                            sym::substitute(pool, std::span(&body, 1),
                                            [&](Expr s) {
                                              const sym::Symbol& symbol = pool.symbol(s);
                                              return symbol.source == sym::Source::force && symbol.index >= kSetVariable
                                                         ? set_point(pool, symbol.index - kSetVariable - node.index)
                                                         : s;
                                            })[0],
                            node.span));
    }
  }
  throw InternalError("a law's set is not a set");
}

SetForm reflected(sym::ExprPool& pool, SetForm form) {
  for (SimpleSet& set : form.sets) scale(pool, set, pool.constant(-1));
  return form;
}

}  // namespace nsmc
