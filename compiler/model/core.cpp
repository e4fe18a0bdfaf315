#include "compiler/model/core.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace nsmc {

std::string shape_text(const Type& type) {
  if (type.kind == ValueKind::condition) return "a condition";
  if (type.kind == ValueKind::set) return fmt::format("a set in R^{}", type.rows);
  if (type.size() == 1) return "a number";
  if (type.cols == 1) return fmt::format("a vector of {}", type.rows);
  return fmt::format("a {}x{} matrix", type.rows, type.cols);
}

NodeId Part::make(NodeKind kind, Type type, std::vector<NodeId> args, Span span) {
  Node node;
  node.kind = kind;
  node.type = intern(std::move(type));
  node.span = span;
  for (const NodeId arg : args) node.depends = node.depends | model_.nodes[arg].depends;
  switch (kind) {
    case NodeKind::time:
    case NodeKind::coordinate: node.depends.state = true; break;
    case NodeKind::velocity: node.depends.velocity = true; break;
    case NodeKind::signal: node.depends.state = node.depends.signal = true; break;
    case NodeKind::contact_velocity:
    case NodeKind::derivative: node.depends.state = node.depends.velocity = true; break;
    case NodeKind::energy: node.depends.state = node.depends.velocity = node.depends.energy = true; break;
    case NodeKind::force: node.depends.force = true; break;
    default: break;
  }
  node.args = std::move(args);
  fold(node);
  const auto id = static_cast<NodeId>(model_.nodes.size());
  if (kind == NodeKind::derivative && node.depends.signal) core_.signal_derivatives.push_back(id);
  model_.nodes.push_back(std::move(node));
  return id;
}

NodeId Part::make_number(double value, Dimension dimension, Span span) {
  const NodeId id = make(NodeKind::number, {ValueKind::number, 1, 1, {dimension}}, {}, span);
  model_.nodes[id].value = value;
  model_.nodes[id].known = true;
  return id;
}

NodeId Part::make_call(const char* function, Type type, std::vector<NodeId> args, Span span) {
  const NodeId id = make(NodeKind::call, std::move(type), std::move(args), span);
  model_.nodes[id].function = function;
  return id;
}

NodeId Part::equal(NodeId a, NodeId b, Span span) {
  const NodeId id = make(NodeKind::comparison, {ValueKind::condition, 1, 1, {Dimension{}}}, {a, b}, span);
  model_.nodes[id].function = "==";
  return id;
}

TypeId Part::intern(Type type) {
  // A model has a handful of types; the newest are the likeliest.
  for (std::size_t i = model_.types.size(); i-- > 0;) {
    if (model_.types[i] == type) return static_cast<TypeId>(i);
  }
  model_.types.push_back(std::move(type));
  return static_cast<TypeId>(model_.types.size() - 1);
}

bool Part::of_library(Span span) const {
  return std::none_of(core_.models.files.begin(), core_.models.files.end(),
                      [&](const ast::Model& file) { return file.file == span.file; });
}

std::string Part::without_unit(std::initializer_list<NodeId> expressions, bool parameters) const {
  if (!model_.dimensional) return {};
  std::vector<NodeId> rest(expressions);
  std::set<NodeId> visited;
  std::set<std::string> names;
  while (!rest.empty()) {
    const NodeId id = rest.back();
    rest.pop_back();
    if (!visited.insert(id).second) continue;
    const Node& n = node(id);
    rest.insert(rest.end(), n.args.begin(), n.args.end());
    if (n.kind == NodeKind::parameter && parameters && model_.parameters[n.index].dimension == Dimension{})
      names.insert(with_index(model_.parameters[n.index].name, ""));
    const bool velocity = n.kind == NodeKind::velocity && model_.velocities[n.index].coordinate;
    if (n.kind != NodeKind::coordinate && !velocity) continue;
    const std::uint32_t coordinate = velocity ? *model_.velocities[n.index].coordinate : n.index;
    const TypedCoordinate& c = model_.coordinates[coordinate];
    if (c.dimension == Dimension{}) names.insert(with_index(c.name, ""));
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  if (names.empty() || names.size() > 3) return {};
  return fmt::format("{} {} declared without a unit", text, names.size() == 1 ? "is" : "are");
}

// x_dot, xdot, vx: the velocities of coordinates as other languages call them.
std::optional<Advice> Part::velocity_habit(std::string_view text) const {
  const auto coordinate = [&](std::string_view name) {
    const auto found = globals_.find(name);
    return found != globals_.end() && found->second.kind == SymbolKind::coordinate;
  };
  for (const std::string_view end : {"_dot", "dot", "_d", "_t", "dt", "_prime"}) {
    if (!text.ends_with(end)) continue;
    const std::string_view rest = text.substr(0, text.size() - end.size());
    if (coordinate(rest))
      return Advice{fmt::format("the time derivative of '{0}' is written {0}'", rest), fmt::format("{}'", rest)};
    if (rest.size() > 1 && rest.ends_with('d') && coordinate(rest.substr(0, rest.size() - 1)))
      return Advice{"accelerations are not known in a model; velocities are, as in z'", std::nullopt};
  }
  for (const std::string_view begin : {"v_", "v", "d_", "d", "D", "dot_"}) {
    if (!text.starts_with(begin) || !coordinate(text.substr(begin.size()))) continue;
    const std::string_view rest = text.substr(begin.size());
    Advice advice{fmt::format("the time derivative of '{0}' is written {0}'", rest), std::nullopt};
    if (begin != "d") advice.write = fmt::format("{}'", rest);  // dx may go on: dx/dt
    return advice;
  }
  return std::nullopt;
}

// "mu is a pure number, R is length [m]"
std::string Part::arguments_of_law() const {
  std::string text;
  for (const auto& [name, value] : core_.law_arguments) {
    const Type& t = type(value);
    if (t.kind != ValueKind::number || !t.is_scalar() || t.dimensions[0].is_any()) continue;
    text += fmt::format("{}{} is {}", text.empty() ? "here " : ", ", name, t.dimensions[0].description());
  }
  return text;
}

Diagnostic& Part::report(Kind kind, Span span, std::string message, std::string hint) {
  if (!core_.expansions.empty() && !core_.expansions.front().where.empty() && of_library(span)) {
    const Expansion& use = core_.expansions.front();
    const bool of_dimensions = kind == Kind::dimension_mismatch || kind == Kind::wrong_dimension ||
                               kind == Kind::not_dimensionless || kind == Kind::set_does_not_fit_force;
    if (of_dimensions && hint.empty()) hint = arguments_of_law();
    Diagnostic& diagnostic =
        diagnostics_.report(kind, use.place, fmt::format("{}, {}", use.where, message), std::move(hint));
    diagnostic.labels.push_back({span, fmt::format("in law '{}'", use.law)});
    return diagnostic;
  }
  Diagnostic& diagnostic = diagnostics_.report(kind, span, std::move(message), std::move(hint));
  // Where the expansion came from: the innermost uses, and the outermost, which is in the model itself.
  constexpr std::size_t kInner = 2;
  const std::size_t n = core_.expansions.size();
  for (std::size_t i = n; i-- > 0;) {
    const Expansion& expansion = core_.expansions[i];
    if ((n - i <= kInner || i == 0) && expansion.place != span)
      diagnostic.labels.push_back({expansion.place, expansion.what});
  }
  return diagnostic;
}

// The value of arithmetic on known numbers, so that exponents, indices and sizes may be written as 1/2 or n - 1.
void Part::fold(Node& node) const {
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

std::optional<double> Part::constant_number(NodeId id) const {
  return node(id).known ? std::optional(node(id).value) : std::nullopt;
}

double Part::parameter_number(std::uint32_t index) const {
  const TypedParameter& parameter = model_.parameters[index];
  if (const auto given = core_.structure.find(parameter.name); given != core_.structure.end()) return given->second;
  return evaluate(parameter.value, {}).value_or(std::nan(""));
}

std::span<const NodeId> Part::operands(const Node& n) const {
  switch (n.kind) {
    case NodeKind::number:
    case NodeKind::instance: return {};
    case NodeKind::parameter: {
      const TypedParameter& parameter = model_.parameters[n.index];
      return core_.structure.contains(parameter.name) ? std::span<const NodeId>{} : std::span(&parameter.value, 1);
    }
    case NodeKind::component: {
      // A component of a vector that is written out.
      const Node& vector = node(n.args[0]);
      return vector.kind == NodeKind::vector ? std::span(&vector.args[n.index], 1) : std::span<const NodeId>{};
    }
    default: return n.args;
  }
}

std::optional<double> Part::value_of(const Node& n, const std::vector<double>& args,
                                     const std::vector<double>& self) const {
  switch (n.kind) {
    case NodeKind::number: return n.value;
    case NodeKind::instance: return n.component < self.size() ? std::optional(self[n.component]) : std::nullopt;
    case NodeKind::parameter: return args.empty() ? core_.structure.at(model_.parameters[n.index].name) : args[0];
    case NodeKind::component: return args.empty() ? std::nullopt : std::optional(args[0]);
    default: return operation(n, args);
  }
}

// Each node once, and without recursion: constants of many lets are deep, and share their parts.
std::optional<double> Part::evaluate(NodeId root, const std::vector<double>& self) const {
  if (const Node& n = node(root); operands(n).empty()) return value_of(n, {}, self);
  std::unordered_map<NodeId, double> values;
  std::vector<NodeId> waiting{root};
  std::vector<double> args;
  while (!waiting.empty()) {
    const Node& n = node(waiting.back());
    const std::size_t known = waiting.size();
    args.clear();
    for (const NodeId operand : operands(n)) {
      if (const auto found = values.find(operand); found != values.end()) {
        args.push_back(found->second);
      } else {
        waiting.push_back(operand);
      }
    }
    if (waiting.size() > known) continue;
    const std::optional<double> value = value_of(n, args, self);
    if (!value) return std::nullopt;
    values[waiting.back()] = *value;
    waiting.pop_back();
  }
  return values.at(root);
}

std::optional<double> Part::operation(const Node& n, const std::vector<double>& args) {
  switch (n.kind) {
    case NodeKind::sum: {
      double total = 0;
      for (const double x : args) total += x;
      return total;
    }
    case NodeKind::product: return args[0] * args[1];
    case NodeKind::quotient: return args[0] / args[1];
    case NodeKind::negate: return -args[0];
    case NodeKind::power: return std::pow(args[0], args[1]);
    case NodeKind::call: {
      const std::string_view f = n.function;
      if (f == "sqrt") return std::sqrt(args[0]);
      if (f == "abs") return std::abs(args[0]);
      if (f == "min") return std::min(args[0], args[1]);
      if (f == "max") return std::max(args[0], args[1]);
      if (f == "sin") return std::sin(args[0]);
      if (f == "cos") return std::cos(args[0]);
      return std::nullopt;
    }
    default: return std::nullopt;
  }
}

NodeId Part::instance_node(std::uint32_t component, Span span) {
  const NodeId id = make(NodeKind::instance, {ValueKind::number, 1, 1, {Dimension{}}}, {}, span);
  model_.nodes[id].component = component;
  return id;
}

NodeId Part::coordinate_node(std::uint32_t index, At at, Span span) {
  const NodeId id = make(NodeKind::coordinate, {ValueKind::number, 1, 1, {model_.coordinates[index].dimension}},
                         at ? std::vector<NodeId>{*at} : std::vector<NodeId>{}, span);
  model_.nodes[id].index = index;
  return id;
}

NodeId Part::velocity_node(std::uint32_t index, At at, Span span) {
  const NodeId id = make(NodeKind::velocity, {ValueKind::number, 1, 1, {model_.velocities[index].dimension}},
                         at ? std::vector<NodeId>{*at} : std::vector<NodeId>{}, span);
  model_.nodes[id].index = index;
  return id;
}

NodeId Part::signal_node(std::uint32_t index, Span span) {
  const NodeId id = make(NodeKind::signal, {ValueKind::number, 1, 1, {model_.signals[index].dimension}}, {}, span);
  model_.nodes[id].index = index;
  return id;
}

bool Part::is_zero(NodeId vector) const {
  const Node& n = node(vector);
  if (n.kind != NodeKind::vector) return false;
  return std::all_of(n.args.begin(), n.args.end(), [&](NodeId arg) { return evaluate(arg, {}) == 0.0; });
}

NodeId Part::zeros(std::uint32_t rows, Span span) {
  if (rows == 1) return make_number(0, Dimension::any(), span);
  std::vector<NodeId> components;
  for (std::uint32_t i = 0; i < rows; ++i) components.push_back(make_number(0, Dimension::any(), span));
  return make(NodeKind::vector, {ValueKind::number, rows, 1, std::vector<Dimension>(rows, Dimension::any())},
              std::move(components), span);
}

NodeId Part::part(NodeId vector, std::uint32_t first, std::uint32_t size, Span span) {
  std::vector<NodeId> components;
  Type result{ValueKind::number, size, 1, {}};
  const Type whole = type(vector);
  for (std::uint32_t k = first; k < first + size; ++k) {
    const NodeId id = make(NodeKind::component, {ValueKind::number, 1, 1, {whole.dimensions[k]}}, {vector}, span);
    model_.nodes[id].index = k;
    components.push_back(id);
    result.dimensions.push_back(whole.dimensions[k]);
  }
  return size == 1 ? components[0] : make(NodeKind::vector, std::move(result), std::move(components), span);
}

NodeId Part::stack(const std::vector<NodeId>& parts, Span span) {
  std::vector<NodeId> components;
  Type result{ValueKind::number, 0, 1, {}};
  for (const NodeId p : parts) {
    const std::uint32_t n = type(p).rows;
    for (std::uint32_t k = 0; k < n; ++k) {
      components.push_back(n == 1 ? p : part(p, k, 1, span));
      result.dimensions.push_back(type(components.back()).dimensions[0]);
    }
  }
  result.rows = static_cast<std::uint32_t>(components.size());
  return components.size() == 1 ? components[0]
                                : make(NodeKind::vector, std::move(result), std::move(components), span);
}

}  // namespace nsmc
