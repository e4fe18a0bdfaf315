// Typed nodes: making them, their types, what they depend on, and the numbers known already.
#include <cmath>

#include "compiler/model/elaborator.hpp"

namespace nsmc {

NodeId Elaborator::make(NodeKind kind, Type type, std::vector<NodeId> args, Span span) {
  Node node;
  node.kind = kind;
  node.type = intern(std::move(type));
  node.span = span;
  for (const NodeId arg : args) node.depends = node.depends | model_.nodes[arg].depends;
  switch (kind) {
    case NodeKind::time:
    case NodeKind::coordinate: node.depends.state = true; break;
    case NodeKind::velocity: node.depends.velocity = true; break;
    case NodeKind::contact_velocity:
    case NodeKind::derivative:
    case NodeKind::energy: node.depends = {true, true, node.depends.force}; break;
    case NodeKind::force: node.depends.force = true; break;
    default: break;
  }
  node.args = std::move(args);
  model_.nodes.push_back(std::move(node));
  return static_cast<NodeId>(model_.nodes.size() - 1);
}

NodeId Elaborator::make_number(double value, Dimension dimension, Span span) {
  const NodeId id = make(NodeKind::number, {ValueKind::number, 1, 1, {dimension}}, {}, span);
  model_.nodes[id].value = value;
  return id;
}

NodeId Elaborator::make_call(const char* function, Type type, std::vector<NodeId> args, Span span) {
  const NodeId id = make(NodeKind::call, std::move(type), std::move(args), span);
  model_.nodes[id].function = function;
  return id;
}

TypeId Elaborator::intern(Type type) {
  // A model has a handful of types; the newest are the likeliest.
  for (std::size_t i = model_.types.size(); i-- > 0;) {
    if (model_.types[i] == type) return static_cast<TypeId>(i);
  }
  model_.types.push_back(std::move(type));
  return static_cast<TypeId>(model_.types.size() - 1);
}

Diagnostic& Elaborator::report(Kind kind, Span span, std::string message, std::string hint) {
  Diagnostic& diagnostic = diagnostics_.report(kind, span, std::move(message), std::move(hint));
  if (!expansions_.empty()) {
    const auto& [place, what] = expansions_.back();
    diagnostic.labels.push_back({place, what});
  }
  return diagnostic;
}

std::optional<double> Elaborator::constant_number(NodeId id) const {
  const Node& n = node(id);
  const auto arg = [&](std::size_t i) { return constant_number(n.args[i]); };
  switch (n.kind) {
    case NodeKind::number: return n.value;
    case NodeKind::negate:
      if (const auto a = arg(0)) return -*a;
      return std::nullopt;
    case NodeKind::product:
    case NodeKind::quotient:
    case NodeKind::power: {
      const auto a = arg(0);
      const auto b = a ? arg(1) : std::nullopt;
      if (!b) return std::nullopt;
      return n.kind == NodeKind::product ? *a * *b : n.kind == NodeKind::quotient ? *a / *b : std::pow(*a, *b);
    }
    case NodeKind::sum: {
      double total = 0;
      for (std::size_t i = 0; i < n.args.size(); ++i) {
        const auto a = arg(i);
        if (!a) return std::nullopt;
        total += *a;
      }
      return total;
    }
    default: return std::nullopt;
  }
}

}  // namespace nsmc
