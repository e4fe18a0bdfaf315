// Numbers for a run: parameters (defaults, overridden by name) and the initial state that follows from them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/mechanics/equations.hpp"

namespace nsmc {

struct InitialValues {
  std::vector<double> p, q, u;
};

// A parameter whose default is an expression of other parameters follows their overrides.
InitialValues initial_values(const sym::ExprPool& pool, const Equations& equations,
                             const std::map<std::string, double>& overrides);

// The value of an expression of parameters alone.
double parameter_value(const sym::ExprPool& pool, sym::Expr e, const std::vector<double>& p);

}  // namespace nsmc
