#include "compiler/mechanics/lowering.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>

#include "compiler/mechanics/gauge_function.hpp"
#include "compiler/support/internal_check.hpp"

namespace nsmc {

using sym::Expr;
using sym::Op;
using sym::Source;

namespace {

const std::map<std::string_view, Op>& functions() {
  static const std::map<std::string_view, Op> kFunctions{
      {"sin", Op::sin},       {"cos", Op::cos},     {"tan", Op::tan},   {"asin", Op::asin},     {"acos", Op::acos},
      {"atan", Op::atan},     {"sinh", Op::sinh},   {"cosh", Op::cosh}, {"tanh", Op::tanh},     {"exp", Op::exp},
      {"log", Op::log},       {"abs", Op::abs},     {"sign", Op::sign}, {"atan2", Op::atan2},   {"hypot", Op::hypot},
      {"min", Op::min},       {"max", Op::max},     {"<", Op::less},    {"<=", Op::less_equal}, {"==", Op::equal},
      {"and", Op::logic_and}, {"or", Op::logic_or},
  };
  return kFunctions;
}

}  // namespace

Lowering::Lowering(const TypedModel& model, sym::ExprPool& pool) : model_(model), pool_(pool) {
  t_ = pool.symbol(Source::time, 0, "t");
  const auto symbols = [&](Source source, const auto& list, std::vector<Expr>& into) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      into.push_back(pool.symbol(source, static_cast<std::uint32_t>(i), list[i].name));
    }
  };
  symbols(Source::parameter, model.parameters, p_);
  symbols(Source::coordinate, model.coordinates, q_);
  symbols(Source::velocity, model.velocities, u_);
  std::size_t gammas = 0;
  std::size_t forces = 0;
  for (const TypedContact& contact : model.contacts) {
    gamma_rows_.push_back(gammas);
    force_rows_.push_back(forces);
    for (const NodeId velocity : contact.velocities) gammas += model.type(velocity).rows;
    forces += contact.force_dimensions.size();
  }
  // Rates are elaborated before anything that needs them: lower up to the last one, then the rest.
  std::size_t next = 0;
  const auto lower_until = [&](std::size_t end) {
    for (; next < end; ++next) lower(static_cast<NodeId>(next));
  };
  for (const TypedCoordinate& coordinate : model.coordinates) {
    if (coordinate.rate) lower_until(std::max<std::size_t>(next, *coordinate.rate + 1));
  }
  for (const TypedCoordinate& coordinate : model.coordinates) {
    q_dot_.push_back(coordinate.rate ? scalar(*coordinate.rate) : u_[coordinate.velocity]);
  }
  lower_until(model.nodes.size());
}

std::span<const Expr> Lowering::components(NodeId node) const {
  const std::size_t begin = first_[node];
  const std::size_t end = node + 1 < first_.size() ? first_[node + 1] : values_.size();
  return std::span(values_).subspan(begin, end - begin);
}

std::vector<Expr> Lowering::total_derivative(std::span<const Expr> exprs) const {
  std::vector<Expr> symbols(q_.begin(), q_.end());
  symbols.push_back(t_);
  const std::vector<Expr> gradient = sym::jacobian(pool_, exprs, symbols);
  std::vector<Expr> result;
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    std::vector<Expr> terms;
    for (std::size_t j = 0; j < q_.size(); ++j) terms.push_back(pool_.mul(gradient[i * symbols.size() + j], q_dot_[j]));
    terms.push_back(gradient[i * symbols.size() + q_.size()]);
    result.push_back(pool_.add(terms));
  }
  return result;
}

Expr Lowering::call(const Node& node, std::span<const Expr> args) const {
  const std::string_view name = node.function;
  if (name == "sqrt") return pool_.sqrt(args[0]);
  if (name == "not") return pool_.call(Op::logic_not, args[0]);
  const Op op = functions().at(name);
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

void Lowering::lower(NodeId id) {
  const Node& node = model_.nodes[id];
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
    case NodeKind::coordinate: values_.push_back(q_[node.index]); break;
    case NodeKind::velocity: values_.push_back(u_[node.index]); break;
    case NodeKind::contact_velocity: {
      const TypedContact& contact = model_.contacts[node.index];
      std::size_t row = gamma_rows_[node.index];
      for (const NodeId velocity : contact.velocities) {
        if (velocity == id || model_.nodes[velocity].component == node.component) break;
        row += model_.type(velocity).rows;
      }
      elementwise([&](std::size_t k) {
        return pool_.symbol(Source::velocity, static_cast<std::uint32_t>(kContactVelocity + row + k),
                            fmt::format("{}.gamma[{}]", contact.name, row + k));
      });
      break;
    }
    case NodeKind::force: {
      const TypedContact& contact = model_.contacts[node.index];
      const std::size_t row = force_rows_[node.index] + node.component;
      for (std::size_t k = 0; k < type.rows; ++k) {
        std::string name = fmt::format("{}.lambda[{}]", contact.name, node.component + k);
        for (const TypedLaw& law : contact.laws) {
          for (const ForceVariable& force : law.forces) {
            const std::size_t at = node.component + k;
            if (at < force.first || at >= force.first + force.size) continue;
            name = force.size == 1 ? fmt::format("{}.{}", contact.name, force.name)
                                   : fmt::format("{}.{}[{}]", contact.name, force.name, at - force.first + 1);
          }
        }
        values_.push_back(pool_.symbol(Source::force, static_cast<std::uint32_t>(kUserForce + row + k), name));
      }
      break;
    }
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
    case NodeKind::transpose: {
      const Type& from = model_.type(node.args[0]);
      for (std::uint32_t j = 0; j < from.cols; ++j) {
        for (std::uint32_t i = 0; i < from.rows; ++i) {
          values_.push_back(components(node.args[0])[i * from.cols + j]);
        }
      }
      break;
    }
    case NodeKind::piecewise: {
      elementwise([&](std::size_t k) {
        Expr result = components(node.args.back())[k];
        for (std::size_t i = node.args.size() - 1; i >= 2; i -= 2) {
          result = pool_.select(arg(i - 2), components(node.args[i - 1])[k], result);
        }
        return result;
      });
      break;
    }
    case NodeKind::set_interval:
    case NodeKind::set_ball:
    case NodeKind::set_ellipsoid:
    case NodeKind::set_product:
    case NodeKind::set_map:
    case NodeKind::set_scale:
    case NodeKind::set_shift:
    case NodeKind::set_superellipse:
    case NodeKind::set_polygon:
    case NodeKind::set_intersection:
    case NodeKind::set_gauge:
    case NodeKind::set_support: break;  // not values
    case NodeKind::set_variable:
      values_.push_back(pool_.symbol(Source::force, kSetVariable + node.index, fmt::format("x[{}]", node.index + 1)));
      break;
    case NodeKind::gauge: {
      const std::vector<Expr> x(components(node.args[1]).begin(), components(node.args[1]).end());
      values_.push_back(gauge_function(model_, *this, pool_, node.args[0], x));
      break;
    }
  }
}

}  // namespace nsmc
