// The typed model: what the file says, with every name resolved, every shape and physical dimension known, functions
// and laws expanded, units gone (values are SI). Expressions are nodes in one vector, shared where a `let` is used
// more than once; a node's arguments always stand before it. Still vectors, matrices and sets: compiler/mechanics
// turns them into scalar equations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/dimension.hpp"
#include "compiler/model/instances.hpp"
#include "compiler/model/settings.hpp"
#include "compiler/model/signal_kind.hpp"
#include "compiler/model/typed_scene.hpp"
#include "compiler/support/set_kinds.hpp"
#include "compiler/support/source.hpp"

namespace nsmc {

using NodeId = std::uint32_t;
using TypeId = std::uint32_t;

enum class ValueKind : std::uint8_t { number, condition, set };

struct Type {
  ValueKind kind = ValueKind::number;
  std::uint32_t rows = 1;  // of a vector or matrix; of a set: the dimension of its space
  std::uint32_t cols = 1;
  std::vector<Dimension> dimensions{Dimension{}};  // one for each component, row-major

  std::uint32_t size() const { return rows * cols; }
  bool is_scalar() const { return kind == ValueKind::number && size() == 1; }
  friend bool operator==(const Type&, const Type&) = default;
};

enum class NodeKind : std::uint8_t {
  number,     // value
  parameter,  // index
  time,
  instance,          // component: which of the numbers that an instance has of its own; the index of an array first
  coordinate,        // index; of an array: args[0], which instance of its block
  velocity,          // likewise
  contact_velocity,  // index: of the contact; component: of kContactVelocities. args[0]: its expression
  force,             // index: of the contact; component: first row among the contact's forces; size from the type;
                     // of an array, seen from outside: args, which instance
  energy,            // kinetic plus potential energy
  sum,               // args
  product,           // args[0] * args[1]: scalar, matrix-vector, matrix-matrix
  quotient,          // args[0] / args[1], the latter scalar
  negate,
  power,       // scalars
  call,        // function: a scalar function of scalars
  partial,     // of args[0] by the variable args[1]
  derivative,  // d/dt of a scalar or vector function of q and t
  vector,      // args: components in row-major order
  component,   // args[0] [ index ], index from 0 into the row-major components
  transpose,
  comparison,  // function: "<", "<=", "=="
  logic,       // function: "and", "or", "not"
  piecewise,   // args: condition, value, ..., else-value
  // A set, of the kind Node::set; its space has `rows` dimensions. args, where not sets only:
  // interval: a, b; ball: r; ellipsoid: semi-axes; polygon: corners, x and y in turn; contensou: force f, radius R;
  // gauge, support: the function in its variables, the first of which is `index`; superellipse: semi-axes a, b,
  // exponent s; map: matrix, set; scale: scalar, set; shift: set, vector
  set,
  set_variable,  // index: which variable of all gauge and support sets of the model
  gauge,         // args: set, point; the gauge function of the set
  // [gap, n, p1, p2] of two solids, found by a search (runtime/collision/kernel.hpp, whose arguments are args); index:
  // of the shapes in TypedModel::touches
  touch,
  signal,  // index: a state, a discrete variable or an input
  table,   // index: of the table; args: where
};

// What a value may depend on.
struct Dependence {
  bool state : 1 = false;     // q or t
  bool velocity : 1 = false;  // u
  bool force : 1 = false;     // contact forces
  bool energy : 1 = false;    // the energy of the model, which is known when the motion is derived
  bool signal : 1 = false;    // states, discrete variables, inputs; counts as `state`, too
  Dependence operator|(Dependence other) const {
    return {state || other.state, velocity || other.velocity, force || other.force, energy || other.energy,
            signal || other.signal};
  }
  bool any() const { return state || velocity || force; }
};

struct Node {
  NodeKind kind{};
  SetKind set{};  // of a set
  TypeId type = 0;
  Dependence depends;
  std::uint32_t index = 0;
  std::uint32_t component = 0;
  bool known = false;         // a number that is known now
  double value = 0;           // of a known number
  const char* function = "";  // of calls, comparisons and logic
  std::vector<NodeId> args;
  Span span;
};

struct TypedParameter {
  std::string name, doc, unit;
  Dimension dimension;
  NodeId value = 0;                     // of parameters only
  bool structural = false;              // the size of an array depends on it: it is fixed when the model is compiled
  std::optional<std::uint32_t> signal;  // of an input, which starts with it
  std::optional<std::pair<double, double>> bounds;  // where it makes sense, in SI; nothing is held to them
  Span span;
};

struct TypedSignal {
  std::string name, doc;
  SignalKind kind{};
  Dimension dimension;
  std::optional<NodeId> initial;  // of parameters alone; absent: 0
  std::optional<NodeId> rate;     // of a state
  Span span;
};

// A new value at an event, of a signal or a velocity.
struct TypedAssignment {
  bool velocity = false;
  std::uint32_t index = 0;
  NodeId value = 0;
  Span span;
};

struct TypedEvent {
  EventKind kind{};
  std::string doc;
  NodeId condition = 0;  // of `every` the interval, of parameters alone
  std::vector<TypedAssignment> assignments;
  Span span;
};

// As the runtime reads it (runtime/tables/table.hpp).
struct TypedTable {
  std::string name;
  std::vector<double> data;
};

struct TypedCoordinate {
  std::string name, doc;  // of an array with '@' in the place of the index: "z@", "bead@.x"
  Dimension dimension;
  std::optional<NodeId> initial;
  std::optional<NodeId> rate;  // its kinematics; absent: q' is the velocity `velocity`
  std::uint32_t velocity = 0;
  std::uint32_t block = 0;
  Span span;
};

struct TypedVelocity {
  std::string name, doc;  // "z'" or the name of a quasi-velocity
  Dimension dimension;
  std::optional<NodeId> initial;
  std::optional<std::uint32_t> coordinate;  // absent for a quasi-velocity
  std::uint32_t block = 0;
  Span span;
};

enum class BlockKind : std::uint8_t { coordinates, rigid, planar, point };

// What the mass matrix couples: a body; the generalised coordinates; the coordinates of one index of arrays. Its
// coordinates and velocities stand side by side. An array of blocks is one of these, with instances.
struct TypedBlock {
  BlockKind kind{};
  std::string name, doc;  // with '@' if it is an array
  Instances instances;
  std::uint32_t first_coordinate = 0, n_coordinates = 0, first_velocity = 0, n_velocities = 0;
  std::optional<std::uint32_t> quaternion;  // where among its coordinates a unit quaternion stands
  Span span;
};

struct TypedTerm {  // of an energy, or of the dissipation function
  NodeId value = 0;
  Instances instances;
  std::string source;  // "potential energy", "gravity", "spring s"
  bool of_body = false;
};

// A force dual to a velocity: its power is value . velocity, with as many components.
struct TypedForce {
  std::string source;  // "force on x"
  NodeId value = 0, velocity = 0;
  Instances instances;
};

struct ForceVariable {  // of a law: `force T[2]`
  std::string name;
  std::uint32_t first = 0;  // row among the contact's forces
  std::uint32_t size = 1;
};

// left in normal_cone(set, argument), with Newton's impact law if restitution is not 0.
struct TypedLaw {
  std::string name;
  Span span;                                 // where the contact uses it
  Span inclusion, left_span, argument_span;  // where it is written, and two of its parts
  std::uint32_t first = 0, size = 0;         // rows of its forces within the contact
  std::vector<std::uint32_t> velocities;     // components of the contact velocities that its forces are dual to
  std::vector<ForceVariable> forces;
  NodeId left = 0, set = 0, argument = 0;
  std::optional<NodeId> restitution;
  std::vector<std::pair<std::string, NodeId>> arguments;  // single numbers, for messages
  bool direct = false;  // `solve direct`: project on the set itself, not on what it is a map of
};

inline constexpr const char* kContactVelocities[] = {"gap'", "slip", "spin", "roll"};

// The velocities of a contact, one after another: those of kContactVelocities that it has. Shapes define a roll, too;
// it is among the velocities if a law speaks of it.
// A length of a shape, which must not be negative.
struct TypedMeasure {
  NodeId value = 0;
  Span span;
  std::string name;   // "the radius of 'skin'"
  bool zero = false;  // it may be 0
};

// The shapes of a declaration, for the search of those that are near each other: how large each of them is.
struct TypedShapes {
  Instances instances;
  bool half_space = false;
  // [centre, reach along the axes, radius] in the world; of a half-space: [a point of its surface, its outer normal].
  NodeId bounds = 0;
};

// A contact whose instances come and go: shapes of two declarations, and which index of the contact counts them.
struct TypedFamily {
  std::uint32_t shapes[2] = {0, 0};  // in TypedModel::shapes
  std::optional<std::uint32_t> index[2];
};

struct TypedContact {
  std::string name, doc;  // with '@' if it is an array
  Instances instances;
  bool bilateral = false;        // declared as `constraint`
  std::optional<NodeId> active;  // a condition: it acts while it holds
  Span span;
  std::optional<NodeId> gap, slip, spin, roll;
  bool rolls = false;              // the roll is among its velocities
  std::vector<NodeId> velocities;  // contact_velocity nodes, in the order above
  std::vector<TypedLaw> laws;
  std::vector<TypedMeasure> measures;       // of its shapes
  std::optional<TypedFamily> family;        // its closed instances are found by a search
  std::vector<Dimension> force_dimensions;  // one for each row

  std::string force_name(std::size_t row) const;  // "N", "T[2]"
  // By its name in the language: gap, slip, spin, roll.
  static std::optional<NodeId> TypedContact::*quantity(std::string_view name) {
    return name == "gap"    ? &TypedContact::gap
           : name == "slip" ? &TypedContact::slip
           : name == "spin" ? &TypedContact::spin
                            : &TypedContact::roll;
  }
};

struct TypedOutput {
  std::string name, doc;  // with '@' if it is an array
  NodeId value = 0;
  Instances instances;
  Span span;
};

struct TypedModel {
  std::string name, doc;
  bool dimensional = false;  // false: written without units, everything is a pure number
  std::vector<Type> types;
  std::vector<Node> nodes;
  std::vector<TypedParameter> parameters;
  std::vector<TypedSignal> signals;
  std::vector<TypedEvent> events;  // in the order of the file
  std::vector<TypedTable> tables;
  std::vector<TypedCoordinate> coordinates;
  std::vector<TypedVelocity> velocities;
  std::vector<TypedBlock> blocks;
  std::vector<TypedTerm> kinetic, potential, dissipation;
  std::vector<TypedForce> forces;
  std::vector<NodeId> force_vectors;
  std::optional<NodeId> mass;
  std::vector<TypedContact> contacts;
  std::vector<TypedShapes> shapes;  // those of families
  std::vector<TypedOutput> outputs;
  SettingValues<NodeId> settings;
  std::vector<std::vector<double>> touches;  // shapes that are searched for where they touch
  std::uint32_t set_variables = 0;           // of all gauge and support sets
  std::optional<TypedScene> scene;           // if it was asked for
  Span span;                                 // of the model's declaration

  const Node& node(NodeId id) const { return nodes[id]; }
  const Type& type(NodeId id) const { return types[nodes[id].type]; }
};

// The typed model as text (`nsmc emit --stage model`).
std::string print(const TypedModel& model);

}  // namespace nsmc
