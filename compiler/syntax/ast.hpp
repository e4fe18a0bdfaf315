// The abstract syntax of .nsm: plain values, one struct per declaration, one uniform node for expressions.
// The parser makes it, the printer shows it, compiler/model reads it. Nothing is resolved here.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compiler/support/source.hpp"
#include "compiler/syntax/unit.hpp"

namespace nsmc::ast {

struct Name {
  std::string text;
  Span span;
};

enum class ExprKind {
  number,        // value, unit?
  name,          // text
  sum,           // args with ops ('+' or '-' before each; the first is '+')
  product,       // args with ops ('*', '/' or 'x' (the product of sets, ×) before each; the first is '*')
  negate,        // args[0]
  power,         // args[0] ^ args[1]
  derivative,    // args[0]'
  index,         // args[0] [ args[1], ... ]
  member,        // args[0] . text, or args[0] . text ( args[1], ... ): `called` tells a.f() from a.f
  call,          // text ( args ), names[i] non-empty for named arguments
  reduction,     // text ( args[0] for names[0] in args[1]..args[2] ): sum, min, max, norm
  vector,        // [ args ], unit?; a matrix is a vector of vectors
  comparison,    // args[0] text args[1], text one of < <= > >= == !=
  logic_and,     // args
  logic_or,      // args
  logic_not,     // args[0]
  intersection,  // args: C ∩ D ∩ ...
  piecewise,     // args: condition, value, condition, value, ..., else-value
  gauge,         // parameters: names, args[0] the body; also `support`
  support,
};

struct Expr {
  ExprKind kind = ExprKind::number;
  Span span;
  double value = 0;
  std::string text;
  std::string ops;
  bool called = false;  // member
  std::optional<Unit> unit;
  std::vector<Expr> args;
  std::vector<Name> names;
};

// An optional part on the heap, copied like a value: declarations are many, and most lack it.
template <class T>
class Part {
 public:
  Part() = default;
  Part(std::nullopt_t) {}
  Part(T value) : value_(std::make_unique<T>(std::move(value))) {}
  Part(std::optional<T> value) : value_(value ? std::make_unique<T>(std::move(*value)) : nullptr) {}
  Part(const Part& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
  Part(Part&&) noexcept = default;
  Part& operator=(Part other) noexcept {
    value_ = std::move(other.value_);
    return *this;
  }
  ~Part() = default;

  explicit operator bool() const { return value_ != nullptr; }
  bool has_value() const { return value_ != nullptr; }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  const T& value() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

 private:
  std::unique_ptr<T> value_;
};

// The index of an array, [i in 1..n] after its name, or of a declaration that stands for many, `for i in 1..n` after
// it.
struct IndexRange {
  Name variable;
  Expr first, last;
  Span span;
};

struct Parameter {  // of a fn, set or law
  Name name;
  std::optional<Expr> default_value;
};

struct Import {
  std::string path;
};
struct Bounds {  // in 0..1
  Expr least, greatest;
};
struct Param {
  Name name;
  std::optional<Unit> unit;
  Expr value;
  Part<Bounds> bounds;  // where it makes sense, for sliders
  bool input = false;   // input F [N] = 0: it may change during a run
};
struct State {  // state s [m s] = 0  s' = x - x0
  Name name;
  std::optional<Unit> unit;
  std::optional<Expr> initial;
  Name rated;  // the name before the '
  Expr rate;
};
struct Discrete {  // discrete k = 0: a number that changes by events
  Name name;
  std::optional<Unit> unit;
  std::optional<Expr> initial;
};
struct TableArgument {
  Name name;
  std::optional<Unit> unit;
};
// table torque(angle [rad]) [N m] = "torque.csv" cubic beyond held
struct Table {
  Name name;
  std::vector<TableArgument> arguments;
  std::optional<Unit> unit;
  Part<Name> file;    // or
  Part<Expr> values;  // rows in place
  Part<Name> form, beyond;
};
struct Assignment {  // s := 0, x' := -x'
  Name target;
  bool derivative = false;
  Expr value;
};
struct When {  // when x > 1 [m] { k := 1 }
  Expr condition;
  std::vector<Assignment> assignments;
};
struct Every {  // every 10 [ms] { u := -K*x }
  Expr interval;
  std::vector<Assignment> assignments;
};
struct Stop {  // stop when x > 1 [m] "reason"
  Expr condition;
};
struct Let {
  Name name;
  Expr value;
};
struct Function {
  Name name;
  std::vector<Parameter> parameters;
  Expr body;
};
struct Coord {
  Name name;
  Part<IndexRange> range;  // coord z[i in 1..n]
  std::optional<Unit> unit;
  std::optional<Expr> initial;
};
struct Velocity {  // a quasi-velocity
  Name name;
  std::optional<Unit> unit;
  std::optional<Expr> initial;
};
struct Kinematics {  // kinematics x' = v*cos(psi)
  Name coord;
  Expr rate;
};
struct Initial {  // initial z' = 0, initial z = 1, initial z[i in 1..n]' = i*v
  Name name;
  Part<IndexRange> range;
  bool derivative = false;
  Expr value;
};
struct Kinetic {
  Expr energy;
  Part<IndexRange> range;
};
struct Potential {
  Expr energy;
  Part<IndexRange> range;
};
struct Dissipation {
  Expr potential;
  Part<IndexRange> range;
};
// force x : expr, force bead[i] at [0, 0, a] : F for i in 1..n, torque top : M
struct Force {
  Name target;       // a coordinate, a velocity or a body
  Part<Expr> index;  // of an array
  Part<Expr> at;     // a point of the body
  bool torque = false;
  Expr value;
  Part<IndexRange> range;
};
struct ForceVector {  // force [ ... ]
  Expr value;
};
struct Mass {  // mass [[ ... ]]
  Expr matrix;
};

struct LawUse {  // law coulomb(mu = 0.3)
  Expr call;     // a name or a call
};
// kind is "gap", "slip", "spin" or "roll"
struct ContactQuantity {
  Name kind;
  Expr value;
};
using ContactItem = std::variant<ContactQuantity, LawUse, Let>;
// A shape, body or joint by its name: floor, bead[i + 1], bead[*].
struct Use {
  Name name;
  Part<Expr> index;
  bool all = false;  // [*]
  Span span;
};
struct ShapePair {  // head on floor
  Use first, second;
};
struct Contact {
  Name name;  // empty: a pair of shapes without a name of its own
  Part<IndexRange> range;
  Part<ShapePair> pair;
  Part<Expr> active;  // while CONDITION
  std::vector<ContactItem> items;
};
struct Constraint {
  Name name;
  Part<IndexRange> range;
  Part<Expr> active;
  std::vector<ContactItem> items;
};

struct Body {  // body top = rigid(mass = m, ...)
  Name name;
  Part<IndexRange> range;
  Expr call;
};
struct Gravity {
  Expr value;
};
struct Shape {  // shape head = sphere(radius = r) on top at [0, 0, a]
  Name name;
  Part<IndexRange> range;
  Expr call;
  Part<Use> body;  // absent: fixed in the world
  Part<Expr> at;
};
struct Joint {  // joint hinge = revolute(a, b, at = [0, 0, 1], axis = [0, 1, 0]) { law ... }
  Name name;
  Part<IndexRange> range;
  Expr call;  // the bodies are its first two arguments
  Part<Expr> active;
  std::vector<ContactItem> items;
};
// spring s between p and q stiffness k length L damping d, or on a joint: spring s on hinge stiffness k angle a;
// a damper has a damping only
struct Spring {
  Name name;
  Part<IndexRange> range;
  bool damper = false;
  Part<Expr> from, to;  // points, or
  Part<Use> joint;
  Part<Expr> stiffness, rest, damping;  // rest: the length or angle without force
};
// draw bob = sphere(r) at [x, y] turned phi color "red": seen, and nothing else
struct Draw {
  Name name;
  Part<IndexRange> range;
  Expr call;        // a name or a call
  Part<Name> text;  // of text("..."), which has no other arguments
  Part<Expr> at, along, turned;
  Part<Name> color;
};
struct SetDefinition {
  Name name;
  std::vector<Parameter> parameters;
  Expr value;
};

struct LawForce {  // force T[2]
  Name name;
  Part<Expr> size;
};
struct Inclusion {  // left in normal_cone(set, argument) restitution e
  Expr left;
  Expr cone;  // the call normal_cone(C, x)
  std::optional<Expr> restitution;
  std::optional<Name> solve;  // direct or transformed
};
using LawItem = std::variant<LawForce, Let, Inclusion>;
struct Law {
  Name name;
  std::vector<Parameter> parameters;
  std::vector<LawItem> items;
};

struct Output {
  Name name;
  Part<IndexRange> range;
  std::optional<Unit> unit;
  Expr value;
};
struct Setting {  // until 3 [s]
  Name name;
  Expr value;
};
struct Simulate {
  std::vector<Setting> settings;
};

struct Declaration {
  Span span;
  std::string doc;  // the documentation string, may be empty
  std::variant<Import, Param, Let, Function, Coord, Velocity, Kinematics, Initial, Kinetic, Potential, Dissipation,
               Force, ForceVector, Mass, Contact, Constraint, SetDefinition, Law, Output, Simulate, Body, Gravity,
               Shape, Joint, Spring, Draw, State, Discrete, Table, When, Every, Stop>
      value;
};

struct Model {
  std::optional<Name> name;  // absent in a library file
  std::string doc;
  FileId file = 0;
  std::vector<Declaration> declarations;
};

}  // namespace nsmc::ast
