// Convex sets: every prox against what defines it. x = prox_K(z) iff x is in K and (z - x)^T (y - x) <= 0 for all y in
// K.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "runtime/sets/convex_set.hpp"
#include "tests/unit/runtime/function_sets.hpp"

using namespace nsmc::rt;
using functions::plain_set;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

struct Sample {
  nsm_set set;
  std::vector<double> arguments;
  ConvexSet view() const { return {&set, arguments.data()}; }
  std::size_t dim() const { return set.dim; }
};

Sample interval(double a, double b) { return {functions::plain_set(NSM_SET_INTERVAL, 1, 2), {a, b}}; }
Sample ball(double r, std::uint32_t dim) { return {functions::plain_set(NSM_SET_BALL, dim, 1), {r}}; }
Sample ellipsoid(std::vector<double> a) {
  const auto dim = static_cast<std::uint32_t>(a.size());
  return {functions::plain_set(NSM_SET_ELLIPSOID, dim, dim), std::move(a)};
}
Sample polygon(std::vector<double> corners) {
  return {functions::plain_set(NSM_SET_POLYGON, 2, static_cast<std::uint32_t>(corners.size())), std::move(corners)};
}
// s * (the set that the function describes), with its coefficients.
Sample by_function(std::uint32_t kind, std::uint32_t dim, nsm_kernel function, double s,
                   std::vector<double> coefficients) {
  Sample sample{functions::plain_set(kind, dim, 1 + static_cast<std::uint32_t>(coefficients.size())), {s}};
  sample.set.function = function;
  sample.arguments.insert(sample.arguments.end(), coefficients.begin(), coefficients.end());
  return sample;
}
Sample gauge(std::uint32_t dim, nsm_kernel function, double s, std::vector<double> coefficients) {
  return by_function(NSM_SET_GAUGE, dim, function, s, std::move(coefficients));
}
Sample support(std::uint32_t dim, nsm_kernel function, double s, std::vector<double> coefficients) {
  return by_function(NSM_SET_SUPPORT, dim, function, s, std::move(coefficients));
}
Sample shifted(Sample sample, const std::vector<double>& centre) {
  sample.set.shifted = 1;
  sample.arguments.insert(sample.arguments.end(), centre.begin(), centre.end());
  return sample;
}

Sample contensou(std::uint32_t kind, double f, double a) { return {functions::plain_set(kind, 3, 2), {f, a}}; }

std::vector<Sample> samples() {
  return {interval(-1, 2),
          interval(-inf, 0),
          interval(0.5, 0.75),
          interval(-inf, inf),
          interval(-0.0, 0.0),
          ball(1.5, 1),
          ball(0.3, 2),
          ball(2, 3),
          ball(0, 2),
          ellipsoid({2, 0.5}),
          ellipsoid({1, 1, 1}),
          ellipsoid({3, 1e-3, 0.7}),
          ellipsoid({1, 0, 0.2}),
          ellipsoid({0, 0}),
          ellipsoid({1e-9, 5}),
          ellipsoid({0.1, 0.2, 0.3, 0.4, 0.5, 6}),
          shifted(interval(-1, 1), {4}),
          shifted(ball(0.5, 2), {1, -3}),
          shifted(ellipsoid({2, 0.5}), {-1, 0.25}),
          polygon({1, -1, 1, 1, -1, 1, -1, -1}),
          polygon({2, 0, 0.5, 3, -1, -1}),
          gauge(1, functions::box_gauge<1>, 2, {0.7}),
          contensou(NSM_SET_CONTENSOU_PARABOLIC, 1.5, 1),
          contensou(NSM_SET_CONTENSOU_UNIFORM, 1, 0.01),
          shifted(contensou(NSM_SET_CONTENSOU_UNIFORM, 1, 1), {-1, 0.25, 0.3}),
          gauge(2, functions::ellipsoid_gauge<2>, 1.5, {2, 0.5}),
          gauge(2, functions::box_gauge<2>, 1, {0.3, 2}),
          gauge(2, functions::diamond_gauge<2>, 0.5, {1, 3}),
          gauge(2, functions::superellipsoid_gauge<2>, 1, {1, 0.4, 1.5}),
          gauge(2, functions::superellipsoid_gauge<2>, 2, {1, 0.4, 4}),
          gauge(2, functions::superellipsoid_gauge<2>, 1, {1, 1, 40}),
          gauge(2, functions::ellipsoid_gauge<2>, 0, {2, 0.5}),
          gauge(3, functions::ellipsoid_gauge<3>, 1, {3, 0.1, 0.7}),
          gauge(3, functions::box_gauge<3>, 1, {1, 2, 0.5}),
          gauge(3, functions::cylinder_gauge<3>, 1, {1, 0.3}),
          gauge(4, functions::ellipsoid_gauge<4>, 1, {1, 2, 3, 4}),
          gauge(6, functions::ellipsoid_gauge<6>, 1, {1, 2, 3, 1, 2, 0.5}),
          support(1, functions::box_support<1>, 2, {0.7}),
          support(2, functions::ellipsoid_support<2>, 1.5, {2, 0.5}),
          support(2, functions::box_support<2>, 1, {0.3, 2}),
          support(2, functions::superellipsoid_support<2>, 1, {1, 0.4, 4}),
          support(3, functions::ellipsoid_support<3>, 1, {3, 0.1, 0.7}),
          support(3, functions::cylinder_support<3>, 1, {1, 0.3}),
          support(6, functions::ellipsoid_support<6>, 1, {1, 2, 3, 1, 2, 0.5})};
}

using Vector = Eigen::VectorXd;

Vector prox(const Sample& sample, Vector z) {
  sample.view().prox(z.data());
  return z;
}

struct RandomPoints {
  std::mt19937 generator{42};
  Vector operator()(std::size_t dim) {
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> exponent(-4, 2);
    Vector x(dim);
    const double scale = std::pow(10.0, exponent(generator));
    for (auto& value : x) value = scale * normal(generator);
    return x;
  }
};

}  // namespace

TEST_CASE("sets: prox lands in the set, is idempotent bit by bit and leaves members alone") {
  RandomPoints points;
  for (const Sample& sample : samples()) {
    CAPTURE(sample.set.kind);
    for (int n = 0; n < 200; ++n) {
      const Vector z = points(sample.dim());
      const Vector x = prox(sample, z);
      if (sample.set.shifted == 0) {
        CHECK(sample.view().contains(x.data()));
        CHECK((prox(sample, x).array() == x.array()).all());
      } else {
        CHECK((prox(sample, x) - x).norm() <= 1e-14 * (1 + x.norm()));
      }
      if (sample.view().contains(z.data())) CHECK((x - z).norm() <= 1e-15 * z.norm());
    }
  }
}

TEST_CASE("sets: prox satisfies the variational inequality against members of the set") {
  RandomPoints points;
  for (const Sample& sample : samples()) {
    CAPTURE(sample.set.kind);
    for (int n = 0; n < 100; ++n) {
      const Vector z = points(sample.dim());
      const Vector x = prox(sample, z);
      for (int k = 0; k < 20; ++k) {
        const Vector y = prox(sample, points(sample.dim()));
        const double rounding = sample.set.shifted != 0 ? 1e-15 * (4 + z.norm()) : 0;
        CHECK((z - x).dot(y - x) <= (1e-13 * (z - x).norm() + rounding) * (1 + y.norm()));
      }
    }
  }
}

TEST_CASE("sets: prox does not expand distances") {
  RandomPoints points;
  for (const Sample& sample : samples()) {
    for (int n = 0; n < 200; ++n) {
      const Vector z1 = points(sample.dim());
      const Vector z2 = n % 2 == 0 ? points(sample.dim()) : Vector(z1 + 1e-6 * points(sample.dim()));
      const double before = (z1 - z2).norm(), after = (prox(sample, z1) - prox(sample, z2)).norm();
      const double rounding = sample.set.shifted != 0 ? 1e-14 : 0;
      CHECK(after <= before + rounding + 1e-14 * (z1.norm() + z2.norm()));
    }
  }
}

TEST_CASE("sets: gauge and membership agree, the gauge is positively homogeneous") {
  RandomPoints points;
  for (const Sample& sample : samples()) {
    if (sample.set.kind == NSM_SET_INTERVAL && !(sample.arguments[0] <= 0 && sample.arguments[1] >= 0)) continue;
    const Vector centre = sample.set.shifted == 0
                              ? Vector(Vector::Zero(sample.set.dim))
                              : Vector(Eigen::Map<const Vector>(sample.view().centre(), sample.set.dim));
    for (int n = 0; n < 200; ++n) {
      const Vector direction = points(sample.dim());
      const Vector x = centre + direction, x2 = centre + 2 * direction;
      const double gauge = sample.view().gauge(x.data());
      CHECK(gauge >= 0);
      if (std::abs(gauge - 1) > 1e-12) CHECK((gauge < 1) == sample.view().contains(x.data()));
      if (std::isinf(gauge)) continue;
      CHECK(sample.view().gauge(x2.data()) == doctest::Approx(2 * gauge).epsilon(1e-9));
      if (gauge > 1e-3) {
        const Vector edge_in = centre + direction * (1 - 1e-9) / gauge,
                     edge_out = centre + direction * (1 + 1e-9) / gauge;
        CHECK(sample.view().contains(edge_in.data()));
        CHECK_FALSE(sample.view().contains(edge_out.data()));
      }
    }
  }
}

TEST_CASE("interval: ends, gauge and empty intervals") {
  CHECK(Interval{-1, 2}.prox(5) == 2);
  CHECK(Interval{-1, 2}.prox(-5) == -1);
  CHECK(Interval{-1, 2}.gauge(1) == 0.5);
  CHECK(Interval{-1, 2}.gauge(-2) == 2);
  CHECK(Interval{-inf, 0}.gauge(-7) == 0);
  CHECK(Interval{-inf, 0}.gauge(1e-300) == inf);
  CHECK(Interval{1, 2}.gauge(1.5) == inf);  // 0 is not inside: not defined
  // a > b collapses to the middle, or to the finite end.
  CHECK(Interval{1, -1}.prox(3) == 0);
  CHECK(Interval{4, 2}.prox(-10) == 3);
  CHECK(Interval{inf, 2}.prox(0) == 2);
  CHECK(Interval{inf, -inf}.prox(8) == 0);
}

TEST_CASE("sets: NaN is never clipped away") {
  CHECK(std::isnan(Interval{-1, 1}.prox(nan_value)));
  CHECK(std::isnan(Interval{nan_value, 1}.prox(0.5)));
  CHECK(std::isnan(Interval{-1, nan_value}.prox(0.5)));
  for (const Sample& sample : {ball(1, 2), ellipsoid({1, 2})}) {
    const Vector x = prox(sample, Vector{{nan_value, 0.1}});
    CHECK(x.hasNaN());
  }
  CHECK(prox(ball(nan_value, 2), Vector{{1, 1}}).hasNaN());
  CHECK(prox(ellipsoid({nan_value, 1}), Vector{{1, 1}}).hasNaN());
}

TEST_CASE("sets: a negative radius or semi-axis is zero") {
  CHECK(prox(ball(-1, 3), Vector{{1, 2, 3}}).norm() == 0);
  CHECK(prox(ellipsoid({-1, 2}), Vector{{1, 7}}) == Vector{{0, 2}});
}

TEST_CASE("sets: extreme magnitudes") {
  for (const double scale : {1e-200, 1e-160, 1.0, 1e160, 1e200}) {
    const Vector z = scale * Vector{{3, 4}};
    CHECK((prox(ball(scale, 2), z) / scale - Vector{{0.6, 0.8}}).norm() <= 1e-14);
    CHECK((prox(ball(10 * scale, 2), z) - z).norm() == 0);
    CHECK((prox(ellipsoid({scale, scale}), z) / scale - Vector{{0.6, 0.8}}).norm() <= 1e-14);
  }
  CHECK((prox(ball(2, 2), Vector{{1e200, 0}}) - Vector{{2, 0}}).norm() == 0);
  CHECK((prox(ball(2, 2), Vector{{inf, 1}}) - Vector{{2, 0}}).norm() == 0);
  CHECK((prox(ellipsoid({2, 1}), Vector{{1e250, 1e-250}}) - Vector{{2, 0}}).norm() <= 1e-15);
  CHECK((prox(ellipsoid({inf, 1}), Vector{{123, 5}}) - Vector{{123, 1}}).norm() == 0);
}

TEST_CASE("ellipsoid: nearest point against a brute force search of the boundary") {
  RandomPoints points;
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> exponent(-3, 1);
  for (int n = 0; n < 40; ++n) {
    const double a = std::pow(10, exponent(generator)), b = std::pow(10, exponent(generator));
    const Vector z = points(2) + Vector{{a, b}};
    const Sample sample = ellipsoid({a, b});
    if (sample.view().contains(z.data())) continue;
    // Distance along the boundary (a cos s, b sin s): a grid, then golden-section refinement around the best point.
    const auto distance = [&](double s) { return std::hypot(a * std::cos(s) - z[0], b * std::sin(s) - z[1]); };
    double best = 0;
    const int grid = 4000;
    const double width = 2 * M_PI / grid;
    for (int k = 0; k < grid; ++k) {
      if (distance(k * width) < distance(best)) best = k * width;
    }
    double low = best - width, high = best + width;
    for (int k = 0; k < 200; ++k) {
      const double third = (high - low) / 3;
      (distance(low + third) < distance(high - third) ? high : low) =
          distance(low + third) < distance(high - third) ? high - third : low + third;
    }
    const double nearest = distance((low + high) / 2);
    const Vector x = prox(sample, z);
    CHECK((x - z).norm() == doctest::Approx(nearest).epsilon(1e-12));
  }
}

TEST_CASE("ellipsoid: optimality to 1e-13 and few iterations, also for needles and pancakes") {
  RandomPoints points;
  std::mt19937 generator(11);
  std::uniform_real_distribution<double> exponent(-10, 0);
  int most = 0;
  for (int n = 0; n < 3000; ++n) {
    const std::size_t dim = 1 + static_cast<std::size_t>(n % 7);
    std::vector<double> a(dim);
    for (double& value : a) value = std::pow(10, exponent(generator));
    const Sample sample = ellipsoid(a);
    const Vector z = points(dim);
    if (sample.view().contains(z.data())) continue;
    Vector x = z;
    most = std::max(most, Ellipsoid{sample.arguments.data(), sample.set.dim}.prox(x.data()));
    CHECK(std::abs(sample.view().gauge(x.data()) - 1) <= 1e-13);
    // The best value of (z - x)^T y over the ellipsoid is |(a_k (z - x)_k)|, taken at y = x (support function).
    const Eigen::Map<const Vector> axes(a.data(), static_cast<Eigen::Index>(dim));
    const double support = (axes.array() * (z - x).array()).matrix().norm();
    CHECK((z - x).dot(x) == doctest::Approx(support).epsilon(1e-12));
  }
  CHECK(most <= 30);
  MESSAGE("ellipsoid: at most " << most << " iterations");
}

namespace {

// The nearest point of { sum (|x_i|/c_i)^s <= 1 } in long double, by bisection alone: x_i + tau/c_i (x_i/c_i)^(s-1) =
// |y_i| for a given tau, x_i on a logarithmic scale, and tau such that x is on the boundary.
std::vector<long double> superellipsoid_reference(const std::vector<double>& c, long double s, const Vector& y) {
  std::vector<long double> x(c.size());
  const auto level = [&](long double log_tau) {
    const long double tau = std::exp2(log_tau);
    long double sum = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
      const long double end = std::abs(y[static_cast<Eigen::Index>(i)]);
      long double low = -500, high = std::log2(end), value = 0;
      for (int k = 0; k < 75 && end > 0; ++k) {
        const long double middle = (low + high) / 2;
        value = std::exp2(middle);
        (value + tau / c[i] * std::pow(value / c[i], s - 1) > end ? high : low) = middle;
      }
      x[i] = std::copysign(value, static_cast<long double>(y[static_cast<Eigen::Index>(i)]));
      sum += std::pow(value / c[i], s);
    }
    return sum;
  };
  long double low = -80, high = 80;
  for (int k = 0; k < 75; ++k) {
    const long double middle = (low + high) / 2;
    (level(middle) > 1 ? low : high) = middle;
  }
  return x;
}

template <template <int> class Kernel>
nsm_kernel of_dim(std::uint32_t dim) {
  const nsm_kernel kernels[] = {Kernel<2>::value, Kernel<3>::value, Kernel<4>::value, Kernel<5>::value,
                                Kernel<6>::value};
  return kernels[dim - 2];
}
template <int n>
struct SuperellipsoidGauge {
  static constexpr nsm_kernel value = functions::superellipsoid_gauge<n>;
};
template <int n>
struct SuperellipsoidSupport {
  static constexpr nsm_kernel value = functions::superellipsoid_support<n>;
};

}  // namespace

TEST_CASE("superellipsoids from near-diamonds to near-boxes: as exact as is promised, and idempotent") {
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  // How far: within 1e-12 and 1e-6 of the boundary, near, far, very far; then points in coordinate planes.
  const double from[] = {1, 1, 1, 10, 1e6, 1}, to[] = {1 + 1e-12, 1 + 1e-6, 3, 100, 1e6, 4};
  int cases = 0, moved = 0;
  double worst = 0;
  for (const double s : {1.5, 2.0, 4.0, 8.0, 40.0}) {
    for (std::uint32_t dim = 2; dim <= 6; ++dim) {
      for (int n = 0; n < 12; ++n) {
        std::vector<double> c(dim);
        Vector y(dim);
        for (double& value : c) value = std::pow(10, -uniform(generator) * (n % 3 == 0 ? 3 : 0.5));
        for (double& value : y) value = n % 6 == 5 && uniform(generator) < 0.5 ? 0 : normal(generator);
        std::vector<double> coefficients = c;
        coefficients.push_back(s);
        const Sample written[] = {gauge(dim, of_dim<SuperellipsoidGauge>(dim), 1, coefficients),
                                  support(dim, of_dim<SuperellipsoidSupport>(dim), 1, coefficients)};
        if (y.norm() == 0) continue;
        y *= (from[n % 6] + (to[n % 6] - from[n % 6]) * uniform(generator)) / written[0].view().gauge(y.data());
        const auto reference = superellipsoid_reference(c, s, y);
        const double size = std::max(y.norm(), *std::max_element(c.begin(), c.end()));
        for (const Sample& sample : written) {
          const Vector x = prox(sample, y), again = prox(sample, x);
          double error = 0;
          for (std::uint32_t k = 0; k < dim; ++k) {
            error = std::hypot(error, static_cast<double>(x[k] - reference[k]) / size);
          }
          CAPTURE(s);
          CAPTURE(dim);
          CAPTURE(n);
          CAPTURE(sample.set.kind);
          CHECK(error <= (dim == 2 ? 1e-12 : 1e-9));
          CHECK((again - x).norm() <= (dim == 2 ? 1e-12 : 1e-9) * size);
          worst = std::max(worst, error);
          ++cases;
          moved += again == x ? 0 : 1;
        }
      }
    }
  }
  MESSAGE("superellipsoids: " << cases << " cases, worst " << worst << ", " << moved << " not idempotent bit by bit");
  CHECK(moved <= cases / 50);
}
