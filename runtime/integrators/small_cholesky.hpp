// Cholesky's factorisation M = L L^T of a matrix whose size is known when compiling, column-major, lower triangle: of
// doubles, or of registers with a matrix in every lane (runtime/lanes/number.hpp).
#pragma once

#include <limits>

#include "runtime/lanes/number.hpp"

namespace nsmc::rt {

// A pivot that cancellation has reduced to rounding errors of its diagonal element is zero.
template <class Real>
mask_of<Real> is_pivot(const Real& pivot, const Real& diagonal) {
  return is_finite(pivot) & is_finite(diagonal) &
         (pivot > Real(4 * std::numeric_limits<double>::epsilon()) * diagonal) & (pivot > Real(0));
}

// L in place of M, for N known when compiling, of doubles or of registers with a matrix in every lane. Where it exists;
// `diagonal` gets M_jj as sum_k L_jk^2.
template <int N, class Real>
mask_of<Real> factor_small(Real* M, Real* diagonal) {
  mask_of<Real> positive{};
  for (int j = 0; j < N; ++j) {
    Real pivot = M[j * N + j], sum = 0;
    for (int k = 0; k < j; ++k) {
      const Real square = M[k * N + j] * M[k * N + j];
      pivot -= square;
      sum += square;
    }
    positive = j == 0 ? pivot > Real(0) : positive & (pivot > Real(0));
    if (!any(positive)) return positive;
    const Real l = root(pivot);
    diagonal[j] = sum + l * l;
    M[j * N + j] = l;
    for (int i = j + 1; i < N; ++i) {
      Real value = M[j * N + i];
      for (int k = 0; k < j; ++k) value -= M[k * N + i] * M[k * N + j];
      M[j * N + i] = value / l;
    }
  }
  return positive;
}

template <int N, class Real>
void solve_small(const Real* L, Real* x) {
  for (int i = 0; i < N; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= L[k * N + i] * x[k];
    x[i] /= L[i * N + i];
  }
  for (int i = N - 1; i >= 0; --i) {
    for (int k = i + 1; k < N; ++k) x[i] -= L[i * N + k] * x[k];
    x[i] /= L[i * N + i];
  }
}

}  // namespace nsmc::rt
