// Friction in D dimensions with all other percussions known: xi = G T + c in N_{|x| <= R}(-T), solved exactly, as the
// SORprox of nsmc does. Stick is T = -G^-1 c; slip is (G + kappa) T = -c with |T| = R, kappa by Newton's iteration on
// 1/|T| = 1/R. In an unnamed namespace: code for this machine must not be shared with files that are compiled
// otherwise.
#pragma once

#include <cmath>

namespace nsmc::bench {
namespace {

template <int D>
inline double dot(const double (&a)[D], const double (&b)[D]) {
  double sum = 0;
  for (int k = 0; k < D; ++k) sum += a[k] * b[k];
  return sum;
}

// x = A^-1 b by Cholesky's factors L of A.
template <int D>
inline void factor(const double (&A)[D][D], double (&L)[D][D]) {
  for (int j = 0; j < D; ++j) {
    double d = A[j][j];
    for (int k = 0; k < j; ++k) d -= L[j][k] * L[j][k];
    L[j][j] = 1 / std::sqrt(d);
    for (int i = j + 1; i < D; ++i) {
      double s = A[i][j];
      for (int k = 0; k < j; ++k) s -= L[i][k] * L[j][k];
      L[i][j] = s * L[j][j];
    }
  }
}

template <int D>
inline void solve(const double (&L)[D][D], const double (&b)[D], double (&x)[D]) {
  for (int i = 0; i < D; ++i) {
    double s = b[i];
    for (int k = 0; k < i; ++k) s -= L[i][k] * x[k];
    x[i] = s * L[i][i];
  }
  for (int i = D - 1; i >= 0; --i) {
    double s = x[i];
    for (int k = i + 1; k < D; ++k) s -= L[k][i] * x[k];
    x[i] = s * L[i][i];
  }
}

// b = -c. T: in, a guess; out.
template <int D>
inline void friction_ball(const double (&G)[D][D], const double (&b)[D], double R, double (&T)[D]) {
  if (!(R > 0)) {
    for (double& t : T) t = 0;
    return;
  }
  const double b2 = dot(b, b);
  double Gb[D], GT[D];
  for (int h = 0; h < D; ++h) {
    Gb[h] = GT[h] = 0;
    for (int k = 0; k < D; ++k) {
      Gb[h] += G[h][k] * b[k];
      GT[h] += G[h][k] * T[k];
    }
  }
  double low = 0;
  if (b2 > 0) low = std::fmax(0.0, std::sqrt(b2) / R - dot(b, Gb) / b2);
  double kappa = low;
  const double T2 = dot(T, T);
  if (T2 > 0) kappa = std::fmax(low, (dot(T, b) - dot(T, GT)) / T2);
  for (int iteration = 0; iteration < 60; ++iteration) {
    double A[D][D], L[D][D], x[D], w[D];
    for (int h = 0; h < D; ++h) {
      for (int k = 0; k < D; ++k) A[h][k] = G[h][k];
      A[h][h] += kappa;
    }
    factor(A, L);
    solve(L, b, x);
    const double x2 = dot(x, x), length = std::sqrt(x2);
    double onto = 1;
    if (!(kappa == 0 && length <= R)) {
      solve(L, x, w);
      const double step = x2 / dot(x, w) * (length - R) / R;
      if (!(step * step * dot(w, w) <= 1e-16 * x2)) {
        kappa = std::fmax(low, kappa + step);
        continue;
      }
      for (int h = 0; h < D; ++h) x[h] -= step * w[h];
      onto = R / std::sqrt(dot(x, x));
    }
    for (int h = 0; h < D; ++h) T[h] = onto * x[h];
    return;
  }
}

}  // namespace
}  // namespace nsmc::bench
