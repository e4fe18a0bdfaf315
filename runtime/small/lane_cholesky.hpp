// Cholesky's factorisation M = L L^T for registers with a matrix in every lane: fixed_cholesky.hpp with masks.
#pragma once

#include <limits>

#include "runtime/linear/number.hpp"

namespace nsmc::rt {

// A pivot that cancellation has reduced to rounding errors of its diagonal element is zero.
template <class Real>
mask_of<Real> is_pivot(const Real& pivot, const Real& diagonal) {
  return is_finite(pivot) & is_finite(diagonal) &
         (pivot > Real(4 * std::numeric_limits<double>::epsilon()) * diagonal) & (pivot > Real(0));
}

// L in place of M. Where it exists.
template <int N, class Real>
mask_of<Real> factor_lanes(Real* M) {
  using Mask = mask_of<Real>;
  Mask good = Mask::of(~0u);
  for (int j = 0; j < N; ++j) {
    for (int i = j; i < N; ++i) good = good & is_finite(M[j * N + i]);
  }
  for (int j = 0; j < N; ++j) {
    const Real diagonal = M[j * N + j];
    Real pivot = diagonal;
    for (int k = 0; k < j; ++k) pivot -= M[k * N + j] * M[k * N + j];
    good = good & is_pivot(pivot, diagonal);
    const Real l = root(pivot);
    M[j * N + j] = l;
    for (int i = j + 1; i < N; ++i) {
      Real value = M[j * N + i];
      for (int k = 0; k < j; ++k) value -= M[k * N + i] * M[k * N + j];
      M[j * N + i] = value / l;
    }
  }
  return good;
}

template <int N, class Real>
void solve_lanes(const Real* L, Real* x) {
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
