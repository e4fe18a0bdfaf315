// Calls: the built-in functions with their dimensions, the functions and sets of the model by expansion, and the
// functions of the standard library on nodes.
#pragma once

#include "compiler/model/core.hpp"

namespace nsmc {

class Expressions;
class Sets;

class Calls : Part {
 public:
  Calls(Core& core, Expressions& expressions, Sets& sets) : Part(core), expressions_(expressions), sets_(sets) {}

  void declare_library(const ast::Function& function) { library_functions_[function.name.text] = &function; }

  Result call(const ast::Expr& expr, const Scope& scope);
  // A function of the standard library on nodes.
  NodeId library(const char* function, const std::vector<NodeId>& args, Span span);
  // Binds call arguments (positional, named, defaults) to parameters; nullopt after a report.
  std::optional<Scope> bind_arguments(const ast::Expr& call, const std::vector<ast::Parameter>& parameters,
                                      const Scope& scope, const char* what);
  bool positional_only(const ast::Expr& call);
  std::optional<std::uint32_t> dimension_count(const ast::Expr& expr, const Scope& scope);

 private:
  const ast::Function* library_function(std::string_view name) const;  // null if there is none
  Result builtin_call(const ast::Expr& expr, const Scope& scope);
  Result user_call(const ast::Expr& expr, const std::vector<ast::Parameter>& parameters, const ast::Expr& body,
                   const GlobalSymbol& symbol, const Scope& scope);

  Expressions& expressions_;
  Sets& sets_;
  std::map<std::string, const ast::Function*, std::less<>> library_functions_;
  std::vector<const GlobalSymbol*> expanding_;  // functions and sets under expansion
};

}  // namespace nsmc
