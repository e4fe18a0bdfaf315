// Cholesky's factorisation M = L L^T of the mass matrix of one block, in place, and the solution of M x = b with it, by
// Eigen. Matrices are n x n, column-major, the lower triangle is used. Small blocks, which is what bodies are, run with
// their size known to the compiler (fixed_cholesky.hpp).
#pragma once

#include <Eigen/Cholesky>
#include <cstddef>

#include "runtime/linear/fixed_cholesky.hpp"

namespace nsmc::rt {

namespace detail {

template <int N>
FactorStatus factor(double* values, Eigen::Index n) {
  if constexpr (N != Eigen::Dynamic) {
    return factor_fixed(values, N);
  } else {
    Eigen::Map<Eigen::MatrixXd> M(values, n, n);
    for (Eigen::Index j = 0; j < n; ++j) {
      if (!M.col(j).tail(n - j).allFinite()) return FactorStatus::not_finite;
    }
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> in_place(M);
    if (in_place.info() != Eigen::Success) return FactorStatus::not_positive_definite;
    for (Eigen::Index j = 0; j < n; ++j) {
      const double diagonal = M.row(j).head(j + 1).squaredNorm();  // M_jj = sum_k L_jk^2
      const FactorStatus status = judge_pivot(M(j, j) * M(j, j), diagonal);
      if (status != FactorStatus::ok) return status;
    }
    return FactorStatus::ok;
  }
}

template <int N>
void solve(const double* values, Eigen::Index n, double* right_side) {
  if constexpr (N != Eigen::Dynamic) {
    solve_fixed(values, N, right_side);
  } else {
    const Eigen::Map<const Eigen::MatrixXd> L(values, n, n);
    Eigen::Map<Eigen::VectorXd> x(right_side, n);
    L.triangularView<Eigen::Lower>().solveInPlace(x);
    L.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
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

}  // namespace nsmc::rt
