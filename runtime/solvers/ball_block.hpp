// The inclusion of one ball with all other percussions known, solved exactly:
//
//     xi in N_{|x| <= R}(-Lambda),   xi = G Lambda + c,   G symmetric and positive definite, d x d.
//
// Either Lambda = -G^-1 c lies inside (stick), or |Lambda| = R and xi = -kappa Lambda with kappa > 0 (slip), so that
// (G + kappa I) Lambda = -c. The length of that Lambda falls with kappa; 1/|Lambda| - 1/R is concave, so that Newton's
// iteration on it, from the second step on, comes from one side and cannot overshoot. A prox step with r = 1/max does
// the same in one go if G = g I; where the diagonal of G is uneven, as for a slim ellipse that is solved on a disc, it
// needs as many sweeps as the square of the ratio of its axes.
//
// For registers with a problem in every lane, lanes go through Newton's method together, each as far as it needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "runtime/linear/small_matrix.hpp"

namespace nsmc::rt {

inline constexpr std::uint32_t max_ball_block = 6;

// What the solution of a ball asks of its G, which stays the same through all sweeps. G: d rows of length `stride`.
template <class Real>
struct BallFacts {
  mask_of<Real> symmetric, finite;

  BallFacts() = default;
  NSM_INLINE BallFacts(const Real* G, std::uint32_t stride, std::uint32_t d) {
    Real largest = 0, skew = 0;
    NSM_UNROLL
    for (std::uint32_t h = 0; h < d; ++h) {
      const Real* row = G + std::size_t{h} * stride;
      NSM_UNROLL
      for (std::uint32_t k = 0; k < d; ++k) largest = larger(largest, magnitude(row[k]));
      NSM_UNROLL
      for (std::uint32_t k = 0; k < h; ++k) skew = larger(skew, magnitude(row[k] - G[std::size_t{k} * stride + h]));
    }
    symmetric = skew <= Real(1e-12) * largest;
    finite = largest < Real(std::numeric_limits<double>::infinity());
  }
};

namespace detail {

// R > 0. Lambda: in, a guess, as the last sweep left it; out, where it is found. Only the lanes `wanted` count.
template <int N, class Real>
mask_of<Real> find_kappa(const Sym<N, Real>& G, const Vec<N, Real>& b, const Real& R, Real* Lambda,
                         mask_of<Real> wanted) {
  using Mask = mask_of<Real>;
  Lanes<Real> lanes(wanted);
  // With gamma = b . G b/|b|^2, |Lambda| >= |b|/(gamma + kappa) (Jensen): left of this bound |Lambda| > R.
  const Real b2 = dot(b, b), b_length = root(b2);
  // A radius that is next to nothing: Lambda has the direction of b.
  Real trace = 0;
  for (int h = 0; h < N; ++h) trace += G.a[h][h];
  const Mask nothing = lanes.going() & (b_length > Real(1e100) * trace * R);
  if (any(nothing)) {
    for (int h = 0; h < N; ++h) Lambda[h] = select(nothing, R * (b[h] / b_length), Lambda[h]);
    if (lanes.finish(nothing)) return lanes.done();
  }
  const Real low = select(b2 > Real(0), larger(Real(0), b_length / R - dot(b, G * b) / b2), Real(0));
  Vec<N, Real> x;
  for (int h = 0; h < N; ++h) x[h] = Lambda[h];
  const Real guess = dot(x, add(b, Real(-1), G * x)) / dot(x, x);
  Real kappa = select(guess > low, guess, low);
  for (int iteration = 0; iteration < 60; ++iteration) {
    Sym<N, Real> shifted = G;
    for (int h = 0; h < N; ++h) shifted.a[h][h] += kappa;
    if (lanes.fail(!shifted.factorise())) return lanes.done();
    x = shifted.solve(b);
    const Real length2 = dot(x, x), length = root(length2);
    if (lanes.fail(!(length <= Real(std::numeric_limits<double>::max())))) return lanes.done();
    const Mask stick = lanes.going() & (kappa == Real(0)) & (length <= R);
    if (any(stick)) {
      for (int h = 0; h < N; ++h) Lambda[h] = select(stick, x[h], Lambda[h]);
      if (lanes.finish(stick)) return lanes.done();
    }
    // dLambda/dkappa = -w: Newton's step, on 1/|Lambda| = 1/R. What the last one leaves is below rounding.
    const Vec<N, Real> w = shifted.solve(x);
    const Real step = length2 / dot(x, w) * (length - R) / R;
    const Mask slip = lanes.going() & (step * step * dot(w, w) <= Real(1e-16) * length2);
    if (any(slip)) {
      const Vec<N, Real> last = add(x, -step, w);
      const Real onto = R / root(dot(last, last));
      for (int h = 0; h < N; ++h) Lambda[h] = select(slip, onto * last[h], Lambda[h]);
      if (lanes.finish(slip)) return lanes.done();
    }
    kappa = larger(low, kappa + step);
  }
  return lanes.done();
}

template <int N, class Real>
mask_of<Real> solve_ball_block(const Real* G, std::uint32_t stride, const BallFacts<Real>& facts, const Real* c, Real R,
                               Real* Lambda, mask_of<Real> wanted) {
  using Mask = mask_of<Real>;
  Lanes<Real> lanes(wanted);
  if (lanes.fail(!facts.symmetric)) return lanes.done();
  const Mask point = lanes.going() & !(R > Real(0));
  if (any(point)) {
    for (int h = 0; h < N; ++h) Lambda[h] = select(point, Real(0), Lambda[h]);
    if (lanes.fail(point & !facts.finite) || lanes.finish(point)) return lanes.done();
  }
  Sym<N, Real> A;
  Vec<N, Real> b;
  Real unit = 0;
  for (int h = 0; h < N; ++h) {
    b[h] = -c[h];
    unit = larger(unit, magnitude(b[h]));
    for (int k = 0; k < N; ++k) A.a[h][k] = G[static_cast<std::size_t>(h) * stride + static_cast<std::size_t>(k)];
  }
  // Percussions fade geometrically up a tall stack; squares must not underflow.
  const Mask faint = lanes.going() & (unit > Real(0)) & (unit < Real(1e-100));
  if (any(faint)) {
    unit = select(faint, unit, Real(1));
    R /= unit;
    for (int h = 0; h < N; ++h) {
      b[h] /= unit;
      Lambda[h] /= unit;
    }
  }
  const Mask found = find_kappa<N, Real>(A, b, R, Lambda, lanes.going());
  if (any(faint)) {
    for (int h = 0; h < N; ++h) Lambda[h] *= unit;
  }
  return lanes.done() | found;
}

// Calls f with the dimension as a constant.
template <class F>
NSM_INLINE auto with_dimension(std::uint32_t d, const F& f) {
  switch (d) {
    case 2: return f.template operator()<2>();
    case 3: return f.template operator()<3>();
    case 4: return f.template operator()<4>();
    case 5: return f.template operator()<5>();
    default: return f.template operator()<6>();
  }
}

}  // namespace detail

// G: d rows of length `stride`, 2 <= d <= max_ball_block. Lambda: in, a guess (any numbers will do); out. Where it is
// solved, of the lanes `wanted`: not if G is not symmetric and positive definite.
template <class Real>
mask_of<Real> solve_ball_block(const Real* G, std::uint32_t stride, std::uint32_t d, const BallFacts<Real>& facts,
                               const Real* c, const Real& R, Real* Lambda, mask_of<Real> wanted) {
  return detail::with_dimension(
      d, [&]<int N>() __attribute__((always_inline)) {
        return detail::solve_ball_block<N>(G, stride, facts, c, R, Lambda, wanted);
      });
}

inline bool solve_ball_block(const double* G, std::uint32_t stride, std::uint32_t d, const double* c, double R,
                             double* Lambda) {
  return detail::with_dimension(
      d, [&]<int N>() __attribute__((always_inline)) {
        return detail::solve_ball_block<N>(G, stride, BallFacts<double>(G, stride, N), c, R, Lambda, true);
      });
}

}  // namespace nsmc::rt
