// Declarations: what the file declares, in an order in which everything is known when it is needed.
#include "compiler/model/check.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compiler/model/elaborator.hpp"
#include "compiler/support/overload.hpp"

namespace nsmc {
namespace {

constexpr std::size_t kMostCoordinates = 500;
constexpr std::string_view kFixedNames[] = {"t", "pi", "inf", "energy", "world"};

// True if a unit other than [1] stands anywhere in the expression.
bool mentions_unit(const ast::Expr& expr) {
  if (expr.unit && !expr.unit->factors.empty()) return true;
  return std::any_of(expr.args.begin(), expr.args.end(), mentions_unit);
}

bool mentions_unit(const std::optional<ast::Unit>& unit) { return unit && !unit->factors.empty(); }

bool mentions_unit(const ast::Part<ast::Expr>& expr) { return expr && mentions_unit(*expr); }

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
               [](const ast::SetDefinition& d) { return mentions_unit(d.value); },
               [](const ast::Body& d) { return mentions_unit(d.call); },
               [](const ast::Gravity& d) { return mentions_unit(d.value); },
               [](const ast::Shape& d) { return mentions_unit(d.call) || mentions_unit(d.at); },
               [](const ast::Joint& d) { return mentions_unit(d.call) || mentions_unit(d.items); },
               [](const ast::Spring& d) {
                 return mentions_unit(d.stiffness) || mentions_unit(d.damping) || mentions_unit(d.rest) ||
                        mentions_unit(d.from) || mentions_unit(d.to);
               },
               [](const ast::Output& d) { return mentions_unit(d.unit) || mentions_unit(d.value); },
               [](const auto&) { return false; }},
      declaration.value);
}

}  // namespace

std::optional<TypedModel> check(const SourceModels& models, Diagnostics& diagnostics,
                                const ParameterValues& structure, SymbolTable* symbols) {
  return Elaborator(models, structure, diagnostics).run(symbols);
}

std::optional<TypedModel> Elaborator::run(SymbolTable* symbols) {
  const std::size_t errors_before = diagnostics_.error_count();
  const ast::Model& main = models_.files.front();
  model_.name = main.name ? main.name->text : "";
  model_.doc = main.doc;
  model_.span = main.name ? main.name->span : Span{0, 0, main.file};
  for (const ast::Model& file : models_.files) {
    model_.dimensional = model_.dimensional || std::any_of(file.declarations.begin(), file.declarations.end(),
                                                           [](const ast::Declaration& d) { return mentions_unit(d); });
  }
  declare(models_.library, true);
  if (models_.functions) {
    for (const auto& [text, function] : models_.functions->entries()) {
      GlobalSymbol symbol;
      symbol.kind = SymbolKind::function;
      symbol.library = true;
      declare_name({text, function.name}, symbol);
    }
  }
  for (const ast::Model& file : models_.files) declare(file, false);
  name_contacts();
  elaborate_declarations();
  check_definition_names();
  if (symbols != nullptr) {
    *symbols = declared_symbols(models_);
    describe(*symbols);
  }
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

const ast::Function* Elaborator::library_function(std::string_view name) const {
  const auto found = library_functions_.find(name);
  if (found != library_functions_.end()) return found->second;
  return models_.functions ? models_.functions->find(name) : nullptr;
}

void Elaborator::declare(const ast::Model& file, bool library) {
  for (const ast::Declaration& declaration : file.declarations) {
    if (const auto* f = std::get_if<ast::Function>(&declaration.value); f != nullptr && library) {
      library_functions_[f->name.text] = f;
    }
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
    const auto add_contact = [&](const ast::Name& name, bool bilateral, ContactSource source) {
      if (!name.text.empty()) add(name, SymbolKind::contact, model_.contacts.size());
      TypedContact contact;
      contact.name = name.text;
      contact.doc = declaration.doc;
      contact.bilateral = bilateral;
      contact.span = name.text.empty() ? source.pair->first.span : name.span;
      source.declaration = &declaration;
      contact_sources_.push_back(source);
      model_.contacts.push_back(std::move(contact));
      Scope scope;
      scope.contact = static_cast<std::uint32_t>(contact_scopes_.size());
      contact_scopes_.push_back(std::move(scope));
      quantity_failed_.push_back(false);
    };
    std::visit(
        Overload{[&](const ast::Param& d) {
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
                 [&](const ast::Contact& d) {
                   add_contact(d.name, false, {nullptr, &d.items, &d.range, d.pair ? &*d.pair : nullptr, nullptr});
                 },
                 [&](const ast::Constraint& d) {
                   add_contact(d.name, true, {nullptr, &d.items, &d.range, nullptr, nullptr});
                 },
                 [&](const ast::Joint& d) {
                   add_contact(d.name, true, {nullptr, &d.items, &d.range, nullptr, &d});
                 },
                 [&](const ast::Spring& d) { add(d.name, SymbolKind::spring); },
                 [&](const ast::Body& d) {
                   add(d.name, SymbolKind::body, bodies_.size());
                   BodyInfo body;
                   body.declaration = &d;
                   body.doc = declaration.doc;
                   bodies_.push_back(std::move(body));
                 },
                 [&](const ast::Shape& d) {
                   add(d.name, SymbolKind::shape, shapes_.size());
                   ShapeInfo shape;
                   shape.declaration = &d;
                   shapes_.push_back(std::move(shape));
                 },
                 [&](const ast::Coord& d) {
                   if (d.range) {
                     add(d.name, SymbolKind::coordinate_array, arrays_.size());
                     CoordinateArray array;
                     array.declaration = &d;
                     array.doc = declaration.doc;
                     arrays_.push_back(std::move(array));
                     return;
                   }
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

  if (model_.coordinates.empty() && arrays_.empty() && bodies_.empty()) {
    report(Kind::no_coordinates, model_.span, "the model has no coordinates",
           "declare one with its unit and initial value, coord z [m] = 1, or a body");
  }

  if (model_.coordinates.size() > kMostCoordinates) {
    report(Kind::model_too_large, model_.span,
           fmt::format("the model has {} coordinates, at most {} can be coupled in one mass matrix",
                       model_.coordinates.size(), kMostCoordinates));
    stopped_ = true;
    return;
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

  if (!model_.coordinates.empty()) {
    TypedBlock block;
    block.kind = BlockKind::coordinates;
    block.name = "coordinates";
    block.n_coordinates = static_cast<std::uint32_t>(model_.coordinates.size());
    block.n_velocities = static_cast<std::uint32_t>(model_.velocities.size());
    block.span = model_.span;
    model_.blocks.push_back(std::move(block));
  }
  allocate_arrays();
  allocate_bodies();

  std::uint32_t coordinates = 0;
  std::uint32_t velocities = own;
  each([&](const ast::Declaration& declaration) {
    if (const auto* d = std::get_if<ast::Coord>(&declaration.value); d != nullptr && !d->range) {
      elaborate_coordinate(*d, coordinates++);
    }
    if (const auto* d = std::get_if<ast::Velocity>(&declaration.value)) elaborate_velocity(*d, velocities++);
  });
  each_of(std::type_identity<ast::Initial>{},
          [&](const ast::Initial& d, const ast::Declaration&) { elaborate_initial(d); });

  each_of(std::type_identity<ast::Gravity>{},
          [&](const ast::Gravity& d, const ast::Declaration&) { elaborate_gravity(d); });
  elaborate_bodies();
  elaborate_shapes();

  // Contacts: all quantities before any law, so that laws and outputs may speak of every contact.
  for (std::uint32_t i = 0; i < contact_sources_.size(); ++i) elaborate_quantities(i);
  for (std::uint32_t i = 0; i < contact_sources_.size(); ++i) elaborate_laws(i);

  bool simulated = false;
  each([&](const ast::Declaration& declaration) {
    std::visit(
        Overload{
            [&](const ast::Let& d) {
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
              elaborate_energy(d.energy, d.range, "the kinetic energy", energy_dimension(), true, model_.kinetic);
            },
            [&](const ast::Potential& d) {
              elaborate_energy(d.energy, d.range, "the potential energy", energy_dimension(), false, model_.potential);
            },
            [&](const ast::Dissipation& d) {
              elaborate_energy(d.potential, d.range, "the dissipation function", power_dimension(), true,
                               model_.dissipation);
            },
            [&](const ast::Force& d) { elaborate_force(d); },
            [&](const ast::ForceVector& d) { elaborate_force_vector(d); },
            [&](const ast::Mass& d) { elaborate_mass(d); }, [&](const ast::Spring& d) { elaborate_spring(d); },
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

  if (model_.mass && std::any_of(model_.kinetic.begin(), model_.kinetic.end(),
                                 [](const TypedTerm& term) { return !term.of_body && term.instances.single(); })) {
    report(Kind::inertia_given_twice, node(*model_.mass).span, "the model has both a kinetic energy and a mass matrix",
           "keep one of the two");
  }
  if (!model_.blocks.empty() && model_.kinetic.empty() && !model_.mass && !diagnostics_.has_errors()) {
    report(Kind::no_inertia, model_.span, "the model has no inertia",
           "give the kinetic energy, as in 'kinetic m/2 * z'^2', or the mass matrix, 'mass [[...]]'");
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
    static const std::vector<std::string> kBuiltin{"t",    "pi",     "inf",    "energy", "gap",  "slip", "spin",
                                                   "roll", "nonneg", "nonpos", "reals",  "zero", "world"};
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
