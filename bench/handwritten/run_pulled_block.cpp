// bench/models/pulled_block.nsm: q = u = (x, y), M = m. Normal and friction do not see each other in G.
#include <cmath>

#include "bench/handwritten/dense_sweeps.hpp"
#include "bench/handwritten/runs.hpp"

namespace nsmc::bench {

std::uint64_t run_pulled_block(double dt, std::uint64_t steps, double* q_out, double* u_out) {
  const double m = 1, mu = 0.3, g = 9.81, F = 4, pi = 3.14159265358979323846;
  double x = 0, y = 0, vx = 0, vy = 0;
  const double half = dt / 2;
  DenseContacts<1, 1> problem{{{1 / m, 0}, {0, 1 / m}}, {}, {}, mu};
  std::uint64_t sweeps = 0;
  for (std::uint64_t step = 0; step < steps; ++step) {
    const double t = static_cast<double>(step) * dt + half;
    x += half * vx;
    y += half * vy;
    vx += dt * (F * std::sin(2 * pi * t) / m);
    vy -= dt * g;
    if (y <= 0) {
      problem.c[0] = vy;
      problem.c[1] = vx;
      sweeps += static_cast<std::uint64_t>(problem.solve());
      vy += problem.Lambda[0] / m;
      vx += problem.Lambda[1] / m;
    } else {
      problem.Lambda[0] = problem.Lambda[1] = 0;
    }
    x += half * vx;
    y += half * vy;
  }
  q_out[0] = x;
  q_out[1] = y;
  u_out[0] = vx;
  u_out[1] = vy;
  return sweeps;
}

}  // namespace nsmc::bench
