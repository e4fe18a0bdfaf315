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

#include <cstddef>
#include <cstdint>
#include <limits>

#include "runtime/sets/small_matrix.hpp"

namespace nsmc::rt {

inline constexpr std::uint32_t max_ball_block = 6;

namespace detail {

// R > 0. Lambda: in, a guess, as the last sweep left it; out, where it is found. For a register of problems, those of
// the lanes `wanted` are solved; they need the same code and not the same number of iterations.
template <int N, class Real>
mask_of<Real> find_kappa(const Sym<N, Real>& G, const Vec<N, Real>& b, const Real& R, Real* Lambda,
                         mask_of<Real> wanted) {
  using Mask = mask_of<Real>;
  // With gamma = b . G b/|b|^2, |Lambda| >= |b|/(gamma + kappa) (Jensen): left of this bound |Lambda| > R.
  const Real b2 = dot(b, b), b_length = root(b2);
  // A radius that is next to nothing: Lambda has the direction of b.
  Real trace = 0;
  for (int h = 0; h < N; ++h) trace += G.a[h][h];
  Mask found = wanted & (b_length > Real(1e100) * trace * R);
  if (any(found)) {
    for (int h = 0; h < N; ++h) Lambda[h] = select(found, R * (b[h] / b_length), Lambda[h]);
  }
  Mask searching = wanted & !found;
  if (!any(searching)) return found;
  const Real low = select(b2 > Real(0), larger(Real(0), b_length / R - dot(b, G * b) / b2), Real(0));
  Vec<N, Real> x;
  for (int h = 0; h < N; ++h) x[h] = Lambda[h];
  const Real guess = dot(x, add(b, Real(-1), G * x)) / dot(x, x);
  Real kappa = select(guess > low, guess, low);
  for (int iteration = 0; iteration < 60; ++iteration) {
    Sym<N, Real> shifted = G;
    for (int h = 0; h < N; ++h) shifted.a[h][h] += kappa;
    searching = searching & shifted.factorise();
    if (!any(searching)) return found;
    x = shifted.solve(b);
    const Real length2 = dot(x, x), length = root(length2);
    searching = searching & (length <= Real(std::numeric_limits<double>::max()));
    const Mask stick = searching & (kappa == Real(0)) & (length <= R);
    if (any(stick)) {
      for (int h = 0; h < N; ++h) Lambda[h] = select(stick, x[h], Lambda[h]);
      found = found | stick;
      searching = searching & !stick;
    }
    if (!any(searching)) return found;
    // dLambda/dkappa = -w: Newton's step, on 1/|Lambda| = 1/R. What the last one leaves is below rounding.
    const Vec<N, Real> w = shifted.solve(x);
    const Real step = length2 / dot(x, w) * (length - R) / R;
    const Mask slip = searching & (step * step * dot(w, w) <= Real(1e-16) * length2);
    if (any(slip)) {
      const Vec<N, Real> last = add(x, -step, w);
      const Real onto = R / root(dot(last, last));
      for (int h = 0; h < N; ++h) Lambda[h] = select(slip, onto * last[h], Lambda[h]);
      found = found | slip;
      searching = searching & !slip;
      if (!any(searching)) return found;
    }
    kappa = larger(low, kappa + step);
  }
  return found;
}

template <int N, class Real>
mask_of<Real> solve_ball_block(const Real* G, std::uint32_t stride, const Real* c, const Real& R, Real* Lambda,
                               mask_of<Real> wanted) {
  using Mask = mask_of<Real>;
  Sym<N, Real> A;
  Vec<N, Real> b;
  Real largest = 0, skew = 0;
  for (int h = 0; h < N; ++h) {
    b[h] = -c[h];
    for (int k = 0; k < N; ++k) {
      A.a[h][k] = G[static_cast<std::size_t>(h) * stride + static_cast<std::size_t>(k)];
      largest = larger(largest, magnitude(A.a[h][k]));
    }
    for (int k = 0; k < h; ++k) skew = larger(skew, magnitude(A.a[h][k] - A.a[k][h]));
  }
  wanted = wanted & (skew <= Real(1e-12) * largest);
  const Mask point = wanted & !(R > Real(0));
  Mask found = point;
  if (any(point)) {
    for (int h = 0; h < N; ++h) Lambda[h] = select(point, Real(0), Lambda[h]);
    found = point & (largest < Real(std::numeric_limits<double>::infinity()));
    wanted = wanted & !point;
  }
  if (!any(wanted)) return found;
  // Percussions fade geometrically up a tall stack; squares must not underflow.
  Real unit = 0;
  for (int h = 0; h < N; ++h) unit = larger(unit, magnitude(b[h]));
  const Mask faint = wanted & (unit > Real(0)) & (unit < Real(1e-100));
  if (!any(faint)) return found | find_kappa(A, b, R, Lambda, wanted);
  unit = select(faint, unit, Real(1));
  for (int h = 0; h < N; ++h) {
    b[h] /= unit;
    Lambda[h] /= unit;
  }
  found = found | find_kappa(A, b, Real(R / unit), Lambda, wanted);
  for (int h = 0; h < N; ++h) Lambda[h] *= unit;
  return found;
}

}  // namespace detail

// G: d rows of length `stride`, 2 <= d <= max_ball_block. Lambda: in, a guess (any numbers will do); out. Where it is
// solved: not if G is not symmetric and positive definite; for one problem Lambda is then untouched.
template <class Real>
mask_of<Real> solve_ball_block(const Real* G, std::uint32_t stride, std::uint32_t d, const Real* c, const Real& R,
                               Real* Lambda, mask_of<Real> wanted) {
  switch (d) {
    case 2: return detail::solve_ball_block<2>(G, stride, c, R, Lambda, wanted);
    case 3: return detail::solve_ball_block<3>(G, stride, c, R, Lambda, wanted);
    case 4: return detail::solve_ball_block<4>(G, stride, c, R, Lambda, wanted);
    case 5: return detail::solve_ball_block<5>(G, stride, c, R, Lambda, wanted);
    default: return detail::solve_ball_block<6>(G, stride, c, R, Lambda, wanted);
  }
}

inline bool solve_ball_block(const double* G, std::uint32_t stride, std::uint32_t d, const double* c, double R,
                             double* Lambda) {
  return solve_ball_block<double>(G, stride, d, c, R, Lambda, true);
}

}  // namespace nsmc::rt
