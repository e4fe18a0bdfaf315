// The gauge (Minkowski functional) k_C(x) = inf {q > 0 : x in q C} of a set, as an expression [Walker 2017, (16)].
#pragma once

#include <span>

#include "compiler/mechanics/lowering.hpp"

namespace nsmc {

// At the point x. Where it is the root of an equation (supports, contensou, moved gauge sets), an implicit gauge.
sym::Expr gauge_function(const TypedModel& model, const Lowering& lowering, sym::ExprPool& pool, NodeId set,
                         std::span<const sym::Expr> x);

}  // namespace nsmc
