// Sums of powers under a root, (t_1^n + t_2^n + ...)^(1/n), in a form whose numbers neither over- nor underflow: what
// superellipses are, and what users write for them.
#pragma once

#include <span>

#include "compiler/symbolic/expr.hpp"

namespace nsmc {

// (t_1^n + ... + t_m^n)^(1/n) for t_i >= 0; the largest of them if n is infinite.
sym::Expr power_norm(sym::ExprPool& pool, std::span<const sym::Expr> t, sym::Expr n);

// The same for all such sums in the body of a set by its function, as far as they are seen to be that.
sym::Expr stabilise_power_sums(sym::ExprPool& pool, sym::Expr body);

}  // namespace nsmc
