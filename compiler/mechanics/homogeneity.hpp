// How an expression grows with the forces, by proof: what takes a force out of a set as a factor must be sure that the
// force is nowhere else, not in a limit that becomes active at another load, nor in an exponent.
#pragma once

#include <optional>

#include "compiler/symbolic/expr.hpp"

namespace nsmc {

// The d for which e(rho*lambda) = rho^d e(lambda) holds for all rho > 0 and all values of everything else, lambda the
// forces of contacts (the variables of sets are none); it may depend on parameters. Nothing where that is not proved,
// which does not say that it is false. Of 0, for which every d is right, 0.
std::optional<sym::Expr> degree_in_forces(sym::ExprPool& pool, sym::Expr e);

}  // namespace nsmc
