// Support functions that mix curvature and kinks, as sums of norms, |v_i| and max do: R (C1 + box + disc), C1 a
// superellipsoid, against a reference in long double. If the kinks lie along the axes of C1, the box costs nothing
// but a threshold: prox(y) = prox_C1(t) + y - t, t the point y with each |y_i| reduced by the box; a disc does the same
// to the length of its coordinates.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "runtime/sets/support_set.hpp"
#include "tests/unit/runtime/function_sets.hpp"

using namespace nsmc::rt;

namespace {

using Exact = std::vector<long double>;

// Coefficients: R by rows, semi-axes c and exponent of C1, half lengths h of the box, radius of the disc, which lies in
// all but the last coordinate. sign(0) = 0, as the compiler has it.
template <int n>
void kinked(const nsm_view* view, double* result) {
  using Square = Eigen::Matrix<double, n, n, Eigen::RowMajor>;
  const Eigen::Map<const Square> R(view->self);
  const double *c = view->self + n * n, *h = c + n + 1, radius = h[n];
  const Eigen::Matrix<double, n, 1> u = R.transpose() * Eigen::Map<const Eigen::Matrix<double, n, 1>>(view->lambda);
  double sum[1 + n + n * n], disc[1 + n + n * n];
  nsm_view turned = *view;
  turned.lambda = u.data();
  turned.self = c;
  (c[n] == 2 ? functions::ellipsoid_support<n> : functions::superellipsoid_support<n>)(&turned, sum);
  for (int i = 0; i < n; ++i) {
    sum[0] += h[i] * std::abs(u[i]);
    sum[1 + i] += u[i] > 0 ? h[i] : u[i] < 0 ? -h[i] : 0;
  }
  const double flat[2] = {radius, 0};
  turned.self = flat;
  if (radius > 0) functions::cylinder_support<n>(&turned, disc);
  for (int i = 0; i < 1 + n + n * n && radius > 0; ++i) sum[i] += disc[i];
  result[0] = sum[0];
  Eigen::Map<Eigen::Matrix<double, n, 1>>(result + 1) = R * Eigen::Map<Eigen::Matrix<double, n, 1>>(sum + 1);
  Eigen::Map<Square>(result + 1 + n) = R * Eigen::Map<Square>(sum + 1 + n) * R.transpose();
}

// The nearest point of { sum (|x_i|/c_i)^s <= 1 }, by bisection, as in sets_test.cpp.
Exact superellipsoid(const double* c, long double s, const Exact& y) {
  Exact x = y;
  const auto level = [&](long double tau) {
    long double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const long double end = std::abs(y[i]);
      long double low = -500, high = end > 0 ? std::log2(end) : 0, value = s == 2 ? end / (1 + tau / c[i] / c[i]) : 0;
      for (int k = 0; k < 75 && end > 0 && s != 2; ++k) {
        const long double middle = (low + high) / 2;
        value = std::exp2(middle);
        (value + tau / c[i] * std::pow(value / c[i], s - 1) > end ? high : low) = middle;
      }
      x[i] = std::copysign(value, y[i]);
      sum += std::pow(value / c[i], s);
    }
    return sum;
  };
  if (level(0) <= 1) return y;
  long double low = -120, high = 80;
  for (int k = 0; k < 80; ++k) {
    const long double middle = (low + high) / 2;
    (level(std::exp2(middle)) > 1 ? low : high) = middle;
  }
  return x;
}

struct Family {
  const char* name;
  enum Kind { box, segment, maximum, disc, nothing } kind;
  double s;
  bool turned;
  double allowed;  // of the point or the set
};

struct Tally {
  double error = 0, again = 0, expansion = 0;
  int evaluations = 0;
};

template <int n>
void check(const Family& family, int sets, Tally& tally) {
  using Vector = Eigen::Matrix<double, n, 1>;
  std::mt19937 generator(17);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const auto below_one = [&](double decades) { return std::pow(10, -decades * uniform(generator)); };
  for (int m = 0; m < sets; ++m) {
    Eigen::MatrixXd R = Eigen::MatrixXd::Identity(n, n);
    if (family.turned) {
      for (double& value : R.reshaped()) value = normal(generator);
      R = Eigen::MatrixXd(Eigen::HouseholderQR<Eigen::MatrixXd>(R).householderQ());
    }
    std::vector<double> coefficients(n * n);
    Vector c(n), h = Vector::Zero(n);
    double radius = 0;
    for (double& value : c) value = below_one(m % 3 == 0 ? 2 : 0.7);
    if (family.kind != Family::box && family.kind != Family::nothing) c.setConstant(c[0]);  // a ball
    if (family.kind == Family::box) {
      for (double& value : h) value = below_one(2);
    } else if (family.kind == Family::segment) {
      h[0] = below_one(1);
    } else if (family.kind == Family::maximum) {  // max(|v_1|, |v_2|) = (|v_1 + v_2| + |v_1 - v_2|)/2
      R.setIdentity();
      R.topLeftCorner(2, 2) << std::sqrt(0.5), std::sqrt(0.5), std::sqrt(0.5), -std::sqrt(0.5);
      h[0] = h[1] = std::sqrt(0.5);
    } else if (family.kind == Family::disc) {
      radius = below_one(1);
      h[n - 1] = below_one(1);
    }
    Eigen::Map<Eigen::Matrix<double, n, n, Eigen::RowMajor>>(coefficients.data()) = R;
    coefficients.insert(coefficients.end(), c.begin(), c.end());
    coefficients.push_back(family.s);
    coefficients.insert(coefficients.end(), h.begin(), h.end());
    coefficients.push_back(radius);
    const SupportSet set{{kinked<n>, coefficients.data(), static_cast<std::uint32_t>(coefficients.size()), n}, 1};
    const auto prox = [&](Vector z) {
      tally.evaluations = std::max(tally.evaluations, set.prox(z.data()));
      return z;
    };
    int q = m;
    for (const double distance : {1e-9, 1e-6, 1e-4, 1e-2, 0.5, 10.0, 1e3, 1e6}) {
      // A normal, with coordinates that vanish or nearly, a point that has it, and y beyond.
      Vector v(n), x(n), beside(n);
      const int style = ++q % 4;
      for (double& value : v) {
        value = normal(generator);
        if (uniform(generator) < (style == 0 ? 0 : 0.5)) value *= style == 2 ? below_one(12) : 0;
      }
      if (v.norm() == 0) v[0] = 1;
      v.normalize();
      for (int i = 0; i < n; ++i) beside[i] = v[i] == 0 ? 1e-30 : v[i];
      nsm_view view{};
      view.lambda = beside.data();
      view.self = coefficients.data() + n * n;
      double out[1 + n + n * n];
      (family.s == 2 ? functions::ellipsoid_support<n> : functions::superellipsoid_support<n>)(&view, out);
      for (int i = 0; i < n; ++i) {
        const double side = v[i] > 0 ? 1 : v[i] < 0 ? -1 : 2 * uniform(generator) - 1;
        x[i] = (v[i] == 0 ? 0 : out[1 + i]) + h[i] * side;
      }
      const double rim = v.head(n - 1).norm();
      for (int i = 0; i + 1 < n && rim > 0; ++i) x[i] += radius * v[i] / rim;
      const Vector y = R * (x + distance * v);
      // The reference.
      Exact turned(n), threshold(n);
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) turned[i] += static_cast<long double>(R(j, i)) * y[j];
      }
      threshold = turned;
      long double length = 0;
      for (int i = 0; i + 1 < n; ++i) length += turned[i] * turned[i];
      length = std::sqrt(length);
      for (int i = 0; i + 1 < n && radius > 0; ++i) threshold[i] *= length > radius ? (length - radius) / length : 0;
      for (int i = 0; i < n; ++i) {
        threshold[i] = std::copysign(std::max<long double>(std::abs(threshold[i]) - h[i], 0), threshold[i]);
      }
      Exact nearest = superellipsoid(c.data(), family.s, threshold);
      Vector reference = Vector::Zero(n);
      for (int i = 0; i < n; ++i) {
        long double sum = 0;
        for (int j = 0; j < n; ++j) sum += R(i, j) * (nearest[j] + turned[j] - threshold[j]);
        reference[i] = static_cast<double>(sum);
      }
      const double size = std::max(y.norm(), c.maxCoeff() + h.norm() + radius);
      const Vector z = prox(y);
      Vector step(n);
      for (double& value : step) value = 1e-6 * normal(generator);
      tally.error = std::max(tally.error, (z - reference).norm() / size);
      tally.again = std::max(tally.again, (prox(z) - z).norm() / size);
      tally.expansion = std::max(tally.expansion, ((prox(y + step) - z).norm() - step.norm()) / size);
      CHECK(z.allFinite());
    }
  }
}

}  // namespace

TEST_CASE("kinks and curvature: prox against long double, idempotent, not expansive") {
  // Exponents from four on: the gradient of Phi is like |v_i|^(1/3), |v_i|^(1/7) near the kinks, and where these are
  // oblique, rounding of v_i shows in it.
  const Family families[] = {{"ellipsoid + box", Family::box, 2, false, 1e-12},
                             {"ellipsoid + box, oblique", Family::box, 2, true, 1e-12},
                             {"ball + segment, oblique", Family::segment, 2, true, 1e-12},
                             {"norm + max", Family::maximum, 2, true, 1e-12},
                             {"disc + segment + ball", Family::disc, 2, false, 1e-12},
                             {"disc + segment + ball, oblique", Family::disc, 2, true, 1e-12},
                             {"superellipsoid 1.2 + box", Family::box, 1.2, false, 1e-11},
                             {"superellipsoid 1.5 + box, oblique", Family::box, 1.5, true, 1e-12},
                             {"superellipsoid 4 + box", Family::box, 4, false, 1e-12},
                             {"superellipsoid 4 + box, oblique", Family::box, 4, true, 1e-12},
                             {"superellipsoid 3, oblique", Family::nothing, 3, true, 1e-12},
                             {"superellipsoid 8, oblique", Family::nothing, 8, true, 1e-12},
                             {"superellipsoid 8 + box, oblique", Family::box, 8, true, 1e-12}};
  for (const Family& family : families) {
    const int sets = family.s == 2 ? 25 : family.s == 8 ? 8 : 4;
    Tally tally;
    if (family.kind != Family::disc) check<2>(family, sets, tally);
    check<3>(family, sets, tally);
    check<4>(family, sets, tally);
    check<5>(family, sets, tally);
    check<6>(family, sets, tally);
    MESSAGE(std::string(family.name) << ": error " << tally.error << ", again " << tally.again << ", expansion "
                                     << tally.expansion << ", evaluations at most " << tally.evaluations);
    CHECK(tally.error <= family.allowed);
    CHECK(tally.again <= family.allowed);
    CHECK(tally.expansion <= 2 * family.allowed);
    CHECK(tally.evaluations <= 701);
  }
}
