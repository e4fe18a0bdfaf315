// (t_1^n + t_2^n + ...)^(1/n) with exponents that leave the range of double precision, against logarithms.
#include "compiler/mechanics/power_sums.hpp"

#include "compiler/mechanics/lowering.hpp"
#include "tests/unit/mechanics/derived_model.hpp"

using namespace nsmc;
using namespace nsmc::test;
using sym::Expr;
using sym::Op;
using sym::Source;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// k = |x|_n with gradient and Hessian, through log(sum exp): with p_i = (x_i/k)^n, k_i = p_i k/x_i and
// k_ij = (n - 1) k (p_i delta_ij - p_i p_j)/(x_i x_j).
std::vector<double> expected(const std::vector<double>& x, double n) {
  const double largest = *std::max_element(x.begin(), x.end());
  long double sum = 0;
  for (const double t : x) sum += std::exp(n * std::log(static_cast<long double>(t) / largest));
  const long double k = largest * std::exp(std::log(sum) / n);
  std::vector<double> result{static_cast<double>(k)};
  const auto p = [&](std::size_t i) { return std::exp(n * std::log(static_cast<long double>(x[i]) / k)); };
  for (std::size_t i = 0; i < x.size(); ++i) result.push_back(static_cast<double>(p(i) * k / x[i]));
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      result.push_back(static_cast<double>((n - 1) * k * p(i) * ((i == j ? 1 : 0) - p(j)) / x[i] / x[j]));
    }
  }
  return result;
}

void check_norm(sym::ExprPool& pool, Expr k, const std::vector<Expr>& x, const std::vector<double>& at, double s,
                double n) {
  const std::vector<Expr> gradient = sym::jacobian(pool, std::span(&k, 1), x);
  std::vector<Expr> all{k};
  all.insert(all.end(), gradient.begin(), gradient.end());
  const std::vector<Expr> hessian = sym::jacobian(pool, gradient, x);
  all.insert(all.end(), hessian.begin(), hessian.end());
  const std::vector<double> values = sym::evaluate(pool, all, [&](const sym::Symbol& symbol) {
    return symbol.source == Source::parameter ? s : at[symbol.index - kSetVariable];
  });
  const std::vector<double> answers = expected(at, n);
  REQUIRE(values.size() == answers.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    CAPTURE(i);
    // x^n loses n roundings of x, and y^(1/n) log(y) of the rounding of 1/n. Terms of second derivatives cancel.
    const double scale = i == 0 ? answers[0] : i <= x.size() ? answers[0] / at[0] : n * answers[0] / (at[0] * at[0]);
    const double lost = 20 + n + std::abs(std::log(at[0]));
    CHECK(std::abs(values[i] - answers[i]) <= 3e-15 * lost * (std::abs(answers[i]) + 1e-3 * scale));
  }
}

}  // namespace

TEST_CASE("power sums: value, gradient and Hessian at exponents up to 1e6, forces from 1e-30 to 1e30") {
  Random random(7);
  for (const std::size_t dim : {2U, 3U}) {
    for (const double n : {1.5, 2.0, 3.0, 4.0, 5.0, 7.5, 12.0, 80.0, 200.0, 1000.0, 1e6}) {
      for (const double scale : {1e-30, 1e-6, 1.0, 600.0, 1e30}) {
        for (int trial = 0; trial < 20; ++trial) {
          std::vector<double> at(dim, scale * random.in(0.5, 2));
          // Ratios at which both terms count.
          for (std::size_t i = 1; i < dim; ++i) at[i] = at[0] * std::exp(random.in(-3, 3) / n);
          CAPTURE(n);
          CAPTURE(scale);
          sym::ExprPool pool;
          const Expr s = pool.symbol(Source::parameter, 0, "s");
          std::vector<Expr> x, t, powers;
          for (std::size_t i = 0; i < dim; ++i) {
            x.push_back(pool.symbol(Source::force, static_cast<std::uint32_t>(kSetVariable + i), "x"));
            t.push_back(pool.call(Op::abs, x.back()));
            powers.push_back(pool.pow(t.back(), pool.constant(n)));
          }
          check_norm(pool, power_norm(pool, t, pool.constant(n)), x, at, n, n);
          check_norm(pool, power_norm(pool, t, s), x, at, n, n);
          const Expr written = pool.pow(pool.add(powers), pool.constant(1 / n));
          check_norm(pool, stabilise_power_sums(pool, written), x, at, n, n);
        }
      }
    }
  }
}

TEST_CASE("power sums: an infinite exponent, and the point 0") {
  sym::ExprPool pool;
  const Expr s = pool.symbol(Source::parameter, 0, "s");
  const std::vector<Expr> t{pool.symbol(Source::parameter, 1, "a"), pool.symbol(Source::parameter, 2, "b")};
  const auto at = [&](Expr e, double exponent, double a, double b) {
    return sym::evaluate(pool, e, [&](const sym::Symbol& x) { return x.index == 0 ? exponent : x.index == 1 ? a : b; });
  };
  const Expr largest = pool.call(Op::max, t[0], t[1]);
  CHECK(power_norm(pool, t, pool.constant(kInfinity)) == largest);
  const Expr k = power_norm(pool, t, s), slope = sym::derivative(pool, k, t[0]);
  for (const double n : {1e17, 1e50, 1e99, 1e150, 1e308, kInfinity}) {
    CAPTURE(n);
    CHECK(at(k, n, 3, 2) == 3);
    CHECK(at(k, n, 3, 3) == doctest::Approx(3).epsilon(1e-15));
    CHECK(at(slope, n, 3, 2) == 1);
    CHECK(at(slope, n, 2, 3) == 0);
    CHECK(at(sym::derivative(pool, slope, t[0]), n, 3, 2) == 0);
  }
  for (const double n : {0.5, 1.0, 2.0, 80.0, kInfinity}) CHECK(at(k, n, 0, 0) == 0);
}

TEST_CASE("power sums: what users write is recognised, and nothing else") {
  sym::ExprPool pool;
  const Expr a = pool.symbol(Source::parameter, 0, "a"), s = pool.symbol(Source::parameter, 1, "s");
  const Expr x = pool.symbol(Source::force, kSetVariable, "x"), y = pool.symbol(Source::force, kSetVariable + 1, "y");
  const auto number = [&](double value) { return pool.constant(value); };
  const auto root = [&](Expr p, Expr q, Expr n) { return pool.pow(pool.add(p, q), pool.div(number(1), n)); };
  const auto absolute = [&](Expr e) { return pool.call(Op::abs, e); };
  const auto changes = [&](Expr e) { return stabilise_power_sums(pool, e) != e; };
  CHECK(changes(root(pool.pow(pool.div(x, a), number(1000)), pool.pow(y, number(1000)), number(1000))));
  CHECK(changes(root(pool.pow(absolute(x), s), pool.pow(pool.div(absolute(y), a), s), s)));
  CHECK(changes(root(pool.pow(absolute(x), number(49)), pool.pow(absolute(y), number(49)), number(49))));
  CHECK(changes(pool.mul(a, root(pool.pow(absolute(x), s), pool.pow(absolute(y), s), s))));
  CHECK(changes(
      root(pool.pow(absolute(x), number(kInfinity)), pool.pow(absolute(y), number(kInfinity)), number(kInfinity))));
  // Small exponents are faster as they are; terms of either sign, and of mixed powers, are no norm.
  CHECK(!changes(root(pool.pow(x, number(4)), pool.pow(y, number(4)), number(4))));
  CHECK(!changes(root(pool.pow(absolute(x), number(9)), pool.pow(y, number(9)), number(9))));
  CHECK(!changes(root(pool.neg(pool.pow(x, number(8))), pool.pow(y, number(8)), number(8))));
  CHECK(!changes(root(pool.mul(pool.pow(x, number(4)), pool.pow(y, number(4))), pool.pow(y, number(8)), number(8))));
  CHECK(!changes(root(pool.pow(a, number(8)), pool.pow(y, number(8)), number(8))));
}
