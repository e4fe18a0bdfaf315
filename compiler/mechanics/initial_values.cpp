#include "compiler/mechanics/initial_values.hpp"

#include "compiler/mechanics/lowering.hpp"

namespace nsmc {

using sym::Expr;
using sym::Source;

std::vector<double> parameter_values(const sym::ExprPool& pool, const Equations& equations,
                                     const ParameterValues& overrides) {
  std::vector<double> p(equations.parameters.size(), 0);
  for (const std::size_t i : equations.parameter_order) {
    const ParameterEquation& parameter = equations.parameters[i];
    const auto given = overrides.find(parameter.name);
    p[i] = given != overrides.end() ? given->second : constant_value(pool, parameter.value, p);
  }
  return p;
}

double constant_value(const sym::ExprPool& pool, Expr e, const std::vector<double>& p,
                      const std::vector<double>& self) {
  if (pool.is_constant(e)) return pool.value(e);
  return sym::evaluate(
      pool, e, [&](const sym::Symbol& s) { return s.source == Source::instance ? self.at(s.index) : p[s.index]; });
}

double StartView::operator()(const sym::Symbol& symbol) const {
  switch (symbol.source) {
    case Source::parameter: return p_[symbol.index];
    case Source::instance: return symbol.index < self_.size() ? self_[symbol.index] : 0;
    case Source::force: return force_;
    case Source::time: return 0;
    case Source::signal: return constant_value(pool_, e_.signals[symbol.index].initial, p_);
    case Source::coordinate:
    case Source::velocity: break;
  }
  if (symbol.index >= kContactVelocity) return 0;
  const auto key = std::pair(static_cast<int>(symbol.source), symbol.index);
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  const Reference& reference = e_.references[reference_of(symbol.index)];
  const BlockEquation& block = e_.blocks[reference.block];
  std::vector<double> self;
  if (reference.index) self.push_back(constant_value(pool_, *reference.index, p_, self_));
  const std::size_t k = variable_of(symbol.index);
  const VariableEquation& variable = symbol.source == Source::coordinate ? block.q[k] : block.u[k];
  return known_[key] = constant_value(pool_, variable.initial, p_, self);
}

}  // namespace nsmc
