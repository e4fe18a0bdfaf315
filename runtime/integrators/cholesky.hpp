// Cholesky's factorisation M = L L^T of the mass matrix of one block, in place, and the solution of M x = b with it.
// Matrices are n x n, column-major, the lower triangle is used. Small blocks, which is what bodies are, run through
// loops of a size known to the compiler, which serve registers with a matrix in every lane as well; larger ones by
// Eigen. Diagonal masses have their own, trivial pair.
#pragma once

#include <Eigen/Cholesky>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "runtime/integrators/small_cholesky.hpp"

namespace nsmc::rt {

enum class FactorStatus : std::uint8_t { ok, not_positive_definite, not_finite };

inline FactorStatus judge_pivot(double pivot, double diagonal) {
  if (!std::isfinite(pivot) || !std::isfinite(diagonal)) return FactorStatus::not_finite;
  return is_pivot(pivot, diagonal) ? FactorStatus::ok : FactorStatus::not_positive_definite;
}

namespace detail {

template <int N>
using DenseMatrix = Eigen::Matrix<double, N, N>;
template <int N>
using DenseVector = Eigen::Matrix<double, N, 1>;

template <int N>
FactorStatus factor(double* values, Eigen::Index n) {
  Eigen::Map<DenseMatrix<N>> M(values, n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    if (!M.col(j).tail(n - j).allFinite()) return FactorStatus::not_finite;
  }
  if constexpr (N != Eigen::Dynamic) {
    double diagonal[N];
    if (!factor_small<N>(values, diagonal)) return FactorStatus::not_positive_definite;
    for (int j = 0; j < N; ++j) {
      const double l = values[j * N + j];
      if (const FactorStatus status = judge_pivot(l * l, diagonal[j]); status != FactorStatus::ok) return status;
    }
    return FactorStatus::ok;
  } else {
    const Eigen::LLT<Eigen::Ref<DenseMatrix<N>>> in_place(M);
    if (in_place.info() != Eigen::Success) return FactorStatus::not_positive_definite;
    for (Eigen::Index j = 0; j < n; ++j) {
      const double diagonal = M.row(j).head(j + 1).squaredNorm();  // M_jj = sum_k L_jk^2
      if (const FactorStatus status = judge_pivot(M(j, j) * M(j, j), diagonal); status != FactorStatus::ok)
        return status;
    }
    return FactorStatus::ok;
  }
}

template <int N>
void solve(const double* values, Eigen::Index n, double* right_side) {
  if constexpr (N != Eigen::Dynamic) {
    solve_small<N>(values, right_side);
  } else {
    const Eigen::Map<const DenseMatrix<N>> L(values, n, n);
    Eigen::Map<DenseVector<N>> x(right_side, n);
    L.template triangularView<Eigen::Lower>().solveInPlace(x);
    L.transpose().template triangularView<Eigen::Upper>().solveInPlace(x);
  }
}

// Calls f with the size as a constant where it is at most 6 (a rigid body), else with Eigen::Dynamic.
template <typename F>
auto with_size(std::size_t n, F&& f) {
  switch (n) {
    case 1: return f.template operator()<1>();
    case 2: return f.template operator()<2>();
    case 3: return f.template operator()<3>();
    case 4: return f.template operator()<4>();
    case 5: return f.template operator()<5>();
    case 6: return f.template operator()<6>();
    default: return f.template operator()<Eigen::Dynamic>();
  }
}

}  // namespace detail

inline FactorStatus factor_dense(double* M, std::size_t n) {
  const auto size = static_cast<Eigen::Index>(n);
  return detail::with_size(n, [&]<int N>() { return detail::factor<N>(M, size); });
}

inline void solve_dense(const double* L, std::size_t n, double* x) {
  const auto size = static_cast<Eigen::Index>(n);
  detail::with_size(n, [&]<int N>() { detail::solve<N>(L, size, x); });
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
