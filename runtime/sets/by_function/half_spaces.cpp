#include "runtime/sets/by_function/half_spaces.hpp"

#include <cmath>
#include <limits>

namespace nsmc::rt {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// The rounding of the terms of g . u - 1.
constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
// A part of |g|^2: what is left of a normal that depends on the active ones.
constexpr double dependent = 1e-14;
constexpr int most_rounds = 4 * HalfSpaces::max_spaces;

}  // namespace

FewVector HalfSpaces::nearest(const FewVector& v) {
  n_active_ = 0;
  std::fill_n(beta, n, 0.0);
  FewVector u = v;
  for (int round = 0; round < most_rounds; ++round) {
    const int worst = most_violated(u);
    if (worst < 0) break;
    if (!activate(worst, u)) {  // rounding: it is as good as satisfied
      beta[worst] = 0;
      break;
    }
    refine(v, u);
  }
  return u;
}

int HalfSpaces::most_violated(const FewVector& u) const {
  int worst = -1;
  double most = 0;
  for (int i = 0; i < n; ++i) {
    if (is_active(i)) continue;
    double terms = 1;
    for (int h = 0; h < u.n; ++h) terms += std::abs(g[i][h] * u[h]);
    const double excess = g[i].dot(u) - 1;
    if (excess > rounding * terms && excess > most * g[i].norm()) {
      most = excess / g[i].norm();
      worst = i;
    }
  }
  return worst;
}

// u as far as the new half space needs it, while those whose multiplier vanishes on the way leave.
bool HalfSpaces::activate(int entering, FewVector& u) {
  for (;;) {
    FewVector r(n_active_), direction = g[entering];
    if (n_active_ > 0) {
      const FewMatrix N = active_normals(u.n);
      r = FewQr(N).solve(g[entering]);
      direction -= N * r;
    }
    double step = infinity;
    int leaving = -1;
    const double reach = direction.dot(g[entering]);
    if (n_active_ < u.n && reach > dependent * g[entering].squared_norm()) step = (g[entering].dot(u) - 1) / reach;
    for (int a = 0; a < n_active_; ++a) {
      if (r[a] <= 0) continue;
      const double ends = beta[active_[a]] / r[a];
      if (ends < step) {
        step = ends;
        leaving = a;
      }
    }
    if (!(step < infinity)) return false;
    if (reach > 0) u -= step * direction;
    for (int a = 0; a < n_active_; ++a) beta[active_[a]] -= step * r[a];
    beta[entering] += step;
    if (leaving < 0) {
      active_[n_active_++] = entering;
      return true;
    }
    beta[active_[leaving]] = 0;
    active_[leaving] = active_[--n_active_];
  }
}

FewMatrix HalfSpaces::active_normals(int dim) const {
  FewMatrix N(dim, 0);
  for (int a = 0; a < n_active_; ++a) N.add_col(g[active_[a]]);
  return N;
}

// u and the multipliers from the active half spaces alone, free of what rounding did on the way:
//     u = v - N beta,  N^T u = 1,  with N = Q R:  u = v - Q (Q^T v - R^-T 1).
void HalfSpaces::refine(const FewVector& v, FewVector& u) {
  const FewQr qr(active_normals(v.n));
  if (qr.rank() < n_active_) return;
  FewVector t = qr.times_Qt(v);
  const FewVector there = qr.solve_transposed(FewVector(n_active_, 1));
  FewVector difference(v.n);
  for (int a = 0; a < n_active_; ++a) {
    difference[a] = t[a] - there[a];
    t[a] = there[a];
  }
  const FewVector fresh = qr.solve(qr.times_Q(difference));
  for (int a = 0; a < n_active_; ++a) {
    if (!(fresh[a] >= 0 && fresh[a] < infinity)) return;
  }
  for (int a = 0; a < n_active_; ++a) beta[active_[a]] = fresh[a];
  u = qr.times_Q(t);
}

}  // namespace nsmc::rt
