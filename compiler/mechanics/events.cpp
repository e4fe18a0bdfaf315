#include "compiler/mechanics/events.hpp"

#include <fmt/core.h>

#include <map>

namespace nsmc {

using sym::Expr;
using sym::Op;

// In the order of the expression, so that nothing recurses.
Expr margin_of(sym::ExprPool& pool, Expr condition) {
  std::map<std::uint32_t, Expr> margins;
  for (const Expr e : sym::topological_order(pool, std::span(&condition, 1))) {
    const std::vector<Expr> args(pool.args(e).begin(), pool.args(e).end());
    switch (pool.op(e)) {
      case Op::less:
      case Op::less_equal: margins[e.id] = pool.sub(args[1], args[0]); break;
      case Op::logic_not: margins[e.id] = pool.neg(margins.at(args[0].id)); break;
      case Op::logic_and: margins[e.id] = pool.call(Op::min, margins.at(args[0].id), margins.at(args[1].id)); break;
      case Op::logic_or: margins[e.id] = pool.call(Op::max, margins.at(args[0].id), margins.at(args[1].id)); break;
      default: margins[e.id] = pool.select(e, pool.constant(1), pool.constant(-1)); break;
    }
  }
  return margins.at(condition.id);
}

namespace {

// New values are given one after another, as they are written: what stands in a later one is new already.
void assign(const Derivation& d, const Equations& equations, const TypedEvent& typed, EventEquation& event) {
  std::vector<std::pair<Expr, Expr>> given;  // symbol and new value
  for (const TypedAssignment& a : typed.assignments) {
    const Expr written = d.lowering.scalar(a.value);
    const Expr resolved = resolve_placeholders(d.pool, equations, std::span(&written, 1))[0];
    const Expr value = sym::substitute(d.pool, std::span(&resolved, 1), [&](Expr s) {
      for (std::size_t k = given.size(); k-- > 0;) {
        if (given[k].first == s) return given[k].second;
      }
      return s;
    })[0];
    EventTarget target;
    Expr symbol;
    if (a.velocity) {
      target.velocity = true;
      target.block = d.model.velocities[a.index].block;
      target.number = a.index - d.model.blocks[target.block].first_velocity;
      symbol = d.lowering.u(target.block)[target.number];
    } else {
      target.number = a.index;
      symbol = d.lowering.z()[a.index];
    }
    given.emplace_back(symbol, value);
    event.targets.push_back(target);
    event.values.push_back(value);
  }
}

}  // namespace

std::string event_text(const sym::ExprPool& pool, const Equations& equations, const EventEquation& event) {
  const bool every = event.kind == EventKind::every;
  std::string text = fmt::format("{} {}",
                                 every                           ? "every"
                                 : event.kind == EventKind::stop ? "stop when"
                                                                 : "when",
                                 sym::to_infix(pool, every ? event.interval : event.condition, 200));
  if (event.targets.empty()) return text;
  text += " {";
  for (std::size_t k = 0; k < event.targets.size(); ++k) {
    const EventTarget& target = event.targets[k];
    const std::string& name =
        target.velocity ? equations.blocks[target.block].u[target.number].name : equations.signals[target.number].name;
    text += fmt::format("{} {} := {}", k == 0 ? "" : ",", name, sym::to_infix(pool, event.values[k], 200));
  }
  return text + " }";
}

void derive_events(const Derivation& d, Equations& equations) {
  for (const TypedEvent& typed : d.model.events) {
    EventEquation event;
    event.kind = typed.kind;
    event.doc = typed.doc;
    event.span = typed.span;
    const Expr written = d.lowering.scalar(typed.condition);
    const Expr condition = resolve_placeholders(d.pool, equations, std::span(&written, 1))[0];
    if (typed.kind == EventKind::every) {
      event.interval = condition;
    } else {
      event.condition = condition;
      event.margin = margin_of(d.pool, condition);
    }
    assign(d, equations, typed, event);
    equations.events.push_back(std::move(event));
  }
}

}  // namespace nsmc
