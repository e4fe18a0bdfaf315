// Sets: the built-in ones reduced to intervals, balls and ellipsoids, and the combinators map, scaling, shift, product.
#pragma once

#include <functional>
#include <span>

#include "compiler/model/core.hpp"

namespace nsmc {

class Calls;
class Expressions;

class Sets : Part {
 public:
  Sets(Core& core, Expressions& expressions, Calls& calls) : Part(core), expressions_(expressions), calls_(calls) {}

  static std::vector<std::string> set_constructor_names();
  static bool is_set_constructor(const std::string& name);
  Result set_constructor(const ast::Expr& expr, const Scope& scope);
  NodeId make_set(SetKind kind, std::vector<Dimension> dimensions, std::vector<NodeId> args, Span span);
  Result set_product(const std::vector<NodeId>& factors, Span span);
  Result set_power(NodeId set, const ast::Expr& exponent, const Scope& scope, Span span);
  Result set_map(NodeId matrix, NodeId set, Span span);
  Result set_shift(NodeId set, NodeId vector, Span span);
  Result set_intersection(const std::vector<ast::Expr>& sets, const Scope& scope, Span span);
  Result set_by_function(const ast::Expr& expr, const Scope& scope);
  Result gauge_of_set(const ast::Expr& expr, const Scope& scope);

 private:
  struct SetConstructor;
  static std::span<const SetConstructor> set_constructors();
  Result half_line(const ast::Expr& expr, const Scope& scope);
  Result interval_set(const ast::Expr& expr, const Scope& scope);
  Result disc(const ast::Expr& expr, const Scope& scope);
  Result ball(const ast::Expr& expr, const Scope& scope);
  Result box(const ast::Expr& expr, const Scope& scope);
  Result ellipsoid(const ast::Expr& expr, const Scope& scope);
  Result cylinder(const ast::Expr& expr, const Scope& scope);
  Result product_of_sets(const ast::Expr& expr, const Scope& scope);
  Result superellipse(const ast::Expr& expr, const Scope& scope);
  Result polygon(const ast::Expr& expr, const Scope& scope);
  Result intersection(const ast::Expr& expr, const Scope& scope);
  Result union_of_sets(const ast::Expr& expr, const Scope& scope);
  Result contensou(const ast::Expr& expr, const Scope& scope);

  Result interval(NodeId low, NodeId high, Span span);
  // Sets in one space; nothing after a report.
  struct Alike {
    std::vector<NodeId> sets;
    std::vector<Dimension> dimensions;
  };
  std::optional<Alike> alike_sets(const std::vector<ast::Expr>& sets, const Scope& scope, const char* made,
                                  const char* doing);
  // The numbers that a set is given by. positive: what each of them is called that must be so; empty: any number.
  std::optional<std::vector<NodeId>> extents(const ast::Expr& expr, const Scope& scope,
                                             const std::function<std::string(std::size_t)>& positive);
  // With variables of the given dimensions; nothing and diagnostics if they do not fit.
  Result set_by_function(const ast::Expr& expr, const Scope& scope, const std::vector<Dimension>& variables);

  Expressions& expressions_;
  Calls& calls_;
  std::vector<Dimension>& law_forces_ = core_.law_forces;
};

}  // namespace nsmc
