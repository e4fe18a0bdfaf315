#include "compiler/model/events.hpp"

#include <fmt/core.h>

#include "compiler/model/expressions.hpp"

namespace nsmc {

Result Events::condition(const ast::Expr& expr, const Scope& scope, const char* what, bool forces) {
  const Result value = expressions_.expression(expr, scope);
  if (!value) return std::nullopt;
  if (type(*value).kind != ValueKind::condition) {
    report(Kind::wrong_kind, expr.span, fmt::format("{} is a condition, this is {}", what, shape_text(type(*value))),
           "a condition compares: x > 1 [m]");
    return std::nullopt;
  }
  const Dependence depends = node(*value).depends;
  if (depends.energy || (depends.force && !forces)) {
    report(Kind::depends_on_velocity, expr.span,
           fmt::format("{} must not depend on {}", what, depends.energy ? "the energy" : "contact forces"));
    return std::nullopt;
  }
  return value;
}

void Events::elaborate(const ast::When& when, const std::string& doc) {
  const Result holds = condition(when.condition, global_scope_, "what an event waits for", true);
  if (!holds) return;
  add({EventKind::when, doc, *holds, {}, when.condition.span}, when.assignments);
}

void Events::elaborate(const ast::Stop& stop, const std::string& doc) {
  const Result holds = condition(stop.condition, global_scope_, "what ends a run", true);
  if (holds) add({EventKind::stop, doc, *holds, {}, stop.condition.span}, {});
}

void Events::elaborate(const ast::Every& every, const std::string& doc) {
  const Result interval = expressions_.scalar(every.interval, global_scope_, "an interval");
  if (!interval) return;
  if (node(*interval).depends.any()) {
    report(Kind::not_constant, every.interval.span, "an interval may depend on parameters alone");
    return;
  }
  if (!type(*interval).dimensions[0].fits(time_dimension())) {
    report(Kind::wrong_dimension, every.interval.span,
           fmt::format("an interval must be {}, this is {}", time_dimension().description(),
                       type(*interval).dimensions[0].description()),
           "every 10 [ms] { ... }");
    return;
  }
  if (const auto number = constant_number(*interval); number && !(*number > 0)) {
    report(Kind::bad_bounds, every.interval.span,
           fmt::format("an interval is greater than 0, this is {:.6g}", *number));
    return;
  }
  add({EventKind::every, doc, *interval, {}, every.interval.span}, every.assignments);
}

void Events::add(TypedEvent event, const std::vector<ast::Assignment>& assignments) {
  for (const ast::Assignment& a : assignments) {
    std::optional<TypedAssignment> typed = assignment(a);
    if (!typed) return;
    event.assignments.push_back(*typed);
  }
  model_.events.push_back(std::move(event));
}

Result Events::new_value(const ast::Assignment& assignment, const Dimension& wanted) {
  const Result value = expressions_.scalar(assignment.value, global_scope_, "a new value");
  if (!value) return std::nullopt;
  const Dimension given = type(*value).dimensions[0];
  if (!given.fits(wanted)) {
    report(Kind::wrong_dimension, assignment.value.span,
           fmt::format("'{}{}' is {}, this is {}", assignment.target.text, assignment.derivative ? "'" : "",
                       wanted.description(), given.description()));
    return std::nullopt;
  }
  if (node(*value).depends.energy) {
    report(Kind::depends_on_velocity, assignment.value.span, "a new value must not depend on the energy");
    return std::nullopt;
  }
  return value;
}

// A state or a discrete variable, or the velocity of a coordinate.
std::optional<TypedAssignment> Events::assignment(const ast::Assignment& assignment) {
  const std::string& name = assignment.target.text;
  const auto found = globals_.find(name);
  const SymbolKind kind = found == globals_.end() ? SymbolKind::law : found->second.kind;
  TypedAssignment typed;
  typed.span = assignment.target.span;
  Dimension wanted;
  if (kind == SymbolKind::signal && !assignment.derivative) {
    typed.index = found->second.index;
    wanted = model_.signals[typed.index].dimension;
  } else if (kind == SymbolKind::coordinate && assignment.derivative && !model_.coordinates[found->second.index].rate) {
    typed.velocity = true;
    typed.index = model_.coordinates[found->second.index].velocity;
    wanted = model_.velocities[typed.index].dimension;
  } else if (kind == SymbolKind::velocity && !assignment.derivative) {
    typed.velocity = true;
    typed.index = found->second.index;
    wanted = model_.velocities[typed.index].dimension;
  } else if (found == globals_.end()) {
    std::vector<std::string> names;
    for (const auto& [text, symbol] : globals_) {
      if (symbol.kind == SymbolKind::signal || symbol.kind == SymbolKind::velocity) names.push_back(text);
    }
    report(Kind::unknown_name, assignment.target.span, fmt::format("unknown name '{}'", name),
           did_you_mean(name, names));
    return std::nullopt;
  } else {
    const bool input = kind == SymbolKind::parameter && model_.parameters[found->second.index].signal;
    report(Kind::wrong_kind, assignment.target.span,
           input ? fmt::format("'{}' is an input: it is set from outside", name)
                 : fmt::format("an event cannot give '{}{}' a new value", name, assignment.derivative ? "'" : ""),
           "new values are given to states, to discrete variables, and to velocities of coordinates: x' := 0");
    return std::nullopt;
  }
  const Result value = new_value(assignment, wanted);
  if (!value) return std::nullopt;
  typed.value = *value;
  return typed;
}

}  // namespace nsmc
