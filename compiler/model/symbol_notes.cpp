#include "compiler/model/symbol_notes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/model/arrays.hpp"
#include "compiler/model/bodies.hpp"
#include "compiler/model/contacts.hpp"

namespace nsmc {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// The unit that stands in the declaration: beside the name, or behind the number.
const ast::Unit* declared_unit(const ast::Declaration& declaration) {
  const auto beside = [](const std::optional<ast::Unit>& unit) { return unit ? &*unit : nullptr; };
  if (const auto* d = std::get_if<ast::Coord>(&declaration.value)) return beside(d->unit);
  if (const auto* d = std::get_if<ast::Velocity>(&declaration.value)) return beside(d->unit);
  if (const auto* d = std::get_if<ast::State>(&declaration.value)) return beside(d->unit);
  if (const auto* d = std::get_if<ast::Discrete>(&declaration.value)) return beside(d->unit);
  if (const auto* d = std::get_if<ast::Table>(&declaration.value)) return beside(d->unit);
  if (const auto* d = std::get_if<ast::Output>(&declaration.value)) return beside(d->unit);
  if (const auto* d = std::get_if<ast::Param>(&declaration.value)) {
    return d->unit ? &*d->unit : d->value.kind == ast::ExprKind::number ? beside(d->value.unit) : nullptr;
  }
  if (const auto* d = std::get_if<ast::Let>(&declaration.value)) {
    return d->value.kind == ast::ExprKind::number ? beside(d->value.unit) : nullptr;
  }
  return nullptr;
}

// In SI; empty for pure numbers, and where components differ.
std::string unit_of(const Type& type) {
  const auto& all = type.dimensions;
  const bool alike = std::all_of(all.begin(), all.end(), [&](const Dimension& d) { return d == all.front(); });
  if (type.kind == ValueKind::condition || !alike || all.front().is_any() || all.front().is_dimensionless()) return "";
  return all.front().text();
}

}  // namespace

std::vector<double> SymbolNotes::constants() const {
  std::vector<double> values(model_.nodes.size(), kUnknown);
  std::vector<double> args;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Node& n = model_.nodes[i];
    if (n.depends.any() || n.depends.energy) continue;
    if (n.kind == NodeKind::number) {
      values[i] = n.value;
    } else if (n.kind == NodeKind::parameter) {
      const TypedParameter& parameter = model_.parameters[n.index];
      const auto given = core_.structure.find(parameter.name);
      values[i] = given != core_.structure.end() ? given->second : values[parameter.value];
    } else if (n.kind == NodeKind::component) {
      const Node& vector = model_.nodes[n.args[0]];
      if (vector.kind == NodeKind::vector) values[i] = values[vector.args[n.index]];
    } else {
      args.clear();
      for (const NodeId arg : n.args) args.push_back(values[arg]);
      const bool known = std::none_of(args.begin(), args.end(), [](double x) { return std::isnan(x); });
      if (known && !args.empty()) values[i] = operation(n, args).value_or(kUnknown);
    }
  }
  return values;
}

void SymbolNotes::describe(SymbolTable& table) const {
  const std::vector<double> known = constants();
  for (Symbol& symbol : table.symbols) {
    if (symbol.local || symbol.library) continue;
    const auto global = globals_.find(symbol.name);
    if (global != globals_.end() && global->second.span == symbol.declared) describe(symbol, global->second, known);
    // A contact that is named after its shape or body adds its members to theirs.
    const auto contact = contacts_.named_after_shapes().find(symbol.name);
    if (contact == contacts_.named_after_shapes().end()) continue;
    for (std::string& member : contacts_.contact_members(contact->second)) {
      const bool own = std::find(symbol.members.begin(), symbol.members.end(), member) != symbol.members.end();
      if (!own) symbol.members.push_back(std::move(member));
    }
  }
}

void SymbolNotes::describe(Symbol& symbol, const GlobalSymbol& global, const std::vector<double>& constants) const {
  const ast::Unit* unit = declared_unit(*global.declaration);
  if (unit != nullptr) symbol.unit = unit_text(*unit);
  const auto is = [&](const Type& type) {
    symbol.type = shape_text(type);
    if (unit == nullptr) symbol.unit = unit_of(type);
  };
  const auto starts = [&](std::optional<NodeId> initial, const Dimension& dimension) {
    is({ValueKind::number, 1, 1, {dimension}});
    if (initial) symbol.value = constants[*initial];
  };
  const bool done = global.state == GlobalSymbol::State::done;
  switch (global.kind) {
    case SymbolKind::parameter:
    case SymbolKind::let:
    case SymbolKind::set:
      if (!done) break;
      is(type(global.value));
      if (type(global.value).is_scalar()) symbol.value = constants[global.value];
      break;
    case SymbolKind::coordinate: {
      const TypedCoordinate& coordinate = model_.coordinates[global.index];
      starts(coordinate.initial, coordinate.dimension);
      break;
    }
    case SymbolKind::velocity:
      if (global.index >= model_.velocities.size()) break;  // too many coordinates: check went no further
      starts(model_.velocities[global.index].initial, model_.velocities[global.index].dimension);
      break;
    case SymbolKind::signal: {
      const TypedSignal& signal = model_.signals[global.index];
      starts(signal.initial, signal.dimension);
      break;
    }
    case SymbolKind::coordinate_array: {
      const CoordinateArray& array = arrays_.array(global.index);
      if (array.known) is({ValueKind::number, 1, 1, {model_.coordinates[array.coordinate].dimension}});
      break;
    }
    case SymbolKind::output:
      for (const TypedOutput& output : model_.outputs) {
        if (output.span == symbol.declared) is(type(output.value));
      }
      break;
    case SymbolKind::body:
      if (bodies_.body(global.index).known) symbol.members = bodies_.body_members(bodies_.body(global.index).kind);
      break;
    case SymbolKind::contact: symbol.members = contacts_.contact_members(global.index); break;
    case SymbolKind::function:
    case SymbolKind::table:
    case SymbolKind::law:
    case SymbolKind::shape:
    case SymbolKind::spring: break;
  }
  if (symbol.value && std::isnan(*symbol.value)) symbol.value.reset();
  if (!symbol.value) return;
  Diagnostics reported_before;
  symbol.value_in_unit = *symbol.value / (unit != nullptr ? resolve(*unit, reported_before).factor : 1);
}

}  // namespace nsmc
