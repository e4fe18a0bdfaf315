// Typed nodes: making them, their types, what they depend on, and the numbers known already.
#include <fmt/core.h>

#include <cmath>

#include "compiler/model/elaborator.hpp"

namespace nsmc {

std::string shape_text(const Type& type) {
  if (type.kind == ValueKind::condition) return "a condition";
  if (type.kind == ValueKind::set) return fmt::format("a set in R^{}", type.rows);
  if (type.size() == 1) return "a number";
  if (type.cols == 1) return fmt::format("a vector of {}", type.rows);
  return fmt::format("a {}x{} matrix", type.rows, type.cols);
}

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
    case NodeKind::derivative: node.depends.state = node.depends.velocity = true; break;
    case NodeKind::energy: node.depends.state = node.depends.velocity = node.depends.energy = true; break;
    case NodeKind::force: node.depends.force = true; break;
    default: break;
  }
  node.args = std::move(args);
  fold(node);
  model_.nodes.push_back(std::move(node));
  return static_cast<NodeId>(model_.nodes.size() - 1);
}

NodeId Elaborator::make_number(double value, Dimension dimension, Span span) {
  const NodeId id = make(NodeKind::number, {ValueKind::number, 1, 1, {dimension}}, {}, span);
  model_.nodes[id].value = value;
  model_.nodes[id].known = true;
  return id;
}

NodeId Elaborator::make_call(const char* function, Type type, std::vector<NodeId> args, Span span) {
  const NodeId id = make(NodeKind::call, std::move(type), std::move(args), span);
  model_.nodes[id].function = function;
  return id;
}

NodeId Elaborator::equal(NodeId a, NodeId b, Span span) {
  const NodeId id = make(NodeKind::comparison, {ValueKind::condition, 1, 1, {Dimension{}}}, {a, b}, span);
  model_.nodes[id].function = "==";
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
  // Where the expansion came from: the innermost uses, and the outermost, which is in the model itself.
  constexpr std::size_t kInner = 2;
  const std::size_t n = expansions_.size();
  for (std::size_t i = n; i-- > 0;) {
    const auto& [place, what] = expansions_[i];
    if ((n - i <= kInner || i == 0) && place != span) diagnostic.labels.push_back({place, what});
  }
  return diagnostic;
}

// The value of arithmetic on known numbers, so that exponents, indices and sizes may be written as 1/2 or n - 1.
void Elaborator::fold(Node& node) const {
  const auto value = [&](std::size_t i) { return model_.nodes[node.args[i]].value; };
  for (const NodeId arg : node.args) {
    if (!model_.nodes[arg].known) return;
  }
  switch (node.kind) {
    case NodeKind::negate: node.value = -value(0); break;
    case NodeKind::product: node.value = value(0) * value(1); break;
    case NodeKind::quotient: node.value = value(0) / value(1); break;
    case NodeKind::power: node.value = std::pow(value(0), value(1)); break;
    case NodeKind::sum:
      for (std::size_t i = 0; i < node.args.size(); ++i) node.value += value(i);
      break;
    default: return;
  }
  node.known = true;
}

std::optional<double> Elaborator::constant_number(NodeId id) const {
  return node(id).known ? std::optional(node(id).value) : std::nullopt;
}

}  // namespace nsmc
