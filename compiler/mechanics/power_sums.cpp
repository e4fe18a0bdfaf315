// With the larger number taken out,
//     (a^n + b^n)^(1/n) = max (1 + (min/max)^n)^(1/n),
// nothing is raised to the power but numbers up to 1, and what underflows is lost beside 1. More terms: two at a time.
// Its derivatives are exact where those of the original are: max and min take their branches, and what the formula
// adds and takes away again, (min/max)^n, is at most 1. Small exponents stay as they are written, which is faster: t^n
// and, in second derivatives, t^(2n) have room for forces from 1e-30 to 1e30 up to the fourth power.
#include "compiler/mechanics/power_sums.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "compiler/mechanics/lowering.hpp"

namespace nsmc {

using sym::Expr;
using sym::Op;

namespace {

constexpr double kPlainExponent = 4;
// No number below 1 leaves anything of it with this exponent: the norm is the largest number then.
constexpr double kInfiniteExponent = 1e100;

Expr largest_of(sym::ExprPool& pool, std::span<const Expr> t) {
  Expr result = t[0];
  for (const Expr e : t.subspan(1)) result = pool.call(Op::max, result, e);
  return result;
}

Expr stable_norm(sym::ExprPool& pool, Expr a, Expr b, Expr n) {
  const Expr large = pool.call(Op::max, a, b), small = pool.call(Op::min, a, b);
  // At a = b = 0 the norm is 0, not 0/0. (And the power of a choice stays one, that of a quotient would become
  // min^n/max^n in the normal form.)
  const Expr zero = pool.constant(0);
  const Expr ratio = pool.select(pool.call(Op::equal, large, zero), zero, pool.div(small, large));
  const Expr sum = pool.add(pool.constant(1), pool.pow(ratio, n));
  return pool.mul(large, pool.pow(sum, pool.div(pool.constant(1), n)));
}

bool is_point(const sym::Symbol& s) { return s.source == sym::Source::force && s.index >= kSetVariable; }

bool is_even(double e) { return std::fmod(e, 2) == 0; }

// As far as the form shows it.
bool is_nonnegative(const sym::ExprPool& pool, Expr e) {
  if (pool.is_constant(e)) return pool.value(e) > 0;
  if (pool.op(e) == Op::abs || pool.op(e) == Op::hypot) return true;
  if (pool.op(e) != Op::pow) return false;
  const Expr base = pool.args(e)[0], exponent = pool.args(e)[1];
  return pool.op(base) == Op::abs || !pool.is_constant(exponent) ||
         pool.value(exponent) != std::floor(pool.value(exponent)) || is_even(pool.value(exponent));
}

// 1/49*49 is not 1.
double whole_if_close(double x) { return std::abs(x - std::round(x)) <= 1e-14 * std::abs(x) ? std::round(x) : x; }

// t with term = t^n, t >= 0, n = 1/r, if the point occurs in it to the first power.
std::optional<Expr> root_of(sym::ExprPool& pool, Expr term, Expr n, Expr r) {
  std::vector<Expr> factors{term};
  if (pool.op(term) == Op::mul) factors.assign(pool.args(term).begin(), pool.args(term).end());
  for (Expr& factor : factors) {
    const bool varies = sym::depends_on(pool, factor, is_point);
    if (!is_nonnegative(pool, factor)) return std::nullopt;
    Expr base = factor, exponent = pool.constant(1);
    if (pool.op(factor) == Op::pow) {
      base = pool.args(factor)[0];
      exponent = pool.args(factor)[1];
    }
    Expr power = exponent == n ? pool.constant(1) : pool.mul(exponent, r);  // an infinite n is not folded
    if (pool.is_constant(power)) power = pool.constant(whole_if_close(pool.value(power)));
    if (varies && !pool.is_constant(power, 1)) return std::nullopt;
    factor = pool.pow(pool.call(Op::abs, base), power);
  }
  return pool.mul(factors);
}

// sum^r, if it is such a sum.
std::optional<Expr> as_power_norm(sym::ExprPool& pool, Expr sum, Expr r) {
  if (pool.op(sum) != Op::add) return std::nullopt;
  Expr n = pool.pow(r, pool.constant(-1));
  if (pool.is_constant(n)) n = pool.constant(whole_if_close(pool.value(n)));
  if (pool.is_constant(n) && !(pool.value(n) > kPlainExponent)) return std::nullopt;
  const std::vector<Expr> terms(pool.args(sum).begin(), pool.args(sum).end());
  std::vector<Expr> t;
  for (const Expr term : terms) {
    const auto root = sym::depends_on(pool, term, is_point) ? root_of(pool, term, n, r) : std::nullopt;
    if (!root) return std::nullopt;
    t.push_back(*root);
  }
  return power_norm(pool, t, n);
}

}  // namespace

Expr power_norm(sym::ExprPool& pool, std::span<const Expr> t, Expr n) {
  const bool constant = pool.is_constant(n);
  if (constant && pool.value(n) >= kInfiniteExponent) return largest_of(pool, t);
  if (constant && pool.value(n) <= kPlainExponent) {
    std::vector<Expr> powers;
    for (const Expr e : t) powers.push_back(pool.pow(e, n));
    return pool.pow(pool.add(powers), pool.div(pool.constant(1), n));
  }
  const Expr finite = pool.call(Op::min, n, pool.constant(kInfiniteExponent));
  Expr result = t[0];
  for (const Expr e : t.subspan(1)) result = stable_norm(pool, result, e, finite);
  return result;
}

Expr stabilise_power_sums(sym::ExprPool& pool, Expr body) {
  std::map<std::uint32_t, Expr> image;
  for (const Expr e : sym::topological_order(pool, std::span(&body, 1))) {
    if (pool.op(e) == Op::constant || pool.op(e) == Op::symbol) {
      image.emplace(e.id, e);
      continue;
    }
    std::vector<Expr> arguments(pool.args(e).begin(), pool.args(e).end());
    for (Expr& argument : arguments) argument = image.at(argument.id);
    const auto norm = pool.op(e) == Op::pow ? as_power_norm(pool, arguments[0], arguments[1]) : std::nullopt;
    image.emplace(e.id, norm ? *norm : sym::rebuild(pool, pool.op(e), arguments));
  }
  return image.at(body.id);
}

}  // namespace nsmc
