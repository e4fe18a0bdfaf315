// Random expressions, built twice: through the pool and as a plain tree of the same operations, which is evaluated
// as written and knows whether the point is safe to compare at.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "compiler/symbolic/expr.hpp"

namespace nsmc::sym::test {

struct Plain {
  Op op{};
  double value = 0;  // of a constant
  int symbol = 0;
  std::vector<int> args;
};

struct RandomExpression {
  ExprPool pool;
  std::array<Expr, 3> symbols{pool.symbol(Source::coordinate, 0, "x"), pool.symbol(Source::coordinate, 1, "y"),
                              pool.symbol(Source::coordinate, 2, "z")};
  std::vector<Plain> nodes;
  std::vector<Expr> exprs;  // of each node
  // Takes u^v with a variable v as defined for u > 0 only, as its derivative, which has log(u), is.
  bool positive_bases = false;

  RandomExpression(unsigned seed, bool smooth, int size) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return static_cast<int>(random() % n); };
    for (int s = 0; s < 3; ++s) push({Op::symbol, 0, s, {}}, symbols[static_cast<std::size_t>(s)]);
    constexpr std::array constants{-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0};
    for (double v : constants) push({Op::constant, v, 0, {}}, pool.constant(v));
    static constexpr std::array smooth_ops{Op::add, Op::add, Op::add,  Op::mul,  Op::mul,  Op::mul,   Op::pow,
                                           Op::pow, Op::sin, Op::cos,  Op::tan,  Op::asin, Op::acos,  Op::atan,
                                           Op::exp, Op::log, Op::tanh, Op::sinh, Op::cosh, Op::atan2, Op::hypot};
    static constexpr std::array kinked_ops{
        Op::abs,  Op::sign,   Op::min,  Op::max,        Op::floor, Op::ceil,      Op::round,     Op::mod,
        Op::cbrt, Op::select, Op::less, Op::less_equal, Op::equal, Op::logic_not, Op::logic_and, Op::logic_or};
    for (int i = 0; i < size; ++i) {
      const int choice = below(smooth_ops.size() + (smooth ? 0 : kinked_ops.size()));
      const auto at = static_cast<std::size_t>(choice);
      const Op op = at < smooth_ops.size() ? smooth_ops[at] : kinked_ops[at - smooth_ops.size()];
      std::size_t arity = op == Op::select ? 3 : op == Op::add || op == Op::mul ? 2 + random() % 3 : 2;
      const ScalarFunction* function = function_of(op);
      if (op == Op::logic_not || (function != nullptr && function->arity == Arity::one)) arity = 1;
      std::vector<int> args;
      std::vector<Expr> ids;
      for (std::size_t k = 0; k < arity; ++k) {
        const int argument = op == Op::pow && k == 1 && below(4) != 0 ? 3 + below(8) : below(nodes.size());
        args.push_back(argument);
        ids.push_back(exprs[static_cast<std::size_t>(argument)]);
      }
      push({op, 0, 0, args}, rebuild(pool, op, ids));
    }
  }

  void push(Plain node, Expr e) {
    nodes.push_back(std::move(node));
    exprs.push_back(e);
  }

  // Values of all nodes as written; NaN where a node is undefined, out of scale or too near to a jump to tell sides.
  std::vector<double> plain_values(const std::array<double, 3>& point) const {
    std::vector<double> values;
    for (const Plain& node : nodes) values.push_back(plain_value(node, values, point));
    return values;
  }

 private:
  double plain_value(const Plain& node, const std::vector<double>& values, const std::array<double, 3>& point) const {
    if (node.op == Op::constant) return node.value;
    if (node.op == Op::symbol) return point[static_cast<std::size_t>(node.symbol)];
    std::array<double, 4> v{};
    for (std::size_t k = 0; k < node.args.size(); ++k) {
      v[k] = values[static_cast<std::size_t>(node.args[k])];
      if (std::isnan(v[k])) return NAN;
    }
    const auto [a, b, c, d] = v;
    const auto side = [](double p, double q) { return std::abs(p - q) < 1e-6 ? NAN : p < q ? 1.0 : 0.0; };
    double result = NAN;
    if (positive_bases && node.op == Op::pow && a <= 0 &&
        nodes[static_cast<std::size_t>(node.args[1])].op != Op::constant)
      return NAN;
    switch (node.op) {
      case Op::add: result = a + b + c + d; break;
      case Op::mul: result = a * b * (node.args.size() > 2 ? c : 1) * (node.args.size() > 3 ? d : 1); break;
      case Op::pow: result = b != std::floor(b) && a < 1e-6 ? NAN : std::pow(a, b); break;
      case Op::sin: result = std::sin(a); break;
      case Op::cos: result = std::cos(a); break;
      case Op::tan: result = std::tan(a); break;
      case Op::asin: result = std::abs(a) > 0.999 ? NAN : std::asin(a); break;
      case Op::acos: result = std::abs(a) > 0.999 ? NAN : std::acos(a); break;
      case Op::atan: result = std::atan(a); break;
      case Op::sinh: result = std::sinh(a); break;
      case Op::cosh: result = std::cosh(a); break;
      case Op::tanh: result = std::tanh(a); break;
      case Op::exp: result = std::exp(a); break;
      case Op::log: result = a < 1e-6 ? NAN : std::log(a); break;
      case Op::abs: result = a < 0 ? -a : a; break;
      case Op::sign: result = std::abs(a) < 1e-6 ? NAN : a < 0 ? -1 : 1; break;
      case Op::atan2:
        result = std::hypot(a, b) < 1e-6 || (b <= 0 && std::abs(a) < 1e-6) ? NAN : std::atan2(a, b);
        break;
      case Op::hypot: result = std::sqrt(a * a + b * b); break;
      case Op::min: result = std::min(a, b); break;
      case Op::max: result = std::max(a, b); break;
      case Op::floor: result = near_whole(a) ? NAN : std::floor(a); break;
      case Op::ceil: result = near_whole(a) ? NAN : std::ceil(a); break;
      case Op::round: result = near_whole(a - 0.5) ? NAN : std::round(a); break;
      case Op::mod: result = near_whole(a / b) ? NAN : a - b * std::floor(a / b); break;
      case Op::cbrt: result = std::abs(a) < 1e-6 ? NAN : std::cbrt(a); break;
      case Op::less: result = side(a, b); break;
      case Op::less_equal: result = side(a, b); break;
      case Op::equal: result = std::isnan(side(a, b)) ? NAN : 0; break;
      case Op::logic_not: result = near_zero(a) ? NAN : a == 0; break;
      case Op::logic_and: result = near_zero(a) || near_zero(b) ? NAN : a != 0 && b != 0; break;
      case Op::logic_or: result = near_zero(a) || near_zero(b) ? NAN : a != 0 || b != 0; break;
      case Op::select: result = near_zero(a) ? NAN : a != 0 ? b : c; break;
      default: break;
    }
    // Beyond this scale rounding errors of two equal expressions differ too much to compare.
    return std::abs(result) < 1e4 && (result == 0 || std::abs(result) > 1e-5) ? result : NAN;
  }

  static bool near_whole(double a) { return std::abs(a - std::round(a)) < 1e-6; }
  static bool near_zero(double a) { return a != 0 && std::abs(a) < 1e-5; }
};

}  // namespace nsmc::sym::test
