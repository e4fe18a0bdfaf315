// The parts of check and the order of the declarations: everything is known when it is needed.
#include "compiler/model/check.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "compiler/model/arguments.hpp"
#include "compiler/model/arrays.hpp"
#include "compiler/model/bodies.hpp"
#include "compiler/model/calls.hpp"
#include "compiler/model/contacts.hpp"
#include "compiler/model/declarations.hpp"
#include "compiler/model/definition_names.hpp"
#include "compiler/model/drawings.hpp"
#include "compiler/model/dynamics.hpp"
#include "compiler/model/events.hpp"
#include "compiler/model/expressions.hpp"
#include "compiler/model/joints.hpp"
#include "compiler/model/laws.hpp"
#include "compiler/model/mentioned_units.hpp"
#include "compiler/model/names.hpp"
#include "compiler/model/outputs.hpp"
#include "compiler/model/scenes.hpp"
#include "compiler/model/sets.hpp"
#include "compiler/model/shape_contacts.hpp"
#include "compiler/model/shapes.hpp"
#include "compiler/model/signals.hpp"
#include "compiler/model/springs.hpp"
#include "compiler/model/symbol_notes.hpp"
#include "compiler/model/tables.hpp"
#include "compiler/model/variables.hpp"
#include "compiler/support/overload.hpp"

namespace nsmc {
namespace {

constexpr std::size_t kMostCoordinates = 500;

// Owns the core; what the parts share.
struct Shared {
  Core core;
};

class Elaborator : Shared, Part {
 public:
  Elaborator(const SourceModels& models, const ParameterValues& structure, Diagnostics& diagnostics,
             std::uint64_t search_from)
      : Shared{{models, structure, diagnostics, search_from}}, Part(core) {}

  std::optional<TypedModel> run(SymbolTable* symbols, bool with_scene);

 private:
  void elaborate_declarations();
  void elaborate_parameters();
  void add_velocities();
  void elaborate_coordinates();
  void elaborate_one(const ast::Declaration& declaration);
  void elaborate_let(const ast::Let& let);
  void check_inertia();
  void look_at_drawings(bool with_scene);

  // For every declaration of the model's files that is a T.
  template <class T, class Visitor>
  void each(Visitor&& visitor) const {
    for (const ast::Model& file : core_.models.files) {
      for (const ast::Declaration& declaration : file.declarations) {
        if (const auto* d = std::get_if<T>(&declaration.value)) visitor(*d);
      }
    }
  }

  Expressions expressions_{core_, names_, calls_, sets_, arrays_};
  Names names_{core_, expressions_, calls_, sets_, arrays_, variables_, bodies_, contacts_};
  Tables tables_{core_, expressions_};
  Calls calls_{core_, expressions_, sets_, tables_};
  Sets sets_{core_, expressions_, calls_};
  Arrays arrays_{core_, expressions_, variables_};
  Variables variables_{core_, expressions_, arrays_};
  Arguments arguments_{core_, expressions_};
  Bodies bodies_{core_, expressions_, calls_, arrays_, arguments_};
  Shapes shapes_{core_, expressions_, calls_, arrays_, arguments_, bodies_};
  ShapeContacts shape_contacts_{core_, expressions_, calls_, arrays_, bodies_, shapes_};
  Joints joints_{core_, expressions_, calls_, arguments_, bodies_};
  Events events_{core_, expressions_};
  Contacts contacts_{core_, expressions_, arrays_, joints_, shape_contacts_, events_};
  Laws laws_{core_, expressions_, calls_, contacts_};
  Springs springs_{core_, expressions_, calls_, arrays_, arguments_, contacts_};
  Dynamics dynamics_{core_, expressions_, arrays_, bodies_};
  Outputs outputs_{core_, expressions_, arrays_};
  Drawings drawings_{core_, expressions_, calls_, arrays_, arguments_};
  Scenes scenes_{core_, expressions_, calls_, arrays_, arguments_, bodies_, shapes_, contacts_, drawings_};
  Signals signals_{core_, expressions_, variables_};
  Declarations declarations_{core_, calls_, arrays_, bodies_, shapes_, contacts_, signals_, tables_};
  std::uint32_t first_quasi_velocity_ = 0;
  bool simulated_ = false;
};

std::optional<TypedModel> Elaborator::run(SymbolTable* symbols, bool with_scene) {
  const std::size_t errors_before = diagnostics_.error_count();
  const std::vector<ast::Model>& files = core_.models.files;
  const ast::Model& main = files.front();
  model_.name = main.name ? main.name->text : "";
  model_.doc = main.doc;
  model_.span = main.name ? main.name->span : Span{0, 0, main.file};
  model_.dimensional =
      std::any_of(files.begin(), files.end(), [](const ast::Model& file) { return mentions_unit(file); });
  declarations_.declare_all();
  contacts_.name_contacts();
  elaborate_declarations();
  look_at_drawings(with_scene);
  check_definition_names(core_.models, globals_, diagnostics_);
  if (symbols != nullptr) {
    *symbols = declared_symbols(core_.models);
    SymbolNotes(core_, arrays_, bodies_, contacts_).describe(*symbols);
  }
  if (diagnostics_.error_count() > errors_before) return std::nullopt;
  return std::move(model_);
}

void Elaborator::elaborate_declarations() {
  if (model_.coordinates.empty() && arrays_.count() == 0 && bodies_.all().empty()) {
    report(Kind::no_coordinates, model_.span, "the model has no coordinates",
           "declare one with its unit and initial value, coord z [m] = 1, or a body");
  }
  if (model_.coordinates.size() > kMostCoordinates) {
    report(Kind::model_too_large, model_.span,
           fmt::format("the model has {} coordinates, at most {} can be coupled in one mass matrix",
                       model_.coordinates.size(), kMostCoordinates));
    core_.stopped = true;
    return;
  }
  elaborate_parameters();
  signals_.elaborate_starts();
  add_velocities();
  arrays_.allocate_arrays();
  bodies_.allocate_bodies();
  elaborate_coordinates();
  each<ast::Gravity>([&](const ast::Gravity& d) { bodies_.elaborate_gravity(d); });
  bodies_.elaborate_bodies();
  shapes_.elaborate_shapes();
  // Contacts: all quantities before any law, so that laws and outputs may speak of every contact.
  const auto contacts = static_cast<std::uint32_t>(contacts_.sources().size());
  for (std::uint32_t i = 0; i < contacts; ++i) contacts_.elaborate_quantities(i);
  for (std::uint32_t i = 0; i < contacts; ++i) laws_.elaborate_laws(i);
  signals_.elaborate_rates();
  for (const ast::Model& file : core_.models.files) {
    for (const ast::Declaration& declaration : file.declarations) elaborate_one(declaration);
  }
  signals_.check_uses();
  check_inertia();
}

// What is drawn is checked in any case. Where nobody looks, the model stays as it was: a drawing changes no equations,
// no identity of a saved state and no compilation.
void Elaborator::look_at_drawings(bool with_scene) {
  if (core_.stopped) return;
  const std::size_t errors = diagnostics_.error_count();
  const std::size_t nodes = model_.nodes.size();
  const std::uint32_t set_variables = model_.set_variables;
  std::vector<bool> structural;
  for (const TypedParameter& p : model_.parameters) structural.push_back(p.structural);
  for (const ast::Model& file : core_.models.files) {
    for (const ast::Declaration& declaration : file.declarations) {
      if (const auto* d = std::get_if<ast::Draw>(&declaration.value)) drawings_.elaborate(*d, declaration.doc);
    }
  }
  if (with_scene && diagnostics_.error_count() == errors && !diagnostics_.has_errors()) {
    model_.scene = scenes_.scene();
    return;
  }
  model_.nodes.resize(nodes);
  model_.set_variables = set_variables;
  for (std::size_t i = 0; i < structural.size(); ++i) model_.parameters[i].structural = structural[i];
}

// In the order of the file, so that definitions made before their use need no depth.
void Elaborator::elaborate_parameters() {
  each<ast::Param>([&](const ast::Param& d) {
    const auto found = globals_.find(d.name.text);
    if (found != globals_.end() && found->second.kind == SymbolKind::parameter &&
        found->second.state == GlobalSymbol::State::fresh) {
      variables_.elaborate_parameter(found->second);
    }
  });
}

// Coordinates with kinematics have a rate, each of the others its own velocity; these stand before the
// quasi-velocities.
void Elaborator::add_velocities() {
  std::vector<bool> has_rate(model_.coordinates.size(), false);
  each<ast::Kinematics>([&](const ast::Kinematics& d) {
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
  first_quasi_velocity_ = static_cast<std::uint32_t>(model_.velocities.size());
  for (TypedVelocity& velocity : quasi) model_.velocities.push_back(std::move(velocity));
  for (auto& [text, symbol] : globals_) {
    if (symbol.kind == SymbolKind::velocity) symbol.index += first_quasi_velocity_;
  }
  each<ast::Kinematics>([&](const ast::Kinematics& d) { variables_.elaborate_kinematics(d); });

  if (model_.coordinates.empty()) return;
  TypedBlock block;
  block.kind = BlockKind::coordinates;
  block.name = "coordinates";
  block.n_coordinates = static_cast<std::uint32_t>(model_.coordinates.size());
  block.n_velocities = static_cast<std::uint32_t>(model_.velocities.size());
  block.span = model_.span;
  model_.blocks.push_back(std::move(block));
}

void Elaborator::elaborate_coordinates() {
  std::uint32_t coordinates = 0;
  std::uint32_t velocities = first_quasi_velocity_;
  for (const ast::Model& file : core_.models.files) {
    for (const ast::Declaration& declaration : file.declarations) {
      if (const auto* d = std::get_if<ast::Coord>(&declaration.value); d != nullptr && !d->range) {
        variables_.elaborate_coordinate(*d, coordinates++);
      }
      if (const auto* d = std::get_if<ast::Velocity>(&declaration.value)) {
        variables_.elaborate_velocity(*d, velocities++);
      }
    }
  }
  each<ast::Initial>([&](const ast::Initial& d) { variables_.elaborate_initial(d); });
}

// What only outputs and the equations of motion need, in the order of the file.
void Elaborator::elaborate_one(const ast::Declaration& declaration) {
  std::visit(Overload{[&](const ast::Let& d) { elaborate_let(d); },
                      [&](const ast::Kinetic& d) {
                        dynamics_.elaborate_energy(d.energy, d.range, "the kinetic energy", energy_dimension(), true,
                                                   model_.kinetic);
                      },
                      [&](const ast::Potential& d) {
                        dynamics_.elaborate_energy(d.energy, d.range, "the potential energy", energy_dimension(), false,
                                                   model_.potential);
                      },
                      [&](const ast::Dissipation& d) {
                        dynamics_.elaborate_energy(d.potential, d.range, "the dissipation function", power_dimension(),
                                                   true, model_.dissipation);
                      },
                      [&](const ast::Force& d) { dynamics_.elaborate_force(d); },
                      [&](const ast::ForceVector& d) { dynamics_.elaborate_force_vector(d); },
                      [&](const ast::Mass& d) { dynamics_.elaborate_mass(d); },
                      [&](const ast::Spring& d) { springs_.elaborate_spring(d); },
                      [&](const ast::When& d) { events_.elaborate(d, declaration.doc); },
                      [&](const ast::Every& d) { events_.elaborate(d, declaration.doc); },
                      [&](const ast::Stop& d) { events_.elaborate(d, declaration.doc); },
                      [&](const ast::Table& d) { tables_.elaborate(d); },
                      [&](const ast::Output& d) { outputs_.elaborate_output(d, declaration.doc); },
                      [&](const ast::Simulate& d) {
                        if (simulated_) {
                          report(Kind::simulate_given_twice, declaration.span,
                                 "simulate stands in the model more than once");
                        }
                        simulated_ = true;
                        outputs_.elaborate_simulate(d);
                      },
                      [](const auto&) {}},
             declaration.value);
}

// One that nothing has used so far.
void Elaborator::elaborate_let(const ast::Let& let) {
  ast::Expr use;
  use.kind = ast::ExprKind::name;
  use.text = let.name.text;
  use.span = let.name.span;
  const auto found = globals_.find(let.name.text);
  if (found != globals_.end() && found->second.state == GlobalSymbol::State::fresh) {
    names_.symbol_value(found->second, use);
  }
}

void Elaborator::check_inertia() {
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

}  // namespace

std::optional<TypedModel> check(const SourceModels& models, Diagnostics& diagnostics, const ParameterValues& structure,
                                SymbolTable* symbols, bool with_scene, std::uint64_t search_from) {
  return Elaborator(models, structure, diagnostics, search_from).run(symbols, with_scene);
}

}  // namespace nsmc
