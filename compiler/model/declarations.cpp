#include "compiler/model/declarations.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "compiler/model/arrays.hpp"
#include "compiler/model/bodies.hpp"
#include "compiler/model/calls.hpp"
#include "compiler/model/shapes.hpp"
#include "compiler/model/signals.hpp"
#include "compiler/model/tables.hpp"
#include "compiler/support/overload.hpp"

namespace nsmc {
namespace {

constexpr std::string_view kFixedNames[] = {
    "t", "pi", "inf", "energy", "world", "energy_damped", "energy_supplied", "energy_balance"};

}  // namespace

std::vector<KnownWord> Declarations::words() {
  std::vector<KnownWord> words;
  for (const std::string_view name : kFixedNames) words.push_back({WordGroup::constant, std::string(name)});
  return words;
}

void Declarations::declare_all() {
  for (const ast::Declaration& declaration : core_.models.library.declarations) declare(declaration, true);
  if (core_.models.functions) {
    for (const auto& [text, function] : core_.models.functions->entries()) {
      GlobalSymbol symbol;
      symbol.kind = SymbolKind::function;
      symbol.library = true;
      declare_name({text, function.name}, symbol);
    }
  }
  for (const ast::Model& file : core_.models.files) {
    for (const ast::Declaration& declaration : file.declarations) declare(declaration, false);
  }
}

void Declarations::declare_name(const ast::Name& name, GlobalSymbol symbol) {
  symbol.span = name.span;
  if (!symbol.library &&
      std::find(std::begin(kFixedNames), std::end(kFixedNames), name.text) != std::end(kFixedNames)) {
    report(Kind::reserved_name, name.span, fmt::format("'{}' has a fixed meaning and cannot be redeclared", name.text));
    return;
  }
  const bool callable = symbol.kind == SymbolKind::function || symbol.kind == SymbolKind::set;
  if (!symbol.library && callable && calls_.known_to_the_language(name.text)) {
    report(Kind::hides_the_language, name.span,
           fmt::format("'{}' hides the {} of the language that has this name", name.text,
                       symbol.kind == SymbolKind::set ? "set" : "function"),
           "in this model it means what is declared here; with another name both can be used");
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

void Declarations::declare(const ast::Declaration& declaration, bool library) {
  const auto add = [&](const ast::Name& name, SymbolKind kind, std::size_t index = 0) {
    GlobalSymbol symbol;
    symbol.kind = kind;
    symbol.index = static_cast<std::uint32_t>(index);
    symbol.declaration = &declaration;
    symbol.library = library;
    declare_name(name, symbol);
  };
  const auto add_contact = [&](const ast::Name& name, bool bilateral, ContactSource source) {
    if (!name.text.empty()) add(name, SymbolKind::contact, model_.contacts.size());
    source.declaration = &declaration;
    contacts_.declare(name, bilateral, declaration.doc, source);
  };
  std::visit(
      Overload{
          [&](const ast::Param& d) {
            const auto index = static_cast<std::uint32_t>(model_.parameters.size());
            add(d.name, SymbolKind::parameter, index);
            add_parameter(d.name, declaration);
            if (d.input) signals_.declare_input(d, index, declaration);
          },
          [&](const ast::Let& d) { add(d.name, SymbolKind::let); },
          [&](const ast::Function& d) {
            if (library) calls_.declare_library(d);
            add(d.name, SymbolKind::function);
          },
          [&](const ast::SetDefinition& d) { add(d.name, SymbolKind::set); },
          [&](const ast::Law& d) { add(d.name, SymbolKind::law); },
          [&](const ast::Output& d) { add(d.name, SymbolKind::output); },
          [&](const ast::Contact& d) {
            add_contact(d.name, false, {nullptr, &d.items, &d.range, d.pair ? &*d.pair : nullptr, nullptr, &d.active});
          },
          [&](const ast::Constraint& d) {
            add_contact(d.name, true, {nullptr, &d.items, &d.range, nullptr, nullptr, &d.active});
          },
          [&](const ast::Joint& d) {
            add_contact(d.name, true, {nullptr, &d.items, &d.range, nullptr, &d, &d.active});
          },
          [&](const ast::Spring& d) { add(d.name, SymbolKind::spring); },
          [&](const ast::Body& d) {
            add(d.name, SymbolKind::body, bodies_.all().size());
            bodies_.declare(d, declaration.doc);
          },
          [&](const ast::Shape& d) {
            add(d.name, SymbolKind::shape, shapes_.all().size());
            shapes_.declare(d);
          },
          [&](const ast::Coord& d) {
            if (d.range) {
              add(d.name, SymbolKind::coordinate_array, arrays_.count());
              arrays_.declare(d, declaration.doc);
            } else {
              add(d.name, SymbolKind::coordinate, model_.coordinates.size());
              add_coordinate(d, declaration);
            }
          },
          [&](const ast::Discrete& d) {
            add(d.name, SymbolKind::signal, model_.signals.size());
            signals_.declare(d, declaration);
          },
          [&](const ast::Table& d) {
            add(d.name, SymbolKind::table, tables_.count());
            tables_.declare(d);
          },
          [&](const ast::State& d) {
            add(d.name, SymbolKind::signal, model_.signals.size());
            signals_.declare(d, declaration);
          },
          [&](const ast::Velocity& d) {
            add(d.name, SymbolKind::velocity, model_.velocities.size());
            add_velocity(d, declaration);
          },
          [](const auto&) {}},
      declaration.value);
}

Dimension Declarations::dimension_of(const std::optional<ast::Unit>& unit) {
  return unit ? physical(resolve(*unit, diagnostics_).dimension) : Dimension{};
}

void Declarations::add_parameter(const ast::Name& name, const ast::Declaration& declaration) {
  TypedParameter parameter;
  parameter.name = name.text;
  parameter.doc = declaration.doc;
  parameter.span = name.span;
  model_.parameters.push_back(std::move(parameter));
}

void Declarations::add_coordinate(const ast::Coord& coord, const ast::Declaration& declaration) {
  TypedCoordinate coordinate;
  coordinate.name = coord.name.text;
  coordinate.doc = declaration.doc;
  coordinate.span = coord.name.span;
  coordinate.dimension = dimension_of(coord.unit);
  model_.coordinates.push_back(std::move(coordinate));
}

void Declarations::add_velocity(const ast::Velocity& declared, const ast::Declaration& declaration) {
  TypedVelocity velocity;
  velocity.name = declared.name.text;
  velocity.doc = declaration.doc;
  velocity.span = declared.name.span;
  velocity.dimension = dimension_of(declared.unit);
  model_.velocities.push_back(std::move(velocity));
}

}  // namespace nsmc
