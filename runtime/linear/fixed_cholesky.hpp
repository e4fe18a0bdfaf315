// Cholesky's factorisation M = L L^T for sizes that the compiler knows, at most 6 (a rigid body), and diagonal masses.
// Plain loops, which are unrolled: in the runtime for each size, in the fused step (runtime/small) for each model,
// where zeros of M vanish. The same code, so that both have the same numbers.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "runtime/linear/known.hpp"

namespace nsmc::rt {

enum class FactorStatus : std::uint8_t { ok, not_positive_definite, not_finite };

// A pivot that cancellation has reduced to rounding errors of its diagonal element is zero.
inline FactorStatus judge_pivot(double pivot, double diagonal) {
  if (!std::isfinite(pivot) || !std::isfinite(diagonal)) return FactorStatus::not_finite;
  return pivot > 4 * std::numeric_limits<double>::epsilon() * diagonal && pivot > 0
             ? FactorStatus::ok
             : FactorStatus::not_positive_definite;
}

// In place; n x n, column-major, the lower triangle is used.
[[gnu::always_inline]] inline FactorStatus factor_fixed(double* M, std::uint32_t n) {
  double sum = 0;  // 0 * x is 0 for finite x and NaN otherwise
  NSM_UNROLL
  for (std::uint32_t j = 0; j < n; ++j) {
    NSM_UNROLL
    for (std::uint32_t i = j; i < n; ++i) sum += 0 * M[i + n * j];
  }
  if (!(sum == 0)) return FactorStatus::not_finite;
  NSM_UNROLL
  for (std::uint32_t j = 0; j < n; ++j) {
    const double diagonal = M[j + n * j];
    double pivot = diagonal;
    NSM_UNROLL
    for (std::uint32_t k = 0; k < j; ++k) pivot = fused::minus(pivot, fused::times(M[j + n * k], M[j + n * k]));
    if (const FactorStatus status = judge_pivot(pivot, diagonal); status != FactorStatus::ok) return status;
    const double root = std::sqrt(pivot);
    M[j + n * j] = root;
    NSM_UNROLL
    for (std::uint32_t i = j + 1; i < n; ++i) {
      double value = M[i + n * j];
      NSM_UNROLL
      for (std::uint32_t k = 0; k < j; ++k) value = fused::minus(value, fused::times(M[i + n * k], M[j + n * k]));
      M[i + n * j] = fused::over(value, root);
    }
  }
  return FactorStatus::ok;
}

// x = M^-1 x
[[gnu::always_inline]] inline void solve_fixed(const double* L, std::uint32_t n, double* x) {
  NSM_UNROLL
  for (std::uint32_t i = 0; i < n; ++i) {
    double value = x[i];
    NSM_UNROLL
    for (std::uint32_t k = 0; k < i; ++k) value = fused::minus(value, fused::times(L[i + n * k], x[k]));
    x[i] = fused::over(value, L[i + n * i]);
  }
  NSM_UNROLL
  for (std::uint32_t j = 0; j < n; ++j) {
    const std::uint32_t i = n - 1 - j;
    double value = x[i];
    NSM_UNROLL
    for (std::uint32_t k = i + 1; k < n; ++k) value = fused::minus(value, fused::times(L[k + n * i], x[k]));
    x[i] = fused::over(value, L[i + n * i]);
  }
}

// d becomes 1/d.
[[gnu::always_inline]] inline FactorStatus factor_diagonal(double* d, std::size_t n) {
  NSM_UNROLL
  for (std::size_t j = 0; j < n; ++j) {
    if (const FactorStatus status = judge_pivot(d[j], d[j]); status != FactorStatus::ok) return status;
    d[j] = 1 / d[j];
  }
  return FactorStatus::ok;
}

[[gnu::always_inline]] inline void solve_diagonal(const double* d, std::size_t n, double* x) {
  NSM_UNROLL
  for (std::size_t j = 0; j < n; ++j) x[j] = fused::times(x[j], d[j]);
}

}  // namespace nsmc::rt
