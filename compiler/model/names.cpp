#include "compiler/model/names.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <numbers>

#include "compiler/model/arrays.hpp"
#include "compiler/model/bodies.hpp"
#include "compiler/model/calls.hpp"
#include "compiler/model/contacts.hpp"
#include "compiler/model/expressions.hpp"
#include "compiler/model/sets.hpp"
#include "compiler/model/variables.hpp"

namespace nsmc {

std::vector<std::string> Names::visible_names(const Scope& scope) const {
  constexpr std::size_t kTooMany = 5000;  // a suggestion among so many would be chance, and costs time
  if (globals_.size() > kTooMany) return {};
  std::vector<std::string> names{"t", "pi", "inf", "energy"};
  for (const Scope* s = &scope; s != nullptr; s = s->parent) {
    for (const auto& [text, id] : s->names) names.push_back(text);
    if (s->contact) names.insert(names.end(), {"gap", "slip", "spin", "roll"});
  }
  for (const auto& [text, symbol] : globals_) {
    if (symbol.kind != SymbolKind::law && symbol.kind != SymbolKind::function) names.push_back(text);
  }
  return names;
}

Result Names::name(const ast::Expr& expr, const Scope& scope) {
  std::optional<std::uint32_t> contact;
  bool library = false;
  for (const Scope* s = &scope; s != nullptr; s = s->parent) {
    if (const auto found = s->names.find(expr.text); found != s->names.end()) return found->second;
    if (!contact) contact = s->contact;
    library = library || s->library;
  }
  if (contact && (expr.text == "gap" || expr.text == "slip" || expr.text == "spin" || expr.text == "roll")) {
    const TypedContact& c = model_.contacts[*contact];
    const auto& quantity = c.*TypedContact::quantity(expr.text);
    if (!quantity) {
      report(Kind::law_quantity_missing, expr.span, fmt::format("contact '{}' has no {}", c.name, expr.text),
             fmt::format("add '{} ...' to the contact, or use a law that does not need it", expr.text));
      return std::nullopt;
    }
    if (expr.text == "gap") return quantity;
    for (const NodeId velocity : c.velocities) {
      if (kContactVelocities[node(velocity).component] == expr.text) return velocity;
    }
    return quantity;
  }
  const auto found = globals_.find(expr.text);
  if (found != globals_.end() && (!library || found->second.library)) return symbol_value(found->second, expr);
  if (expr.text == "t") return make(NodeKind::time, {ValueKind::number, 1, 1, {time_dimension()}}, {}, expr.span);
  if (expr.text == "pi") return make_number(std::numbers::pi, {}, expr.span);
  if (expr.text == "inf") {
    return make_number(std::numeric_limits<double>::infinity(), Dimension::any(), expr.span);
  }
  if (expr.text == "energy") {
    return make(NodeKind::energy, {ValueKind::number, 1, 1, {energy_dimension()}}, {}, expr.span);
  }
  if (sets_.is_set_constructor(expr.text)) return sets_.set_constructor(expr, scope);
  report_unknown(expr, scope, contact);
  return std::nullopt;
}

void Names::report_unknown(const ast::Expr& expr, const Scope& scope, std::optional<std::uint32_t> contact) {
  if (contact && missing_force(expr, *contact)) return;
  if (!renamed_) renamed_.emplace(core_.models);
  RenamedNames::Suspect* suspect = renamed_->find(expr.text);
  if (suspect != nullptr && suspect->uses.size() > 1) {
    if (suspect->reported) return;
    suspect->reported = true;
    const auto expansions = std::exchange(core_.expansions, {});
    report(Kind::unknown_name, suspect->place,
           fmt::format("'{}' is used {} times and declared nowhere; '{}' is declared and never used", expr.text,
                       suspect->uses.size(), suspect->declared),
           fmt::format("did you mean '{}'?", expr.text))
        .labels.push_back({suspect->uses.front(), fmt::format("'{}' is used here", expr.text)});
    core_.expansions = expansions;
    return;
  }
  std::optional<Advice> known = velocity_habit(expr.text);
  if (!known) known = habit(HabitOf::name, expr.text);
  std::string hint = known ? known->hint : "";
  if (const std::string owner = contact_with_force(expr.text); hint.empty() && !contact && !owner.empty()) {
    hint = fmt::format("a force is named with its contact: {}.{}", owner, expr.text);
    known = Advice{hint, fmt::format("{}.{}", owner, expr.text)};
  }
  if (hint.empty()) hint = did_you_mean(expr.text, visible_names(scope));
  Diagnostic& d = report(Kind::unknown_name, expr.span, fmt::format("unknown name '{}'", expr.text), hint);
  if (known && known->write && d.span == expr.span) d.replacement = {expr.span, *known->write};
  if (suspect != nullptr && d.span == expr.span)
    d.labels.push_back({suspect->place, fmt::format("'{}' is declared here and never used", suspect->declared)});
}

// The name of a contact that has this force; empty: none has.
std::string Names::contact_with_force(std::string_view force) const {
  for (const TypedContact& contact : model_.contacts) {
    for (const TypedLaw& law : contact.laws) {
      const bool has = std::any_of(law.forces.begin(), law.forces.end(),
                                   [&](const ForceVariable& variable) { return variable.name == force; });
      if (has && contact.instances.single()) return with_index(contact.name, "");
    }
  }
  return {};
}

// N, where no law before has it. An error in such a law stands for it.
bool Names::missing_force(const ast::Expr& expr, std::uint32_t contact) {
  std::string by;
  for (const auto& [text, symbol] : globals_) {
    if (symbol.kind != SymbolKind::law) continue;
    for (const ast::LawItem& item : std::get<ast::Law>(symbol.declaration->value).items) {
      const auto* force = std::get_if<ast::LawForce>(&item);
      if (force != nullptr && force->name.text == expr.text && (by.empty() || text == "unilateral")) by = text;
    }
  }
  if (by.empty()) return false;
  if (core_.contacts_without_force.contains(contact)) return true;
  report(Kind::unknown_name, expr.span, fmt::format("no law before this one has the force '{}'", expr.text),
         fmt::format("the law that has it stands first: law {}", by));
  return true;
}

Result Names::symbol_value(GlobalSymbol& symbol, const ast::Expr& expr) {
  switch (symbol.kind) {
    case SymbolKind::coordinate: return coordinate_node(symbol.index, {}, expr.span);
    case SymbolKind::velocity: return velocity_node(symbol.index, {}, expr.span);
    case SymbolKind::signal: return signal_node(symbol.index, expr.span);
    case SymbolKind::coordinate_array:
      report(Kind::bad_index, expr.span, fmt::format("'{}' is an array", expr.text),
             fmt::format("say which element is meant: {}[1]", expr.text));
      return std::nullopt;
    case SymbolKind::body:
      report(Kind::wrong_kind, expr.span, fmt::format("'{}' is a body, not a value", expr.text),
             fmt::format("use one of its members, such as {}.position", expr.text));
      return std::nullopt;
    case SymbolKind::shape:
    case SymbolKind::spring:
      report(
          Kind::wrong_kind, expr.span,
          fmt::format("'{}' is a {}, not a value", expr.text, symbol.kind == SymbolKind::shape ? "shape" : "spring"));
      return std::nullopt;
    case SymbolKind::parameter:
    case SymbolKind::let:
    case SymbolKind::set: {
      if (symbol.kind == SymbolKind::set &&
          !std::get<ast::SetDefinition>(symbol.declaration->value).parameters.empty()) {
        ast::Expr as_call = expr;
        as_call.kind = ast::ExprKind::call;
        return calls_.call(as_call, global_scope_);
      }
      if (symbol.state == GlobalSymbol::State::open) {
        report(Kind::cyclic_definition, expr.span, fmt::format("'{}' is defined by itself", expr.text))
            .labels.push_back({symbol.span, "its definition"});
        symbol.state = GlobalSymbol::State::failed;
        return std::nullopt;
      }
      if (symbol.state == GlobalSymbol::State::fresh) {
        // Definitions mean the same wherever they are used: they are elaborated in the global scope.
        const auto expansions = std::exchange(core_.expansions, {});
        if (symbol.kind == SymbolKind::parameter) {
          variables_.elaborate_parameter(symbol);
        } else {
          symbol.state = GlobalSymbol::State::open;
          const Result value =
              symbol.kind == SymbolKind::let
                  ? expressions_.expression(std::get<ast::Let>(symbol.declaration->value).value, global_scope_)
                  : expressions_.expression(std::get<ast::SetDefinition>(symbol.declaration->value).value,
                                            global_scope_);
          symbol.state = value && symbol.state != GlobalSymbol::State::failed ? GlobalSymbol::State::done
                                                                              : GlobalSymbol::State::failed;
          if (value) symbol.value = *value;
        }
        core_.expansions = expansions;
      }
      if (symbol.state != GlobalSymbol::State::done) return std::nullopt;
      if (symbol.kind == SymbolKind::parameter && model_.parameters[symbol.index].signal)
        return signal_node(*model_.parameters[symbol.index].signal, expr.span);
      if (symbol.kind == SymbolKind::parameter && core_.structural) {
        model_.parameters[symbol.index].structural = true;
        return make_number(parameter_number(symbol.index), model_.parameters[symbol.index].dimension, expr.span);
      }
      return symbol.value;
    }
    case SymbolKind::table:
      report(Kind::wrong_kind, expr.span, fmt::format("'{}' is a table: call it with its arguments", expr.text));
      return std::nullopt;
    case SymbolKind::function:
      report(Kind::wrong_kind, expr.span, fmt::format("'{}' is a function: call it with its arguments", expr.text));
      return std::nullopt;
    case SymbolKind::law:
      report(Kind::wrong_kind, expr.span, fmt::format("'{}' is a law, not a value", expr.text),
             "a law stands in a contact: contact c { law " + expr.text + " }");
      return std::nullopt;
    case SymbolKind::contact:
      report(Kind::wrong_kind, expr.span,
             fmt::format("'{}' is a {}, not a value", expr.text,
                         contacts_.source(symbol.index).joint != nullptr ? "joint" : "contact"),
             fmt::format("use one of its members, such as {}.gap", expr.text));
      return std::nullopt;
    case SymbolKind::output:
      report(Kind::wrong_kind, expr.span, fmt::format("'{}' is an output and cannot be used in expressions", expr.text),
             "name the value with let, and output that");
      return std::nullopt;
  }
  return std::nullopt;
}

Result Names::derivative(const ast::Expr& expr, const Scope& scope) {
  const ast::Expr& operand = expr.args[0];
  if (operand.kind == ast::ExprKind::name) {
    std::optional<std::uint32_t> contact;
    bool local = false;
    for (const Scope* s = &scope; s != nullptr && !local; s = s->parent) {
      local = s->names.contains(operand.text);
      if (!contact) contact = s->contact;
    }
    if (!local && contact && operand.text == "gap") {
      const TypedContact& c = model_.contacts[*contact];
      for (const NodeId velocity : c.velocities) {
        if (node(velocity).component == 0) return velocity;
      }
      if (!c.gap) return name(operand, scope);  // reports the missing gap
    }
    const auto found = globals_.find(operand.text);
    if (!local && found != globals_.end() && found->second.kind == SymbolKind::coordinate) {
      const TypedCoordinate& coordinate = model_.coordinates[found->second.index];
      if (coordinate.rate) return coordinate.rate;
      return velocity_node(coordinate.velocity, {}, expr.span);
    }
  }
  if (const CoordinateArray* array = named_array(operand, scope))
    return arrays_.array_element(*array, operand, scope, true);
  const Result value = expressions_.expression(operand, scope);
  if (!value) return std::nullopt;
  const Node& n = node(*value);
  if (type(*value).kind != ValueKind::number || n.depends.velocity || n.depends.force) {
    report(Kind::not_differentiable, expr.span,
           "only functions of the coordinates and time have a time derivative here",
           n.depends.velocity ? "accelerations are not known in a model; use velocities, as in z'" : "");
    return std::nullopt;
  }
  const bool constant = !n.depends.any() && (type(*value).cols > 1 || n.kind == NodeKind::parameter);
  if (constant && core_.looking == nullptr) {
    report(Kind::derivative_of_constant, expr.span, "this does not depend on time: its time derivative is 0",
           type(*value).cols > 1 ? "a matrix is transposed by transpose(A)" : "");
  }
  Type result = type(*value);
  for (Dimension& d : result.dimensions) d = d / time_dimension();
  return make(NodeKind::derivative, std::move(result), {*value}, expr.span);
}

const CoordinateArray* Names::named_array(const ast::Expr& expr, const Scope& scope) const {
  if (expr.kind != ast::ExprKind::index || expr.args[0].kind != ast::ExprKind::name) return nullptr;
  for (const Scope* s = &scope; s != nullptr; s = s->parent) {
    if (s->names.contains(expr.args[0].text)) return nullptr;
  }
  const auto found = globals_.find(expr.args[0].text);
  const bool array = found != globals_.end() && found->second.kind == SymbolKind::coordinate_array;
  return array ? &arrays_.array(found->second.index) : nullptr;
}

// What is meant by a member of something that has none: b(1).position, top.position.z, m.g.
std::string Names::member_habit(const ast::Expr& expr) const {
  const ast::Expr& owner = expr.args[0];
  if (owner.kind == ast::ExprKind::call) return fmt::format("an element is written with brackets: {}[1]", owner.text);
  if (owner.kind != ast::ExprKind::member) return {};
  const auto root = globals_.find(owner.args[0].text);
  const bool number = root != globals_.end() &&
                      (root->second.kind == SymbolKind::parameter || root->second.kind == SymbolKind::coordinate);
  if (!number && (expr.text == "x" || expr.text == "y" || expr.text == "z"))
    return fmt::format("components are numbered: {}[{}]", owner.text, expr.text[0] - 'x' + 1);
  return "a product is written a*b, and a function goes around: norm(v)";
}

// owner.text, owner[i].text, owner.text(...)
Result Names::member(const ast::Expr& expr, const Scope& scope) {
  const ast::Expr& owner = expr.args[0];
  const bool indexed = owner.kind == ast::ExprKind::index && owner.args[0].kind == ast::ExprKind::name;
  const ast::Expr& named = indexed ? owner.args[0] : owner;
  std::vector<const ast::Expr*> indices;
  for (std::size_t i = 1; indexed && i < owner.args.size(); ++i) indices.push_back(&owner.args[i]);
  if (named.kind != ast::ExprKind::name) {
    report(Kind::unknown_member, expr.span, "only contacts, joints and bodies have members", member_habit(expr));
    return std::nullopt;
  }
  if (named.text == "world" && !indexed) return bodies_.world_member(expr, scope);
  const auto found = globals_.find(named.text);
  if (found == globals_.end() && !contacts_.named_after_shapes().contains(named.text)) {
    name(named, scope);  // reports the unknown name
    return std::nullopt;
  }
  const SymbolKind kind = found == globals_.end() ? SymbolKind::contact : found->second.kind;
  const auto contact = contacts_.named_after_shapes().find(named.text);
  static constexpr std::string_view kOfContacts[] = {"gap", "slip", "spin", "roll", "normal", "point"};
  if (kind == SymbolKind::body) {
    const BodyEntry& body = bodies_.body(found->second.index);
    // A contact may be named after its body: what the body does not define is looked up there.
    static constexpr std::string_view kOfBodies[] = {
        "position", "velocity", "momentum", "point", "velocity_at",      "energy",     "kinetic",         "mass",
        "angle",    "spin",     "rotation", "axis",  "angular_momentum", "quaternion", "angular_velocity"};
    const bool own = std::find(std::begin(kOfBodies), std::end(kOfBodies), expr.text) != std::end(kOfBodies);
    bool of_contact = std::find(std::begin(kOfContacts), std::end(kOfContacts), expr.text) != std::end(kOfContacts);
    if (contact != contacts_.named_after_shapes().end()) {
      for (const TypedLaw& law : model_.contacts[contact->second].laws) {
        for (const ForceVariable& force : law.forces) of_contact = of_contact || force.name == expr.text;
      }
    }
    const bool misspelt =
        !of_contact &&
        !did_you_mean(expr.text, std::vector<std::string>(std::begin(kOfBodies), std::end(kOfBodies))).empty();
    if (own || misspelt || contact == contacts_.named_after_shapes().end()) {
      if (!bodies_.known_body(body, expr.span)) return std::nullopt;
      std::vector<NodeId> at;
      if (!arrays_.find_instance(named.text, indices, body.instances, scope, owner.span, at)) return std::nullopt;
      return bodies_.body_member(body, at.empty() ? At() : At(at[0]), expr, scope);
    }
  }
  if (kind == SymbolKind::contact && found != globals_.end()) {
    return contacts_.contact_member(found->second.index, indices, expr, scope);
  }
  if (contact != contacts_.named_after_shapes().end())
    return contacts_.contact_member(contact->second, indices, expr, scope);
  report(Kind::unknown_member, expr.span, fmt::format("'{}' has no members", named.text),
         kind == SymbolKind::shape
             ? fmt::format("a contact has: contact touch = {0} on ... {{ ... }}, then touch.{1}", named.text, expr.text)
             : "contacts, joints and bodies have");
  return std::nullopt;
}

}  // namespace nsmc
