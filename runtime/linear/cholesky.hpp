// Cholesky's factorisation M = L L^T of the mass matrix of one block, in place, and the solution of M x = b with it.
// Matrices are n x n, column-major, the lower triangle is used. Small blocks, which is what bodies are, run with their
// size known to the compiler (fixed_cholesky.hpp), larger ones by Eigen.
#pragma once

#include <Eigen/Cholesky>
#include <cstddef>

#include "runtime/linear/fixed_cholesky.hpp"

namespace nsmc::rt {

namespace detail {

inline Pivots<double> factor_by_eigen(double* values, Eigen::Index n) {
  Pivots<double> pivots;
  Eigen::Map<Eigen::MatrixXd> M(values, n, n);
  for (Eigen::Index j = 0; j < n; ++j) pivots.finite = pivots.finite && M.col(j).tail(n - j).allFinite();
  if (!pivots.finite) return pivots;
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> in_place(M);
  pivots.positive = in_place.info() == Eigen::Success;
  for (Eigen::Index j = 0; j < n && pivots.good(); ++j)
    pivots.judge(M(j, j) * M(j, j), M.row(j).head(j + 1).squaredNorm());  // M_jj = sum_k L_jk^2
  return pivots;
}

inline void solve_by_eigen(const double* values, Eigen::Index n, double* right_side) {
  const Eigen::Map<const Eigen::MatrixXd> L(values, n, n);
  Eigen::Map<Eigen::VectorXd> x(right_side, n);
  L.triangularView<Eigen::Lower>().solveInPlace(x);
  L.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
}

}  // namespace detail

inline Pivots<double> factor_dense(double* M, std::size_t n) {
  switch (n) {
    case 1: return factor_fixed(M, 1);
    case 2: return factor_fixed(M, 2);
    case 3: return factor_fixed(M, 3);
    case 4: return factor_fixed(M, 4);
    case 5: return factor_fixed(M, 5);
    case 6: return factor_fixed(M, 6);
    default: return detail::factor_by_eigen(M, static_cast<Eigen::Index>(n));
  }
}

inline void solve_dense(const double* L, std::size_t n, double* x) {
  switch (n) {
    case 1: return solve_fixed(L, 1, x);
    case 2: return solve_fixed(L, 2, x);
    case 3: return solve_fixed(L, 3, x);
    case 4: return solve_fixed(L, 4, x);
    case 5: return solve_fixed(L, 5, x);
    case 6: return solve_fixed(L, 6, x);
    default: return detail::solve_by_eigen(L, static_cast<Eigen::Index>(n), x);
  }
}

}  // namespace nsmc::rt
