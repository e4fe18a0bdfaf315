#include "compiler/mechanics/work.hpp"

#include "compiler/mechanics/linear_algebra.hpp"

namespace nsmc {

using sym::Expr;
using sym::Source;

namespace {

Expr time_derivative(sym::ExprPool& pool, Expr e, Expr by) {
  return sym::jacobian(pool, std::span(&e, 1), std::span(&by, 1))[0];
}

std::vector<Expr> symbols_of(const std::vector<VariableEquation>& variables) {
  std::vector<Expr> symbols;
  for (const VariableEquation& v : variables) symbols.push_back(v.symbol);
  return symbols;
}

Expr dot(sym::ExprPool& pool, std::span<const Expr> a, std::span<const Expr> b) {
  std::vector<Expr> terms;
  for (std::size_t k = 0; k < a.size(); ++k) terms.push_back(pool.mul(a[k], b[k]));
  return pool.add(terms);
}

void add_power(sym::ExprPool& pool, ForceKind kind, Expr power, WorkRates& work) {
  if (kind == ForceKind::given) work.supplied = pool.add(work.supplied, power);
  if (kind == ForceKind::dissipation) work.damped = pool.sub(work.damped, power);
}

}  // namespace

WorkRates work_of(sym::ExprPool& pool, const Equations& equations, const BlockEquation& block) {
  const Expr zero = pool.constant(0), t = equations.t;
  WorkRates work{zero, zero, zero, zero};
  const std::vector<Expr> u = symbols_of(block.u), q = symbols_of(block.q);
  for (const ForceContribution& part : block.contributions) add_power(pool, part.kind, dot(pool, u, part.h), work);
  const Expr T = block.kinetic;
  if (block.given_mass) {
    // Nothing says which of the given forces belong to inertia: M' u u/2 + dV/dq q' + u^T h is the rate of the energy.
    const Expr E = pool.add(T, block.potential);
    const std::vector<Expr> dE = sym::jacobian(pool, std::span(&E, 1), q);
    const Expr whole =
        pool.add(pool.add(dot(pool, dE, block.q_dot), dot(pool, u, block.h)), time_derivative(pool, E, t));
    work.by_time = pool.add(pool.sub(whole, work.supplied), work.damped);
    return work;
  }
  const std::vector<Expr> p = sym::jacobian(pool, std::span(&T, 1), u);
  std::vector<Expr> rest = p;
  rest.push_back(T);
  rest = sym::substitute(pool, rest,
                         [&](Expr s) { return pool.symbol(s).source == Source::velocity ? pool.constant(0) : s; });
  const Expr T0 = rest.back();
  rest.pop_back();
  work.moved = pool.add(dot(pool, rest, u), pool.mul(pool.constant(2), T0));
  work.by_time = time_derivative(pool, pool.sub(block.potential, T), t);
  return work;
}

WorkRates work_of(sym::ExprPool& pool, const Equations& equations, const ElementEquation& element) {
  const Expr zero = pool.constant(0);
  WorkRates work{zero, zero, zero, time_derivative(pool, element.potential, equations.t)};
  for (std::size_t r = 0; r < element.references.size(); ++r) {
    std::vector<Expr> u;
    for (std::size_t k = 0; k < element.h[r].size(); ++k)
      u.push_back(pool.symbol(Source::velocity, variable_index(element.references[r], k), ""));
    add_power(pool, element.kind, dot(pool, u, element.h[r]), work);
  }
  return work;
}

bool is_zero(const sym::ExprPool& pool, const WorkRates& work) {
  return pool.is_constant(work.supplied, 0) && pool.is_constant(work.damped, 0) && pool.is_constant(work.moved, 0) &&
         pool.is_constant(work.by_time, 0);
}

}  // namespace nsmc
