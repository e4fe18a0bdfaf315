#include "compiler/symbolic/reading_order.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace nsmc::sym {

namespace {

int rank(const ExprPool& pool, const ReadFactor& factor) {
  switch (pool.op(factor.base)) {
    case Op::constant: return 0;
    case Op::symbol: return pool.symbol(factor.base).source == Source::parameter ? 1 : 2;
    case Op::add: return 4;
    case Op::select: return 5;
    default: return 3;
  }
}

bool has_negative_exponent(const ExprPool& pool, Expr e) {
  return pool.op(e) == Op::pow && pool.is_constant(pool.args(e)[1]) && pool.value(pool.args(e)[1]) < 0;
}

}  // namespace

bool reads_as_product(const ExprPool& pool, Expr e) { return pool.op(e) == Op::mul || has_negative_exponent(pool, e); }

ReadProduct read_product(const ExprPool& pool, Expr e) {
  ReadProduct product;
  const auto read = [&](Expr factor) {
    const bool constant_power = pool.op(factor) == Op::pow && pool.is_constant(pool.args(factor)[1]);
    const double exponent = constant_power ? pool.value(pool.args(factor)[1]) : 1;
    const Expr base = constant_power ? pool.args(factor)[0] : factor;
    if (exponent < 0)
      product.denominator.push_back({base, -exponent});
    else
      product.numerator.push_back({base, exponent});
  };
  if (pool.op(e) == Op::mul) {
    auto factors = pool.args(e);
    if (pool.is_constant(factors[0])) {
      product.coefficient = pool.value(factors[0]);
      factors = factors.subspan(1);
    }
    for (Expr factor : factors) read(factor);
  } else {
    read(e);
  }
  for (auto* side : {&product.numerator, &product.denominator})
    std::stable_sort(side->begin(), side->end(),
                     [&](const ReadFactor& a, const ReadFactor& b) { return rank(pool, a) < rank(pool, b); });
  return product;
}

bool reads_negative(const ExprPool& pool, Expr e) {
  if (pool.is_constant(e)) return pool.value(e) < 0;
  return pool.op(e) == Op::mul && pool.is_constant(pool.args(e)[0]) && pool.value(pool.args(e)[0]) < 0;
}

std::vector<Expr> read_sum(const ExprPool& pool, Expr e) {
  std::vector<Expr> terms(pool.args(e).begin(), pool.args(e).end());
  const auto positive =
      std::find_if(terms.begin(), terms.end(), [&](Expr term) { return !reads_negative(pool, term); });
  if (positive != terms.end()) std::rotate(terms.begin(), positive, positive + 1);
  return terms;
}

std::vector<Expr> read_branches(const ExprPool& pool, Expr e) {
  std::vector<Expr> branches;
  for (; pool.op(e) == Op::select; e = pool.args(e)[2]) {
    branches.push_back(pool.args(e)[0]);
    branches.push_back(pool.args(e)[1]);
  }
  branches.push_back(e);
  return branches;
}

std::string read_number(double value) { return fmt::format("{}", value); }

}  // namespace nsmc::sym
