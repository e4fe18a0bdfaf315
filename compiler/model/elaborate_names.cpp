// Names: what a name, a member or a time derivative of one stands for.
#include <fmt/format.h>

#include <limits>
#include <numbers>

#include "compiler/model/elaborator.hpp"

namespace nsmc {

std::vector<std::string> Elaborator::visible_names(const Scope& scope) const {
  constexpr std::size_t kTooMany = 5000;  // a suggestion among so many would be chance, and costs time
  if (globals_.size() > kTooMany) return {};
  std::vector<std::string> names{"t", "pi", "inf", "energy"};
  for (const Scope* s = &scope; s != nullptr; s = s->parent) {
    for (const auto& [text, id] : s->names) names.push_back(text);
    if (s->contact) names.insert(names.end(), {"gap", "slip", "spin"});
  }
  for (const auto& [text, symbol] : globals_) {
    if (symbol.kind != SymbolKind::law && symbol.kind != SymbolKind::function) names.push_back(text);
  }
  return names;
}

Result Elaborator::name(const ast::Expr& expr, const Scope& scope) {
  std::optional<std::uint32_t> contact;
  for (const Scope* s = &scope; s != nullptr; s = s->parent) {
    if (const auto found = s->names.find(expr.text); found != s->names.end()) return found->second;
    if (!contact) contact = s->contact;
  }
  if (contact && (expr.text == "gap" || expr.text == "slip" || expr.text == "spin")) {
    const TypedContact& c = model_.contacts[*contact];
    const auto& quantity = expr.text == "gap" ? c.gap : expr.text == "slip" ? c.slip : c.spin;
    if (!quantity) {
      report(Kind::law_quantity_missing, expr.span, fmt::format("contact '{}' has no {}", c.name, expr.text),
             fmt::format("add '{} ...' to the contact, or use a law that does not need it", expr.text));
      return std::nullopt;
    }
    if (expr.text == "gap") return quantity;
    for (const NodeId velocity : c.velocities) {
      if (node(velocity).component == (expr.text == "slip" ? 1U : 2U)) return velocity;
    }
    return quantity;
  }
  if (const auto found = globals_.find(expr.text); found != globals_.end()) return symbol_value(found->second, expr);
  if (expr.text == "t") return make(NodeKind::time, {ValueKind::number, 1, 1, {time_dimension()}}, {}, expr.span);
  if (expr.text == "pi") return make_number(std::numbers::pi, {}, expr.span);
  if (expr.text == "inf") {
    return make_number(std::numeric_limits<double>::infinity(), Dimension::any(), expr.span);
  }
  if (expr.text == "energy") {
    return make(NodeKind::energy, {ValueKind::number, 1, 1, {energy_dimension()}}, {}, expr.span);
  }
  if (is_set_constructor(expr.text)) return set_constructor(expr, scope);
  const bool law_force = contact.has_value();
  std::string hint = did_you_mean(expr.text, visible_names(scope));
  if (law_force && hint.empty()) {
    hint = fmt::format("a law may use forces that earlier laws of the same contact introduce, such as N of unilateral");
  }
  report(Kind::unknown_name, expr.span, fmt::format("unknown name '{}'", expr.text), hint);
  return std::nullopt;
}

Result Elaborator::symbol_value(GlobalSymbol& symbol, const ast::Expr& expr) {
  switch (symbol.kind) {
    case SymbolKind::coordinate: {
      const NodeId id = make(NodeKind::coordinate,
                             {ValueKind::number, 1, 1, {model_.coordinates[symbol.index].dimension}}, {}, expr.span);
      model_.nodes[id].index = symbol.index;
      return id;
    }
    case SymbolKind::velocity: {
      const NodeId id = make(NodeKind::velocity, {ValueKind::number, 1, 1, {model_.velocities[symbol.index].dimension}},
                             {}, expr.span);
      model_.nodes[id].index = symbol.index;
      return id;
    }
    case SymbolKind::parameter:
    case SymbolKind::let:
    case SymbolKind::set: {
      if (symbol.kind == SymbolKind::set &&
          !std::get<ast::SetDefinition>(symbol.declaration->value).parameters.empty()) {
        ast::Expr as_call = expr;
        as_call.kind = ast::ExprKind::call;
        return call(as_call, global_scope_);
      }
      if (symbol.state == GlobalSymbol::State::open) {
        report(Kind::cyclic_definition, expr.span, fmt::format("'{}' is defined by itself", expr.text))
            .labels.push_back({symbol.span, "its definition"});
        symbol.state = GlobalSymbol::State::failed;
        return std::nullopt;
      }
      if (symbol.state == GlobalSymbol::State::fresh) {
        // Definitions mean the same wherever they are used: they are elaborated in the global scope.
        const auto expansions = std::exchange(expansions_, {});
        if (symbol.kind == SymbolKind::parameter) {
          elaborate_parameter(symbol);
        } else {
          symbol.state = GlobalSymbol::State::open;
          const Result value =
              symbol.kind == SymbolKind::let
                  ? expression(std::get<ast::Let>(symbol.declaration->value).value, global_scope_)
                  : expression(std::get<ast::SetDefinition>(symbol.declaration->value).value, global_scope_);
          symbol.state = value && symbol.state != GlobalSymbol::State::failed ? GlobalSymbol::State::done
                                                                              : GlobalSymbol::State::failed;
          if (value) symbol.value = *value;
        }
        expansions_ = expansions;
      }
      if (symbol.state != GlobalSymbol::State::done) return std::nullopt;
      return symbol.value;
    }
    case SymbolKind::function:
      report(Kind::wrong_kind, expr.span, fmt::format("'{}' is a function: call it with its arguments", expr.text));
      return std::nullopt;
    case SymbolKind::law:
      report(Kind::wrong_kind, expr.span, fmt::format("'{}' is a law, not a value", expr.text),
             "a law stands in a contact: contact c { law " + expr.text + " }");
      return std::nullopt;
    case SymbolKind::contact:
      report(Kind::wrong_kind, expr.span, fmt::format("'{}' is a contact, not a value", expr.text),
             fmt::format("use one of its members, such as {}.gap", expr.text));
      return std::nullopt;
    case SymbolKind::output:
      report(Kind::wrong_kind, expr.span, fmt::format("'{}' is an output and cannot be used in expressions", expr.text),
             "name the value with let, and output that");
      return std::nullopt;
  }
  return std::nullopt;
}

Result Elaborator::derivative(const ast::Expr& expr, const Scope& scope) {
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
      const NodeId id =
          make(NodeKind::velocity, {ValueKind::number, 1, 1, {model_.velocities[coordinate.velocity].dimension}}, {},
               expr.span);
      model_.nodes[id].index = coordinate.velocity;
      return id;
    }
  }
  const Result value = expression(operand, scope);
  if (!value) return std::nullopt;
  const Node& n = node(*value);
  if (type(*value).kind != ValueKind::number || n.depends.velocity || n.depends.force) {
    report(Kind::not_differentiable, expr.span,
           "only functions of the coordinates and time have a time derivative here",
           n.depends.velocity ? "accelerations are not known in a model; use velocities, as in z'" : "");
    return std::nullopt;
  }
  Type result = type(*value);
  for (Dimension& d : result.dimensions) d = d / time_dimension();
  return make(NodeKind::derivative, std::move(result), {*value}, expr.span);
}

Result Elaborator::member(const ast::Expr& expr, const Scope& scope) {
  const ast::Expr& owner = expr.args[0];
  const auto found = owner.kind == ast::ExprKind::name ? globals_.find(owner.text) : globals_.end();
  if (found == globals_.end()) {
    if (owner.kind == ast::ExprKind::name) {
      name(owner, scope);  // reports the unknown name
    } else {
      report(Kind::unknown_member, expr.span, "only contacts have members");
    }
    return std::nullopt;
  }
  if (found->second.kind != SymbolKind::contact) {
    report(Kind::unknown_member, expr.span, fmt::format("'{}' has no members", owner.text));
    return std::nullopt;
  }
  const TypedContact& contact = model_.contacts[found->second.index];
  std::vector<std::string> known;
  for (const auto& [text, value] :
       {std::pair("gap", contact.gap), std::pair("slip", contact.slip), std::pair("spin", contact.spin)}) {
    if (!value) continue;
    if (expr.text == text) return *value;
    known.emplace_back(text);
  }
  for (const TypedLaw& law : contact.laws) {
    for (const ForceVariable& force : law.forces) {
      known.push_back(force.name);
      if (expr.text != force.name) continue;
      Type t{ValueKind::number, force.size, 1, {}};
      t.dimensions.assign(contact.force_dimensions.begin() + force.first,
                          contact.force_dimensions.begin() + force.first + force.size);
      const NodeId id = make(NodeKind::force, std::move(t), {}, expr.span);
      model_.nodes[id].index = found->second.index;
      model_.nodes[id].component = force.first;
      return id;
    }
  }
  std::string hint = did_you_mean(expr.text, known);
  if (hint.empty()) hint = fmt::format("it has {}", fmt::join(known, ", "));
  report(Kind::unknown_member, expr.span, fmt::format("contact '{}' has no '{}'", owner.text, expr.text), hint);
  return std::nullopt;
}

}  // namespace nsmc
