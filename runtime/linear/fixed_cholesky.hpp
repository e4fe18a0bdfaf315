// Cholesky's factorisation M = L L^T for sizes that the compiler knows, at most 6 (a rigid body), and diagonal masses.
// Plain loops, which are unrolled: in the runtime for each size, in the fused step (runtime/small) for each model,
// where zeros of M vanish, and for registers with a matrix in every lane. One text, so that all have the same numbers.
#pragma once

#include <cstdint>
#include <limits>

#include "runtime/linear/number.hpp"

namespace nsmc::rt {

// In which lanes all numbers are finite, and pivots positive as far as they are known: a factorisation ends early once
// no lane is good.
template <class Real>
struct Pivots {
  mask_of<Real> finite = mask_from<Real>(~0u), positive = finite;

  mask_of<Real> good() const { return finite & positive; }

  // A pivot that cancellation has reduced to rounding errors of its diagonal element is zero.
  NSM_INLINE void judge(const Real& pivot, const Real& diagonal) {
    finite = finite & is_finite(pivot) & is_finite(diagonal);
    positive = positive & (pivot > Real(4 * std::numeric_limits<double>::epsilon()) * diagonal) & (pivot > Real(0));
  }
};

// In place; n x n, column-major, the lower triangle is used.
template <class Real>
NSM_INLINE Pivots<Real> factor_fixed(Real* M, std::uint32_t n) {
  Pivots<Real> pivots;
  NSM_UNROLL
  for (std::uint32_t j = 0; j < n; ++j) {
    NSM_UNROLL
    for (std::uint32_t i = j; i < n; ++i) pivots.finite = pivots.finite & is_finite(M[i + n * j]);
  }
  if (!any(pivots.finite)) return pivots;
  NSM_UNROLL
  for (std::uint32_t j = 0; j < n; ++j) {
    const Real diagonal = M[j + n * j];
    Real pivot = diagonal;
    NSM_UNROLL
    for (std::uint32_t k = 0; k < j; ++k) pivot -= M[j + n * k] * M[j + n * k];
    pivots.judge(pivot, diagonal);
    if (!any(pivots.good())) return pivots;
    const Real l = root(pivot);
    M[j + n * j] = l;
    NSM_UNROLL
    for (std::uint32_t i = j + 1; i < n; ++i) {
      Real value = M[i + n * j];
      NSM_UNROLL
      for (std::uint32_t k = 0; k < j; ++k) value -= M[i + n * k] * M[j + n * k];
      M[i + n * j] = value / l;
    }
  }
  return pivots;
}

// x = L^-1 x
template <class Real>
NSM_INLINE void half_solve_fixed(const Real* L, std::uint32_t n, Real* x) {
  NSM_UNROLL
  for (std::uint32_t i = 0; i < n; ++i) {
    Real value = x[i];
    NSM_UNROLL
    for (std::uint32_t k = 0; k < i; ++k) value -= L[i + n * k] * x[k];
    x[i] = value / L[i + n * i];
  }
}

// x = M^-1 x
template <class Real>
NSM_INLINE void solve_fixed(const Real* L, std::uint32_t n, Real* x) {
  half_solve_fixed(L, n, x);
  NSM_UNROLL
  for (std::uint32_t j = 0; j < n; ++j) {
    const std::uint32_t i = n - 1 - j;
    Real value = x[i];
    NSM_UNROLL
    for (std::uint32_t k = i + 1; k < n; ++k) value -= L[k + n * i] * x[k];
    x[i] = value / L[i + n * i];
  }
}

// d becomes 1/d.
template <class Real>
NSM_INLINE Pivots<Real> factor_diagonal(Real* d, std::uint32_t n) {
  Pivots<Real> pivots;
  NSM_UNROLL
  for (std::uint32_t j = 0; j < n; ++j) {
    pivots.judge(d[j], d[j]);
    if (!any(pivots.good())) return pivots;
    d[j] = Real(1) / d[j];
  }
  return pivots;
}

template <class Real>
NSM_INLINE void solve_diagonal(const Real* d, std::uint32_t n, Real* x) {
  NSM_UNROLL
  for (std::uint32_t j = 0; j < n; ++j) x[j] *= d[j];
}

}  // namespace nsmc::rt
