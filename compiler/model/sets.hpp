// Sets: the built-in ones reduced to intervals, balls and ellipsoids, and the combinators map, scaling, shift, product.
#pragma once

#include <array>

#include "compiler/model/core.hpp"

namespace nsmc {

class Calls;
class Expressions;

// The sets that are part of the language.
inline constexpr std::array<std::string_view, 16> set_constructors{
    "nonneg",  "nonpos",    "reals",    "zero",    "interval",     "disc",    "ball",      "box",
    "ellipse", "ellipsoid", "cylinder", "product", "superellipse", "polygon", "intersect", "contensou"};

class Sets : Part {
 public:
  Sets(Core& core, Expressions& expressions, Calls& calls) : Part(core), expressions_(expressions), calls_(calls) {}

  bool is_set_constructor(const std::string& name) const;
  Result set_constructor(const ast::Expr& expr, const Scope& scope);
  Result set_product(const std::vector<NodeId>& factors, Span span);
  Result set_power(NodeId set, const ast::Expr& exponent, const Scope& scope, Span span);
  Result set_map(NodeId matrix, NodeId set, Span span);
  Result set_shift(NodeId set, NodeId vector, Span span);
  Result set_intersection(const std::vector<ast::Expr>& sets, const Scope& scope, Span span);
  Result set_by_function(const ast::Expr& expr, const Scope& scope);
  Result gauge_of_set(const ast::Expr& expr, const Scope& scope);

 private:
  Result interval(NodeId low, NodeId high, Span span);
  Result contensou(const ast::Expr& expr, const Scope& scope);
  Result superellipse(const ast::Expr& expr, const Scope& scope);
  Result polygon(const ast::Expr& expr, const Scope& scope);
  // With variables of the given dimensions; nothing and diagnostics if they do not fit.
  Result set_by_function(const ast::Expr& expr, const Scope& scope, const std::vector<Dimension>& variables);

  Expressions& expressions_;
  Calls& calls_;
  std::vector<Dimension>& law_forces_ = core_.law_forces;
};

}  // namespace nsmc
