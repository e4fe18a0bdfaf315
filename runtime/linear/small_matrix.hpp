// Vectors and symmetric matrices of two to six rows, known when compiling: the linear algebra of projections, unrolled.
#pragma once

namespace nsmc::rt {

template <int N>
struct Vec {
  double v[N];
  double& operator[](int i) { return v[i]; }
  double operator[](int i) const { return v[i]; }
  friend double dot(const Vec& a, const Vec& b) {
    double sum = 0;
    for (int i = 0; i < N; ++i) sum += a[i] * b[i];
    return sum;
  }
  friend Vec add(const Vec& a, double t, const Vec& b) {  // a + t b
    Vec result;
    for (int i = 0; i < N; ++i) result[i] = a[i] + t * b[i];
    return result;
  }
};

// Symmetric; only the lower triangle counts.
template <int N>
struct Sym {
  double a[N][N];

  Vec<N> operator*(const Vec<N>& x) const {
    Vec<N> y{};
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < N; ++j) y[i] += (j < i ? a[i][j] : a[j][i]) * x[j];
    }
    return y;
  }

  // In place: L D L^T, D inverted on the diagonal. False if not positive definite.
  bool factorise() {
    for (int j = 0; j < N; ++j) {
      for (int k = 0; k < j; ++k) {
        const double l = a[j][k] * a[k][k];  // row j still holds L D
        a[j][j] -= l * a[j][k];
        for (int i = j + 1; i < N; ++i) a[i][j] -= l * a[i][k];
      }
      if (!(a[j][j] > 0)) return false;
      a[j][j] = 1 / a[j][j];
    }
    return true;
  }
  Vec<N> solve(Vec<N> b) const {
    for (int i = 0; i < N; ++i) {
      for (int k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
      b[i] *= a[i][i];
    }
    for (int i = N - 1; i >= 0; --i) {
      double sum = 0;
      for (int k = i + 1; k < N; ++k) sum += a[k][i] * b[k];
      b[i] -= a[i][i] * sum;
    }
    return b;
  }
  // b . A^-1 b.
  double inverse_form(Vec<N> b) const {
    double sum = 0;
    for (int i = 0; i < N; ++i) {
      for (int k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
      sum += a[i][i] * b[i] * b[i];
      b[i] *= a[i][i];
    }
    return sum;
  }
};

}  // namespace nsmc::rt
