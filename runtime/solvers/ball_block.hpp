// The inclusion of one ball with all other percussions known, solved exactly:
//
//     xi in N_{|x| <= R}(-Lambda),   xi = G Lambda + c,   G symmetric and positive definite, d x d.
//
// Either Lambda = -G^-1 c lies inside (stick), or |Lambda| = R and xi = -kappa Lambda with kappa > 0 (slip), so that
// (G + kappa I) Lambda = -c. The length of that Lambda falls with kappa; 1/|Lambda| - 1/R is concave, so that Newton's
// iteration on it, from the second step on, comes from one side and cannot overshoot. A prox step with r = 1/max does
// the same in one go if G = g I; where the diagonal of G is uneven, as for a slim ellipse that is solved on a disc, it
// needs as many sweeps as the square of the ratio of its axes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "runtime/linear/small_matrix.hpp"

namespace nsmc::rt {

inline constexpr std::uint32_t max_ball_block = 6;

namespace detail {

// R > 0. Lambda: in, a guess, as the last sweep left it; out.
template <int N>
bool find_kappa(const Sym<N>& G, const Vec<N>& b, double R, double* Lambda) {
  // With gamma = b . G b/|b|^2, |Lambda| >= |b|/(gamma + kappa) (Jensen): left of this bound |Lambda| > R.
  const double b2 = dot(b, b);
  // A radius that is next to nothing: Lambda has the direction of b.
  double trace = 0;
  for (int h = 0; h < N; ++h) trace += G.a[h][h];
  if (std::sqrt(b2) > 1e100 * trace * R) {
    for (int h = 0; h < N; ++h) Lambda[h] = R * (b[h] / std::sqrt(b2));
    return true;
  }
  const double low = b2 > 0 ? std::max(0.0, std::sqrt(b2) / R - dot(b, G * b) / b2) : 0;
  Vec<N> x;
  std::copy_n(Lambda, N, x.v);
  const double guess = dot(x, add(b, -1, G * x)) / dot(x, x);
  double kappa = guess > low ? guess : low;
  for (int iteration = 0; iteration < 60; ++iteration) {
    Sym<N> shifted = G;
    for (int h = 0; h < N; ++h) shifted.a[h][h] += kappa;
    if (!shifted.factorise()) return false;
    x = shifted.solve(b);
    const double length2 = dot(x, x), length = std::sqrt(length2);
    if (!(length <= std::numeric_limits<double>::max())) return false;
    double onto = 1;
    const bool stick = kappa == 0 && length <= R;
    if (!stick) {
      // dLambda/dkappa = -w: Newton's step, on 1/|Lambda| = 1/R. What the last one leaves is below rounding.
      const Vec<N> w = shifted.solve(x);
      const double step = length2 / dot(x, w) * (length - R) / R;
      if (!(step * step * dot(w, w) <= 1e-16 * length2)) {
        kappa = std::max(low, kappa + step);
        continue;
      }
      x = add(x, -step, w);
      onto = R / std::sqrt(dot(x, x));
    }
    for (int h = 0; h < N; ++h) Lambda[h] = onto * x[h];
    return true;
  }
  return false;
}

template <int N>
bool solve_ball_block(const double* G, std::uint32_t stride, const double* c, double R, double* Lambda) {
  Sym<N> A;
  Vec<N> b;
  double largest = 0, skew = 0;
  for (int h = 0; h < N; ++h) {
    b[h] = -c[h];
    for (int k = 0; k < N; ++k) {
      A.a[h][k] = G[static_cast<std::size_t>(h) * stride + static_cast<std::size_t>(k)];
      largest = std::max(largest, std::abs(A.a[h][k]));
    }
    for (int k = 0; k < h; ++k) skew = std::max(skew, std::abs(A.a[h][k] - A.a[k][h]));
  }
  if (!(skew <= 1e-12 * largest)) return false;
  if (!(R > 0)) {
    std::fill_n(Lambda, N, 0.0);
    return largest < std::numeric_limits<double>::infinity();
  }
  // Percussions fade geometrically up a tall stack; squares must not underflow.
  double unit = 0;
  for (int h = 0; h < N; ++h) unit = std::max(unit, std::abs(b[h]));
  const bool tiny = unit > 0 && unit < 1e-100;
  if (tiny) {
    R /= unit;
    for (int h = 0; h < N; ++h) {
      b[h] /= unit;
      Lambda[h] /= unit;
    }
  }
  const bool found = find_kappa(A, b, R, Lambda);
  if (tiny) {
    for (int h = 0; h < N; ++h) Lambda[h] *= unit;
  }
  return found;
}

}  // namespace detail

// G: d rows of length `stride`, 2 <= d <= max_ball_block. Lambda: in, a guess (any numbers will do); out. False, and
// Lambda untouched, if G is not symmetric and positive definite.
inline bool solve_ball_block(const double* G, std::uint32_t stride, std::uint32_t d, const double* c, double R,
                             double* Lambda) {
  switch (d) {
    case 2: return detail::solve_ball_block<2>(G, stride, c, R, Lambda);
    case 3: return detail::solve_ball_block<3>(G, stride, c, R, Lambda);
    case 4: return detail::solve_ball_block<4>(G, stride, c, R, Lambda);
    case 5: return detail::solve_ball_block<5>(G, stride, c, R, Lambda);
    default: return detail::solve_ball_block<6>(G, stride, c, R, Lambda);
  }
}

}  // namespace nsmc::rt
