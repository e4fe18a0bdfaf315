// Gauges that are roots, against closed forms, the sets' own gauges and bisection; derivatives against differences.
#include "runtime/sets/by_function/implicit_gauge.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

#include "runtime/sets/contensou.hpp"
#include "tests/unit/runtime/function_sets.hpp"

using namespace nsmc::rt;

namespace {

struct Result {
  double value = 0;
  std::vector<double> gradient, hessian;
};

using Solver = void (*)(nsm_kernel, const void*, uint32_t, uint32_t, const double*, double*);

// after: what follows x among the arguments; n_shift of it is the shift.
Result solve(Solver solver, nsm_kernel kernel, const std::vector<double>& x, const std::vector<double>& after,
             std::size_t n_shift = 0) {
  std::vector<double> arguments = x, out(1 + x.size() * (1 + x.size()));
  arguments.insert(arguments.end(), after.begin(), after.end());
  solver(kernel, nullptr, static_cast<uint32_t>(x.size()), static_cast<uint32_t>(after.size() - n_shift),
         arguments.data(), out.data());
  const auto n = static_cast<std::ptrdiff_t>(x.size());
  return {out[0], {out.begin() + 1, out.begin() + 1 + n}, {out.begin() + 1 + n, out.end()}};
}

std::vector<std::vector<double>> points(std::size_t n, int count) {
  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> result;
  for (int k = 0; k < count; ++k) {
    std::vector<double> x(n);
    for (double& value : x) value = normal(generator) * std::pow(10, k % 3 - 1);
    result.push_back(x);
  }
  return result;
}

// Gradient and Hessian by central differences of what `at` says.
template <class At>
void check_derivatives(const At& at, const std::vector<double>& x, double allowed) {
  const Result here = at(x);
  double size = 0;
  for (const double value : x) size = std::max(size, std::abs(value));
  const double h = 1e-5 * size;
  for (std::size_t j = 0; j < x.size(); ++j) {
    std::vector<double> more = x, less = x;
    more[j] += h;
    less[j] -= h;
    const Result up = at(more), down = at(less);
    CHECK(here.gradient[j] == doctest::Approx((up.value - down.value) / (2 * h)).epsilon(allowed));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double slope = (up.gradient[i] - down.gradient[i]) / (2 * h), unit = std::abs(here.value) / (size * size);
      CHECK(std::abs(here.hessian[i * x.size() + j] - slope) <= allowed * std::max(std::abs(slope), unit));
    }
  }
}

template <int n>
void check_polar(nsm_kernel support, nsm_kernel gauge, const std::vector<double>& coefficients) {
  for (const std::vector<double>& x : points(n, 30)) {
    const Result found = solve(nsm_polar_gauge, support, x, coefficients);
    double expected[1 + n + n * n];
    nsm_view view{};
    view.self = coefficients.data();
    view.lambda = x.data();
    gauge(&view, expected);
    CHECK(found.value == doctest::Approx(expected[0]).epsilon(1e-13));
    double size = 0;
    for (int i = 0; i < n * n; ++i) size = std::max(size, std::abs(expected[1 + n + i]));
    for (int i = 0; i < n; ++i) CHECK(found.gradient[i] == doctest::Approx(expected[1 + i]).epsilon(1e-9));
    for (int i = 0; i < n * n; ++i) CHECK(std::abs(found.hessian[i] - expected[1 + n + i]) <= 1e-7 * size);
  }
}

}  // namespace

TEST_CASE("implicit gauges: the polar of the support of ellipsoids and superellipsoids is their gauge") {
  check_polar<2>(functions::ellipsoid_support<2>, functions::ellipsoid_gauge<2>, {3, 0.5});
  check_polar<3>(functions::ellipsoid_support<3>, functions::ellipsoid_gauge<3>, {3, 0.5, 1});
  check_polar<6>(functions::ellipsoid_support<6>, functions::ellipsoid_gauge<6>, {3, 0.5, 1, 2, 0.7, 1.5});
  check_polar<2>(functions::superellipsoid_support<2>, functions::superellipsoid_gauge<2>, {2, 1, 4});
  check_polar<3>(functions::superellipsoid_support<3>, functions::superellipsoid_gauge<3>, {2, 1, 0.5, 3});
}

TEST_CASE("implicit gauges: a box by its support function has flats, where there is no Hessian") {
  for (const std::vector<double>& x : points(3, 20)) {
    const Result found = solve(nsm_polar_gauge, functions::box_support<3>, x, {2, 1, 0.5});
    CHECK(found.value ==
          doctest::Approx(std::max({std::abs(x[0]) / 2, std::abs(x[1]), std::abs(x[2]) / 0.5})).epsilon(1e-13));
  }
}

TEST_CASE("implicit gauges: Coulomb-Contensou friction, against the set and by differences") {
  for (const Pressure pressure : {Pressure::parabolic, Pressure::uniform}) {
    const nsm_kernel support = pressure == Pressure::parabolic ? nsm_contensou_parabolic : nsm_contensou_uniform;
    const Contensou set{1, 1, pressure};
    const auto at = [&](const std::vector<double>& x) { return solve(nsm_polar_gauge, support, x, {0, 0, 0}); };
    for (const std::vector<double>& x : points(3, 20)) {
      CHECK(at(x).value == doctest::Approx(set.gauge(x.data())).epsilon(1e-12));
      check_derivatives(at, x, 1e-5);
    }
    // Points of the boundary, by the generator.
    for (const double k : {0.1, 0.5, 0.9}) {
      const ContensouProfile slip = contensou_profile(pressure, k, false);
      const double y0 = contensou_mean_radius(pressure);
      CHECK(at({slip.t * 0.6, slip.t * 0.8, slip.y / y0}).value == doctest::Approx(1).epsilon(1e-12));
    }
    const std::vector<double> shift{0.3, -0.2, 0.1};
    for (const std::vector<double>& x : points(3, 5)) {
      const double k = solve(nsm_polar_gauge, support, x, shift).value;
      const double back[3] = {x[0] / k - 0.3, x[1] / k + 0.2, x[2] / k - 0.1};
      CHECK(set.gauge(back) == doctest::Approx(1).epsilon(1e-12));
    }
  }
}

TEST_CASE("implicit gauges: moved superellipses, by bisection and differences") {
  const std::vector<double> after{0.7, -0.4, 2, 1, 4};  // the shift; semi-axes and exponent
  const auto at = [&](const std::vector<double>& x) {
    return solve(nsm_shifted_gauge, functions::superellipsoid_gauge<2>, x, after, 2);
  };
  for (const std::vector<double>& x : points(2, 40)) {
    const auto level = [&](double k) { return std::pow((x[0] / k - 0.7) / 2, 4) + std::pow(x[1] / k + 0.4, 4); };
    double low = 1e-6, high = 1e6;
    for (int i = 0; i < 200; ++i) {
      const double middle = std::sqrt(low * high);
      (level(middle) > 1 ? low : high) = middle;
    }
    CHECK(at(x).value == doctest::Approx(low).epsilon(1e-13));
    check_derivatives(at, x, 1e-5);
  }
  SUBCASE("the origin outside has no gauge") {
    CHECK(std::isinf(solve(nsm_shifted_gauge, functions::superellipsoid_gauge<2>, {1, 0}, {3, 0, 2, 1, 4}, 2).value));
  }
  SUBCASE("at 0 it is 0, and NaN stays") {
    CHECK(at({0, 0}).value == 0);
    CHECK(std::isnan(at({std::nan(""), 1}).value));
    CHECK(std::isnan(solve(nsm_polar_gauge, functions::ellipsoid_support<2>, {1, 1}, {std::nan(""), 1}).value));
  }
}

namespace {

// Of the box sum h_i |v_i| plus the ball |v|: flats, rounded edges. Coefficients: h.
template <int n>
void rounded_box(const nsm_view* view, double* out) {
  const double* v = view->lambda;
  double square = 0;
  for (int i = 0; i < n; ++i) square += v[i] * v[i];
  const double length = std::sqrt(square);
  out[0] = length;
  for (int i = 0; i < n; ++i) {
    out[0] += view->self[i] * std::abs(v[i]);
    out[1 + i] = v[i] / length + (v[i] > 0 ? 1 : v[i] < 0 ? -1 : 0) * view->self[i];
    for (int j = 0; j < n; ++j) out[1 + n + n * i + j] = ((i == j ? 1 : 0) - v[i] * v[j] / square) / length;
  }
}

// How far x/k is from the box, minus 1: the root in k of it is the gauge.
template <int n>
long double rounded_box_gauge(const std::vector<double>& x, const std::vector<double>& h) {
  long double low = 0, high = 1e6;
  for (int round = 0; round < 200; ++round) {
    const long double k = (low + high) / 2;
    long double square = 0;
    for (int i = 0; i < n; ++i) {
      const long double beyond = std::max<long double>(std::abs(x[i]) / k - h[i], 0);
      square += beyond * beyond;
    }
    (square > 1 ? low : high) = k;
  }
  return high;
}

template <int n>
void check_rounded_box(const std::vector<double>& h) {
  for (const std::vector<double>& x : points(n, 24)) {
    const Result found = solve(nsm_polar_gauge, rounded_box<n>, x, h);
    const long double expected = rounded_box_gauge<n>(x, h);
    CHECK(found.value == doctest::Approx(static_cast<double>(expected)).epsilon(1e-13));
    // The gradient is the normal of the box plus ball at x/k, and there is a Hessian on flats, too.
    long double beyond[n], reach = 0;
    for (int i = 0; i < n; ++i) {
      beyond[i] = std::copysign(std::max<long double>(std::abs(x[i]) / expected - h[i], 0), x[i]);
      reach += beyond[i] * x[i] / expected;
    }
    for (int i = 0; i < n; ++i) {
      CHECK(std::abs(found.gradient[i] - static_cast<double>(beyond[i] / reach)) <= (n == 2 ? 1e-12 : 1e-9));
      for (int j = 0; j < n; ++j) CHECK(std::isfinite(found.hessian[i * n + j]));
    }
  }
}

}  // namespace

TEST_CASE("implicit gauges: flats and rounded edges") {
  check_rounded_box<2>({2, 0.5});
  check_rounded_box<3>({2, 0.5, 0.1});
  check_rounded_box<4>({2, 0.5, 0.1, 1});
  check_rounded_box<6>({2, 0.5, 0.1, 1, 0.3, 0.7});
}
