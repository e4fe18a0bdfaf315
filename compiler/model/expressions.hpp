// Expressions: operators on numbers, vectors, matrices and conditions, with their shapes and dimensions. Names, calls
// and sets are other parts; here is where each kind of expression finds its own.
#pragma once

#include "compiler/model/core.hpp"

namespace nsmc {

class Arrays;
class Calls;
class Names;
class Sets;

class Expressions : Part {
 public:
  Expressions(Core& core, Names& names, Calls& calls, Sets& sets, Arrays& arrays)
      : Part(core), names_(names), calls_(calls), sets_(sets), arrays_(arrays) {}

  Result expression(const ast::Expr& expr, const Scope& scope);
  // A single number; `what` it is, for the report.
  Result scalar(const ast::Expr& expr, const Scope& scope, const char* what);
  Result power(const ast::Expr& expr, const Scope& scope);  // also of the call pow(a, b)

  // Arithmetic on nodes
  Result multiply(NodeId a, NodeId b, Span span);
  Result divide(NodeId a, NodeId b, Span span);
  Result negate(NodeId a, Span span);
  NodeId difference(NodeId a, NodeId b, Span span);
  // Adds up: same shape, fitting dimensions; reports otherwise.
  std::optional<Type> common_type(const Type& a, const Type& b, Span span, const char* doing);

 private:
  Result number(const ast::Expr& expr);
  bool odd_summand(const ast::Expr& expr, const std::vector<NodeId>& terms);
  Result sum(const ast::Expr& expr, const Scope& scope);
  Result product(const ast::Expr& expr, const Scope& scope);
  Result index(const ast::Expr& expr, const Scope& scope);
  Result vector(const ast::Expr& expr, const Scope& scope);
  Result comparison(const ast::Expr& expr, const Scope& scope);
  Result logic(const ast::Expr& expr, const Scope& scope);
  Result piecewise(const ast::Expr& expr, const Scope& scope);

  Names& names_;
  Calls& calls_;
  Sets& sets_;
  Arrays& arrays_;
  std::size_t depth_ = 0;
};

}  // namespace nsmc
