#include "compiler/syntax/same.hpp"

#include <algorithm>

namespace nsmc {

using namespace ast;

namespace {

// Declared first: the templates below call each other in any order.
bool eq(const Name& a, const Name& b);
bool eq(const UnitFactor& a, const UnitFactor& b);
bool eq(const Unit& a, const Unit& b);
bool eq(const Expr& a, const Expr& b);
bool eq(const Bounds& a, const Bounds& b);
bool eq(const Parameter& a, const Parameter& b);
bool eq(const TableArgument& a, const TableArgument& b);
bool eq(const Assignment& a, const Assignment& b);
bool eq(const Let& a, const Let& b);
bool eq(const ContactQuantity& a, const ContactQuantity& b);
bool eq(const LawUse& a, const LawUse& b);
bool eq(const LawForce& a, const LawForce& b);
bool eq(const Inclusion& a, const Inclusion& b);
bool eq(const Setting& a, const Setting& b);
bool eq(const IndexRange& a, const IndexRange& b);
bool eq(const Use& a, const Use& b);
bool eq(const ShapePair& a, const ShapePair& b);

template <class T>
bool eq(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || eq(*a, *b));
}
template <class T>
bool eq(const Part<T>& a, const Part<T>& b) {
  return a.has_value() == b.has_value() && (!a || eq(*a, *b));
}
template <class... T>
bool eq(const std::variant<T...>& a, const std::variant<T...>& b) {
  if (a.index() != b.index()) return false;
  return std::visit([&](const auto& value) { return eq(value, std::get<std::decay_t<decltype(value)>>(b)); }, a);
}
template <class T>
bool eq(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const T& x, const T& y) { return eq(x, y); });
}

bool eq(const Name& a, const Name& b) { return a.text == b.text; }
bool eq(const UnitFactor& a, const UnitFactor& b) {
  return a.name == b.name && a.numerator == b.numerator && a.denominator == b.denominator;
}
bool eq(const Unit& a, const Unit& b) { return eq(a.factors, b.factors); }
bool eq(const Expr& a, const Expr& b) {
  return a.kind == b.kind && a.value == b.value && a.text == b.text && a.ops == b.ops && a.called == b.called &&
         eq(a.unit, b.unit) && eq(a.args, b.args) && eq(a.names, b.names);
}
bool eq(const Parameter& a, const Parameter& b) { return eq(a.name, b.name) && eq(a.default_value, b.default_value); }
bool eq(const TableArgument& a, const TableArgument& b) { return eq(a.name, b.name) && eq(a.unit, b.unit); }
bool eq(const Assignment& a, const Assignment& b) {
  return eq(a.target, b.target) && a.derivative == b.derivative && eq(a.value, b.value);
}
bool eq(const Let& a, const Let& b) { return eq(a.name, b.name) && eq(a.value, b.value); }
bool eq(const ContactQuantity& a, const ContactQuantity& b) { return eq(a.kind, b.kind) && eq(a.value, b.value); }
bool eq(const LawUse& a, const LawUse& b) { return eq(a.call, b.call); }
bool eq(const LawForce& a, const LawForce& b) { return eq(a.name, b.name) && eq(a.size, b.size); }
bool eq(const Inclusion& a, const Inclusion& b) {
  return eq(a.left, b.left) && eq(a.cone, b.cone) && eq(a.restitution, b.restitution) && eq(a.solve, b.solve);
}
bool eq(const Setting& a, const Setting& b) { return eq(a.name, b.name) && eq(a.value, b.value); }

bool eq(const IndexRange& a, const IndexRange& b) {
  return eq(a.variable, b.variable) && eq(a.first, b.first) && eq(a.last, b.last);
}
bool eq(const Use& a, const Use& b) { return eq(a.name, b.name) && eq(a.index, b.index) && a.all == b.all; }
bool eq(const ShapePair& a, const ShapePair& b) { return eq(a.first, b.first) && eq(a.second, b.second); }

bool eq(const Import& a, const Import& b) { return a.path == b.path; }
bool eq(const Bounds& a, const Bounds& b) { return eq(a.least, b.least) && eq(a.greatest, b.greatest); }
bool eq(const Param& a, const Param& b) {
  return eq(a.name, b.name) && eq(a.unit, b.unit) && eq(a.value, b.value) && eq(a.bounds, b.bounds) &&
         a.input == b.input;
}
bool eq(const State& a, const State& b) {
  return eq(a.name, b.name) && eq(a.unit, b.unit) && eq(a.initial, b.initial) && eq(a.rated, b.rated) &&
         eq(a.rate, b.rate);
}
bool eq(const Discrete& a, const Discrete& b) {
  return eq(a.name, b.name) && eq(a.unit, b.unit) && eq(a.initial, b.initial);
}
bool eq(const Table& a, const Table& b) {
  return eq(a.name, b.name) && eq(a.arguments, b.arguments) && eq(a.unit, b.unit) && eq(a.file, b.file) &&
         eq(a.values, b.values) && eq(a.form, b.form) && eq(a.beyond, b.beyond);
}
bool eq(const When& a, const When& b) { return eq(a.condition, b.condition) && eq(a.assignments, b.assignments); }
bool eq(const Every& a, const Every& b) { return eq(a.interval, b.interval) && eq(a.assignments, b.assignments); }
bool eq(const Stop& a, const Stop& b) { return eq(a.condition, b.condition); }
bool eq(const Function& a, const Function& b) {
  return eq(a.name, b.name) && eq(a.parameters, b.parameters) && eq(a.body, b.body);
}
bool eq(const Coord& a, const Coord& b) {
  return eq(a.name, b.name) && eq(a.range, b.range) && eq(a.unit, b.unit) && eq(a.initial, b.initial);
}
bool eq(const Velocity& a, const Velocity& b) {
  return eq(a.name, b.name) && eq(a.unit, b.unit) && eq(a.initial, b.initial);
}
bool eq(const Kinematics& a, const Kinematics& b) { return eq(a.coord, b.coord) && eq(a.rate, b.rate); }
bool eq(const Initial& a, const Initial& b) {
  return eq(a.name, b.name) && eq(a.range, b.range) && a.derivative == b.derivative && eq(a.value, b.value);
}
bool eq(const Kinetic& a, const Kinetic& b) { return eq(a.energy, b.energy) && eq(a.range, b.range); }
bool eq(const Potential& a, const Potential& b) { return eq(a.energy, b.energy) && eq(a.range, b.range); }
bool eq(const Dissipation& a, const Dissipation& b) { return eq(a.potential, b.potential) && eq(a.range, b.range); }
bool eq(const Force& a, const Force& b) {
  return eq(a.target, b.target) && eq(a.index, b.index) && eq(a.at, b.at) && a.torque == b.torque &&
         eq(a.value, b.value) && eq(a.range, b.range);
}
bool eq(const ForceVector& a, const ForceVector& b) { return eq(a.value, b.value); }
bool eq(const Mass& a, const Mass& b) { return eq(a.matrix, b.matrix); }
bool eq(const Contact& a, const Contact& b) {
  return eq(a.name, b.name) && eq(a.range, b.range) && eq(a.pair, b.pair) && eq(a.active, b.active) &&
         eq(a.items, b.items);
}
bool eq(const Constraint& a, const Constraint& b) {
  return eq(a.name, b.name) && eq(a.range, b.range) && eq(a.active, b.active) && eq(a.items, b.items);
}
bool eq(const Body& a, const Body& b) { return eq(a.name, b.name) && eq(a.range, b.range) && eq(a.call, b.call); }
bool eq(const Gravity& a, const Gravity& b) { return eq(a.value, b.value); }
bool eq(const Shape& a, const Shape& b) {
  return eq(a.name, b.name) && eq(a.range, b.range) && eq(a.call, b.call) && eq(a.body, b.body) && eq(a.at, b.at);
}
bool eq(const Joint& a, const Joint& b) {
  return eq(a.name, b.name) && eq(a.range, b.range) && eq(a.call, b.call) && eq(a.active, b.active) &&
         eq(a.items, b.items);
}
bool eq(const Spring& a, const Spring& b) {
  return eq(a.name, b.name) && eq(a.range, b.range) && a.damper == b.damper && eq(a.from, b.from) && eq(a.to, b.to) &&
         eq(a.joint, b.joint) && eq(a.stiffness, b.stiffness) && eq(a.rest, b.rest) && eq(a.damping, b.damping);
}
bool eq(const Draw& a, const Draw& b) {
  return eq(a.name, b.name) && eq(a.range, b.range) && eq(a.call, b.call) && eq(a.text, b.text) && eq(a.at, b.at) &&
         eq(a.along, b.along) && eq(a.turned, b.turned) && eq(a.color, b.color);
}
bool eq(const SetDefinition& a, const SetDefinition& b) {
  return eq(a.name, b.name) && eq(a.parameters, b.parameters) && eq(a.value, b.value);
}
bool eq(const Law& a, const Law& b) {
  return eq(a.name, b.name) && eq(a.parameters, b.parameters) && eq(a.items, b.items);
}
bool eq(const Output& a, const Output& b) {
  return eq(a.name, b.name) && eq(a.range, b.range) && eq(a.unit, b.unit) && eq(a.value, b.value);
}
bool eq(const Simulate& a, const Simulate& b) { return eq(a.settings, b.settings); }

}  // namespace

bool same(const Expr& a, const Expr& b) { return eq(a, b); }

bool same(const Declaration& a, const Declaration& b) {
  if (a.doc != b.doc || a.value.index() != b.value.index()) return false;
  return std::visit([&](const auto& value) { return eq(value, std::get<std::decay_t<decltype(value)>>(b.value)); },
                    a.value);
}

bool same(const Model& a, const Model& b) {
  return eq(a.name, b.name) && a.doc == b.doc &&
         std::equal(a.declarations.begin(), a.declarations.end(), b.declarations.begin(), b.declarations.end(),
                    [](const Declaration& x, const Declaration& y) { return same(x, y); });
}

}  // namespace nsmc
