// A model text taken as far as its equations, and numbers to evaluate them at: what the tests of compiler/mechanics
// share. Expected values come from C++ functions in the tests, never from the symbolic side.
#pragma once

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/api/pipeline.hpp"
#include "compiler/mechanics/initial_values.hpp"

namespace nsmc::test {

// Where expressions are evaluated. lambda: the user's forces of all contacts, one after another.
struct Point {
  double t = 0;
  std::vector<double> p, q, u, lambda;

  double operator()(const sym::Symbol& s) const {
    switch (s.source) {
      case sym::Source::time: return t;
      case sym::Source::parameter: return p.at(s.index);
      case sym::Source::coordinate: return q.at(s.index);
      case sym::Source::velocity: return u.at(s.index);
      case sym::Source::force: return lambda.at(s.index - kUserForce);
      case sym::Source::signal:
      case sym::Source::instance: break;  // only in kernels
    }
    return std::nan("");
  }
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double in(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  std::vector<double> vector(std::size_t n, double low, double high) {
    std::vector<double> result(n);
    for (double& x : result) x = in(low, high);
    return result;
  }

 private:
  std::mt19937 engine_;
};

class DerivedModel {
 public:
  // The model's declarations; the standard library is there, as always.
  explicit DerivedModel(const std::string& text)
      : pipeline_(ModelSource("test.nsm", text)), pool(pipeline_.pool()), equations_(pipeline_.derived()) {
    if (equations_ == nullptr) FAIL(render(pipeline_.diagnostics(), pipeline_.sources(), false));
  }

 private:
  Pipeline pipeline_;

 public:
  sym::ExprPool& pool;  // grows where something is derived on demand

  const Equations& equations() const { return *equations_; }
  const ContactEquation& contact(std::size_t i = 0) const { return equations_->contacts.at(i); }
  const LawEquation& law(std::size_t i, std::size_t contact_index = 0) const {
    return contact(contact_index).laws.at(i);
  }

  // Default parameters, random state and forces.
  Point random_point(Random& random) const {
    Point point;
    point.t = random.in(0, 2);
    point.p = parameter_values(pool, *equations_, {});
    point.q = random.vector(equations_->blocks[0].q.size(), -1.5, 1.5);
    point.u = random.vector(equations_->blocks[0].u.size(), -2, 2);
    std::size_t rows = 0;
    for (const ContactEquation& c : equations_->contacts) rows += c.lambda.size();
    point.lambda = random.vector(rows, 0.5, 3);
    return point;
  }

  double at(const Point& point, sym::Expr e) const { return sym::evaluate(pool, e, point); }
  std::vector<double> at(const Point& point, const std::vector<sym::Expr>& exprs) const {
    return sym::evaluate(pool, exprs, point);
  }
  std::vector<double> at(const Point& point, const Matrix& m) const { return at(point, m.entries); }

 private:
  const Equations* equations_;
};

// Relative to the larger of 1 and the values.
inline bool near(double a, double b, double tolerance = 1e-12) {
  return a == b || std::abs(a - b) <= tolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

inline void check_near(const std::vector<double>& actual, const std::vector<double>& expected,
                       double tolerance = 1e-12) {
  REQUIRE(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    CAPTURE(i);
    CAPTURE(actual[i]);
    CAPTURE(expected[i]);
    CHECK(near(actual[i], expected[i], tolerance));
  }
}

// f'(0) by a central difference of fourth order; f in extended precision.
inline long double slope(const std::function<long double(long double)>& f, long double h) {
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

// x with M x = b, by elimination with pivoting: another way than the compiler's.
inline std::vector<double> solve(std::vector<double> M, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::abs(M[i * n + k]) > std::abs(M[pivot * n + k])) pivot = i;
    }
    for (std::size_t j = 0; j < n; ++j) std::swap(M[k * n + j], M[pivot * n + j]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = M[i * n + k] / M[k * n + k];
      for (std::size_t j = k; j < n; ++j) M[i * n + j] -= factor * M[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= M[k * n + j] * b[j];
    b[k] /= M[k * n + k];
  }
  return b;
}

}  // namespace nsmc::test
