// Sets in normal form: every set of the language is A * (K_1 x ... x K_m) with K_j an interval, a ball or an ellipsoid,
// each possibly off centre. Scalings and shifts are pushed into the K_j, maps are pulled out into A; an ellipse is a
// transformed disc [Möller 2009, (25), (41)].
#pragma once

#include <optional>

#include "compiler/mechanics/gauge_function.hpp"
#include "compiler/mechanics/lowering.hpp"

namespace nsmc {

struct SetForm {
  Matrix A;
  std::vector<SimpleSet> sets;
};

// Nothing if a map in it is singular (and a shift needs its inverse). shape: what is by its gauge function there.
std::optional<SetForm> normal_form(const TypedModel& model, const Lowering& lowering, sym::ExprPool& pool, NodeId set,
                                   GaugeOf shape = GaugeOf::convex);

// `solve direct`: the set itself, without a map; by its gauge function where it is not a simple set.
std::optional<SetForm> direct_form(const TypedModel& model, const Lowering& lowering, sym::ExprPool& pool, NodeId set);

// -C, for laws written with +lambda.
SetForm reflected(sym::ExprPool& pool, SetForm form);

}  // namespace nsmc
