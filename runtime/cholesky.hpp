// Cholesky's factorisation M = L L^T of the mass matrix of one block, in place and without allocation, and the
// solution of M x = b with it. Matrices are n x n, column-major, the lower triangle is used. The diagonal of the factor
// holds 1/L_jj, so that solving needs no division. Diagonal masses have their own, trivial pair.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace nsmc::rt {

enum class FactorStatus : std::uint8_t { ok, not_positive_definite, not_finite };

// A pivot that cancellation has reduced to rounding errors of its diagonal element is zero.
inline FactorStatus judge_pivot(double pivot, double diagonal) {
  if (!std::isfinite(pivot) || !std::isfinite(diagonal)) return FactorStatus::not_finite;
  return pivot > 4 * std::numeric_limits<double>::epsilon() * diagonal && pivot > 0
             ? FactorStatus::ok
             : FactorStatus::not_positive_definite;
}

inline FactorStatus factor_dense(double* L, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    double* column = L + j * n;
    const double diagonal = column[j];
    for (std::size_t k = 0; k < j; ++k) {
      const double* earlier = L + k * n;
      const double factor = earlier[j];
      for (std::size_t i = j; i < n; ++i) column[i] -= factor * earlier[i];
    }
    if (const FactorStatus status = judge_pivot(column[j], diagonal); status != FactorStatus::ok) return status;
    const double reciprocal = 1 / std::sqrt(column[j]);
    column[j] = reciprocal;
    for (std::size_t i = j + 1; i < n; ++i) column[i] *= reciprocal;
  }
  return FactorStatus::ok;
}

inline void solve_dense(const double* L, std::size_t n, double* x) {
  for (std::size_t j = 0; j < n; ++j) {
    const double* column = L + j * n;
    x[j] *= column[j];
    for (std::size_t i = j + 1; i < n; ++i) x[i] -= column[i] * x[j];
  }
  for (std::size_t j = n; j-- > 0;) {
    const double* column = L + j * n;
    double sum = x[j];
    for (std::size_t i = j + 1; i < n; ++i) sum -= column[i] * x[i];
    x[j] = sum * column[j];
  }
}

inline FactorStatus factor_diagonal(double* d, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    if (const FactorStatus status = judge_pivot(d[j], d[j]); status != FactorStatus::ok) return status;
    d[j] = 1 / d[j];
  }
  return FactorStatus::ok;
}

inline void solve_diagonal(const double* d, std::size_t n, double* x) {
  for (std::size_t j = 0; j < n; ++j) x[j] *= d[j];
}

}  // namespace nsmc::rt
