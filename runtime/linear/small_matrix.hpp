// Vectors and symmetric matrices of two to six rows, known when compiling: the linear algebra of projections, unrolled.
// Entries are doubles, or registers with a problem in every lane (number.hpp).
#pragma once

#include "runtime/linear/number.hpp"

namespace nsmc::rt {

template <int N, class Real = double>
struct Vec {
  Real v[N];
  Real& operator[](int i) { return v[i]; }
  const Real& operator[](int i) const { return v[i]; }
  friend Real dot(const Vec& a, const Vec& b) {
    Real sum = 0;
    for (int i = 0; i < N; ++i) sum += a[i] * b[i];
    return sum;
  }
  friend Vec add(const Vec& a, const Real& t, const Vec& b) {  // a + t b
    Vec result;
    for (int i = 0; i < N; ++i) result[i] = a[i] + t * b[i];
    return result;
  }
};

// Symmetric; only the lower triangle counts.
template <int N, class Real = double>
struct Sym {
  Real a[N][N];

  Vec<N, Real> operator*(const Vec<N, Real>& x) const {
    Vec<N, Real> y;
    for (int i = 0; i < N; ++i) {
      y[i] = 0;
      for (int j = 0; j < N; ++j) y[i] += (j < i ? a[i][j] : a[j][i]) * x[j];
    }
    return y;
  }

  // In place: L D L^T, D inverted on the diagonal. Where it is positive definite.
  mask_of<Real> factorise() {
    mask_of<Real> positive = mask_from<Real>(~0u);
    for (int j = 0; j < N; ++j) {
      for (int k = 0; k < j; ++k) {
        const Real l = a[j][k] * a[k][k];  // row j still holds L D
        a[j][j] -= l * a[j][k];
        for (int i = j + 1; i < N; ++i) a[i][j] -= l * a[i][k];
      }
      positive = positive & (a[j][j] > Real(0));
      if (!any(positive)) return positive;
      a[j][j] = Real(1) / a[j][j];
    }
    return positive;
  }
  Vec<N, Real> solve(Vec<N, Real> b) const {
    for (int i = 0; i < N; ++i) {
      for (int k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
      b[i] *= a[i][i];
    }
    for (int i = N - 1; i >= 0; --i) {
      Real sum = 0;
      for (int k = i + 1; k < N; ++k) sum += a[k][i] * b[k];
      b[i] -= a[i][i] * sum;
    }
    return b;
  }
  // b . A^-1 b.
  Real inverse_form(Vec<N, Real> b) const {
    Real sum = 0;
    for (int i = 0; i < N; ++i) {
      for (int k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
      sum += a[i][i] * b[i] * b[i];
      b[i] *= a[i][i];
    }
    return sum;
  }
};

}  // namespace nsmc::rt
