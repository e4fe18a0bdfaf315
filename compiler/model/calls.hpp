// Calls: the built-in functions with their dimensions, the functions and sets of the model by expansion, and the
// functions of the standard library on nodes.
#pragma once

#include <span>

#include "compiler/model/core.hpp"
#include "compiler/model/known_words.hpp"

namespace nsmc {

class Expressions;
class Sets;
class Tables;
struct ScalarFunction;

class Calls : Part {
 public:
  Calls(Core& core, Expressions& expressions, Sets& sets, Tables& tables)
      : Part(core), expressions_(expressions), sets_(sets), tables_(tables) {}

  void declare_library(const ast::Function& function) { library_functions_[function.name.text] = &function; }

  static std::vector<KnownWord> words();  // functions of the language
  Result call(const ast::Expr& expr, const Scope& scope);
  // A function of the standard library on nodes.
  NodeId library(const char* function, const std::vector<NodeId>& args, Span span);
  // Binds call arguments (positional, named, defaults) to parameters; nullopt after a report.
  std::optional<Scope> bind_arguments(const ast::Expr& call, const std::vector<ast::Parameter>& parameters,
                                      const Scope& scope, const char* what);
  bool positional_only(const ast::Expr& call);
  bool known_to_the_language(std::string_view name) const;  // a function or set
  std::optional<std::uint32_t> dimension_count(const ast::Expr& expr, const Scope& scope);

 private:
  friend class Determinant;
  const ast::Function* library_function(std::string_view name) const;  // null if there is none
  Result builtin_call(const ast::Expr& expr, const Scope& scope);
  Result wrong_count(const ast::Expr& expr, const char* wanted);  // reports, gives nothing

  // Functions of numbers are rows of compiler/support/functions.def.
  Result scalar_call(const ScalarFunction& function, const ast::Expr& expr, const Scope& scope);
  void look_at_angle(const ast::Expr& expr);  // of sin(expr): 45 without its unit?
  std::optional<Dimension> value_dimension(const ScalarFunction& function, const Dimension& argument,
                                           const ast::Expr& expr);

  // Functions of vectors and matrices: one row and one method each.
  struct OtherFunction {
    const char* name;
    Result (Calls::*elaborate)(const ast::Expr& expr, const Scope& scope);
  };
  static std::span<const OtherFunction> other_functions();
  static const OtherFunction* find_other_function(std::string_view name);
  Result pow(const ast::Expr& expr, const Scope& scope);
  Result dim(const ast::Expr& expr, const Scope& scope);
  Result identity(const ast::Expr& expr, const Scope& scope);
  Result diag(const ast::Expr& expr, const Scope& scope);
  Result transpose(const ast::Expr& expr, const Scope& scope);
  Result cross(const ast::Expr& expr, const Scope& scope);
  Result dot(const ast::Expr& expr, const Scope& scope);
  Result norm(const ast::Expr& expr, const Scope& scope);
  Result partial(const ast::Expr& expr, const Scope& scope);
  Result random(const ast::Expr& expr, const Scope& scope);
  Result smoothstep(const ast::Expr& expr, const Scope& scope);
  Result det(const ast::Expr& expr, const Scope& scope);
  Result inverse(const ast::Expr& expr, const Scope& scope);
  Result solve(const ast::Expr& expr, const Scope& scope);
  std::optional<std::vector<NodeId>> numeric_arguments(const ast::Expr& expr, const Scope& scope);
  // Arguments that are vectors of one length, `rows` if given.
  std::optional<std::vector<NodeId>> vectors(const ast::Expr& expr, const Scope& scope, std::size_t count,
                                             std::optional<std::uint32_t> rows);
  NodeId component(NodeId vector, std::uint32_t k, Span span);
  NodeId entry(NodeId matrix, std::uint32_t row, std::uint32_t column, Span span);
  std::optional<NodeId> square_matrix(const ast::Expr& expr, NodeId matrix);  // nothing after a report
  Result cross_in_the_plane(const ast::Expr& expr, NodeId a, NodeId b);
  NodeId times(NodeId a, NodeId b, Span span);  // numbers
  Result sum_of_products(NodeId a, NodeId b, Span span);

  Result user_call(const ast::Expr& expr, const std::vector<ast::Parameter>& parameters, const ast::Expr& body,
                   const GlobalSymbol& symbol, const Scope& scope);

  Expressions& expressions_;
  Sets& sets_;
  Tables& tables_;
  std::map<std::string, const ast::Function*, std::less<>> library_functions_;
  std::vector<const GlobalSymbol*> expanding_;  // functions and sets under expansion
};

}  // namespace nsmc
