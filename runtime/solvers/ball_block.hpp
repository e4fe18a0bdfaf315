// The inclusion of one ball with all other percussions known, solved exactly:
//
//     xi in N_{|x| <= R}(-Lambda),   xi = G Lambda + c,   G symmetric and positive definite, d x d.
//
// Either Lambda = -G^-1 c lies inside (stick), or |Lambda| = R and xi = -kappa Lambda with kappa > 0 (slip), so that
// (G + kappa I) Lambda = -c. The length of that Lambda falls with kappa; Newton's iteration on 1/|Lambda| - 1/R,
// started at kappa = 0, comes from one side and cannot overshoot. A prox step with r = 1/max does the same in one go if
// G = g I; where the diagonal of G is uneven, as for a slim ellipse that is solved on a disc, it needs as many sweeps
// as the square of the ratio of its axes.
#pragma once

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace nsmc::rt {

inline constexpr std::uint32_t max_ball_block = 6;

namespace detail {

// x = (G + kappa I)^-1 b and slope = x^T (G + kappa I)^-1 x = -d(|x|^2/2)/dkappa; false if not positive definite.
struct Shifted2 {
  double g11, g12, g22;
  bool operator()(double kappa, const Eigen::Vector2d& b, Eigen::Vector2d& x, double& slope) const {
    const double a = g11 + kappa, c = g22 + kappa, determinant = a * c - g12 * g12;
    if (!(a > 0 && determinant > 0)) return false;
    const double inverse = 1 / determinant;
    x = {inverse * (c * b[0] - g12 * b[1]), inverse * (a * b[1] - g12 * b[0])};
    slope = inverse * (c * x[0] * x[0] - 2 * g12 * x[0] * x[1] + a * x[1] * x[1]);
    return true;
  }
};

template <typename Matrix, typename Vector>
struct ShiftedByCholesky {
  const Matrix& G;
  bool operator()(double kappa, const Vector& b, Vector& x, double& slope) const {
    Matrix shifted = G;
    shifted.diagonal().array() += kappa;
    const Eigen::LLT<Matrix> llt(shifted);
    if (llt.info() != Eigen::Success) return false;
    x = llt.solve(b);
    slope = llt.matrixL().solve(x).squaredNorm();
    return true;
  }
};

// norm: at least the largest eigenvalue of G.
template <typename Vector, typename Solve>
bool find_kappa(const Solve& solve, const Vector& b, double norm, double R, double* Lambda) {
  Vector x = b;
  double slope = 0;
  const auto accept = [&](double onto) {
    for (Eigen::Index h = 0; h < x.size(); ++h) Lambda[h] = onto * x[h];
    return true;
  };
  // A radius that is next to nothing: x has the direction of b.
  const double size = b.norm();
  if (size > 1e100 * norm * R) {
    x /= size;
    return accept(R);
  }
  // |x| >= |b|/(norm + kappa): left of this bound |x| > R, it needs no look.
  double kappa = std::max(0.0, size / R - norm);
  for (int iteration = 0; iteration < 60; ++iteration) {
    if (!solve(kappa, b, x, slope)) return false;
    const double length = x.norm();
    if (!std::isfinite(length)) return false;
    if (kappa == 0 && length <= R) return accept(1);  // stick
    const double step = length * length / slope * (length - R) / R;
    // On the boundary exactly, when the root is reached to rounding.
    if (length <= R * (1 + 1e-15) || !(kappa + step > kappa)) return accept(R / length);
    kappa += step;
  }
  return false;
}

template <int N>
bool solve_ball_block(const double* G, std::uint32_t stride, std::uint32_t d, const double* c, double R,
                      double* Lambda) {
  constexpr int most = N == Eigen::Dynamic ? static_cast<int>(max_ball_block) : N;
  using Small = Eigen::Matrix<double, N, N, 0, most, most>;
  using Vector = Eigen::Matrix<double, N, 1, 0, most, 1>;
  const auto n = static_cast<Eigen::Index>(d);
  Small A = Small::Zero(n, n);
  Vector right = Vector::Zero(n);
  for (std::uint32_t h = 0; h < d; ++h) {
    right[h] = -c[h];
    for (std::uint32_t k = 0; k < d; ++k) A(h, k) = G[h * stride + k];
  }
  const double norm = A.cwiseAbs().rowwise().sum().maxCoeff();
  if (!((A - A.transpose()).cwiseAbs().maxCoeff() <= 1e-12 * norm)) return false;
  if (!(R > 0)) {
    std::fill_n(Lambda, d, 0.0);
    return norm < std::numeric_limits<double>::infinity();
  }
  // Percussions fade geometrically up a tall stack; squares must not underflow.
  const double largest = right.cwiseAbs().maxCoeff(), unit = largest > 0 && largest < 1e-100 ? largest : 1;
  if (unit != 1) {
    right /= unit;
    R /= unit;
  }
  bool found = false;
  if constexpr (N == 2) {
    found = find_kappa(Shifted2{A(0, 0), A(0, 1), A(1, 1)}, right, norm, R, Lambda);
  } else {
    found = find_kappa(ShiftedByCholesky<Small, Vector>{A}, right, norm, R, Lambda);
  }
  for (std::uint32_t h = 0; found && unit != 1 && h < d; ++h) Lambda[h] *= unit;
  return found;
}

}  // namespace detail

// G: d rows of length `stride`. Lambda: out. False, and Lambda untouched, if G is not symmetric and positive definite.
inline bool solve_ball_block(const double* G, std::uint32_t stride, std::uint32_t d, const double* c, double R,
                             double* Lambda) {
  switch (d) {
    case 2: return detail::solve_ball_block<2>(G, stride, d, c, R, Lambda);
    case 3: return detail::solve_ball_block<3>(G, stride, d, c, R, Lambda);
    default: return detail::solve_ball_block<Eigen::Dynamic>(G, stride, d, c, R, Lambda);
  }
}

}  // namespace nsmc::rt
