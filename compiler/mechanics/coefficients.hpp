// What in a function of a point does not depend on the point.
#pragma once

#include <vector>

#include "compiler/symbolic/expr.hpp"

namespace nsmc {

// Replaces the largest subexpressions that are free of the point (set_point) by instance symbols 0, 1, ..., which stand
// for the `coefficients` that are returned.
sym::Expr extract_coefficients(sym::ExprPool& pool, sym::Expr function, std::vector<sym::Expr>& coefficients);

}  // namespace nsmc
