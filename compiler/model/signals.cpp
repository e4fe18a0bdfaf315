#include "compiler/model/signals.hpp"

#include <fmt/core.h>

#include <set>

#include "compiler/model/expressions.hpp"
#include "compiler/model/variables.hpp"

namespace nsmc {

template <class Declared>
std::uint32_t Signals::add(const Declared& declared, SignalKind kind, const ast::Declaration& declaration) {
  TypedSignal signal;
  signal.name = declared.name.text;
  signal.doc = declaration.doc;
  signal.kind = kind;
  if (declared.unit) signal.dimension = physical(resolve(*declared.unit, diagnostics_).dimension);
  signal.span = declared.name.span;
  model_.signals.push_back(std::move(signal));
  return static_cast<std::uint32_t>(model_.signals.size() - 1);
}

std::uint32_t Signals::declare(const ast::State& state, const ast::Declaration& declaration) {
  states_.push_back({&state, add(state, SignalKind::state, declaration)});
  return states_.back().index;
}

std::uint32_t Signals::declare(const ast::Discrete& discrete, const ast::Declaration& declaration) {
  discrete_.push_back({&discrete, add(discrete, SignalKind::discrete, declaration)});
  return discrete_.back().index;
}

void Signals::declare_input(const ast::Param& input, std::uint32_t parameter, const ast::Declaration& declaration) {
  TypedSignal signal;
  signal.name = input.name.text;
  signal.doc = declaration.doc;
  signal.kind = SignalKind::input;
  signal.span = input.name.span;
  model_.parameters[parameter].signal = static_cast<std::uint32_t>(model_.signals.size());
  model_.signals.push_back(std::move(signal));
}

template <class Declared>
void Signals::elaborate_start(const Declared& declared, std::uint32_t index) {
  if (!declared.initial) return;
  const Result value = variables_.constant_value(*declared.initial, declared.unit, model_.signals[index].dimension,
                                                 "the initial value", global_scope_);
  if (value) model_.signals[index].initial = *value;
}

void Signals::elaborate_starts() {
  for (const auto& state : states_) elaborate_start(*state.declaration, state.index);
  for (const auto& discrete : discrete_) elaborate_start(*discrete.declaration, discrete.index);
}

void Signals::elaborate_rates() {
  for (const auto& state : states_) elaborate_rate(*state.declaration, state.index);
}

void Signals::elaborate_rate(const ast::State& state, std::uint32_t index) {
  const std::string& name = state.name.text;
  if (state.rated.text != name) {
    report(Kind::unknown_name, state.rated.span,
           fmt::format("this is the rate of '{}', not of state '{}'", state.rated.text, name),
           fmt::format("state {0} = 0  {0}' = ...", name));
    return;
  }
  const Result rate = expressions_.scalar(state.rate, global_scope_, "a rate");
  if (!rate) return;
  const Dimension wanted = model_.signals[index].dimension / time_dimension();
  const Dimension given = type(*rate).dimensions[0];
  if (!given.fits(wanted)) {
    report(Kind::wrong_dimension, state.rate.span,
           fmt::format("{}' is {}, this is {}", name, wanted.description(), given.description()),
           state.unit ? "" : fmt::format("'{}' is declared without a unit: state {} [...] = 0", name, name));
    return;
  }
  if (node(*rate).depends.energy) {
    report(Kind::depends_on_velocity, state.rate.span, "the rate of a state must not depend on the energy");
    return;
  }
  model_.signals[index].rate = *rate;
}

std::vector<std::uint32_t> Signals::signals_in(NodeId expression) const {
  std::vector<NodeId> rest{expression};
  std::set<NodeId> visited;
  std::vector<std::uint32_t> found;
  while (!rest.empty()) {
    const NodeId id = rest.back();
    rest.pop_back();
    const Node& n = node(id);
    if (!n.depends.signal || !visited.insert(id).second) continue;
    if (n.kind == NodeKind::signal) found.push_back(n.index);
    rest.insert(rest.end(), n.args.begin(), n.args.end());
  }
  return found;
}

void Signals::check_energies(const std::vector<TypedTerm>& terms, const char* what) {
  for (const TypedTerm& term : terms) {
    if (!node(term.value).depends.signal) continue;
    const TypedSignal& signal = model_.signals[signals_in(term.value).front()];
    report(Kind::depends_on_velocity, node(term.value).span,
           fmt::format("{} must not depend on {} '{}'", what, text_of(signal.kind), signal.name),
           "give what follows from it as a force");
  }
}

void Signals::check_uses() {
  check_energies(model_.kinetic, "the kinetic energy");
  check_energies(model_.potential, "the potential energy");
  if (model_.mass && node(*model_.mass).depends.signal)
    report(Kind::depends_on_velocity, node(*model_.mass).span, "the mass matrix depends on coordinates and time only");
  for (const NodeId id : core_.signal_derivatives) {
    if (id >= model_.nodes.size()) continue;  // of a drawing that nobody looks at
    for (const std::uint32_t index : signals_in(id)) {
      const TypedSignal& signal = model_.signals[index];
      const std::string& name = signal.name;
      if (signal.kind == SignalKind::input) {
        report(Kind::not_differentiable, node(id).span,
               fmt::format("the rate of change of input '{}' is asked for here, and is not known", name),
               fmt::format("let an input be the rate of a state: state {0} = 0  {0}' = v", name));
      } else if (signal.rate && node(*signal.rate).depends.force) {
        report(Kind::not_differentiable, node(id).span,
               fmt::format("the rate of state '{}' is asked for here, which depends on contact forces", name));
      }
    }
  }
}

}  // namespace nsmc
