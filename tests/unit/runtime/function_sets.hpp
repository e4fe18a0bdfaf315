// Gauge and support functions as kernels written by hand: what the compiler would make of their formulas, with the
// same lack of answers at kinks.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "runtime/kernel_abi.hpp"

namespace functions {

// Out: value, gradient, Hessian.
template <int n>
struct Out {
  double* out;
  double& value() const { return out[0]; }
  double& g(int i) const { return out[1 + i]; }
  double& H(int i, int j) const { return out[1 + n + i * n + j]; }
  void clear() const { std::fill_n(out, 1 + n + n * n, 0.0); }
};

// sqrt(sum (x_i/c_i)^2): gauge function of an ellipsoid with semi-axes c.
template <int n>
void ellipsoid_gauge(const nsm_view* view, double* result) {
  const Out<n> out{result};
  const double *x = view->lambda, *c = view->self;
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] / c[i] * (x[i] / c[i]);
  const double k = std::sqrt(sum);
  out.value() = k;
  for (int i = 0; i < n; ++i) out.g(i) = x[i] / (c[i] * c[i] * k);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) out.H(i, j) = ((i == j ? 1 / (c[i] * c[i]) : 0) - out.g(i) * out.g(j)) / k;
  }
}

// sqrt(sum (c_i v_i)^2): support function of the same.
template <int n>
void ellipsoid_support(const nsm_view* view, double* result) {
  double inverse[n];
  for (int i = 0; i < n; ++i) inverse[i] = 1 / view->self[i];
  nsm_view other = *view;
  other.self = inverse;
  ellipsoid_gauge<n>(&other, result);
}

// max |x_i|/c_i: gauge function of a box.
template <int n>
void box_gauge(const nsm_view* view, double* result) {
  const Out<n> out{result};
  out.clear();
  int largest = 0;
  for (int i = 0; i < n; ++i) {
    if (std::abs(view->lambda[i]) / view->self[i] > std::abs(view->lambda[largest]) / view->self[largest]) largest = i;
  }
  out.value() = std::abs(view->lambda[largest]) / view->self[largest];
  out.g(largest) = std::copysign(1, view->lambda[largest]) / view->self[largest];
}

// sum c_i |v_i|: support function of a box. |v| as sqrt(v^2): no derivative at 0.
template <int n>
void box_support(const nsm_view* view, double* result) {
  const Out<n> out{result};
  out.clear();
  for (int i = 0; i < n; ++i) {
    out.value() += view->self[i] * std::abs(view->lambda[i]);
    out.g(i) = view->self[i] * view->lambda[i] / std::sqrt(view->lambda[i] * view->lambda[i]);
  }
}

// sum |x_i|/c_i: gauge function of a diamond (cross-polytope).
template <int n>
void diamond_gauge(const nsm_view* view, double* result) {
  double inverse[n];
  for (int i = 0; i < n; ++i) inverse[i] = 1 / view->self[i];
  nsm_view other = *view;
  other.self = inverse;
  box_support<n>(&other, result);
}

// (sum (|x_i|/c_i)^s)^(1/s), s = c_n: gauge function of a superellipsoid.
template <int n>
void superellipsoid_gauge(const nsm_view* view, double* result) {
  const Out<n> out{result};
  const double *x = view->lambda, *c = view->self, s = c[n];
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += std::pow(std::abs(x[i]) / c[i], s);
  out.value() = std::pow(sum, 1 / s);
  double power[n];
  for (int i = 0; i < n; ++i) power[i] = std::pow(std::abs(x[i]) / c[i], s - 1) * std::copysign(1, x[i]) / c[i];
  for (int i = 0; i < n; ++i) out.g(i) = std::pow(sum, 1 / s - 1) * power[i];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double bent = i == j ? std::pow(std::abs(x[i]) / c[i], s - 2) / (c[i] * c[i]) : 0;
      out.H(i, j) = (s - 1) * (std::pow(sum, 1 / s - 1) * bent - std::pow(sum, 1 / s - 2) * power[i] * power[j]);
    }
  }
}

// Support function of the same: the gauge function of its polar set, with semi-axes 1/c and exponent s/(s-1).
template <int n>
void superellipsoid_support(const nsm_view* view, double* result) {
  double polar[n + 1];
  for (int i = 0; i < n; ++i) polar[i] = 1 / view->self[i];
  polar[n] = view->self[n] / (view->self[n] - 1);
  nsm_view other = *view;
  other.self = polar;
  superellipsoid_gauge<n>(&other, result);
}

// max_i c_i . x over m vectors, m = c_0: gauge function of a polytope { c_i . x <= 1 }, or the support function of the
// polytope with the corners c_i.
template <int n>
void polytope(const nsm_view* view, double* result) {
  const Out<n> out{result};
  out.clear();
  out.value() = -1e300;
  for (int m = 0; m < static_cast<int>(view->self[0]); ++m) {
    const double* c = view->self + 1 + m * n;
    double value = 0;
    for (int i = 0; i < n; ++i) value += c[i] * view->lambda[i];
    if (value <= out.value()) continue;
    out.value() = value;
    for (int i = 0; i < n; ++i) out.g(i) = c[i];
  }
}

// max(|x_T|/c_0, |x_3|/c_1), x_T of all but the last coordinate: a cylinder.
template <int n>
void cylinder_gauge(const nsm_view* view, double* result) {
  const Out<n> out{result};
  out.clear();
  double sum = 0;
  for (int i = 0; i + 1 < n; ++i) sum += view->lambda[i] * view->lambda[i];
  const double T = std::sqrt(sum), x3 = view->lambda[n - 1];
  if (T / view->self[0] < std::abs(x3) / view->self[1]) {
    out.value() = std::abs(x3) / view->self[1];
    out.g(n - 1) = std::copysign(1, x3) / view->self[1];
    return;
  }
  out.value() = T / view->self[0];
  for (int i = 0; i + 1 < n; ++i) out.g(i) = view->lambda[i] / T / view->self[0];
  for (int i = 0; i + 1 < n; ++i) {
    for (int j = 0; j + 1 < n; ++j) {
      out.H(i, j) = ((i == j ? 1 / view->self[0] : 0) - out.g(i) * out.g(j) * view->self[0]) / T;
    }
  }
}

// c_0 |v_T| + c_1 |v_3|: support function of the same.
template <int n>
void cylinder_support(const nsm_view* view, double* result) {
  const Out<n> out{result};
  out.clear();
  double sum = 0;
  for (int i = 0; i + 1 < n; ++i) sum += view->lambda[i] * view->lambda[i];
  const double T = std::sqrt(sum), v3 = view->lambda[n - 1];
  out.value() = view->self[0] * T + view->self[1] * std::abs(v3);
  for (int i = 0; i + 1 < n; ++i) out.g(i) = view->self[0] * view->lambda[i] / T;
  out.g(n - 1) = view->self[1] * std::copysign(1, v3);
  for (int i = 0; i + 1 < n; ++i) {
    for (int j = 0; j + 1 < n; ++j) {
      out.H(i, j) = view->self[0] * ((i == j ? 1 : 0) - view->lambda[i] * view->lambda[j] / (T * T)) / T;
    }
  }
}

// A kernel table entry for one set alone in its contact.
inline nsm_set plain_set(std::uint32_t kind, std::uint32_t dim, std::uint32_t n_arguments) {
  nsm_set set{};
  set.kind = kind;
  set.dim = dim;
  set.n_arguments = n_arguments;
  const bool sized = kind == NSM_SET_GAUGE || kind == NSM_SET_SUPPORT || kind == NSM_SET_CONTENSOU_PARABOLIC ||
                     kind == NSM_SET_CONTENSOU_UNIFORM;
  set.n_lengths = sized ? 1 : n_arguments;
  return set;
}

}  // namespace functions
