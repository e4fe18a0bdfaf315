// Declarations: what the file declares, in an order in which everything is known when it is needed.
#include "compiler/model/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compiler/model/elaborator.hpp"

namespace nsmc {
namespace {

template <class... Ts>
struct Overload : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overload(Ts...) -> Overload<Ts...>;

constexpr std::string_view kFixedNames[] = {"t", "pi", "inf", "energy"};

// True if a unit other than [1] stands anywhere in the expression.
bool mentions_unit(const ast::Expr& expr) {
  if (expr.unit && !expr.unit->factors.empty()) return true;
  return std::any_of(expr.args.begin(), expr.args.end(), mentions_unit);
}

bool mentions_unit(const std::optional<ast::Unit>& unit) { return unit && !unit->factors.empty(); }

bool mentions_unit(const std::vector<ast::ContactItem>& items) {
  return std::any_of(items.begin(), items.end(), [](const ast::ContactItem& item) {
    return std::visit(Overload{[](const ast::LawUse& use) { return mentions_unit(use.call); },
                               [](const auto& other) { return mentions_unit(other.value); }},
                      item);
  });
}

// A model without a single unit is written in pure numbers: time and energy are pure numbers too.
bool mentions_unit(const ast::Declaration& declaration) {
  return std::visit(
      Overload{[](const ast::Param& d) { return mentions_unit(d.unit) || mentions_unit(d.value); },
               [](const ast::Let& d) { return mentions_unit(d.value); },
               [](const ast::Function& d) { return mentions_unit(d.body); },
               [](const ast::Coord& d) { return mentions_unit(d.unit) || (d.initial && mentions_unit(*d.initial)); },
               [](const ast::Velocity& d) { return mentions_unit(d.unit) || (d.initial && mentions_unit(*d.initial)); },
               [](const ast::Kinematics& d) { return mentions_unit(d.rate); },
               [](const ast::Initial& d) { return mentions_unit(d.value); },
               [](const ast::Kinetic& d) { return mentions_unit(d.energy); },
               [](const ast::Potential& d) { return mentions_unit(d.energy); },
               [](const ast::Dissipation& d) { return mentions_unit(d.potential); },
               [](const ast::Force& d) { return mentions_unit(d.value); },
               [](const ast::ForceVector& d) { return mentions_unit(d.value); },
               [](const ast::Mass& d) { return mentions_unit(d.matrix); },
               [](const ast::Contact& d) { return mentions_unit(d.items); },
               [](const ast::Constraint& d) { return mentions_unit(d.items); },
               [](const auto&) { return false; }},
      declaration.value);
}

}  // namespace

std::optional<TypedModel> check(const SourceModels& models, Diagnostics& diagnostics) {
  return Elaborator(models, diagnostics).run();
}

std::optional<TypedModel> Elaborator::run() {
  const std::size_t errors_before = diagnostics_.error_count();
  const ast::Model& main = models_.files.front();
  model_.name = main.name ? main.name->text : "";
  model_.doc = main.doc;
  model_.span = main.name ? main.name->span : Span{0, 0, main.file};
  for (const ast::Model& file : models_.files) {
    model_.dimensional = model_.dimensional ||
                         std::any_of(file.declarations.begin(), file.declarations.end(),
                                     [](const ast::Declaration& d) { return mentions_unit(d); });
  }
  declare(models_.library, true);
  for (const ast::Model& file : models_.files) declare(file, false);
  elaborate_declarations();
  check_definition_names();
  if (diagnostics_.error_count() > errors_before) return std::nullopt;
  return std::move(model_);
}

void Elaborator::declare_name(const ast::Name& name, GlobalSymbol symbol) {
  symbol.span = name.span;
  if (!symbol.library &&
      std::find(std::begin(kFixedNames), std::end(kFixedNames), name.text) != std::end(kFixedNames)) {
    report(Kind::reserved_name, name.span, fmt::format("'{}' has a fixed meaning and cannot be redeclared", name.text));
    return;
  }
  const auto [existing, inserted] = globals_.try_emplace(name.text, symbol);
  if (inserted) return;
  if (existing->second.library && !symbol.library) {  // the model's own law takes the place of the library's
    existing->second = symbol;
    return;
  }
  report(Kind::duplicate_name, name.span, fmt::format("'{}' is declared twice", name.text))
      .labels.push_back({existing->second.span, "first declared here"});
}

void Elaborator::declare(const ast::Model& file, bool library) {
  for (const ast::Declaration& declaration : file.declarations) {
    const auto add = [&](const ast::Name& name, SymbolKind kind, std::size_t index = 0) {
      GlobalSymbol symbol;
      symbol.kind = kind;
      symbol.index = static_cast<std::uint32_t>(index);
      symbol.declaration = &declaration;
      symbol.library = library;
      declare_name(name, symbol);
    };
    const auto dimension_of = [&](const std::optional<ast::Unit>& unit) {
      if (!unit) return Dimension{};
      const UnitValue value = resolve(*unit, diagnostics_);
      return model_.dimensional ? value.dimension : Dimension{};
    };
    const auto add_contact = [&](const ast::Name& name, bool bilateral) {
      add(name, SymbolKind::contact, model_.contacts.size());
      TypedContact contact;
      contact.name = name.text;
      contact.doc = declaration.doc;
      contact.bilateral = bilateral;
      contact.span = name.span;
      model_.contacts.push_back(std::move(contact));
      Scope scope;
      scope.contact = static_cast<std::uint32_t>(contact_scopes_.size());
      contact_scopes_.push_back(std::move(scope));
    };
    std::visit(Overload{[&](const ast::Param& d) {
                          add(d.name, SymbolKind::parameter, model_.parameters.size());
                          TypedParameter parameter;
                          parameter.name = d.name.text;
                          parameter.doc = declaration.doc;
                          parameter.span = d.name.span;
                          model_.parameters.push_back(std::move(parameter));
                        },
                        [&](const ast::Let& d) { add(d.name, SymbolKind::let); },
                        [&](const ast::Function& d) { add(d.name, SymbolKind::function); },
                        [&](const ast::SetDefinition& d) { add(d.name, SymbolKind::set); },
                        [&](const ast::Law& d) { add(d.name, SymbolKind::law); },
                        [&](const ast::Output& d) { add(d.name, SymbolKind::output); },
                        [&](const ast::Contact& d) { add_contact(d.name, false); },
                        [&](const ast::Constraint& d) { add_contact(d.name, true); },
                        [&](const ast::Coord& d) {
                          add(d.name, SymbolKind::coordinate, model_.coordinates.size());
                          TypedCoordinate coordinate;
                          coordinate.name = d.name.text;
                          coordinate.doc = declaration.doc;
                          coordinate.span = d.name.span;
                          coordinate.dimension = dimension_of(d.unit);
                          model_.coordinates.push_back(std::move(coordinate));
                        },
                        [&](const ast::Velocity& d) {
                          TypedVelocity velocity;
                          velocity.name = d.name.text;
                          velocity.doc = declaration.doc;
                          velocity.span = d.name.span;
                          velocity.dimension = dimension_of(d.unit);
                          add(d.name, SymbolKind::velocity, model_.velocities.size());
                          model_.velocities.push_back(std::move(velocity));
                        },
                        [](const auto&) {}},
               declaration.value);
  }
}

void Elaborator::elaborate_declarations() {
  const auto each = [&](auto&& visitor) {
    for (const ast::Model& file : models_.files) {
      for (const ast::Declaration& declaration : file.declarations) visitor(declaration);
    }
  };
  const auto each_of = [&]<class T>(std::type_identity<T>, auto&& visitor) {
    each([&](const ast::Declaration& declaration) {
      if (const auto* d = std::get_if<T>(&declaration.value)) visitor(*d, declaration);
    });
  };
  for (Scope& scope : contact_scopes_) scope.parent = &global_scope_;

  if (model_.coordinates.empty()) {
    report(Kind::no_coordinates, model_.span, "the model has no coordinates",
           "declare one with its unit and initial value: coord z [m] = 1");
  }

  // Parameters, in the order of the file so that definitions made before their use need no depth.
  each_of(std::type_identity<ast::Param>{}, [&](const ast::Param& d, const ast::Declaration&) {
    const auto found = globals_.find(d.name.text);
    if (found != globals_.end() && found->second.kind == SymbolKind::parameter &&
        found->second.state == GlobalSymbol::State::fresh) {
      elaborate_parameter(found->second);
    }
  });

  // Coordinates: those with kinematics have a rate, each of the others its own velocity; these stand before the
  // quasi-velocities.
  std::vector<bool> has_rate(model_.coordinates.size(), false);
  each_of(std::type_identity<ast::Kinematics>{}, [&](const ast::Kinematics& d, const ast::Declaration&) {
    const auto found = globals_.find(d.coord.text);
    if (found != globals_.end() && found->second.kind == SymbolKind::coordinate) has_rate[found->second.index] = true;
  });
  std::vector<TypedVelocity> quasi = std::exchange(model_.velocities, {});
  for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
    if (has_rate[i]) continue;
    TypedCoordinate& coordinate = model_.coordinates[i];
    coordinate.velocity = static_cast<std::uint32_t>(model_.velocities.size());
    TypedVelocity velocity;
    velocity.name = coordinate.name + "'";
    velocity.dimension = coordinate.dimension / time_dimension();
    velocity.coordinate = static_cast<std::uint32_t>(i);
    velocity.span = coordinate.span;
    model_.velocities.push_back(std::move(velocity));
  }
  const auto own = static_cast<std::uint32_t>(model_.velocities.size());
  for (TypedVelocity& velocity : quasi) model_.velocities.push_back(std::move(velocity));
  for (auto& [text, symbol] : globals_) {
    if (symbol.kind == SymbolKind::velocity) symbol.index += own;
  }
  each_of(std::type_identity<ast::Kinematics>{},
          [&](const ast::Kinematics& d, const ast::Declaration&) { elaborate_kinematics(d); });

  std::uint32_t coordinates = 0;
  std::uint32_t velocities = own;
  each([&](const ast::Declaration& declaration) {
    if (const auto* d = std::get_if<ast::Coord>(&declaration.value)) elaborate_coordinate(*d, coordinates++);
    if (const auto* d = std::get_if<ast::Velocity>(&declaration.value)) elaborate_velocity(*d, velocities++);
  });
  each_of(std::type_identity<ast::Initial>{},
          [&](const ast::Initial& d, const ast::Declaration&) { elaborate_initial(d); });

  // Contacts: all quantities before any law, so that laws and outputs may speak of every contact.
  const auto each_contact = [&](auto&& visitor) {
    std::uint32_t index = 0;
    each([&](const ast::Declaration& declaration) {
      if (const auto* d = std::get_if<ast::Contact>(&declaration.value)) visitor(d->items, index++);
      if (const auto* d = std::get_if<ast::Constraint>(&declaration.value)) visitor(d->items, index++);
    });
  };
  each_contact([&](const auto& items, std::uint32_t index) { elaborate_quantities(items, index); });
  each_contact([&](const auto& items, std::uint32_t index) {
    elaborate_laws(items, index, model_.contacts[index].span);
  });

  bool simulated = false;
  each([&](const ast::Declaration& declaration) {
    std::visit(
        Overload{[&](const ast::Let& d) {
                   ast::Expr use;
                   use.kind = ast::ExprKind::name;
                   use.text = d.name.text;
                   use.span = d.name.span;
                   const auto found = globals_.find(d.name.text);
                   if (found != globals_.end() && found->second.state == GlobalSymbol::State::fresh) {
                     symbol_value(found->second, use);
                   }
                 },
                 [&](const ast::Kinetic& d) {
                   elaborate_energy(d.energy, "the kinetic energy", energy_dimension(), true, model_.kinetic);
                 },
                 [&](const ast::Potential& d) {
                   elaborate_energy(d.energy, "the potential energy", energy_dimension(), false, model_.potential);
                 },
                 [&](const ast::Dissipation& d) {
                   elaborate_energy(d.potential, "the dissipation function", power_dimension(), true,
                                    model_.dissipation);
                 },
                 [&](const ast::Force& d) { elaborate_force(d); },
                 [&](const ast::ForceVector& d) { elaborate_force_vector(d); },
                 [&](const ast::Mass& d) { elaborate_mass(d); },
                 [&](const ast::Output& d) { elaborate_output(d, declaration.doc); },
                 [&](const ast::Simulate& d) {
                   if (simulated) {
                     report(Kind::simulate_given_twice, declaration.span, "simulate stands in the model more than once");
                   }
                   simulated = true;
                   elaborate_simulate(d);
                 },
                 [](const auto&) {}},
        declaration.value);
  });

  if (!model_.kinetic.empty() && model_.mass) {
    report(Kind::inertia_given_twice, node(*model_.mass).span,
           "the model has both a kinetic energy and a mass matrix", "keep one of the two");
  }
  if (!model_.coordinates.empty() && model_.kinetic.empty() && !model_.mass && !diagnostics_.has_errors()) {
    report(Kind::no_inertia, model_.span, "the model has no inertia",
           "give the kinetic energy, as in 'kinetic m/2 * z'^2', or the mass matrix, 'mass [[...]]'");
  }
}

void Elaborator::elaborate_parameter(GlobalSymbol& symbol) {
  const auto& declaration = std::get<ast::Param>(symbol.declaration->value);
  TypedParameter& parameter = model_.parameters[symbol.index];
  symbol.state = GlobalSymbol::State::open;
  std::optional<UnitValue> unit;
  if (declaration.unit) unit = resolve(*declaration.unit, diagnostics_);
  const std::size_t index = symbol.index;
  const Result value = unit ? constant_value(declaration.value, declaration.unit, unit->dimension, "a parameter")
                            : scalar(declaration.value, global_scope_, "a parameter");
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
  if (p.dimension.is_any()) p.dimension = Dimension{};
  // A literal keeps the unit that the user thinks in, for describe.
  p.unit = declaration.unit                                                  ? unit_text(*declaration.unit)
           : declaration.value.kind == ast::ExprKind::number && declaration.value.unit ? unit_text(*declaration.value.unit)
           : p.dimension.is_dimensionless()                                  ? ""
                                                                             : p.dimension.text();
  const NodeId id = make(NodeKind::parameter, {ValueKind::number, 1, 1, {p.dimension}}, {}, declaration.name.span);
  model_.nodes[id].index = static_cast<std::uint32_t>(index);
  symbol.value = id;
  symbol.state = GlobalSymbol::State::done;
}

Result Elaborator::constant_value(const ast::Expr& expr, const std::optional<ast::Unit>& unit,
                                  const Dimension& wanted_in, const char* what) {
  const Dimension wanted = model_.dimensional ? wanted_in : Dimension{};
  Result value = scalar(expr, global_scope_, what);
  if (!value) return std::nullopt;
  if (node(*value).depends.any()) {
    report(Kind::not_constant, expr.span, fmt::format("{} depends on parameters alone", what));
    return std::nullopt;
  }
  const Dimension given = type(*value).dimensions[0];
  // coord z [mm] = 5: a plain number is in the unit that stands beside it.
  const bool bare = expr.kind == ast::ExprKind::number && !expr.unit;
  const bool negated = expr.kind == ast::ExprKind::negate && expr.args[0].kind == ast::ExprKind::number &&
                       !expr.args[0].unit;
  if (unit && (bare || negated)) {
    const double factor = resolve(*unit, diagnostics_).factor;
    return multiply(*value, make_number(factor, wanted, expr.span), expr.span);
  }
  if (!given.fits(wanted)) {
    report(Kind::wrong_dimension, expr.span,
           fmt::format("{} must be {}, this is {}", what, wanted.description(), given.description()),
           given.is_dimensionless() ? fmt::format("give it a unit, as in 1 [{}]", wanted.text()) : "");
    return std::nullopt;
  }
  return value;
}

void Elaborator::elaborate_coordinate(const ast::Coord& coord, std::uint32_t index) {
  if (!coord.initial) return;
  const Dimension dimension = model_.coordinates[index].dimension;
  const Result value = constant_value(*coord.initial, coord.unit, dimension, "the initial value");
  if (value) model_.coordinates[index].initial = *value;
}

void Elaborator::elaborate_velocity(const ast::Velocity& velocity, std::uint32_t index) {
  if (!velocity.initial) return;
  const Dimension dimension = model_.velocities[index].dimension;
  const Result value = constant_value(*velocity.initial, velocity.unit, dimension, "the initial value");
  if (value) model_.velocities[index].initial = *value;
}

void Elaborator::elaborate_initial(const ast::Initial& initial) {
  const auto found = globals_.find(initial.name.text);
  const bool coordinate = found != globals_.end() && found->second.kind == SymbolKind::coordinate;
  const bool velocity = found != globals_.end() && found->second.kind == SymbolKind::velocity;
  if (!coordinate && !(velocity && !initial.derivative)) {
    std::vector<std::string> names;
    for (const auto& [text, symbol] : globals_) {
      if (symbol.kind == SymbolKind::coordinate || symbol.kind == SymbolKind::velocity) names.push_back(text);
    }
    report(Kind::unknown_name, initial.name.span,
           fmt::format("'{}' is neither a coordinate nor a velocity", initial.name.text),
           did_you_mean(initial.name.text, names));
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
      report(Kind::wrong_kind, initial.name.span,
             fmt::format("{}' follows from its kinematics", initial.name.text),
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
           fmt::format("the initial value of '{}{}' is given twice", initial.name.text,
                       initial.derivative ? "'" : ""));
    return;
  }
  const Result value = constant_value(initial.value, std::nullopt, dimension, "the initial value");
  if (value) *slot = *value;
}

void Elaborator::elaborate_kinematics(const ast::Kinematics& kinematics) {
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
  const Result rate = scalar(kinematics.rate, global_scope_, "a rate");
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

void Elaborator::elaborate_energy(const ast::Expr& expr, const char* what, const Dimension& dimension, bool velocities,
                                  std::vector<NodeId>& into) {
  const Result value = scalar(expr, global_scope_, what);
  if (!value) return;
  const Dimension given = type(*value).dimensions[0];
  if (!given.fits(dimension)) {
    report(Kind::wrong_dimension, expr.span,
           fmt::format("{} must be {}, this is {}", what, dimension.description(), given.description()),
           "check the units of the parameters in it: a number without a unit is a pure number");
    return;
  }
  const Dependence depends = node(*value).depends;
  if (depends.force || (depends.velocity && !velocities)) {
    report(Kind::depends_on_velocity, expr.span,
           fmt::format("{} must not depend on {}", what, depends.force ? "contact forces" : "velocities"),
           depends.force ? "" : "forces that depend on velocities are a dissipation or a force");
    return;
  }
  into.push_back(*value);
}

void Elaborator::elaborate_force(const ast::Force& force) {
  const auto found = globals_.find(force.target.text);
  const bool coordinate = found != globals_.end() && found->second.kind == SymbolKind::coordinate;
  if (!coordinate && (found == globals_.end() || found->second.kind != SymbolKind::velocity)) {
    std::vector<std::string> names;
    for (const auto& [text, symbol] : globals_) {
      if (symbol.kind == SymbolKind::coordinate || symbol.kind == SymbolKind::velocity) names.push_back(text);
    }
    report(Kind::unknown_name, force.target.span,
           fmt::format("'{}' is neither a coordinate nor a velocity", force.target.text),
           did_you_mean(force.target.text, names));
    return;
  }
  const Result value = scalar(force.value, global_scope_, "a force");
  if (!value) return;
  TypedForce typed;
  typed.value = *value;
  typed.coordinate_or_velocity = found->second.index;
  Dimension velocity;
  if (coordinate) {
    const TypedCoordinate& c = model_.coordinates[found->second.index];
    typed.on_coordinate = c.rate.has_value();
    if (!c.rate) typed.coordinate_or_velocity = c.velocity;
    velocity = c.dimension / time_dimension();
  } else {
    velocity = model_.velocities[found->second.index].dimension;
  }
  const Dimension wanted = power_dimension() / velocity;
  if (!type(*value).dimensions[0].fits(wanted)) {
    report(Kind::wrong_dimension, force.value.span,
           fmt::format("the force on '{}' must be {}, this is {}", force.target.text, wanted.description(),
                       type(*value).dimensions[0].description()),
           "force times velocity is a power");
    return;
  }
  if (node(*value).depends.force) {
    report(Kind::depends_on_velocity, force.value.span, "a smooth force must not depend on contact forces");
    return;
  }
  model_.forces.push_back(typed);
}

void Elaborator::elaborate_force_vector(const ast::ForceVector& force) {
  const Result value = expression(force.value, global_scope_);
  if (!value) return;
  const Type& t = type(*value);
  if (t.kind != ValueKind::number || t.cols != 1 || t.rows != model_.velocities.size()) {
    report(Kind::shape_mismatch, force.value.span,
           fmt::format("the force vector needs {} components, one for each velocity", model_.velocities.size()));
    return;
  }
  for (std::size_t i = 0; i < model_.velocities.size(); ++i) {
    const Dimension wanted = power_dimension() / model_.velocities[i].dimension;
    if (t.dimensions[i].fits(wanted)) continue;
    report(Kind::wrong_dimension, force.value.span,
           fmt::format("component {} of the force vector must be {}, this is {}", i + 1, wanted.description(),
                       t.dimensions[i].description()),
           fmt::format("it acts on {}: force times velocity is a power", model_.velocities[i].name));
    return;
  }
  if (node(*value).depends.force) {
    report(Kind::depends_on_velocity, force.value.span, "a smooth force must not depend on contact forces");
    return;
  }
  model_.force_vectors.push_back(*value);
}

void Elaborator::elaborate_mass(const ast::Mass& mass) {
  const Result value = expression(mass.matrix, global_scope_);
  if (!value) return;
  const Type& t = type(*value);
  const auto n = static_cast<std::uint32_t>(model_.velocities.size());
  if (t.kind != ValueKind::number || t.rows != n || t.cols != n) {
    report(Kind::shape_mismatch, mass.matrix.span,
           fmt::format("the mass matrix is {}x{}: one row and column for each velocity", n, n));
    return;
  }
  for (std::uint32_t i = 0; i < n * n; ++i) {
    const Dimension wanted =
        energy_dimension() / (model_.velocities[i / n].dimension * model_.velocities[i % n].dimension);
    if (t.dimensions[i].fits(wanted)) continue;
    report(Kind::wrong_dimension, mass.matrix.span,
           fmt::format("entry [{}, {}] of the mass matrix must be {}, this is {}", i / n + 1, i % n + 1,
                       wanted.description(), t.dimensions[i].description()));
    return;
  }
  if (node(*value).depends.velocity || node(*value).depends.force) {
    report(Kind::depends_on_velocity, mass.matrix.span, "the mass matrix depends on coordinates and time only");
    return;
  }
  if (model_.mass) {
    report(Kind::inertia_given_twice, mass.matrix.span, "the mass matrix is given twice");
    return;
  }
  model_.mass = *value;
}

void Elaborator::elaborate_output(const ast::Output& output, const std::string& doc) {
  const Result value = expression(output.value, global_scope_);
  if (!value) return;
  if (type(*value).kind != ValueKind::number || type(*value).cols != 1) {
    report(Kind::wrong_kind, output.value.span, "an output is a number or a vector");
    return;
  }
  if (output.unit && model_.dimensional) {
    const Dimension wanted = resolve(*output.unit, diagnostics_).dimension;
    for (const Dimension& d : type(*value).dimensions) {
      if (d.fits(wanted)) continue;
      report(Kind::wrong_dimension, output.value.span,
             fmt::format("output '{}' is declared as {}, this is {}", output.name.text, wanted.description(),
                         d.description()));
      return;
    }
  }
  model_.outputs.push_back({output.name.text, doc, *value});
}

void Elaborator::elaborate_simulate(const ast::Simulate& simulate) {
  Settings& s = model_.settings;
  struct Entry {
    const char* name;
    std::optional<NodeId> Settings::*slot;
    bool time;
  };
  static constexpr Entry kEntries[] = {
      {"until", &Settings::until, true},          {"step", &Settings::step, true},
      {"record", &Settings::record, true},        {"omega", &Settings::omega, false},
      {"tolerance", &Settings::tolerance, false}, {"max_iterations", &Settings::max_iterations, false},
      {"every", &Settings::every, false},
  };
  for (const ast::Setting& setting : simulate.settings) {
    const std::string& text = setting.name.text;
    if (text == "method" || text == "solver") {
      static constexpr std::string_view kMethods[] = {"moreau"};
      static constexpr std::string_view kSolvers[] = {"jor", "sor"};
      const std::span<const std::string_view> known =
          text == "method" ? std::span<const std::string_view>(kMethods) : std::span<const std::string_view>(kSolvers);
      const bool is_known = setting.value.kind == ast::ExprKind::name &&
                            std::find(known.begin(), known.end(), setting.value.text) != known.end();
      if (!is_known) {
        report(Kind::bad_setting, setting.value.span,
               fmt::format("unknown {}, known are {}", text, fmt::join(known, ", ")));
        continue;
      }
      (text == "method" ? s.method : s.solver) = setting.value.text;
      continue;
    }
    const auto* entry = std::find_if(std::begin(kEntries), std::end(kEntries),
                                     [&](const Entry& candidate) { return text == candidate.name; });
    if (entry == std::end(kEntries)) {
      std::vector<std::string> names{"method", "solver"};
      for (const Entry& known : kEntries) names.emplace_back(known.name);
      std::string hint = did_you_mean(text, names);
      if (hint.empty()) hint = fmt::format("simulate takes {}", fmt::join(names, ", "));
      report(Kind::unknown_setting, setting.name.span, fmt::format("unknown setting '{}'", text), hint);
      continue;
    }
    const Result value = scalar(setting.value, global_scope_, "a setting");
    if (!value) continue;
    if (node(*value).depends.any()) {
      report(Kind::not_constant, setting.value.span, "a setting depends on parameters alone");
      continue;
    }
    // A plain number counts as SI, so that a model in pure numbers and one with units may both be brief.
    const Dimension given = type(*value).dimensions[0];
    if (!given.is_dimensionless() && !(entry->time && given == dimensions::time)) {
      report(Kind::wrong_dimension, setting.value.span,
             fmt::format("'{}' is {}, this is {}", text, entry->time ? "a time" : "a pure number",
                         given.description()));
      continue;
    }
    const auto known = constant_number(*value);
    if (known && !(*known > 0)) {
      report(Kind::bad_setting, setting.value.span, fmt::format("'{}' must be greater than 0", text));
      continue;
    }
    s.*(entry->slot) = *value;
  }
}

namespace {

class NameCheck {
 public:
  NameCheck(const std::map<std::string, GlobalSymbol, std::less<>>& globals, Diagnostics& diagnostics)
      : globals_(globals), diagnostics_(diagnostics) {}

  void expression(const ast::Expr& expr, std::vector<std::string>& local) const {
    const std::size_t outer = local.size();
    if (expr.kind == ast::ExprKind::gauge || expr.kind == ast::ExprKind::support) {
      for (const ast::Name& name : expr.names) local.push_back(name.text);
    }
    if (expr.kind == ast::ExprKind::name && !known(expr.text, local)) {
      std::vector<std::string> candidates = local;
      for (const auto& [text, symbol] : globals_) candidates.push_back(text);
      diagnostics_.report(Kind::unknown_name, expr.span, fmt::format("unknown name '{}'", expr.text),
                          did_you_mean(expr.text, candidates));
    }
    for (const ast::Expr& arg : expr.args) expression(arg, local);
    local.resize(outer);
  }

 private:
  bool known(const std::string& text, const std::vector<std::string>& local) const {
    static const std::vector<std::string> kBuiltin{"t",     "pi",  "inf",    "energy", "gap",  "slip",
                                                   "spin",  "nonneg", "nonpos", "reals",  "zero"};
    return globals_.contains(text) || std::find(local.begin(), local.end(), text) != local.end() ||
           std::find(kBuiltin.begin(), kBuiltin.end(), text) != kBuiltin.end();
  }

  const std::map<std::string, GlobalSymbol, std::less<>>& globals_;
  Diagnostics& diagnostics_;
};

}  // namespace

void Elaborator::check_definition_names() {
  const NameCheck names(globals_, diagnostics_);
  const auto parameters = [](const std::vector<ast::Parameter>& list) {
    std::vector<std::string> local;
    for (const ast::Parameter& parameter : list) local.push_back(parameter.name.text);
    return local;
  };
  for (const ast::Model& file : models_.files) {
    for (const ast::Declaration& declaration : file.declarations) {
      if (const auto* d = std::get_if<ast::Function>(&declaration.value)) {
        auto local = parameters(d->parameters);
        names.expression(d->body, local);
      }
      // Laws may use forces of other laws (N), which only the contact knows: expansion checks these names.
      if (const auto* d = std::get_if<ast::SetDefinition>(&declaration.value)) {
        auto local = parameters(d->parameters);
        names.expression(d->value, local);
      }
    }
  }
}

}  // namespace nsmc
