#include "compiler/mechanics/lowering.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "compiler/mechanics/gauge_function.hpp"
#include "compiler/mechanics/power_sums.hpp"
#include "compiler/support/internal_check.hpp"

namespace nsmc {

using sym::Expr;
using sym::Op;
using sym::Source;

namespace {

// Comparisons and logic by their signs in the language, functions by their names.
Op operation_named(std::string_view name) {
  constexpr std::pair<std::string_view, Op> signs[] = {{"<", Op::less},      {"<=", Op::less_equal},
                                                       {"==", Op::equal},    {"and", Op::logic_and},
                                                       {"or", Op::logic_or}, {"not", Op::logic_not}};
  for (const auto& [sign, op] : signs) {
    if (name == sign) return op;
  }
  const std::optional<Op> function = sym::function_named(name);
  internal_check(function.has_value(), "a call of an unknown function");
  return *function;
}

// A function that is a shorthand for other operations.
std::optional<Expr> shorthand([[maybe_unused]] sym::ExprPool& pool, std::string_view name, Expr a) {
#define NSMC_SHORTHAND(function, arguments, dimensions, meaning) \
  if (name == #function) return meaning;
#include "compiler/support/functions.def"
  return std::nullopt;
}

}  // namespace

Lowering::Lowering(const TypedModel& model, sym::ExprPool& pool, Span* at) : at_(at), model_(model), pool_(pool) {
  t_ = pool.symbol(Source::time, 0, "t");
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    p_.push_back(pool.symbol(Source::parameter, static_cast<std::uint32_t>(i), model.parameters[i].name));
  }
  for (std::size_t i = 0; i < model.signals.size(); ++i) {
    const auto number = static_cast<std::uint32_t>(i);
    const TypedSignal& signal = model.signals[i];
    z_.push_back(pool.symbol(Source::signal, number, signal.name));
    z_dot_.push_back(signal.rate ? pool.symbol(Source::signal, kSignalRate + number, signal.name + "'")
                                 : pool.constant(0));
  }
  for (std::size_t b = 0; b < model.blocks.size(); ++b) {
    std::optional<Expr> index;
    if (!model.blocks[b].instances.single()) index = pool.symbol(Source::instance, 0, "i");
    add_reference(b, index, model.blocks[b].span);
  }
  for (std::size_t c = 0; c < model.contacts.size(); ++c) force_references_.push_back({c, {}});
  // Rates are elaborated before anything that needs them: lower up to the last one, then the rest.
  std::size_t next = 0;
  const auto lower_until = [&](std::size_t end) {
    for (; next < end; ++next) lower(static_cast<NodeId>(next));
  };
  for (const TypedCoordinate& coordinate : model.coordinates) {
    if (coordinate.rate) lower_until(std::max<std::size_t>(next, *coordinate.rate + 1));
  }
  for (std::size_t b = 0; b < model.blocks.size(); ++b) {
    const TypedBlock& block = model.blocks[b];
    for (std::size_t i = 0; i < block.n_coordinates; ++i) {
      const TypedCoordinate& coordinate = model.coordinates[block.first_coordinate + i];
      variables_[b].q_dot.push_back(coordinate.rate ? scalar(*coordinate.rate)
                                                    : variables_[b].u[coordinate.velocity - block.first_velocity]);
    }
  }
  // What was seen through other references up to here were coordinates alone.
  for (std::size_t r = model.blocks.size(); r < references_.size(); ++r) {
    variables_[r].q_dot = seen_through(r, variables_[references_[r].block].q_dot);
  }
  kinematics_known_ = true;
  lower_until(model.nodes.size());
  if (!z_.empty()) resolve_signal_rates();
}

// Rates may speak of other rates: at most as many times as there are signals, unless they go round in a circle, which
// is told by what is left of them (derive.cpp).
void Lowering::resolve_signal_rates() {
  std::vector<Expr> rates;
  for (std::size_t i = 0; i < z_.size(); ++i)
    rates.push_back(model_.signals[i].rate ? scalar(*model_.signals[i].rate) : pool_.constant(0));
  const auto by_rates = [&](Expr s) {
    const sym::Symbol& symbol = pool_.symbol(s);
    return symbol.source == Source::signal && symbol.index >= kSignalRate ? rates[symbol.index - kSignalRate] : s;
  };
  const auto speaks_of_rates = [&](std::span<const Expr> exprs) {
    return std::any_of(exprs.begin(), exprs.end(), [&](Expr e) {
      return sym::depends_on(pool_, e,
                             [](const sym::Symbol& s) { return s.source == Source::signal && s.index >= kSignalRate; });
    });
  };
  for (std::size_t round = 0; round <= z_.size() && speaks_of_rates(rates); ++round)
    rates = sym::substitute(pool_, rates, by_rates);
  z_dot_ = rates;
  values_ = sym::substitute(pool_, values_, by_rates);
}

std::size_t Lowering::add_reference(std::size_t block, std::optional<Expr> index, Span span) {
  const TypedBlock& typed = model_.blocks[block];
  const std::size_t reference = references_.size();
  const std::string suffix = index ? "[" + sym::to_infix(pool_, *index, 60) + "]" : "";
  Variables variables;
  for (std::size_t i = 0; i < typed.n_coordinates; ++i) {
    variables.q.push_back(pool_.symbol(Source::coordinate, variable_index(reference, i),
                                       with_index(model_.coordinates[typed.first_coordinate + i].name, suffix)));
  }
  for (std::size_t i = 0; i < typed.n_velocities; ++i) {
    variables.u.push_back(pool_.symbol(Source::velocity, variable_index(reference, i),
                                       with_index(model_.velocities[typed.first_velocity + i].name, suffix)));
  }
  references_.push_back({block, index, span});
  variables_.push_back(std::move(variables));
  if (kinematics_known_) variables_[reference].q_dot = seen_through(reference, variables_[block].q_dot);
  return reference;
}

std::size_t Lowering::reference(std::size_t block, Expr index, Span span) {
  for (std::size_t r = 0; r < references_.size(); ++r) {
    if (references_[r].block == block && references_[r].index == index) return r;
  }
  return add_reference(block, index, span);
}

std::vector<Expr> Lowering::seen_through(std::size_t reference, std::span<const Expr> exprs) const {
  const Reference& r = references_[reference];
  if (reference < model_.blocks.size()) return {exprs.begin(), exprs.end()};
  return sym::substitute(pool_, exprs, [&](Expr s) {
    const sym::Symbol symbol = pool_.symbol(s);
    if (symbol.source == Source::instance && symbol.index == 0) return *r.index;
    const bool own = reference_of(symbol.index) == r.block;
    if (symbol.source == Source::coordinate && own) return variables_[reference].q[variable_of(symbol.index)];
    if (symbol.source == Source::velocity && own) return variables_[reference].u[variable_of(symbol.index)];
    return s;
  });
}

std::vector<std::size_t> Lowering::references_in(std::span<const Expr> exprs) const {
  std::set<std::size_t> found;
  for (const Expr e : sym::topological_order(pool_, exprs)) {
    if (pool_.op(e) != Op::symbol) continue;
    const sym::Symbol& s = pool_.symbol(e);
    const bool variable =
        s.source == Source::coordinate || (s.source == Source::velocity && s.index < kContactVelocity);
    if (variable) found.insert(reference_of(s.index));
  }
  return {found.begin(), found.end()};
}

std::span<const Expr> Lowering::components(NodeId node) const {
  const std::size_t begin = first_[node];
  const std::size_t end = node + 1 < first_.size() ? first_[node + 1] : values_.size();
  return std::span(values_).subspan(begin, end - begin);
}

std::vector<Expr> Lowering::total_derivative(std::span<const Expr> exprs) const {
  std::vector<Expr> symbols, rates;
  for (const std::size_t r : references_in(exprs)) {
    symbols.insert(symbols.end(), variables_[r].q.begin(), variables_[r].q.end());
    rates.insert(rates.end(), variables_[r].q_dot.begin(), variables_[r].q_dot.end());
  }
  symbols.push_back(t_);
  rates.push_back(pool_.constant(1));
  symbols.insert(symbols.end(), z_.begin(), z_.end());
  rates.insert(rates.end(), z_dot_.begin(), z_dot_.end());
  const std::vector<Expr> gradient = sym::jacobian(pool_, exprs, symbols);
  std::vector<Expr> result;
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    std::vector<Expr> terms;
    for (std::size_t j = 0; j < symbols.size(); ++j)
      terms.push_back(pool_.mul(gradient[i * symbols.size() + j], rates[j]));
    result.push_back(pool_.add(terms));
  }
  return result;
}

// A coordinate or velocity, of the block itself or of another instance of it.
Expr Lowering::variable(const Node& node) {
  const bool coordinate = node.kind == NodeKind::coordinate;
  const std::size_t block = coordinate ? model_.coordinates[node.index].block : model_.velocities[node.index].block;
  const TypedBlock& typed = model_.blocks[block];
  const std::size_t r = node.args.empty() ? block : reference(block, scalar(node.args[0]), node.span);
  return coordinate ? variables_[r].q[node.index - typed.first_coordinate]
                    : variables_[r].u[node.index - typed.first_velocity];
}

void Lowering::forces(const Node& node) {
  const TypedContact& contact = model_.contacts[node.index];
  std::size_t owner = node.index;
  std::string suffix;
  if (!node.args.empty()) {
    ForceReference reference{node.index, {}};
    for (const NodeId arg : node.args) {
      reference.indices.push_back(scalar(arg));
      suffix += (suffix.empty() ? "" : ",") + sym::to_infix(pool_, reference.indices.back(), 60);
    }
    suffix = "[" + suffix + "]";
    owner = 0;
    while (owner < force_references_.size() && !(force_references_[owner].contact == reference.contact &&
                                                 force_references_[owner].indices == reference.indices)) {
      ++owner;
    }
    if (owner == force_references_.size()) force_references_.push_back(std::move(reference));
  }
  const std::string name = with_index(contact.name, suffix);
  for (std::size_t row = node.component; row < node.component + model_.types[node.type].rows; ++row) {
    values_.push_back(pool_.symbol(Source::force, force_index(owner, row), name + "." + contact.force_name(row)));
  }
}

Expr Lowering::call(const Node& node, std::span<const Expr> args) const {
  const std::string_view name = node.function;
  if (const auto meant = shorthand(pool_, name, args[0])) return *meant;
  const Op op = operation_named(name);
  if (args.size() == 1) return pool_.call(op, args[0]);
  Expr result = pool_.call(op, args[0], args[1]);
  for (std::size_t i = 2; i < args.size(); ++i) result = pool_.call(op, result, args[i]);  // a and b and c
  return result;
}

void Lowering::product(const Node& node) {
  const Type& ta = model_.type(node.args[0]);
  const Type& tb = model_.type(node.args[1]);
  const std::vector<Expr> a(components(node.args[0]).begin(), components(node.args[0]).end());
  const std::vector<Expr> b(components(node.args[1]).begin(), components(node.args[1]).end());
  if (ta.size() == 1 || tb.size() == 1) {
    const auto& scalar_part = ta.size() == 1 ? a : b;
    for (const Expr e : ta.size() == 1 ? b : a) values_.push_back(pool_.mul(scalar_part[0], e));
    return;
  }
  for (std::uint32_t i = 0; i < ta.rows; ++i) {
    for (std::uint32_t j = 0; j < tb.cols; ++j) {
      std::vector<Expr> terms;
      for (std::uint32_t k = 0; k < ta.cols; ++k) terms.push_back(pool_.mul(a[i * ta.cols + k], b[k * tb.cols + j]));
      values_.push_back(pool_.add(terms));
    }
  }
}

void Lowering::transposed(NodeId matrix) {
  const Type& from = model_.type(matrix);
  for (std::uint32_t j = 0; j < from.cols; ++j) {
    for (std::uint32_t i = 0; i < from.rows; ++i) values_.push_back(components(matrix)[i * from.cols + j]);
  }
}

// A component of piecewise { condition : value, ... else : value }.
Expr Lowering::piecewise(const Node& node, std::size_t component) {
  Expr result = components(node.args.back())[component];
  for (std::size_t i = node.args.size() - 1; i >= 2; i -= 2) {
    result = pool_.select(scalar(node.args[i - 2]), components(node.args[i - 1])[component], result);
  }
  return result;
}

// Placeholders for the rows of a contact's gamma, which are not known yet (resolve_placeholders).
void Lowering::contact_velocity(NodeId id) {
  const Node& node = model_.nodes[id];
  const TypedContact& contact = model_.contacts[node.index];
  std::size_t row = 0;
  for (const NodeId velocity : contact.velocities) {
    if (velocity == id || model_.nodes[velocity].component == node.component) break;
    row += model_.type(velocity).rows;
  }
  for (std::size_t k = row; k < row + model_.types[node.type].size(); ++k) {
    values_.push_back(pool_.symbol(Source::velocity,
                                   kContactVelocity + static_cast<std::uint32_t>((std::size_t{node.index} << 8U) + k),
                                   fmt::format("{}.gamma[{}]", contact.name, k + 1)));
  }
}

void Lowering::lower(NodeId id) {
  const Node& node = model_.nodes[id];
  if (at_ != nullptr) *at_ = node.span;
  const Type& type = model_.types[node.type];
  first_.push_back(static_cast<std::uint32_t>(values_.size()));
  const auto arg = [&](std::size_t i) { return scalar(node.args[i]); };
  const auto elementwise = [&](auto&& function) {
    for (std::size_t k = 0; k < type.size(); ++k) values_.push_back(function(k));
  };
  switch (node.kind) {
    case NodeKind::number: values_.push_back(pool_.constant(node.value)); break;
    case NodeKind::parameter: values_.push_back(p_[node.index]); break;
    case NodeKind::time: values_.push_back(t_); break;
    case NodeKind::instance:
      values_.push_back(pool_.symbol(Source::instance, node.component,
                                     node.component == 0   ? "i"
                                     : node.component == 1 ? "j"
                                                           : fmt::format("self[{}]", node.component)));
      break;
    case NodeKind::coordinate:
    case NodeKind::velocity: values_.push_back(variable(node)); break;
    case NodeKind::contact_velocity: contact_velocity(id); break;
    case NodeKind::force: forces(node); break;
    case NodeKind::energy: values_.push_back(pool_.symbol(Source::velocity, kEnergy, "energy")); break;
    case NodeKind::sum: {
      elementwise([&](std::size_t k) {
        std::vector<Expr> terms;
        terms.reserve(node.args.size());
        for (const NodeId term : node.args) terms.push_back(components(term)[k]);
        return pool_.add(terms);
      });
      break;
    }
    case NodeKind::product: product(node); break;
    case NodeKind::quotient: {
      const Expr divisor = arg(1);
      elementwise([&](std::size_t k) { return pool_.div(components(node.args[0])[k], divisor); });
      break;
    }
    case NodeKind::negate: elementwise([&](std::size_t k) { return pool_.neg(components(node.args[0])[k]); }); break;
    case NodeKind::power: values_.push_back(pool_.pow(arg(0), arg(1))); break;
    case NodeKind::call:
    case NodeKind::comparison:
    case NodeKind::logic: {
      std::vector<Expr> args;
      for (std::size_t i = 0; i < node.args.size(); ++i) args.push_back(arg(i));
      values_.push_back(call(node, args));
      break;
    }
    case NodeKind::partial: {
      const std::vector<Expr> operand(components(node.args[0]).begin(), components(node.args[0]).end());
      const Expr by = arg(1);
      internal_check(pool_.op(by) == Op::symbol, "a partial derivative by something that is no variable");
      for (const Expr e : sym::jacobian(pool_, operand, std::span(&by, 1))) values_.push_back(e);
      break;
    }
    case NodeKind::derivative: {
      const std::vector<Expr> operand(components(node.args[0]).begin(), components(node.args[0]).end());
      for (const Expr e : total_derivative(operand)) values_.push_back(e);
      break;
    }
    case NodeKind::vector: {
      for (std::size_t i = 0; i < node.args.size(); ++i) values_.push_back(arg(i));
      break;
    }
    case NodeKind::component: values_.push_back(components(node.args[0])[node.index]); break;
    case NodeKind::transpose: transposed(node.args[0]); break;
    case NodeKind::piecewise: elementwise([&](std::size_t k) { return piecewise(node, k); }); break;
    case NodeKind::set:  // not a value, but the function of one is made ready for numbers
      if (is_by_function(node.set)) {
        Expr& body = values_[first_[node.args[0]]];
        body = stabilise_power_sums(pool_, body);
      }
      break;
    case NodeKind::signal: values_.push_back(z_[node.index]); break;
    case NodeKind::set_variable:
      values_.push_back(pool_.symbol(Source::force, kSetVariable + node.index, fmt::format("x[{}]", node.index + 1)));
      break;
    case NodeKind::touch: {
      std::vector<Expr> arguments;
      for (const NodeId a : node.args) {
        const auto parts = components(a);
        arguments.insert(arguments.end(), parts.begin(), parts.end());
      }
      sym::ImplicitGauge touch{sym::ImplicitGauge::touch, 0, {}};
      touch.shapes = model_.touches[node.index];
      const std::uint32_t number = pool_.add_implicit(std::move(touch));
      for (std::uint32_t k = 0; k < type.size(); ++k) values_.push_back(pool_.implicit(number, k, arguments));
      break;
    }
    case NodeKind::table: {
      std::vector<Expr> arguments;
      for (std::size_t i = 0; i < node.args.size(); ++i) arguments.push_back(arg(i));
      sym::ImplicitGauge table{sym::ImplicitGauge::table, 0, {}};
      table.shapes = model_.tables[node.index].data;
      table.name = model_.tables[node.index].name;
      values_.push_back(pool_.implicit(pool_.add_implicit(std::move(table)), 0, arguments));
      break;
    }
    case NodeKind::gauge: {
      const std::vector<Expr> x(components(node.args[1]).begin(), components(node.args[1]).end());
      values_.push_back(gauge_function(model_, *this, pool_, node.args[0], x, GaugeOf::star));
      break;
    }
  }
}

}  // namespace nsmc
