// bench/models/bouncing_ball.nsm: q = u = (height, sideways, angle), one contact without friction. A row has one
// percussion, so that a sweep solves it; the second finds nothing to change.
#include <cmath>

#include "bench/handwritten/runs.hpp"

namespace nsmc::bench {

std::uint64_t run_bouncing_ball(double dt, std::uint64_t steps, double* q_out, double* u_out) {
  const double m = 1, r = 0.1, e = 0.9, g = 9.81;
  double q[3] = {1, 0, 0}, u[3] = {0, 0, 0}, N = 0;
  const double half = dt / 2, G = 1 / m;
  std::uint64_t sweeps = 0;
  for (std::uint64_t step = 0; step < steps; ++step) {
    for (int k = 0; k < 3; ++k) q[k] += half * u[k];
    if (q[0] - r <= 0) {
      const double c = -g * dt + (1 + e) * u[0];
      for (bool done = false; !done; ++sweeps) {
        const double next = std::fmax(0.0, N - (G * N + c) / G);
        done = std::fabs(next - N) <= run_tolerance * next;
        N = next;
      }
      u[0] += -g * dt + G * N;
    } else {
      N = 0;
      u[0] -= g * dt;
    }
    for (int k = 0; k < 3; ++k) q[k] += half * u[k];
  }
  for (int k = 0; k < 3; ++k) {
    q_out[k] = q[k];
    u_out[k] = u[k];
  }
  return sweeps;
}

}  // namespace nsmc::bench
