// What the parts of check share. The core is the model that is being made, the names it declares, and where the
// elaboration stands; a part is a class for one kind of declaration or expression, which holds the core and the parts
// it calls. check.cpp owns them all. What every part says stands here: making nodes, asking for types and numbers,
// reporting.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/model/check.hpp"
#include "compiler/support/habits.hpp"

namespace nsmc {

// A failed elaboration has reported its error already; callers pass the absence on without a second message.
using Result = std::optional<NodeId>;

// A declared thing of which there may be an array; `at` in functions says which instance is meant (absent: there is
// only one).
using At = std::optional<NodeId>;

// "a vector of 3", for messages.
std::string shape_text(const Type& type);

struct Scope {
  const Scope* parent = nullptr;
  std::map<std::string, NodeId, std::less<>> names;
  std::optional<std::uint32_t> contact;  // set within a contact: gap, slip, spin, roll mean this one's
  bool library = false;                  // in the standard library: a model's own functions do not reach in here
};

enum class SymbolKind : std::uint8_t {
  parameter,
  let,
  coordinate,
  coordinate_array,
  velocity,
  function,
  set,
  law,
  contact,
  output,
  body,
  shape,
  spring,
  signal,
  table
};

struct GlobalSymbol {
  SymbolKind kind{};
  std::uint32_t index = 0;  // parameter, coordinate (array), velocity, contact, body, shape, signal
  const ast::Declaration* declaration = nullptr;  // null: a function of the library that is parsed when called
  Span span;                                      // of the name
  bool library = false;
  enum class State : std::uint8_t { fresh, open, done, failed } state = State::fresh;  // of lets and parameters
  NodeId value = 0;
};

using Globals = std::map<std::string, GlobalSymbol, std::less<>>;

// A call or law that is expanded.
struct Expansion {
  Span place;
  std::string what;        // "in contact 'floor', which uses law 'coulomb' here"
  std::string where = {};  // of a law: "in contact 'floor'"
  std::string law = {};
};

struct Core {
  const SourceModels& models;
  const ParameterValues& structure;
  Diagnostics& diagnostics;
  std::uint64_t search_from;  // contacts by [*] that are more than so many are searched for

  TypedModel model{};
  Globals globals{};
  Scope global_scope{};
  std::vector<Expansion> expansions{};                          // calls and laws being expanded, outermost first
  std::vector<std::pair<std::string, NodeId>> law_arguments{};  // of the law that is expanded
  std::set<std::uint32_t> contacts_without_force{};  // an error in one of their laws stands for forces that are missing
  std::vector<Dimension> law_forces{};       // of the law whose set is elaborated: what variables of its sets may be
  const Instances* looking = nullptr;        // the instances for which expressions are elaborated now; null: one
  std::vector<NodeId> signal_derivatives{};  // time derivatives of expressions with signals
  bool structural = false;                   // in an index or a range: parameters count with their values
  bool stopped = false;                      // the model is too large or too deep: one report is enough
};

class Part {
 protected:
  explicit Part(Core& core) : core_(core) {}

  // Nodes
  NodeId make(NodeKind kind, Type type, std::vector<NodeId> args, Span span);
  NodeId make_number(double value, Dimension dimension, Span span);
  NodeId make_call(const char* function, Type type, std::vector<NodeId> args, Span span);
  NodeId equal(NodeId a, NodeId b, Span span);  // the condition a == b
  NodeId instance_node(std::uint32_t component, Span span);
  NodeId coordinate_node(std::uint32_t index, At at, Span span);
  NodeId velocity_node(std::uint32_t index, At at, Span span);
  NodeId signal_node(std::uint32_t index, Span span);
  NodeId zeros(std::uint32_t rows, Span span);
  NodeId part(NodeId vector, std::uint32_t first, std::uint32_t size, Span span);
  NodeId stack(const std::vector<NodeId>& parts, Span span);
  const Node& node(NodeId id) const { return model_.nodes[id]; }
  const Type& type(NodeId id) const { return model_.types[model_.nodes[id].type]; }
  bool is_set(NodeId id) const { return type(id).kind == ValueKind::set; }

  // Numbers
  std::optional<double> constant_number(NodeId id) const;  // the value, where it is a number known now
  // The value of a node at the parameters in force, for an instance with the numbers `self`.
  std::optional<double> evaluate(NodeId id, const std::vector<double>& self) const;
  // What its value is computed of: a parameter has that of its expression, unless it was given one.
  std::span<const NodeId> operands(const Node& node) const;
  std::optional<double> value_of(const Node& node, const std::vector<double>& operands,
                                 const std::vector<double>& self) const;
  // The value of an operation on known numbers; nothing for what is no arithmetic.
  static std::optional<double> operation(const Node& node, const std::vector<double>& args);
  double parameter_number(std::uint32_t index) const;
  bool is_zero(NodeId vector) const;  // at the parameters in force; false for what is not known

  // Dimensions: everything is a pure number in a model that is written without units.
  Dimension physical(const Dimension& d) const { return model_.dimensional ? d : Dimension{}; }
  Dimension time_dimension() const { return physical(dimensions::time); }
  Dimension energy_dimension() const { return physical(dimensions::energy); }
  Dimension power_dimension() const { return physical(dimensions::power); }

  // "'z' is declared without a unit": of the coordinates in expressions, which are as a rule lengths or angles, and of
  // the parameters, which may well be pure numbers, where they are asked for. For hints; empty: there is none.
  std::string without_unit(std::initializer_list<NodeId> expressions, bool parameters = false) const;
  // x_dot, xdot, vx: the velocities of coordinates as other languages call them.
  std::optional<Advice> velocity_habit(std::string_view text) const;

  bool of_library(Span span) const;

  // A report says where the expansion came from that led to it. One from inside a law of the library speaks of the
  // contact that uses it, and stands there.
  Diagnostic& report(Kind kind, Span span, std::string message, std::string hint = {});

  Core& core_;
  TypedModel& model_ = core_.model;
  Diagnostics& diagnostics_ = core_.diagnostics;
  Globals& globals_ = core_.globals;
  const Scope& global_scope_ = core_.global_scope;

 private:
  std::string arguments_of_law() const;
  TypeId intern(Type type);
  void fold(Node& node) const;
};

}  // namespace nsmc
