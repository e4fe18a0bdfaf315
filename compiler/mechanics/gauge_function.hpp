// The gauge (Minkowski functional) k_C(x) = inf {q > 0 : x in q C} of a set, as an expression [Walker 2017, (16)].
#pragma once

#include <span>
#include <vector>

#include "compiler/mechanics/lowering.hpp"

namespace nsmc {

// A polygon as the set of a law is convex, and its gauge the largest of its edges' gauges. As a reservoir it need only
// be star-shaped.
enum class GaugeOf { convex, star };

// What must be looked at before the gauge can be trusted.
struct GaugePolygon {
  std::vector<sym::Expr> corners;  // shifts included
  Span span;
};
struct GaugeParts {
  std::vector<GaugePolygon> polygons;
  std::vector<NodeId> maps;  // linear ones, which need an inverse
};

// At the point x. Where it is the root of an equation (supports, contensou, moved gauge sets), an implicit gauge.
sym::Expr gauge_function(const TypedModel& model, const Lowering& lowering, sym::ExprPool& pool, NodeId set,
                         std::span<const sym::Expr> x, GaugeOf shape, GaugeParts* parts = nullptr);

}  // namespace nsmc
