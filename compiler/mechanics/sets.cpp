#include "compiler/mechanics/sets.hpp"

#include <algorithm>

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

void scale(sym::ExprPool& pool, SimpleSet& set, Expr s) {
  for (Expr& c : set.centre) c = pool.mul(s, c);
  if (set.kind == SimpleSetKind::interval) {
    const Expr a = pool.mul(s, set.arguments[0]);
    const Expr b = pool.mul(s, set.arguments[1]);
    if (pool.is_constant(s)) {
      set.arguments = pool.value(s) >= 0 ? std::vector{a, b} : std::vector{b, a};
    } else {
      set.arguments = {pool.call(Op::min, a, b), pool.call(Op::max, a, b)};
    }
    return;
  }
  for (Expr& extent : set.arguments) extent = pool.mul(pool.call(Op::abs, s), extent);
}

SetForm single(sym::ExprPool& pool, SimpleSet set) {
  SetForm form;
  form.A = identity(pool, set.dim);
  form.sets.push_back(std::move(set));
  return form;
}

SetForm symmetric_interval(sym::ExprPool& pool, Expr r) {
  return single(pool, {SimpleSetKind::interval, 1, {pool.neg(r), r}, {}});
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
  if (!common) return single(pool, {SimpleSetKind::ellipsoid, n, axes, {}});
  if (std::all_of(axes.begin(), axes.end(), [&](Expr e) { return e == axes[0]; })) {
    return single(pool, {SimpleSetKind::ball, n, {axes[0]}, {}});
  }
  Expr m = alpha[0];
  for (const Expr a : alpha) m = pool.call(Op::max, m, a);
  SetForm form = single(pool, {SimpleSetKind::ball, n, {pool.mul(m, *phi)}, {}});
  const Expr divisor = pool.select(pool.call(Op::equal, m, pool.constant(0)), pool.constant(1), m);
  for (std::size_t i = 0; i < n; ++i) form.A(i, i) = pool.div(alpha[i], divisor);
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
    if (set.kind == SimpleSetKind::interval) {
      for (Expr& bound : set.arguments) bound = pool.add(bound, inner[row]);
    } else {
      set.centre.resize(set.dim, pool.constant(0));
      for (std::size_t k = 0; k < set.dim; ++k) set.centre[k] = pool.add(set.centre[k], inner[row + k]);
    }
    row += set.dim;
  }
  return true;
}

}  // namespace

std::optional<SetForm> normal_form(const TypedModel& model, const Lowering& lowering, sym::ExprPool& pool, NodeId id) {
  const Node& node = model.node(id);
  const auto vector = [&](NodeId arg) {
    return std::vector<Expr>(lowering.components(arg).begin(), lowering.components(arg).end());
  };
  switch (node.kind) {
    case NodeKind::set_interval:
      return single(pool, {SimpleSetKind::interval, 1, {lowering.scalar(node.args[0]), lowering.scalar(node.args[1])}, {}});
    case NodeKind::set_ball: {
      const Expr r = lowering.scalar(node.args[0]);
      const std::size_t n = model.type(id).rows;
      return n == 1 ? symmetric_interval(pool, r) : single(pool, {SimpleSetKind::ball, n, {r}, {}});
    }
    case NodeKind::set_ellipsoid: {
      std::vector<Expr> axes;
      for (const NodeId axis : node.args) axes.push_back(lowering.scalar(axis));
      return ellipsoid(pool, axes);
    }
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
    default: throw InternalError("a law's set is not a set");
  }
}

SetForm reflected(sym::ExprPool& pool, SetForm form) {
  for (SimpleSet& set : form.sets) scale(pool, set, pool.constant(-1));
  return form;
}

}  // namespace nsmc
