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
//   elaborate_arrays.cpp       index ranges, coordinate arrays
//   elaborate_bodies.cpp       bodies
//   elaborate_members.cpp      what bodies define, forces on them
//   elaborate_shapes.cpp       shapes and contacts between them
//   elaborate_joints.cpp       joints, springs
//   describe_symbols.cpp       what is known of names
//   nodes.cpp                  nodes and types
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/model/check.hpp"
#include "compiler/model/shape_pairs.hpp"

namespace nsmc {

// A failed elaboration has reported its error already; callers pass the absence on without a second message.
using Result = std::optional<NodeId>;

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
  spring
};

// A declared thing of which there may be an array; `at` in the functions below says which instance is meant (absent:
// there is only one).
using At = std::optional<NodeId>;

// The arguments of a constructor, as written: rigid(mass = m, ...).
using Options = std::map<std::string, const ast::Expr*, std::less<>>;

struct CoordinateArray {
  const ast::Coord* declaration = nullptr;
  std::string doc;
  IndexBounds bounds;
  std::uint32_t coordinate = 0, velocity = 0;
  bool known = false;
};

struct BodyInfo {
  const ast::Body* declaration = nullptr;
  std::string doc;
  BlockKind kind{};
  std::uint32_t dim = 3;  // of the space it moves in
  Options options;
  Instances instances;
  std::uint32_t first_coordinate = 0, first_velocity = 0;
  bool known = false;
  bool failed = false;  // an error stands for it already
};

struct ShapeInfo {
  const ast::Shape* declaration = nullptr;
  ShapeKind kind{};
  std::uint32_t dim = 3;
  Options options;
  std::optional<std::uint32_t> body;
  Instances instances;
  bool known = false;
};

// Where a body (or the world) is and how it moves, in world coordinates.
struct Pose {
  NodeId x = 0, R = 0, v = 0, w = 0;
};

struct ContactSource {
  const ast::Declaration* declaration = nullptr;
  const std::vector<ast::ContactItem>* items = nullptr;
  const ast::Part<ast::IndexRange>* range = nullptr;
  const ast::ShapePair* pair = nullptr;
  const ast::Joint* joint = nullptr;
};

// What a contact between shapes or a joint defines; absent what it does not have.
struct Quantities {
  At gap, gap_rate, slip, spin, roll, normal, point, angle, travel;
};

struct GlobalSymbol {
  SymbolKind kind{};
  std::uint32_t index = 0;                        // parameter, coordinate (array), velocity, contact, body, shape
  const ast::Declaration* declaration = nullptr;  // null: a function of the library that is parsed when called
  Span span;                                      // of the name
  bool library = false;
  enum class State : std::uint8_t { fresh, open, done, failed } state = State::fresh;  // of lets and parameters
  NodeId value = 0;
};

class Elaborator {
 public:
  Elaborator(const SourceModels& models, const ParameterValues& structure, Diagnostics& diagnostics)
      : models_(models), structure_(structure), diagnostics_(diagnostics) {}
  std::optional<TypedModel> run(SymbolTable* symbols);

  // check.cpp: declarations
  void declare(const ast::Model& file, bool library);
  void declare_name(const ast::Name& name, GlobalSymbol symbol);
  void elaborate_declarations();
  void elaborate_parameter(GlobalSymbol& symbol);
  void elaborate_coordinate(const ast::Coord& coord, std::uint32_t index);
  void elaborate_velocity(const ast::Velocity& velocity, std::uint32_t index);
  void elaborate_initial(const ast::Initial& initial);
  void elaborate_array_initial(const ast::Initial& initial, const CoordinateArray& array);
  void elaborate_kinematics(const ast::Kinematics& kinematics);
  void elaborate_energy(const ast::Expr& expr, const ast::Part<ast::IndexRange>& range, const char* what,
                        const Dimension& dimension, bool velocities, std::vector<TypedTerm>& into);
  void elaborate_force(const ast::Force& force);
  void elaborate_force_vector(const ast::ForceVector& force);
  void elaborate_mass(const ast::Mass& mass);
  std::size_t scalar_velocities() const {  // those of the generalised coordinates, which a mass matrix is for
    const bool any = !model_.blocks.empty() && model_.blocks[0].instances.single() &&
                     model_.blocks[0].kind == BlockKind::coordinates;
    return any ? model_.blocks[0].n_velocities : 0;
  }
  void elaborate_output(const ast::Output& output, const std::string& doc);
  void elaborate_simulate(const ast::Simulate& simulate);
  void report_unknown_setting(const ast::Name& name);
  void elaborate_word(Setting setting, const ast::Expr& value);
  void elaborate_number(Setting setting, const ast::Expr& written);
  // A value of parameters alone with the dimension `wanted`; a plain number takes the declared unit.
  Result constant_value(const ast::Expr& expr, const std::optional<ast::Unit>& unit, const Dimension& wanted,
                        const char* what, const Scope& scope);
  // Unknown names in functions, sets and laws that the model never uses, which expansion does not reach.
  void check_definition_names();

  // elaborate_contacts.cpp: first the quantities of all contacts, then their laws
  void elaborate_quantities(std::uint32_t contact);
  void add_velocity(std::uint32_t contact, NodeId value, std::uint32_t component);
  void elaborate_laws(std::uint32_t contact);
  void elaborate_law(const ast::Expr& use, std::uint32_t contact);
  bool elaborate_inclusion(const ast::Inclusion& inclusion, const Scope& scope, TypedLaw& law,
                           const TypedContact& contact);

  // describe_symbols.cpp: types, units, values and members of names, as far as they are known
  void describe(SymbolTable& table) const;
  void describe(Symbol& symbol, const GlobalSymbol& global, const std::vector<double>& constants) const;
  std::vector<double> constants() const;  // of all nodes; NaN where a node is no number known from parameters

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
  const CoordinateArray* named_array(const ast::Expr& expr, const Scope& scope) const;  // of z[i]; else null
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
  struct SetConstructor;
  static std::span<const SetConstructor> set_constructors();
  static std::vector<std::string> set_constructor_names();
  static bool is_set_constructor(const std::string& name);
  Result set_constructor(const ast::Expr& expr, const Scope& scope);
  NodeId make_set(SetKind kind, std::vector<Dimension> dimensions, std::vector<NodeId> args, Span span);
  Result interval(NodeId low, NodeId high, Span span);
  Result set_product(const std::vector<NodeId>& factors, Span span);
  Result set_power(NodeId set, const ast::Expr& exponent, const Scope& scope, Span span);
  Result set_map(NodeId matrix, NodeId set, Span span);
  Result set_shift(NodeId set, NodeId vector, Span span);
  Result set_intersection(const std::vector<ast::Expr>& sets, const Scope& scope, Span span);
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
  Result set_by_function(const ast::Expr& expr, const Scope& scope);
  // With variables of the given dimensions; nothing and diagnostics if they do not fit.
  Result set_by_function(const ast::Expr& expr, const Scope& scope, const std::vector<Dimension>& variables);
  Result gauge_of_set(const ast::Expr& expr, const Scope& scope);

  // elaborate_arrays.cpp
  // The instances of a declaration with an index, and the scope in which the index is known. While `Looking` lives,
  // indices are checked for all of them.
  struct Ranged {
    Scope scope;
    Instances instances;
  };
  class Looking;
  std::optional<Ranged> ranged(const ast::Part<ast::IndexRange>& range, const Scope& parent);
  std::optional<IndexBounds> bounds_of(const ast::IndexRange& range);
  void allocate_arrays();
  NodeId instance_node(std::uint32_t component, Span span);
  // An index into something declared with these bounds; reported if it leaves them for one of the instances.
  Result index_node(const ast::Expr& index, const Scope& scope, const IndexBounds& bounds, const std::string& name);
  // Which instance of an array is meant by a name with or without an index; false after a report.
  bool find_instance(const std::string& name, const std::vector<const ast::Expr*>& indices, const Instances& instances,
                     const Scope& scope, Span span, std::vector<NodeId>& at);
  Result array_element(const CoordinateArray& array, const ast::Expr& expr, const Scope& scope, bool rate);
  NodeId coordinate_node(std::uint32_t index, At at, Span span);
  NodeId velocity_node(std::uint32_t index, At at, Span span);
  bool is_zero(NodeId vector) const;  // at the parameters in force; false for what is not known
  // The value of a node at the parameters in force, for an instance with the numbers `self`.
  std::optional<double> evaluate(NodeId id, const std::vector<double>& self) const;
  // The value of an operation on known numbers; nothing for what is no arithmetic.
  static std::optional<double> operation(const Node& node, const std::vector<double>& args);
  double parameter_number(std::uint32_t index) const;
  // What a range or an index is made of; a `let` brings its parameters along as such, not as their values.
  void mark_structural(NodeId id);

  // elaborate_bodies.cpp
  void allocate_bodies();
  void elaborate_bodies();
  void elaborate_body(BodyInfo& body);
  bool known_body(const BodyInfo& body, Span span);  // false after a report
  void check_positive(const BodyInfo& body, const char* option, NodeId value);
  void check_inertia(const BodyInfo& body, NodeId inertia, Span span);
  void elaborate_gravity(const ast::Gravity& gravity);
  void elaborate_body_force(const ast::Force& force, const BodyInfo& body);
  std::optional<Options> options_of(const ast::Expr& call, const std::vector<std::string>& names, const char* what);
  // A number, vector or matrix of the given shape and dimension in an option; `fallback` (a number for every
  // component) if it is not given, nothing and a report if it is wrong.
  Result option(const Options& options, const char* name, const Scope& scope, std::uint32_t rows, Dimension dimension,
                std::optional<double> fallback, Span span);
  Result typed_value(const ast::Expr& expr, const Scope& scope, std::uint32_t rows, Dimension dimension,
                     const std::string& what);
  Scope body_scope(const BodyInfo& body, At at) const;
  Pose pose(const BodyInfo& body, At at, Span span);
  Pose world_pose(std::uint32_t dim, Span span);
  // The pose at the start, in parameters: x and R.
  std::optional<Pose> initial_pose(const BodyInfo& body, At at, Span span);
  static std::vector<std::string> body_members(BlockKind kind);
  Result body_member(const BodyInfo& body, At at, const ast::Expr& expr, const Scope& scope);
  Result world_member(const ast::Expr& expr, const Scope& scope);
  NodeId zeros(std::uint32_t rows, Span span);
  // A function of the standard library on nodes.
  const ast::Function* library_function(std::string_view name) const;  // null if there is none
  NodeId library(const char* function, const std::vector<NodeId>& args, Span span);
  NodeId part(NodeId vector, std::uint32_t first, std::uint32_t size, Span span);
  NodeId stack(const std::vector<NodeId>& parts, Span span);
  NodeId difference(NodeId a, NodeId b, Span span);
  Dimension physical(const Dimension& d) const { return model_.dimensional ? d : Dimension{}; }
  const BodyInfo* find_body(const ast::Expr& expr, const Scope& scope, At& at, bool& world);

  // elaborate_shapes.cpp
  void elaborate_shapes();
  void elaborate_shape(ShapeInfo& shape);
  void name_contacts();
  // One side of a contact: the shape (of a body, its only one), and which index it has.
  struct Side {
    const ShapeInfo* shape = nullptr;
    std::vector<const ast::Expr*> indices;
    bool all = false;
  };
  std::optional<Side> side_of(const ast::Use& use);
  bool apart(const ShapeInfo& a, At a_at, const ShapeInfo& b, At b_at, const Instances& instances, Span span);
  std::optional<Quantities> pair_quantities(std::uint32_t contact, const std::vector<NodeId>& self);
  Result pair_geometry(const ShapeInfo& a, At a_at, const ShapeInfo& b, At b_at, const std::vector<NodeId>& point,
                       Span span);
  Pose shape_pose(const ShapeInfo& shape, At at, NodeId& centre, NodeId& frame, Span span);
  Scope shape_scope(const ShapeInfo& shape, At at) const;  // with its index
  ContactPoints points_of(const ShapeInfo& a, const ShapeInfo& b) const;

  // elaborate_joints.cpp
  std::optional<Quantities> joint_quantities(std::uint32_t contact, const std::vector<NodeId>& self);
  void elaborate_spring(const ast::Spring& spring);

  // elaborate_contacts.cpp: of any kind of contact, as seen from outside of it
  std::optional<Quantities> quantities_of(std::uint32_t contact, const std::vector<NodeId>& self);
  std::optional<Ranged> contact_range(std::uint32_t contact);
  Scope contact_scope(std::uint32_t contact, const std::vector<NodeId>& self);
  std::vector<std::string> contact_members(std::uint32_t contact) const;
  Result contact_member(std::uint32_t contact, const std::vector<const ast::Expr*>& indices, const ast::Expr& expr,
                        const Scope& scope);

  // nodes
  NodeId make(NodeKind kind, Type type, std::vector<NodeId> args, Span span);
  NodeId make_number(double value, Dimension dimension, Span span);
  NodeId equal(NodeId a, NodeId b, Span span);  // the condition a == b
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

 private:
  const SourceModels& models_;
  const ParameterValues& structure_;
  Diagnostics& diagnostics_;
  TypedModel model_;
  std::map<std::string, GlobalSymbol, std::less<>> globals_;
  std::vector<std::pair<Span, std::string>> expansions_;  // calls and laws being expanded, outermost first
  Scope global_scope_;
  std::vector<Dimension> law_forces_;           // of the law whose set is elaborated: what variables of its sets may be
  std::vector<Scope> contact_scopes_;           // with the contact's lets and forces
  std::vector<const GlobalSymbol*> expanding_;  // functions and sets under expansion
  std::vector<bool> quantity_failed_;           // by contact: an error stands for it already
  std::vector<CoordinateArray> arrays_;
  std::vector<BodyInfo> bodies_;
  std::vector<ShapeInfo> shapes_;
  std::vector<ContactSource> contact_sources_;
  std::map<std::string, std::uint32_t, std::less<>> contact_names_;  // of contacts named after their shapes
  std::map<std::string, const ast::Function*, std::less<>> library_functions_;
  std::optional<NodeId> gravity_;
  const Instances* looking_ = nullptr;  // the instances for which expressions are elaborated now; null: one
  bool structural_ = false;             // in an index or a range: parameters count with their values
  std::size_t depth_ = 0;
  bool stopped_ = false;  // the model is too large or too deep: one report is enough
};

}  // namespace nsmc
