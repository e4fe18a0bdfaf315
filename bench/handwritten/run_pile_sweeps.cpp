#include "bench/handwritten/pile_sweeps.hpp"

#include <cmath>

namespace nsmc::bench {

void sweep_pile(const std::vector<PileContact>& contacts, int sweeps, double* Lambda, double* y) {
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double* l = Lambda;
    for (const PileContact& contact : contacts) {
      double *a = y + 6 * contact.body[0], *b = y + 6 * contact.body[1];
      double xi[3];
      for (int h = 0; h < 3; ++h) {
        double first = 0, second = 0;
        for (int k = 0; k < 6; ++k) {
          first += contact.w[0][h][k] * a[k];
          second += contact.w[1][h][k] * b[k];
        }
        xi[h] = contact.c[h] + first + second;
      }
      const double N = std::fmax(0.0, l[0] - xi[0] / contact.D_N);
      double T1 = l[1] - xi[1] / contact.D_T, T2 = l[2] - xi[2] / contact.D_T;
      const double R = contact.mu * N, length = std::sqrt(T1 * T1 + T2 * T2);
      if (length > R) {
        T1 *= R / length;
        T2 *= R / length;
      }
      const double change[3] = {N - l[0], T1 - l[1], T2 - l[2]};
      for (int k = 0; k < 6; ++k) {
        a[k] += contact.w[0][0][k] * change[0] + contact.w[0][1][k] * change[1] + contact.w[0][2][k] * change[2];
        b[k] += contact.w[1][0][k] * change[0] + contact.w[1][1][k] * change[1] + contact.w[1][2][k] * change[2];
      }
      l[0] = N;
      l[1] = T1;
      l[2] = T2;
      l += 3;
    }
  }
}

}  // namespace nsmc::bench
