// The inclusion of one ball, solved exactly, for registers with a problem in every lane: ball_block.hpp, where the
// method is explained, with masks. The operations and their order are the same; lanes go through Newton's method
// together, each as far as it needs. (The code for doubles is compiled into the step of a model, where every branch is
// one that the model needs; it stays free of masks.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "runtime/linear/number.hpp"
#include "runtime/solvers/ball_block.hpp"

namespace nsmc::rt {

template <int N, class Real>
struct LaneVec {
  Real v[N];
  Real& operator[](int i) { return v[i]; }
  const Real& operator[](int i) const { return v[i]; }
  friend Real dot(const LaneVec& a, const LaneVec& b) {
    Real sum = 0;
    for (int i = 0; i < N; ++i) sum += a[i] * b[i];
    return sum;
  }
  friend LaneVec add(const LaneVec& a, const Real& t, const LaneVec& b) {  // a + t b
    LaneVec result;
    for (int i = 0; i < N; ++i) result[i] = a[i] + t * b[i];
    return result;
  }
};

// Symmetric; only the lower triangle counts.
template <int N, class Real>
struct LaneSym {
  Real a[N][N];

  LaneVec<N, Real> operator*(const LaneVec<N, Real>& x) const {
    LaneVec<N, Real> y;
    for (int i = 0; i < N; ++i) {
      y[i] = 0;
      for (int j = 0; j < N; ++j) y[i] += (j < i ? a[i][j] : a[j][i]) * x[j];
    }
    return y;
  }

  // In place: L D L^T, D inverted on the diagonal. Where it is positive definite.
  mask_of<Real> factorise() {
    mask_of<Real> positive{};
    for (int j = 0; j < N; ++j) {
      for (int k = 0; k < j; ++k) {
        const Real l = a[j][k] * a[k][k];  // row j still holds L D
        a[j][j] -= l * a[j][k];
        for (int i = j + 1; i < N; ++i) a[i][j] -= l * a[i][k];
      }
      positive = j == 0 ? a[j][j] > Real(0) : positive & (a[j][j] > Real(0));
      if (!any(positive)) return positive;
      a[j][j] = Real(1) / a[j][j];
    }
    return positive;
  }
  LaneVec<N, Real> solve(LaneVec<N, Real> b) const {
    for (int i = 0; i < N; ++i) {
      for (int k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
      b[i] *= a[i][i];
    }
    for (int i = N - 1; i >= 0; --i) {
      Real sum = 0;
      for (int k = i + 1; k < N; ++k) sum += a[k][i] * b[k];
      b[i] -= a[i][i] * sum;
    }
    return b;
  }
};

// R > 0. Lambda: in, a guess, as the last sweep left it; out, where it is found. For a register of problems, those of
// the lanes `wanted` are solved; they need the same code and not the same number of iterations.
template <int N, class Real>
mask_of<Real> find_lane_kappa(const LaneSym<N, Real>& G, const LaneVec<N, Real>& b, const Real& R, Real* Lambda,
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
  LaneVec<N, Real> x;
  for (int h = 0; h < N; ++h) x[h] = Lambda[h];
  const Real guess = dot(x, add(b, Real(-1), G * x)) / dot(x, x);
  Real kappa = select(guess > low, guess, low);
  for (int iteration = 0; iteration < 60; ++iteration) {
    LaneSym<N, Real> shifted = G;
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
    const LaneVec<N, Real> w = shifted.solve(x);
    const Real step = length2 / dot(x, w) * (length - R) / R;
    const Mask slip = searching & (step * step * dot(w, w) <= Real(1e-16) * length2);
    if (any(slip)) {
      const LaneVec<N, Real> last = add(x, -step, w);
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

// What the solution of a ball asks of its G, which stays the same through all sweeps.
template <class Real>
struct LaneBlockFacts {
  mask_of<Real> symmetric, finite;

  LaneBlockFacts() = default;
  LaneBlockFacts(const Real* G, std::uint32_t stride, std::uint32_t d) {
    Real largest = 0, skew = 0;
    for (std::uint32_t h = 0; h < d; ++h) {
      const Real* row = G + std::size_t{h} * stride;
      for (std::uint32_t k = 0; k < d; ++k) largest = larger(largest, magnitude(row[k]));
      for (std::uint32_t k = 0; k < h; ++k) skew = larger(skew, magnitude(row[k] - G[std::size_t{k} * stride + h]));
    }
    symmetric = skew <= Real(1e-12) * largest;
    finite = largest < Real(std::numeric_limits<double>::infinity());
  }
};

template <int N, class Real>
mask_of<Real> solve_lane_ball(const Real* G, std::uint32_t stride, const LaneBlockFacts<Real>& facts, const Real* c,
                              const Real& R, Real* Lambda, mask_of<Real> wanted) {
  using Mask = mask_of<Real>;
  LaneSym<N, Real> A;
  LaneVec<N, Real> b;
  for (int h = 0; h < N; ++h) {
    b[h] = -c[h];
    for (int k = 0; k < N; ++k) A.a[h][k] = G[static_cast<std::size_t>(h) * stride + static_cast<std::size_t>(k)];
  }
  wanted = wanted & facts.symmetric;
  const Mask point = wanted & !(R > Real(0));
  Mask found = point;
  if (any(point)) {
    for (int h = 0; h < N; ++h) Lambda[h] = select(point, Real(0), Lambda[h]);
    found = point & facts.finite;
    wanted = wanted & !point;
  }
  if (!any(wanted)) return found;
  // Percussions fade geometrically up a tall stack; squares must not underflow.
  Real unit = 0;
  for (int h = 0; h < N; ++h) unit = larger(unit, magnitude(b[h]));
  const Mask faint = wanted & (unit > Real(0)) & (unit < Real(1e-100));
  if (!any(faint)) return found | find_lane_kappa(A, b, R, Lambda, wanted);
  unit = select(faint, unit, Real(1));
  for (int h = 0; h < N; ++h) {
    b[h] /= unit;
    Lambda[h] /= unit;
  }
  found = found | find_lane_kappa(A, b, Real(R / unit), Lambda, wanted);
  for (int h = 0; h < N; ++h) Lambda[h] *= unit;
  return found;
}

// G: d rows of length `stride`, 2 <= d <= max_ball_block. Lambda: in, a guess (any numbers will do); out. Where it is
// solved: not if G is not symmetric and positive definite.
template <class Real>
mask_of<Real> solve_lane_ball(const Real* G, std::uint32_t stride, std::uint32_t d, const LaneBlockFacts<Real>& facts,
                              const Real* c, const Real& R, Real* Lambda, mask_of<Real> wanted) {
  switch (d) {
    case 2: return solve_lane_ball<2>(G, stride, facts, c, R, Lambda, wanted);
    case 3: return solve_lane_ball<3>(G, stride, facts, c, R, Lambda, wanted);
    case 4: return solve_lane_ball<4>(G, stride, facts, c, R, Lambda, wanted);
    case 5: return solve_lane_ball<5>(G, stride, facts, c, R, Lambda, wanted);
    default: return solve_lane_ball<6>(G, stride, facts, c, R, Lambda, wanted);
  }
}

}  // namespace nsmc::rt
