// Derivatives of k(x; c). In x they are components of the node itself. In a coefficient c_j, with v = grad k,
//     polar     k = v . x, Phi(v; c) = 1:           dk/dc_j = -k dPhi/dc_j (v; c)
//     shifted   k0(x/k - c; a) = 1:                 dk/dc_j = -k v_j,   dk/da_j = k (1 - v . c) dk0/da_j (x/k - c; a)
// and those of v follow by differentiating these expressions in x.
#include "compiler/symbolic/implicit.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "compiler/support/internal_check.hpp"
#include "compiler/symbolic/pool_impl.hpp"
#include "compiler/symbolic/tape.hpp"
#include "runtime/collision/kernel.hpp"
#include "runtime/sets/by_function/implicit_gauge.hpp"
#include "runtime/tables/table.hpp"

namespace nsmc::sym {

namespace {

using rt::collision::touch_slopes;
using rt::collision::touch_values;
constexpr std::uint32_t most_outputs = std::max(1u + 6 + 36, touch_slopes);

Expr point(ExprPool& pool, std::size_t i) {
  return pool.symbol(Source::force, static_cast<std::uint32_t>(i), fmt::format("x[{}]", i + 1));
}
Expr coefficient(ExprPool& pool, std::size_t i) {
  return pool.symbol(Source::instance, static_cast<std::uint32_t>(i), fmt::format("c[{}]", i + 1));
}

// A body as a kernel, whose context it is.
class InterpretedBody {
 public:
  InterpretedBody(const ExprPool& pool, const ImplicitGauge& gauge) : tape_(pool, gauge.order, gauge.outputs) {}

  static void kernel(const nsm_view* view, double* out) {
    Tape& tape = static_cast<const InterpretedBody*>(view->context)->tape_;
    tape.run([&](const Symbol& symbol) {
      return (symbol.source == Source::force ? view->lambda : view->self)[symbol.index];
    });
    std::ranges::copy(tape.results(), out);
  }

 private:
  mutable Tape tape_;  // its values are scratch of a call
};

}  // namespace

std::uint32_t ExprPool::add_implicit(ImplicitGauge gauge) {
  auto& known = impl_->implicit_gauges;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i].kind == gauge.kind && known[i].dim == gauge.dim && known[i].body == gauge.body &&
        known[i].shapes == gauge.shapes && known[i].name == gauge.name)
      return static_cast<std::uint32_t>(i);
  }
  if (gauge.kind == ImplicitGauge::polar || gauge.kind == ImplicitGauge::shifted) {
    std::vector<Expr> x;
    for (std::size_t i = 0; i < gauge.dim; ++i) x.push_back(point(*this, i));
    gauge.outputs = {gauge.body};
    const std::vector<Expr> gradient = jacobian(*this, gauge.outputs, x);
    const std::vector<Expr> hessian = jacobian(*this, gradient, x);
    gauge.outputs.insert(gauge.outputs.end(), gradient.begin(), gradient.end());
    gauge.outputs.insert(gauge.outputs.end(), hessian.begin(), hessian.end());
    gauge.order = topological_order(*this, gauge.outputs);
  }
  known.push_back(std::move(gauge));
  return static_cast<std::uint32_t>(known.size() - 1);
}

const ImplicitGauge& ExprPool::implicit(std::uint32_t number) const { return impl_->implicit_gauges.at(number); }
std::size_t ExprPool::implicit_count() const { return impl_->implicit_gauges.size(); }

Expr ExprPool::implicit(std::uint32_t number, std::uint32_t component, std::span<const Expr> arguments) {
  std::vector<Expr> all{constant(number), constant(component)};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return impl_->intern(Op::implicit, all);
}

const ImplicitGauge& ExprPool::implicit_of(Expr e) const {
  internal_check(op(e) == Op::implicit, "implicit_of an expression that is no implicit gauge");
  return implicit(static_cast<std::uint32_t>(value(args(e)[0])));
}

double implicit_value(const ExprPool& pool, Expr node, std::span<const double> operands) {
  const ImplicitGauge& gauge = pool.implicit_of(node);
  // The body may be asked for another gauge while `operands` belongs to it.
  const std::vector<double> arguments(operands.begin() + 2, operands.end());
  const auto rest = static_cast<std::uint32_t>(arguments.size()) - gauge.dim;
  const auto component = static_cast<std::size_t>(operands[1]);
  double out[most_outputs];
  switch (gauge.kind) {
    case ImplicitGauge::polar: {
      const InterpretedBody body(pool, gauge);
      nsm_polar_gauge(InterpretedBody::kernel, &body, gauge.dim, rest, arguments.data(), out);
      break;
    }
    case ImplicitGauge::shifted: {
      const InterpretedBody body(pool, gauge);
      nsm_shifted_gauge(InterpretedBody::kernel, &body, gauge.dim, rest - gauge.dim, arguments.data(), out);
      break;
    }
    case ImplicitGauge::parabolic:
      nsm_polar_gauge(nsm_contensou_parabolic, nullptr, 3, 3, arguments.data(), out);
      break;
    case ImplicitGauge::uniform: nsm_polar_gauge(nsm_contensou_uniform, nullptr, 3, 3, arguments.data(), out); break;
    case ImplicitGauge::table: nsm_table(nullptr, gauge.shapes.data(), 0, rest, arguments.data(), out); break;
    case ImplicitGauge::touch:
      (component < touch_values ? nsm_touch : nsm_touch_slopes)(nullptr, gauge.shapes.data(), 0, rest, arguments.data(),
                                                                out);
      break;
  }
  return out[component];
}

namespace {

// d(gap, n, p1, p2)/d(argument) of a touch. With the velocity of a centre and the angular velocity of a frame as
// columns, J_v and J_w: the turn that belongs to a change of the columns r_k of a rotation is sum_k r_k x dr_k/2.
Expr touch_partial(ExprPool& pool, const ImplicitGauge& gauge, std::uint32_t number, std::uint32_t component,
                   std::span<const Expr> arguments, std::size_t argument) {
  using rt::collision::measures_of;
  if (component >= touch_values) return pool.constant(std::numeric_limits<double>::quiet_NaN());
  const std::size_t second =
      12 + static_cast<std::size_t>(measures_of(static_cast<rt::collision::SolidKind>(gauge.shapes[0])));
  const bool first = argument < second;
  const std::size_t begin = first ? 0 : second, at = argument - begin;
  if (at >= 12) return pool.constant(0);  // measures do not depend on the state
  const auto value = [&](std::uint32_t k) { return pool.implicit(number, k, arguments); };
  const auto J = [&](std::size_t motion) {  // of the component, by motion 0 ... 5 of this solid
    if (component > 0) {
      return value(touch_values + 12 * (component - 1) + (first ? 0 : 6) + static_cast<std::uint32_t>(motion));
    }
    // gap' = n . (v + w x (p - x)), and minus that of the second solid
    const auto k = static_cast<std::uint32_t>(motion % 3);
    const auto n = [&](std::uint32_t i) { return value(1 + i % 3); };
    const auto arm = [&](std::uint32_t i) {
      return pool.sub(value((first ? 4 : 7) + i % 3), arguments[begin + i % 3]);
    };
    const Expr rate = motion < 3 ? n(k) : pool.sub(pool.mul(arm(k + 1), n(k + 2)), pool.mul(arm(k + 2), n(k + 1)));
    return first ? rate : pool.neg(rate);
  };
  if (at < 3) return J(at);
  const std::size_t row = (at - 3) / 3, column = (at - 3) % 3;
  const auto r = [&](std::size_t i) { return arguments[begin + 3 + 3 * (i % 3) + column]; };
  // (r x e_row): its component row + 1 is r_(row + 2), row + 2 is -r_(row + 1)
  return pool.mul(pool.constant(0.5),
                  pool.sub(pool.mul(J(3 + (row + 1) % 3), r(row + 2)), pool.mul(J(3 + (row + 2) % 3), r(row + 1))));
}

// Components are derivatives, k by the first argument and l by the second at orders k + l; beyond they are 0.
Expr table_partial(ExprPool& pool, std::uint32_t number, std::uint32_t component, std::span<const Expr> arguments,
                   std::size_t argument) {
  constexpr std::uint32_t orders = rt::tables::most_derivatives + 1;
  const bool first_of_two = arguments.size() == 2 && argument == 0;
  const std::uint32_t order = first_of_two ? component / orders : component % orders;
  if (order + 1 == orders) return pool.constant(0);
  return pool.implicit(number, component + (first_of_two ? orders : 1), arguments);
}

}  // namespace

Expr implicit_partial(ExprPool& pool, Expr node, std::size_t argument) {
  const ImplicitGauge gauge = pool.implicit_of(node);
  const std::vector<Expr> all(pool.args(node).begin(), pool.args(node).end()), arguments(all.begin() + 2, all.end());
  const auto number = static_cast<std::uint32_t>(pool.value(all[0]));
  const auto component = static_cast<std::uint32_t>(pool.value(all[1]));
  if (gauge.kind == ImplicitGauge::table) return table_partial(pool, number, component, arguments, argument);
  if (gauge.kind == ImplicitGauge::touch) {
    return touch_partial(pool, gauge, number, component, arguments, argument);
  }
  const std::uint32_t n = gauge.dim;
  if (component > n) return pool.constant(std::numeric_limits<double>::quiet_NaN());
  if (argument < n) {
    const auto j = static_cast<std::uint32_t>(argument);
    return pool.implicit(number, component == 0 ? 1 + j : 1 + n + (component - 1) * n + j, arguments);
  }
  // dk/dc_j with symbols for all arguments, and its derivative in x; then the arguments in place of the symbols.
  std::vector<Expr> symbols;
  for (std::size_t i = 0; i < n; ++i) symbols.push_back(point(pool, i));
  for (std::size_t i = n; i < arguments.size(); ++i) symbols.push_back(coefficient(pool, i - n));
  const Expr k = pool.implicit(number, 0, symbols);
  std::vector<Expr> v;
  for (std::uint32_t i = 0; i < n; ++i) v.push_back(pool.implicit(number, 1 + i, symbols));
  const std::size_t j = argument - n;
  const bool moves = gauge.kind != ImplicitGauge::polar && j < n;  // c_j is a coordinate of the shift
  Expr slope;
  if (moves) {
    slope = pool.neg(pool.mul(k, v[j]));
  } else {
    // The symbols of the body are its own: coefficients of a shifted set come after the shift.
    const bool shifted = gauge.kind == ImplicitGauge::shifted;
    const std::size_t first = shifted ? n : 0;
    const Expr in_body = derivative(pool, gauge.body, coefficient(pool, j - first));
    std::vector<Expr> place;
    for (std::size_t i = 0; i < n; ++i) {
      place.push_back(shifted ? pool.sub(pool.div(symbols[i], k), symbols[n + i]) : v[i]);
    }
    const Expr at_place = substitute(pool, std::span(&in_body, 1), [&](Expr s) {
      const Symbol& symbol = pool.symbol(s);
      return symbol.source == Source::force ? place[symbol.index] : symbols[n + first + symbol.index];
    })[0];
    Expr factor = pool.neg(k);
    if (shifted) {
      std::vector<Expr> terms{pool.constant(1)};
      for (std::size_t i = 0; i < n; ++i) terms.push_back(pool.neg(pool.mul(v[i], symbols[n + i])));
      factor = pool.mul(k, pool.add(terms));
    }
    slope = pool.mul(factor, at_place);
  }
  if (component > 0) slope = derivative(pool, slope, symbols[component - 1]);
  return substitute(pool, std::span(&slope, 1), [&](Expr s) {
    const Symbol& symbol = pool.symbol(s);
    return arguments[symbol.source == Source::force ? symbol.index : n + symbol.index];
  })[0];
}

std::string implicit_name(const ExprPool& pool, Expr node) {
  const double number = pool.value(pool.args(node)[0]), component = pool.value(pool.args(node)[1]);
  if (pool.implicit_of(node).kind == ImplicitGauge::table) {
    constexpr int orders = rt::tables::most_derivatives + 1;
    const auto order = static_cast<int>(component);
    if (pool.args(node).size() == 3)
      return pool.implicit_of(node).name + std::string(static_cast<std::size_t>(order), '\'');
    return pool.implicit_of(node).name + (order == 0 ? "" : "_") +
           std::string(static_cast<std::size_t>(order / orders), 'x') +
           std::string(static_cast<std::size_t>(order % orders), 'y');
  }
  const char* what = pool.implicit_of(node).kind == ImplicitGauge::touch ? "touch" : "gauge";
  return component == 0 ? fmt::format("{}_{}", what, number + 1) : fmt::format("{}_{}_{}", what, number + 1, component);
}

}  // namespace nsmc::sym
