// The worker behind check(): walks the syntax with scopes and makes typed nodes. Its parts stand in
//   check.cpp                  the order of the declarations
//   elaborate_variables.cpp    parameters, coordinates, velocities, initial values
//   elaborate_dynamics.cpp     energies, forces, mass
//   elaborate_contacts.cpp     contacts and laws
//   elaborate_simulate.cpp     outputs and settings
//   elaborate_expressions.cpp  operators, shapes, dimensions
//   elaborate_names.cpp        names, members, derivatives
//   elaborate_calls.cpp        built-in and user functions
//   elaborate_sets.cpp         sets and their combinators
//   nodes.cpp                  nodes and types
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/model/check.hpp"

namespace nsmc {

// The sets that are part of the language.
inline constexpr std::array<std::string_view, 15> set_constructors{
    "nonneg",  "nonpos",    "reals",    "zero",    "interval",     "disc",    "ball",     "box",
    "ellipse", "ellipsoid", "cylinder", "product", "superellipse", "polygon", "intersect"};

// A failed elaboration has reported its error already; callers pass the absence on without a second message.
using Result = std::optional<NodeId>;

// "a vector of 3", for messages.
std::string shape_text(const Type& type);

struct Scope {
  const Scope* parent = nullptr;
  std::map<std::string, NodeId, std::less<>> names;
  std::optional<std::uint32_t> contact;  // set within a contact: gap, slip, spin mean this one's
};

enum class SymbolKind : std::uint8_t { parameter, let, coordinate, velocity, function, set, law, contact, output };

struct GlobalSymbol {
  SymbolKind kind{};
  std::uint32_t index = 0;  // parameter, coordinate, velocity, contact
  const ast::Declaration* declaration = nullptr;
  Span span;  // of the name
  bool library = false;
  enum class State : std::uint8_t { fresh, open, done, failed } state = State::fresh;  // of lets and parameters
  NodeId value = 0;
};

class Elaborator {
 public:
  Elaborator(const SourceModels& models, Diagnostics& diagnostics) : models_(models), diagnostics_(diagnostics) {}
  std::optional<TypedModel> run();

 private:
  // check.cpp: declarations
  void declare(const ast::Model& file, bool library);
  void declare_name(const ast::Name& name, GlobalSymbol symbol);
  void elaborate_declarations();
  void elaborate_parameter(GlobalSymbol& symbol);
  void elaborate_coordinate(const ast::Coord& coord, std::uint32_t index);
  void elaborate_velocity(const ast::Velocity& velocity, std::uint32_t index);
  void elaborate_initial(const ast::Initial& initial);
  void elaborate_kinematics(const ast::Kinematics& kinematics);
  void elaborate_energy(const ast::Expr& expr, const char* what, const Dimension& dimension, bool velocities,
                        std::vector<NodeId>& into);
  void elaborate_force(const ast::Force& force);
  void elaborate_force_vector(const ast::ForceVector& force);
  void elaborate_mass(const ast::Mass& mass);
  void elaborate_output(const ast::Output& output, const std::string& doc);
  void elaborate_simulate(const ast::Simulate& simulate);
  // A value of parameters alone with the dimension `wanted`; a plain number takes the declared unit.
  Result constant_value(const ast::Expr& expr, const std::optional<ast::Unit>& unit, const Dimension& wanted,
                        const char* what);
  // Unknown names in functions, sets and laws that the model never uses, which expansion does not reach.
  void check_definition_names();

  // elaborate_contacts.cpp: first the quantities of all contacts, then their laws
  void elaborate_quantities(const std::vector<ast::ContactItem>& items, std::uint32_t contact);
  void elaborate_laws(const std::vector<ast::ContactItem>& items, std::uint32_t contact, Span span);
  void elaborate_law(const ast::Expr& use, std::uint32_t contact);
  bool elaborate_inclusion(const ast::Inclusion& inclusion, const Scope& scope, TypedLaw& law,
                           const TypedContact& contact);

  // elaborate_expressions.cpp
  Result expression(const ast::Expr& expr, const Scope& scope);
  Result scalar(const ast::Expr& expr, const Scope& scope, const char* what);
  Result name(const ast::Expr& expr, const Scope& scope);
  Result sum(const ast::Expr& expr, const Scope& scope);
  Result product(const ast::Expr& expr, const Scope& scope);
  Result multiply(NodeId a, NodeId b, Span span);
  Result divide(NodeId a, NodeId b, Span span);
  Result negate(NodeId a, Span span);
  Result power(const ast::Expr& expr, const Scope& scope);
  Result derivative(const ast::Expr& expr, const Scope& scope);
  Result index(const ast::Expr& expr, const Scope& scope);
  Result member(const ast::Expr& expr, const Scope& scope);
  Result vector(const ast::Expr& expr, const Scope& scope);
  Result comparison(const ast::Expr& expr, const Scope& scope);
  Result logic(const ast::Expr& expr, const Scope& scope);
  Result piecewise(const ast::Expr& expr, const Scope& scope);
  Result symbol_value(GlobalSymbol& symbol, const ast::Expr& expr);
  Result number(const ast::Expr& expr);
  // Adds up: same shape, fitting dimensions; reports otherwise.
  std::optional<Type> common_type(const Type& a, const Type& b, Span span, const char* doing);

  // elaborate_calls.cpp
  Result call(const ast::Expr& expr, const Scope& scope);
  Result builtin_call(const ast::Expr& expr, const Scope& scope);
  Result user_call(const ast::Expr& expr, const std::vector<ast::Parameter>& parameters, const ast::Expr& body,
                   const GlobalSymbol& symbol, const Scope& scope);
  // Binds call arguments (positional, named, defaults) to parameters; nullopt after a report.
  std::optional<Scope> bind_arguments(const ast::Expr& call, const std::vector<ast::Parameter>& parameters,
                                      const Scope& scope, const char* what);
  bool positional_only(const ast::Expr& call);
  std::optional<std::uint32_t> dimension_count(const ast::Expr& expr, const Scope& scope);

  // elaborate_sets.cpp
  bool is_set_constructor(const std::string& name) const;
  Result set_constructor(const ast::Expr& expr, const Scope& scope);
  Result set_product(const std::vector<NodeId>& factors, Span span);
  Result set_power(NodeId set, const ast::Expr& exponent, const Scope& scope, Span span);
  Result set_map(NodeId matrix, NodeId set, Span span);
  Result set_shift(NodeId set, NodeId vector, Span span);
  Result interval(NodeId low, NodeId high, Span span);
  Result superellipse(const ast::Expr& expr, const Scope& scope);
  Result polygon(const ast::Expr& expr, const Scope& scope);
  Result set_intersection(const std::vector<ast::Expr>& sets, const Scope& scope, Span span);
  Result set_by_function(const ast::Expr& expr, const Scope& scope);
  // With variables of the given dimensions; nothing and diagnostics if they do not fit.
  Result set_by_function(const ast::Expr& expr, const Scope& scope, const std::vector<Dimension>& variables);
  Result gauge_of_set(const ast::Expr& expr, const Scope& scope);

  // nodes
  NodeId make(NodeKind kind, Type type, std::vector<NodeId> args, Span span);
  NodeId make_number(double value, Dimension dimension, Span span);
  NodeId make_call(const char* function, Type type, std::vector<NodeId> args, Span span);
  const Node& node(NodeId id) const { return model_.nodes[id]; }
  const Type& type(NodeId id) const { return model_.types[model_.nodes[id].type]; }
  bool is_set(NodeId id) const { return type(id).kind == ValueKind::set; }
  TypeId intern(Type type);
  void fold(Node& node) const;
  std::optional<double> constant_number(NodeId id) const;  // the value, where it is a number known now

  // diagnostics
  Diagnostic& report(Kind kind, Span span, std::string message, std::string hint = {});
  std::vector<std::string> visible_names(const Scope& scope) const;

  Dimension time_dimension() const { return model_.dimensional ? dimensions::time : Dimension{}; }
  Dimension energy_dimension() const { return model_.dimensional ? dimensions::energy : Dimension{}; }
  Dimension power_dimension() const { return model_.dimensional ? dimensions::power : Dimension{}; }

  const SourceModels& models_;
  Diagnostics& diagnostics_;
  TypedModel model_;
  std::map<std::string, GlobalSymbol, std::less<>> globals_;
  std::vector<std::pair<Span, std::string>> expansions_;  // calls and laws being expanded, outermost first
  Scope global_scope_;
  std::vector<Dimension> law_forces_;           // of the law whose set is elaborated: what variables of its sets may be
  std::vector<Scope> contact_scopes_;           // with the contact's lets and forces
  std::vector<const GlobalSymbol*> expanding_;  // functions and sets under expansion
  std::vector<bool> quantity_failed_;           // by contact: an error stands for it already
  std::size_t depth_ = 0;
  bool stopped_ = false;  // the model is too large or too deep: one report is enough
};

}  // namespace nsmc
