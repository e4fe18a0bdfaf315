// bench/models/sphere_on_plane.nsm: q = (x, e), u = (v, spin in the frame of the body). The inertia is the same about
// all axes: no gyroscopic moments, and G is diagonal and constant.
#include <cmath>

#include "bench/handwritten/dense_sweeps.hpp"
#include "bench/handwritten/quaternion.hpp"
#include "bench/handwritten/runs.hpp"

namespace nsmc::bench {

std::uint64_t run_sphere_on_plane(double dt, std::uint64_t steps, double* q_out, double* u_out) {
  const double m = 0.2, r = 0.03, e = 0.5, mu = 0.3, g = 9.81, J = 0.4 * m * r * r;
  double x[3] = {0, 0, 0.035}, turned[4] = {1, 0, 0, 0}, v[3] = {1, 0, 0}, w[3] = {5, 0, 20};
  const double half = dt / 2, slip = 1 / m + r * r / J;
  DenseContacts<1, 2> problem{{{1 / m, 0, 0}, {0, slip, 0}, {0, 0, slip}}, {}, {}, mu};
  std::uint64_t sweeps = 0;
  for (std::uint64_t step = 0; step < steps; ++step) {
    for (int k = 0; k < 3; ++k) x[k] += half * v[k];
    turn(turned, w, half);
    if (x[2] - r <= 0) {
      double R[3][3];
      rotation(turned, R);
      const double wx = R[0][0] * w[0] + R[0][1] * w[1] + R[0][2] * w[2];
      const double wy = R[1][0] * w[0] + R[1][1] * w[1] + R[1][2] * w[2];
      problem.c[0] = -g * dt + (1 + e) * v[2];
      problem.c[1] = v[0] - r * wy;
      problem.c[2] = v[1] + r * wx;
      sweeps += static_cast<std::uint64_t>(problem.solve());
      const double N = problem.Lambda[0], T1 = problem.Lambda[1], T2 = problem.Lambda[2];
      v[0] += T1 / m;
      v[1] += T2 / m;
      v[2] += -g * dt + N / m;
      // moment of (T1, T2) at (0, 0, -r), in the frame of the body
      const double tx = r * T2 / J, ty = -r * T1 / J;
      for (int k = 0; k < 3; ++k) w[k] += R[0][k] * tx + R[1][k] * ty;
    } else {
      problem.Lambda[0] = problem.Lambda[1] = problem.Lambda[2] = 0;
      v[2] -= g * dt;
    }
    for (int k = 0; k < 3; ++k) x[k] += half * v[k];
    turn(turned, w, half);
  }
  for (int k = 0; k < 3; ++k) {
    q_out[k] = x[k];
    u_out[k] = v[k];
    u_out[3 + k] = w[k];
  }
  for (int k = 0; k < 4; ++k) q_out[3 + k] = turned[k];
  return sweeps;
}

}  // namespace nsmc::bench
