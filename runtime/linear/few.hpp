// Vectors and matrices of at most six rows and columns, whose number is known when running: the linear algebra of sets
// by functions at kinks. Compiled once, nothing is allocated.
//
// few.cpp has the decompositions. All are for well scaled problems: entries that differ by 1e-16 count as zero.
#pragma once

#include <algorithm>
#include <cmath>

namespace nsmc::rt {

inline constexpr int max_few = 6;

struct FewVector {
  int n = 0;
  double v[max_few];

  FewVector() = default;
  explicit FewVector(int size, double value = 0) : n(size) { std::fill_n(v, n, value); }
  FewVector(const double* from, int size) : n(size) { std::copy_n(from, n, v); }
  static FewVector unit(int size, int i) {
    FewVector result(size);
    result[i] = 1;
    return result;
  }

  double& operator[](int i) { return v[i]; }
  double operator[](int i) const { return v[i]; }
  const double* data() const { return v; }

  double dot(const FewVector& b) const {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += v[i] * b[i];
    return sum;
  }
  double squared_norm() const { return dot(*this); }
  double norm() const { return std::sqrt(dot(*this)); }
  bool is_finite() const {
    return std::all_of(v, v + n, [](double x) { return std::isfinite(x); });
  }
  bool is_zero() const {
    return std::all_of(v, v + n, [](double x) { return x == 0; });
  }
  FewVector normalized() const;  // 0 stays 0

  FewVector& operator+=(const FewVector& b) {
    for (int i = 0; i < n; ++i) v[i] += b[i];
    return *this;
  }
  FewVector& operator-=(const FewVector& b) {
    for (int i = 0; i < n; ++i) v[i] -= b[i];
    return *this;
  }
  FewVector& operator*=(double t) {
    for (int i = 0; i < n; ++i) v[i] *= t;
    return *this;
  }
  friend FewVector operator+(FewVector a, const FewVector& b) { return a += b; }
  friend FewVector operator-(FewVector a, const FewVector& b) { return a -= b; }
  friend FewVector operator*(double t, FewVector a) { return a *= t; }
  friend FewVector operator-(FewVector a) { return a *= -1; }
  friend FewVector operator/(FewVector a, double t) {
    for (int i = 0; i < a.n; ++i) a[i] /= t;
    return a;
  }
};

inline FewVector FewVector::normalized() const {
  const double length = norm();
  return length > 0 ? *this / length : *this;
}

struct FewMatrix {
  int rows = 0, cols = 0;
  double a[max_few][max_few];

  FewMatrix() = default;
  FewMatrix(int n_rows, int n_cols) : rows(n_rows), cols(n_cols) {
    for (int i = 0; i < rows; ++i) std::fill_n(a[i], cols, 0.0);
  }
  // n x n, row after row.
  FewMatrix(const double* from, int n) : rows(n), cols(n) {
    for (int i = 0; i < n; ++i) std::copy_n(from + i * n, n, a[i]);
  }
  static FewMatrix identity(int n) {
    FewMatrix result(n, n);
    for (int i = 0; i < n; ++i) result(i, i) = 1;
    return result;
  }

  double& operator()(int i, int j) { return a[i][j]; }
  double operator()(int i, int j) const { return a[i][j]; }

  FewVector col(int j) const {
    FewVector result(rows);
    for (int i = 0; i < rows; ++i) result[i] = a[i][j];
    return result;
  }
  void set_col(int j, const FewVector& x) {
    for (int i = 0; i < rows; ++i) a[i][j] = x[i];
  }
  void add_col(const FewVector& x) {
    rows = x.n;
    set_col(cols++, x);
  }
  FewMatrix first_cols(int count) const {
    FewMatrix result = *this;
    result.cols = count;
    return result;
  }

  double norm() const {
    double sum = 0;
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < cols; ++j) sum += a[i][j] * a[i][j];
    }
    return std::sqrt(sum);
  }
  bool is_finite() const { return std::isfinite(norm()); }

  // += t x y^T
  void add_outer(double t, const FewVector& x, const FewVector& y) {
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < cols; ++j) a[i][j] += t * x[i] * y[j];
    }
  }
  // += t B
  void add(double t, const FewMatrix& B) {
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < cols; ++j) a[i][j] += t * B(i, j);
    }
  }

  friend FewVector operator*(const FewMatrix& A, const FewVector& x) {
    FewVector result(A.rows);
    for (int i = 0; i < A.rows; ++i) {
      for (int j = 0; j < A.cols; ++j) result[i] += A(i, j) * x[j];
    }
    return result;
  }
  // A^T x
  FewVector transposed_times(const FewVector& x) const {
    FewVector result(cols);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < cols; ++j) result[j] += a[i][j] * x[i];
    }
    return result;
  }
  // A^T B
  FewMatrix transposed_times(const FewMatrix& B) const {
    FewMatrix result(cols, B.cols);
    for (int j = 0; j < B.cols; ++j) result.set_col(j, transposed_times(B.col(j)));
    return result;
  }
  friend FewMatrix operator*(const FewMatrix& A, const FewMatrix& B) {
    FewMatrix result(A.rows, B.cols);
    for (int j = 0; j < B.cols; ++j) result.set_col(j, A * B.col(j));
    return result;
  }
};

// A = L L^T for a symmetric positive definite A, of which the lower triangle counts.
class FewCholesky {
 public:
  explicit FewCholesky(const FewMatrix& A);
  bool is_good() const { return good_; }
  FewVector solve_lower(FewVector b) const;  // L^-1 b
  FewVector solve_upper(FewVector b) const;  // L^-T b
  FewVector solve(const FewVector& b) const { return solve_upper(solve_lower(b)); }

 private:
  FewMatrix L_;
  bool good_ = true;
};

// A E = Q R with reflections, the largest of the remaining columns first (E). No more columns than rows.
class FewQr {
 public:
  explicit FewQr(const FewMatrix& A);
  FewVector times_Q(FewVector x) const;
  FewVector times_Qt(FewVector x) const;
  FewMatrix Q() const;  // all of its columns; the first span those of A
  int rank() const { return rank_; }
  // The x with the least |A x - b|; 0 for columns beyond the rank.
  FewVector solve(const FewVector& b) const;
  // The y in the column space of A with A^T y = b, by its components along the first columns of Q: R^-T E^T b.
  FewVector solve_transposed(const FewVector& b) const;

 private:
  void reflect(int j, FewVector& x) const;  // by the reflection below the diagonal of column j

  FewMatrix R_;  // and the reflections below its diagonal
  double factor_[max_few];
  int order_[max_few];
  int rank_ = 0;
};

// By elimination with the largest pivot of all.
class FewLu {
 public:
  explicit FewLu(const FewMatrix& A);
  bool is_invertible() const { return invertible_; }
  FewVector solve(const FewVector& b) const;
  FewMatrix inverse() const;

 private:
  FewMatrix LU_;
  int row_[max_few], col_[max_few];
  bool invertible_ = true;
};

// A symmetric matrix without the part of eigenvalues larger than `most`.
FewMatrix without_large_eigenvalues(const FewMatrix& A, double most);

}  // namespace nsmc::rt
