#include "tests/kink_families/kink_families.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cstdint>

#include "runtime/sets/by_function/implicit_gauge.hpp"
#include "tests/unit/runtime/function_sets.hpp"

extern "C" nsm_quad nsm_test_power(nsm_quad, nsm_quad) __asm__("powf128");
extern "C" nsm_quad nsm_test_root(nsm_quad) __asm__("sqrtf128");

namespace kink_families {

namespace {

using Exact = std::vector<long double>;

// Coefficients: R by rows, semi-axes c and exponent of C1, half lengths h of the box, radius of the disc, which lies in
// all but the last coordinate. sign(0) = 0, as the compiler has it.
template <int n>
struct Coefficients {
  using Square = Eigen::Matrix<double, n, n, Eigen::RowMajor>;
  explicit Coefficients(const double* self) : R(self), c(self + n * n), s(c[n]), h(c + n + 1), radius(h[n]) {}
  Eigen::Map<const Square> R;
  const double* c;
  double s;
  const double* h;
  double radius;
};

template <int n>
void turn_back(const Coefficients<n>& a, const double* own, double* result) {
  using Square = typename Coefficients<n>::Square;
  result[0] = own[0];
  Eigen::Map<Direction<n>>(result + 1) = a.R * Eigen::Map<const Direction<n>>(own + 1);
  Eigen::Map<Square>(result + 1 + n) = a.R * Eigen::Map<const Square>(own + 1 + n) * a.R.transpose();
}

template <int n>
void support(const nsm_view* view, double* result) {
  const Coefficients<n> a(view->self);
  const Direction<n> u = a.R.transpose() * Eigen::Map<const Direction<n>>(view->lambda);
  double sum[1 + n + n * n], disc[1 + n + n * n];
  nsm_view turned = *view;
  turned.lambda = u.data();
  turned.self = a.c;
  (a.s == 2 ? functions::ellipsoid_support<n> : functions::superellipsoid_support<n>)(&turned, sum);
  for (int i = 0; i < n; ++i) {
    sum[0] += a.h[i] * std::abs(u[i]);
    sum[1 + i] += u[i] > 0 ? a.h[i] : u[i] < 0 ? -a.h[i] : 0;
  }
  const double flat[2] = {a.radius, 0};
  turned.self = flat;
  if (a.radius > 0) functions::cylinder_support<n>(&turned, disc);
  for (int i = 0; i < 1 + n + n * n && a.radius > 0; ++i) sum[i] += disc[i];
  turn_back(a, sum, result);
}

template <int n>
void gauge(const nsm_view* view, double* result) {
  const Coefficients<n> a(view->self);
  const Direction<n> u = a.R.transpose() * Eigen::Map<const Direction<n>>(view->lambda);
  double own[1 + n + n * n];
  nsm_view turned = *view;
  turned.lambda = u.data();
  turned.self = a.c;
  (a.s == 2 ? functions::ellipsoid_gauge<n> : functions::superellipsoid_gauge<n>)(&turned, own);
  for (int i = 0; i < n; ++i) {
    if (!(a.h[i] > 0 && std::abs(u[i]) / a.h[i] > own[0])) continue;
    std::fill_n(own, 1 + n + n * n, 0.0);
    own[0] = std::abs(u[i]) / a.h[i];
    own[1 + i] = (u[i] > 0 ? 1 : -1) / a.h[i];
  }
  turn_back(a, own, result);
}

// The same with 113 bits: value and gradient.
template <int n>
struct Precise {
  nsm_quad u[n], g[n], value;

  explicit Precise(const nsm_quad_view* view) {
    const Coefficients<n> a(view->self);
    for (int i = 0; i < n; ++i) {
      u[i] = 0;
      for (int j = 0; j < n; ++j) u[i] += nsm_quad(a.R(j, i)) * view->lambda[j];
    }
  }
  static nsm_quad size(nsm_quad x) { return x < 0 ? -x : x; }
  static int sign(nsm_quad x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

  // (sum (w_i |u_i|)^t)^(1/t)
  void power_norm(const nsm_quad* w, nsm_quad t) {
    nsm_quad largest = 0, sum = 0, power[n];
    for (int i = 0; i < n; ++i) largest = std::max(largest, w[i] * size(u[i]));
    for (int i = 0; i < n; ++i) {
      const nsm_quad x = w[i] * size(u[i]) / largest;
      power[i] = x > 0 ? nsm_test_power(x, t - 1) : nsm_quad(0);
      sum += power[i] * x;
    }
    const nsm_quad root = nsm_test_power(sum, 1 / t);
    value = largest * root;
    for (int i = 0; i < n; ++i) g[i] = sign(u[i]) * root / sum * power[i] * w[i];
  }
  void turn_back(const nsm_quad_view* view, nsm_quad* out) const {
    const Coefficients<n> a(view->self);
    out[0] = value;
    for (int i = 0; i < n; ++i) {
      out[1 + i] = 0;
      for (int j = 0; j < n; ++j) out[1 + i] += nsm_quad(a.R(i, j)) * g[j];
    }
  }
};

template <int n>
void precise_support(const nsm_quad_view* view, nsm_quad* out) {
  const Coefficients<n> a(view->self);
  Precise<n> f(view);
  nsm_quad w[n], rim = 0;
  std::copy_n(a.c, n, w);
  f.power_norm(w, nsm_quad(a.s) / (nsm_quad(a.s) - 1));
  for (int i = 0; i < n; ++i) {
    f.value += a.h[i] * f.size(f.u[i]);
    f.g[i] += f.sign(f.u[i]) * nsm_quad(a.h[i]);
  }
  for (int i = 0; i + 1 < n; ++i) rim += f.u[i] * f.u[i];
  rim = nsm_test_root(rim);
  f.value += a.radius * rim;
  for (int i = 0; i + 1 < n && rim > 0; ++i) f.g[i] += a.radius * f.u[i] / rim;
  f.turn_back(view, out);
}

template <int n>
void precise_gauge(const nsm_quad_view* view, nsm_quad* out) {
  const Coefficients<n> a(view->self);
  Precise<n> f(view);
  nsm_quad w[n];
  for (int i = 0; i < n; ++i) w[i] = 1 / nsm_quad(a.c[i]);
  f.power_norm(w, a.s);
  for (int i = 0; i < n; ++i) {
    if (!(a.h[i] > 0 && f.size(f.u[i]) / a.h[i] > f.value)) continue;
    f.value = f.size(f.u[i]) / a.h[i];
    std::fill_n(f.g, n, nsm_quad(0));
    f.g[i] = f.sign(f.u[i]) / nsm_quad(a.h[i]);
  }
  f.turn_back(view, out);
}

template <int n>
constexpr std::uint32_t n_coefficients = n* n + 2 * n + 2;

template <int n>
void polar(const nsm_view* view, double* out) {
  double arguments[n + n_coefficients<n>];
  std::copy_n(view->self, n_coefficients<n>, std::copy_n(view->lambda, n, arguments));
  nsm_polar_gauge(support<n>, precise_support<n>, n, n_coefficients<n>, arguments, out);
}
template <int n>
void precise_polar(const nsm_quad_view* view, nsm_quad* out) {
  nsm_precise_polar_gauge(support<n>, precise_support<n>, n, n_coefficients<n>, view->lambda, view->self, out);
}

// Before the coefficients: how far it is moved.
template <int n>
void moved(const nsm_view* view, double* out) {
  double arguments[2 * n + n_coefficients<n>];
  std::copy_n(view->self, n + n_coefficients<n>, std::copy_n(view->lambda, n, arguments));
  nsm_shifted_gauge(gauge<n>, precise_gauge<n>, n, n_coefficients<n>, arguments, out);
}
template <int n>
void precise_moved(const nsm_quad_view* view, nsm_quad* out) {
  nsm_quad x[2 * n];
  std::copy_n(view->self, n, std::copy_n(view->lambda, n, x));
  nsm_precise_shifted_gauge(gauge<n>, precise_gauge<n>, n, n_coefficients<n>, x, view->self + n, out);
}

// The nearest point of { sum (|x_i|/c_i)^s <= 1, |x_i| <= h_i }; h_i = 0: no bound.
inline Exact superellipsoid(const double* c, long double s, const double* h, const Exact& y) {
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
      if (h != nullptr && h[i] > 0) value = std::min<long double>(value, h[i]);
      x[i] = std::copysign(value, y[i]);
      sum += std::pow(value / c[i], s);
    }
    return sum;
  };
  if (level(0) <= 1) {
    for (std::size_t i = 0; i < y.size() && h != nullptr; ++i) {
      x[i] = h[i] > 0 ? std::clamp<long double>(y[i], -h[i], h[i]) : y[i];
    }
    return h != nullptr ? x : y;
  }
  long double low = -120, high = 80;
  for (int k = 0; k < 80; ++k) {
    const long double middle = (low + high) / 2;
    (level(std::exp2(middle)) > 1 ? low : high) = middle;
  }
  return x;
}

// Of random numbers.
Eigen::MatrixXd rotation(int n, std::mt19937& generator) {
  std::normal_distribution<double> normal;
  Eigen::MatrixXd A(n, n);
  for (double& value : A.reshaped()) value = normal(generator);
  return Eigen::HouseholderQR<Eigen::MatrixXd>(A).householderQ();
}

}  // namespace

template <int n>
Member<n>::Member(const Family& family, int number, std::mt19937& generator) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const auto below_one = [&](double decades) { return std::pow(10, -decades * uniform(generator)); };
  if (family.turned) R = rotation(n, generator);
  for (double& value : c) value = below_one(number % 3 == 0 ? 2 : 0.7);
  if (family.kind != Family::box && family.kind != Family::nothing) c.setConstant(c[0]);  // a ball
  if (family.kind == Family::box) {
    for (int i = 0; i < n; ++i) {
      h[i] = family.given == nsmc::rt::Given::by_gauge ? c[i] * (0.5 + 0.6 * uniform(generator)) : below_one(2);
    }
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
  coefficients.resize(n * n);
  Eigen::Map<typename Coefficients<n>::Square>(coefficients.data()) = R;
  coefficients.insert(coefficients.end(), c.begin(), c.end());
  coefficients.push_back(family.s);
  coefficients.insert(coefficients.end(), h.begin(), h.end());
  coefficients.push_back(radius);
  if (family.is_moved()) {  // 0 stays inside
    for (double& value : shift) value = normal(generator);
    nsm_view view{};
    view.lambda = shift.data();
    view.self = coefficients.data();
    double out[1 + n + n * n];
    gauge<n>(&view, out);
    shift *= 0.9 * uniform(generator) / out[0];
  }
  shift_and_coefficients.assign(shift.begin(), shift.end());
  shift_and_coefficients.insert(shift_and_coefficients.end(), coefficients.begin(), coefficients.end());
}

template <int n>
void Member<n>::map(const Family& family, const Eigen::MatrixXd& A) {
  using Square = typename Coefficients<n>::Square;
  const bool is_gauge = family.given == by_gauge;
  const Square image =
      (is_gauge ? Square(A.inverse().transpose()) : Square(A)) * Eigen::Map<const Square>(coefficients.data());
  const Vector moved = A * Eigen::Map<const Vector>(shift_and_coefficients.data());
  std::copy_n(image.data(), n * n, coefficients.data());
  std::copy_n(moved.data(), n, shift_and_coefficients.data());
  std::copy_n(image.data(), n * n, shift_and_coefficients.data() + n);
}

template <int n>
nsmc::rt::HomogeneousFunction Member<n>::function(const Family& family) const {
  const auto count = static_cast<std::uint32_t>(coefficients.size());
  if (family.is_moved()) return {moved<n>, shift_and_coefficients.data(), n + count, n, precise_moved<n>};
  if (family.root) return {polar<n>, coefficients.data(), count, n, precise_polar<n>};
  if (family.given == nsmc::rt::Given::by_gauge) return {gauge<n>, coefficients.data(), count, n, precise_gauge<n>};
  return {support<n>, coefficients.data(), count, n, precise_support<n>};
}

template <int n>
double Member<n>::size() const {
  return c.maxCoeff() + h.norm() + radius + shift.norm();
}

template <int n>
Direction<n> Member<n>::beyond(const Family& family, const Vector& v, double distance, std::mt19937& generator) const {
  std::uniform_real_distribution<double> uniform;
  Vector beside, x;
  for (int i = 0; i < n; ++i) beside[i] = v[i] == 0 ? 1e-30 : v[i];
  nsm_view view{};
  view.lambda = beside.data();
  view.self = coefficients.data() + n * n;
  double out[1 + n + n * n];
  (family.s == 2 ? functions::ellipsoid_support<n> : functions::superellipsoid_support<n>)(&view, out);
  const bool sum = family.given == nsmc::rt::Given::by_support;
  for (int i = 0; i < n; ++i) {
    const double side = v[i] > 0 ? 1 : v[i] < 0 ? -1 : 2 * uniform(generator) - 1;
    x[i] = (v[i] == 0 ? 0 : out[1 + i]) + (sum ? h[i] * side : 0);
    if (!sum && h[i] > 0) x[i] = std::clamp(x[i], -h[i], h[i]);
  }
  const double rim = v.head(n - 1).norm();
  for (int i = 0; i + 1 < n && rim > 0; ++i) x[i] += radius * v[i] / rim;
  return R * (x + distance * v) + shift;
}

template <int n>
Direction<n> Member<n>::nearest(const Family& family, const Vector& y) const {
  Exact turned(n), threshold(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) turned[i] += R(j, i) * (static_cast<long double>(y[j]) - shift[j]);
  }
  threshold = turned;
  const bool is_gauge = family.given == by_gauge;
  if (!is_gauge) {
    long double length = 0;
    for (int i = 0; i + 1 < n; ++i) length += turned[i] * turned[i];
    length = std::sqrt(length);
    for (int i = 0; i + 1 < n && radius > 0; ++i) threshold[i] *= length > radius ? (length - radius) / length : 0;
    for (int i = 0; i < n; ++i) {
      threshold[i] = std::copysign(std::max<long double>(std::abs(threshold[i]) - h[i], 0), threshold[i]);
    }
  }
  const Exact x = superellipsoid(c.data(), family.s, is_gauge ? h.data() : nullptr, threshold);
  Vector reference;
  for (int i = 0; i < n; ++i) {
    long double sum = shift[i];
    for (int j = 0; j < n; ++j) sum += R(i, j) * (x[j] + turned[j] - threshold[j]);
    reference[i] = static_cast<double>(sum);
  }
  return reference;
}

Eigen::MatrixXd regular_map(int n, std::mt19937& generator) {
  std::uniform_real_distribution<double> uniform;
  Eigen::VectorXd values(n);
  for (double& value : values) value = std::exp2(2 * uniform(generator) - 1);
  const Eigen::MatrixXd first = rotation(n, generator);
  return first * values.asDiagonal() * rotation(n, generator);
}

template struct Member<2>;
template struct Member<3>;
template struct Member<4>;
template struct Member<5>;
template struct Member<6>;

}  // namespace kink_families
