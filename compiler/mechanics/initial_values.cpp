#include "compiler/mechanics/initial_values.hpp"

namespace nsmc {

using sym::Expr;

InitialValues initial_values(const sym::ExprPool& pool, const Equations& equations,
                             const std::map<std::string, double>& overrides) {
  InitialValues result;
  result.p.assign(equations.parameters.size(), 0);
  for (const std::size_t i : equations.parameter_order) {
    const ParameterEquation& parameter = equations.parameters[i];
    const auto given = overrides.find(parameter.name);
    result.p[i] = given != overrides.end() ? given->second : parameter_value(pool, parameter.value, result.p);
  }
  for (const VariableEquation& q : equations.q) result.q.push_back(parameter_value(pool, q.initial, result.p));
  for (const VariableEquation& u : equations.u) result.u.push_back(parameter_value(pool, u.initial, result.p));
  return result;
}

double parameter_value(const sym::ExprPool& pool, Expr e, const std::vector<double>& p) {
  if (pool.is_constant(e)) return pool.value(e);
  return sym::evaluate(pool, e, [&](const sym::Symbol& s) { return p[s.index]; });
}

}  // namespace nsmc
