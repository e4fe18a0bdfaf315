#include "compiler/model/variables.hpp"

#include <fmt/core.h>

#include "compiler/model/arrays.hpp"
#include "compiler/model/expressions.hpp"

namespace nsmc {

namespace {

// That of a number, also behind a sign: -20 [N].
const std::optional<ast::Unit>& written_unit(const ast::Expr& value) {
  return value.kind == ast::ExprKind::negate ? value.args[0].unit : value.unit;
}

}  // namespace

void Variables::elaborate_parameter(GlobalSymbol& symbol) {
  const auto& declaration = std::get<ast::Param>(symbol.declaration->value);
  TypedParameter& parameter = model_.parameters[symbol.index];
  symbol.state = GlobalSymbol::State::open;
  std::optional<UnitValue> unit;
  if (declaration.unit) unit = resolve(*declaration.unit, diagnostics_);
  const std::size_t index = symbol.index;
  const Result value =
      unit ? constant_value(declaration.value, declaration.unit, unit->dimension, "a parameter", global_scope_)
           : expressions_.scalar(declaration.value, global_scope_, "a parameter");
  if (!value || symbol.state == GlobalSymbol::State::failed) {
    symbol.state = GlobalSymbol::State::failed;
    return;
  }
  if (node(*value).depends.any()) {
    report(Kind::not_constant, declaration.value.span,
           fmt::format("parameter '{}' must not depend on the state or time", parameter.name),
           "name an expression of the state with let");
    symbol.state = GlobalSymbol::State::failed;
    return;
  }
  TypedParameter& p = model_.parameters[index];
  p.value = *value;
  p.dimension = unit && model_.dimensional ? unit->dimension : type(*value).dimensions[0];
  // A plain 0 is a pure number; what has an unknown unit stays unknown, and makes no second error.
  if (p.dimension.is_any() && !unit && !written_unit(declaration.value)) p.dimension = Dimension{};
  // A literal keeps the unit that the user thinks in, for describe.
  p.unit = declaration.unit                  ? unit_text(*declaration.unit)
           : written_unit(declaration.value) ? unit_text(*written_unit(declaration.value))
           : p.dimension.is_dimensionless()  ? ""
                                             : p.dimension.text();
  if (declaration.bounds) elaborate_bounds(declaration, p);
  const NodeId id = make(NodeKind::parameter, {ValueKind::number, 1, 1, {p.dimension}}, {}, declaration.name.span);
  model_.nodes[id].index = static_cast<std::uint32_t>(index);
  symbol.value = id;
  symbol.state = GlobalSymbol::State::done;
  if (!p.signal) return;
  model_.signals[*p.signal].dimension = p.dimension;
  model_.signals[*p.signal].initial = id;
}

// Plain numbers are in the unit of the value. Whether the value itself lies between is seen where it is a number.
void Variables::elaborate_bounds(const ast::Param& declaration, TypedParameter& parameter) {
  const std::optional<ast::Unit>& unit = declaration.unit ? declaration.unit : written_unit(declaration.value);
  const auto bound = [&](const ast::Expr& expr) -> std::optional<double> {
    const Result value = constant_value(expr, unit, parameter.dimension, "a bound of a parameter", global_scope_);
    if (!value) return std::nullopt;
    const std::optional<double> number = constant_number(*value);
    if (!number) report(Kind::not_constant, expr.span, "a bound of a parameter must be a number that is known now");
    return number;
  };
  const std::string name = parameter.name;
  const std::optional<double> least = bound(declaration.bounds->least), greatest = bound(declaration.bounds->greatest);
  if (!least || !greatest) return;
  if (!(*least < *greatest)) {
    report(Kind::bad_bounds, declaration.bounds->least.span,
           fmt::format("the bounds of parameter '{}' are empty: {:.6g} is not below {:.6g}", name, *least, *greatest));
    return;
  }
  const std::optional<double> value = constant_number(parameter.value);
  if (value && !(*value >= *least && *value <= *greatest)) {
    report(Kind::bad_bounds, declaration.value.span,
           fmt::format("parameter '{}' is {:.6g}, outside of its bounds {:.6g} and {:.6g}", name, *value, *least,
                       *greatest),
           "choose wider bounds, or another value");
    return;
  }
  parameter.bounds.emplace(*least, *greatest);
}

// coord z = 1 [m]
bool Variables::unit_behind_value(const ast::Expr& value, const std::optional<ast::Unit>& unit) {
  if (unit || value.kind != ast::ExprKind::number || !value.unit || !model_.dimensional) return false;
  return !resolve(*value.unit, diagnostics_).dimension.is_dimensionless();
}

Result Variables::constant_value(const ast::Expr& expr, const std::optional<ast::Unit>& unit,
                                 const Dimension& wanted_in, const char* what, const Scope& scope) {
  const Dimension wanted = model_.dimensional ? wanted_in : Dimension{};
  Result value = expressions_.scalar(expr, scope, what);
  if (!value) return std::nullopt;
  if (node(*value).depends.any()) {
    report(Kind::not_constant, expr.span, fmt::format("{} may depend on parameters alone", what));
    return std::nullopt;
  }
  const Dimension given = type(*value).dimensions[0];
  // coord z [mm] = 5: a plain number is in the unit that stands beside it.
  const bool bare = expr.kind == ast::ExprKind::number && !expr.unit;
  const bool negated =
      expr.kind == ast::ExprKind::negate && expr.args[0].kind == ast::ExprKind::number && !expr.args[0].unit;
  if (unit && (bare || negated)) {
    const double factor = resolve(*unit, diagnostics_).factor;
    return expressions_.multiply(*value, make_number(factor, wanted, expr.span), expr.span);
  }
  if (!given.fits(wanted)) {
    report(Kind::wrong_dimension, expr.span,
           fmt::format("{} must be {}, this is {}", what, wanted.description(), given.description()),
           given.is_dimensionless() ? fmt::format("give it a unit, as in 1 [{}]", wanted.text()) : "");
    return std::nullopt;
  }
  return value;
}

void Variables::elaborate_coordinate(const ast::Coord& coord, std::uint32_t index) {
  if (!coord.initial) return;
  const Dimension dimension = model_.coordinates[index].dimension;
  if (unit_behind_value(*coord.initial, coord.unit)) {
    report(Kind::wrong_dimension, coord.initial->span,
           fmt::format("the unit of '{0}' stands behind its name, not behind its initial value", coord.name.text),
           fmt::format("coord {} [{}] = {}", coord.name.text, unit_text(*coord.initial->unit), coord.initial->value))
        .replacement = {
        join(coord.name.span, coord.initial->span),
        fmt::format("{} [{}] = {}", coord.name.text, unit_text(*coord.initial->unit), coord.initial->value)};
    // What follows from it is no second error.
    model_.coordinates[index].dimension = Dimension::any();
    if (!model_.coordinates[index].rate)
      model_.velocities[model_.coordinates[index].velocity].dimension = Dimension::any();
    return;
  }
  const Result value = constant_value(*coord.initial, coord.unit, dimension, "the initial value", global_scope_);
  if (value) model_.coordinates[index].initial = *value;
}

void Variables::elaborate_velocity(const ast::Velocity& velocity, std::uint32_t index) {
  if (!velocity.initial) return;
  const Dimension dimension = model_.velocities[index].dimension;
  const Result value = constant_value(*velocity.initial, velocity.unit, dimension, "the initial value", global_scope_);
  if (value) model_.velocities[index].initial = *value;
}

void Variables::elaborate_initial(const ast::Initial& initial) {
  const auto found = globals_.find(initial.name.text);
  if (found != globals_.end() && found->second.kind == SymbolKind::coordinate_array) {
    elaborate_array_initial(initial, arrays_.array(found->second.index));
    return;
  }
  if (initial.range) {
    report(Kind::bad_index, initial.range->span,
           fmt::format("'{}' is not an array, it has no index", initial.name.text));
    return;
  }
  const bool coordinate = found != globals_.end() && found->second.kind == SymbolKind::coordinate;
  const bool velocity = found != globals_.end() && found->second.kind == SymbolKind::velocity;
  if (!coordinate && !(velocity && !initial.derivative)) {
    std::vector<std::string> names;
    for (const auto& [text, symbol] : globals_) {
      if (symbol.kind == SymbolKind::coordinate || symbol.kind == SymbolKind::velocity) names.push_back(text);
    }
    if (velocity) {
      report(Kind::wrong_kind, initial.name.span,
             fmt::format("'{}' is a velocity: accelerations have no initial value", initial.name.text),
             fmt::format("write: initial {} = ...", initial.name.text));
      return;
    }
    const std::optional<Advice> habit = velocity_habit(initial.name.text);
    report(Kind::unknown_name, initial.name.span,
           fmt::format("'{}' is neither a coordinate nor a velocity", initial.name.text),
           habit ? habit->hint : did_you_mean(initial.name.text, names));
    return;
  }
  const std::uint32_t index = found->second.index;
  std::optional<NodeId>* slot = nullptr;
  Dimension dimension;
  if (coordinate && !initial.derivative) {
    slot = &model_.coordinates[index].initial;
    dimension = model_.coordinates[index].dimension;
  } else if (coordinate) {
    const TypedCoordinate& c = model_.coordinates[index];
    if (c.rate) {
      report(Kind::wrong_kind, initial.name.span, fmt::format("{}' follows from its kinematics", initial.name.text),
             "give the initial values of the quasi-velocities");
      return;
    }
    slot = &model_.velocities[c.velocity].initial;
    dimension = model_.velocities[c.velocity].dimension;
  } else {
    slot = &model_.velocities[index].initial;
    dimension = model_.velocities[index].dimension;
  }
  if (*slot) {
    report(Kind::initial_given_twice, initial.name.span,
           fmt::format("the initial value of '{}{}' is given twice", initial.name.text, initial.derivative ? "'" : ""));
    return;
  }
  const Result value = constant_value(initial.value, std::nullopt, dimension, "the initial value", global_scope_);
  if (!value) return;
  *slot = *value;
  // Where to point if the value turns out wrong.
  if (coordinate && !initial.derivative) {
    model_.coordinates[index].span = initial.name.span;
  } else {
    model_.velocities[coordinate ? model_.coordinates[index].velocity : index].span = initial.name.span;
  }
}

void Variables::elaborate_array_initial(const ast::Initial& initial, const CoordinateArray& array) {
  if (!array.known) return;
  const auto range = arrays_.ranged(initial.range, global_scope_);
  if (!range) return;
  if (initial.range && !(range->instances.indices[0] == array.bounds)) {
    report(Kind::bad_range, initial.range->span,
           fmt::format("the initial values of '{}' are given for all of {}..{}", initial.name.text, array.bounds.first,
                       array.bounds.last),
           "tell them apart with piecewise");
    return;
  }
  const Looking looking(core_, range->instances);
  std::optional<NodeId>& slot =
      initial.derivative ? model_.velocities[array.velocity].initial : model_.coordinates[array.coordinate].initial;
  if (slot) {
    report(Kind::initial_given_twice, initial.name.span,
           fmt::format("the initial value of '{}{}' is given twice", initial.name.text, initial.derivative ? "'" : ""));
    return;
  }
  const Dimension dimension =
      initial.derivative ? model_.velocities[array.velocity].dimension : model_.coordinates[array.coordinate].dimension;
  const Result value = constant_value(initial.value, std::nullopt, dimension, "the initial value", range->scope);
  if (value)
    (initial.derivative ? model_.velocities[array.velocity].initial : model_.coordinates[array.coordinate].initial) =
        *value;
}

void Variables::elaborate_kinematics(const ast::Kinematics& kinematics) {
  const auto found = globals_.find(kinematics.coord.text);
  if (found == globals_.end() || found->second.kind != SymbolKind::coordinate) {
    std::vector<std::string> names;
    for (const TypedCoordinate& c : model_.coordinates) names.push_back(c.name);
    report(Kind::unknown_name, kinematics.coord.span, fmt::format("'{}' is not a coordinate", kinematics.coord.text),
           did_you_mean(kinematics.coord.text, names));
    return;
  }
  const std::uint32_t index = found->second.index;
  if (model_.coordinates[index].rate) {
    report(Kind::initial_given_twice, kinematics.coord.span,
           fmt::format("the kinematics of '{}' are given twice", kinematics.coord.text));
    return;
  }
  const std::size_t nodes_before = model_.nodes.size();
  const Result rate = expressions_.scalar(kinematics.rate, global_scope_, "a rate");
  if (!rate) return;
  for (std::size_t i = nodes_before; i < model_.nodes.size(); ++i) {
    if (model_.nodes[i].kind != NodeKind::derivative) continue;
    report(Kind::not_differentiable, kinematics.rate.span, "kinematics are written in the velocities themselves");
    return;
  }
  const Dimension wanted = model_.coordinates[index].dimension / time_dimension();
  if (!type(*rate).dimensions[0].fits(wanted)) {
    report(Kind::wrong_dimension, kinematics.rate.span,
           fmt::format("{}' is {}, this is {}", kinematics.coord.text, wanted.description(),
                       type(*rate).dimensions[0].description()));
    return;
  }
  model_.coordinates[index].rate = *rate;
}

}  // namespace nsmc
