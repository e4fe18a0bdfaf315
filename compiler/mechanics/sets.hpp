// Sets in normal form: every set of the language is A * (K_1 x ... x K_m) with K_j an interval, a ball or an ellipsoid,
// each possibly off centre. Scalings and shifts are pushed into the K_j, maps are pulled out into A; an ellipse is a
// transformed disc [Möller 2009, (25), (41)].
#pragma once

#include <optional>

#include "compiler/mechanics/lowering.hpp"

namespace nsmc {

struct SetForm {
  Matrix A;
  std::vector<SimpleSet> sets;
};

// Nothing if a map in it is singular (and a shift needs its inverse).
std::optional<SetForm> normal_form(const TypedModel& model, const Lowering& lowering, sym::ExprPool& pool, NodeId set);

// `solve direct`: the set itself, without a map; by its gauge function where it is not a simple set.
std::optional<SetForm> direct_form(const TypedModel& model, const Lowering& lowering, sym::ExprPool& pool, NodeId set);

// -C, for laws written with +lambda.
SetForm reflected(sym::ExprPool& pool, SetForm form);

// -2 and -2*a, but not a, whatever its value: the sign that is written.
bool has_minus_sign(const sym::ExprPool& pool, sym::Expr e);

// The mean radius of friction on a circular area: torque over force [Möller 2009, (50)].
sym::Expr contensou_mean_radius(sym::ExprPool& pool, bool uniform, sym::Expr R);

}  // namespace nsmc
