// SORprox for a few contacts that all touch one body: rows (N, T_1 ... T_D) each, G dense, |T| <= mu N.
#pragma once

#include <cmath>

#include "bench/handwritten/friction_ball.hpp"
#include "bench/handwritten/runs.hpp"

namespace nsmc::bench {
namespace {

template <int Contacts, int D>
struct DenseContacts {
  static constexpr int rows = 1 + D, n = Contacts * rows;
  double G[n][n], c[n], Lambda[n];
  double mu;

  // G = W^T M^-1 W, W by rows, M diagonal.
  template <int N>
  void fill(const double (&W)[n][N], const double (&M_inverse)[N]) {
    for (int h = 0; h < n; ++h) {
      for (int k = 0; k <= h; ++k) {
        double sum = 0;
        for (int j = 0; j < N; ++j) sum += W[h][j] * M_inverse[j] * W[k][j];
        G[h][k] = G[k][h] = sum;
      }
    }
  }

  double xi(int h) const {
    double sum = c[h];
    for (int k = 0; k < n; ++k) sum += G[h][k] * Lambda[k];
    return sum;
  }

  // Number of sweeps until none changes more than the tolerance, in the norm max_i sqrt(D_i) |Lambda_i|.
  int solve() {
    double weight[Contacts];  // of the friction of a contact
    for (int i = 0; i < Contacts; ++i) {
      weight[i] = 0;
      for (int h = 1; h <= D; ++h) {
        double sum = 0;
        for (int k = 1; k <= D; ++k) sum += std::fabs(G[i * rows + h][i * rows + k]);
        weight[i] = std::fmax(weight[i], sum);
      }
    }
    int sweeps = 0;
    while (sweeps < run_most_sweeps) {
      ++sweeps;
      double change2 = 0, size2 = 0;
      for (int i = 0; i < Contacts; ++i) {
        const int f = i * rows;
        const double N = std::fmax(0.0, Lambda[f] - xi(f) / G[f][f]);
        change2 = std::fmax(change2, G[f][f] * (N - Lambda[f]) * (N - Lambda[f]));
        size2 = std::fmax(size2, G[f][f] * N * N);
        Lambda[f] = N;

        double T[D], T2 = 0, delta2 = 0;
        if constexpr (D == 1) {
          T[0] = std::fmin(mu * N, std::fmax(-mu * N, Lambda[f + 1] - xi(f + 1) / G[f + 1][f + 1]));
        } else {
          double own[D][D], b[D];
          for (int h = 0; h < D; ++h) {
            T[h] = Lambda[f + 1 + h];
            b[h] = -xi(f + 1 + h);
            for (int k = 0; k < D; ++k) {
              own[h][k] = G[f + 1 + h][f + 1 + k];
              b[h] += own[h][k] * Lambda[f + 1 + k];
            }
          }
          friction_ball(own, b, mu * N, T);
        }
        for (int h = 0; h < D; ++h) {
          const double delta = T[h] - Lambda[f + 1 + h];
          delta2 += delta * delta;
          T2 += T[h] * T[h];
          Lambda[f + 1 + h] = T[h];
        }
        change2 = std::fmax(change2, weight[i] * delta2);
        size2 = std::fmax(size2, weight[i] * T2);
      }
      if (change2 <= run_tolerance * run_tolerance * size2) break;
    }
    return sweeps;
  }
};

}  // namespace
}  // namespace nsmc::bench
