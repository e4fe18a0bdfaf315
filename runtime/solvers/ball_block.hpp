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

namespace nsmc::rt {

inline constexpr std::uint32_t max_ball_block = 6;

namespace detail {

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
  if (!((A - A.transpose()).cwiseAbs().maxCoeff() <= 1e-12 * A.trace())) return false;
  if (!(R > 0)) {
    std::fill_n(Lambda, d, 0.0);
    return true;
  }
  const double g = A(0, 0);
  if (g > 0 && A == g * Small::Identity(n, n)) {  // the common case: one scaling of -c
    const double length = right.norm() / g;
    const double onto = length > R ? R / (g * length) : 1 / g;
    for (std::uint32_t h = 0; h < d; ++h) Lambda[h] = onto * right[h];
    return true;
  }
  double kappa = 0;
  for (int iteration = 0; iteration < 60; ++iteration) {
    Small shifted = A;
    shifted.diagonal().array() += kappa;
    const Eigen::LLT<Small> llt(shifted);
    if (llt.info() != Eigen::Success) return false;
    const Vector x = llt.solve(right);
    const double length = x.norm();
    if (!std::isfinite(length)) return false;
    const bool stick = kappa == 0 && length <= R;
    const double slope = x.dot(llt.solve(x));  // -d(|x|^2/2)/dkappa
    const double step = length * length / slope * (length - R) / R;
    if (stick || length <= R * (1 + 1e-15) || !(kappa + step > kappa)) {
      const double onto = stick ? 1 : R / length;  // on the boundary exactly
      for (std::uint32_t h = 0; h < d; ++h) Lambda[h] = onto * x[h];
      return true;
    }
    kappa += step;
  }
  return false;
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
