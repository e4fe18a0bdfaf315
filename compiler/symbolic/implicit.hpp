// Gauges that are the solution of an equation (ImplicitGauge): their values for the interpreter, their derivatives.
#pragma once

#include <span>
#include <string>

#include "compiler/symbolic/expr.hpp"

namespace nsmc::sym {

// The value of a node whose arguments have the values `operands`.
double implicit_value(const ExprPool& pool, Expr node, std::span<const double> operands);

// d node / d argument, counted from x_1 on. The Hessian has no derivatives: NaN.
Expr implicit_partial(ExprPool& pool, Expr node, std::size_t argument);

// For printing: gauge_1, and gauge_1_2 for its component 2.
std::string implicit_name(const ExprPool& pool, Expr node);

}  // namespace nsmc::sym
