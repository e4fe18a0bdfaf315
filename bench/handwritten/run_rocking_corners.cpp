// bench/models/rocking_corners.nsm: q = u = (x, y, phi), the corners (-+b, -h) of a block, M = diag(m, m, J).
#include <cmath>

#include "bench/handwritten/dense_sweeps.hpp"
#include "bench/handwritten/runs.hpp"

namespace nsmc::bench {

namespace {

constexpr double m = 1, b = 0.02, h = 0.1, mu = 0.4, e = 0.2, theta0 = 0.1, g = 9.81;

struct Corner {
  double normal[3], slip[3];  // directions
  double Lambda[2];
};

template <int Contacts>
int solve_corners(Corner* const (&closed)[Contacts], const double (&M_inverse)[3], double dt, double (&u)[3]) {
  DenseContacts<Contacts, 1> problem;
  double W[2 * Contacts][3];
  problem.mu = mu;
  for (int i = 0; i < Contacts; ++i) {
    for (int k = 0; k < 3; ++k) {
      W[2 * i][k] = closed[i]->normal[k];
      W[2 * i + 1][k] = closed[i]->slip[k];
    }
    for (int row = 0; row < 2; ++row) {
      const double* w = W[2 * i + row];
      const double velocity = w[0] * u[0] + w[1] * u[1] + w[2] * u[2];
      problem.c[2 * i + row] = -w[1] * g * dt + (row == 0 ? 1 + e : 1) * velocity;
      problem.Lambda[2 * i + row] = closed[i]->Lambda[row];
    }
  }
  problem.fill(W, M_inverse);
  const int sweeps = problem.solve();
  u[1] -= g * dt;
  for (int row = 0; row < 2 * Contacts; ++row) {
    for (int k = 0; k < 3; ++k) u[k] += M_inverse[k] * W[row][k] * problem.Lambda[row];
    closed[row / 2]->Lambda[row % 2] = problem.Lambda[row];
  }
  return sweeps;
}

}  // namespace

std::uint64_t run_rocking_corners(double dt, std::uint64_t steps, double* q_out, double* u_out) {
  const double R = std::sqrt(b * b + h * h), alpha = std::atan2(b, h);
  const double M_inverse[3] = {1 / m, 1 / m, 1 / (m / 3 * R * R)};
  double q[3] = {-R * std::sin(alpha - theta0), R * std::cos(alpha - theta0), -theta0}, u[3] = {0, 0, 0};
  const double half = dt / 2;
  Corner left{}, right{};
  std::uint64_t sweeps = 0;
  for (std::uint64_t step = 0; step < steps; ++step) {
    for (int k = 0; k < 3; ++k) q[k] += half * u[k];
    const double s = std::sin(q[2]), c = std::cos(q[2]);
    // The corner (a, -h) of the block is at (x + a c + h s, y + a s - h c).
    const auto look = [&](Corner& corner, double a) {
      const double px = a * c + h * s, py = a * s - h * c;
      if (q[1] + py > 0) {
        corner.Lambda[0] = corner.Lambda[1] = 0;
        return false;
      }
      corner.normal[0] = 0;
      corner.normal[1] = 1;
      corner.normal[2] = px;
      corner.slip[0] = 1;
      corner.slip[1] = 0;
      corner.slip[2] = -py;
      return true;
    };
    const bool on_left = look(left, -b), on_right = look(right, b);
    if (on_left && on_right) {
      sweeps += static_cast<std::uint64_t>(solve_corners<2>({&left, &right}, M_inverse, dt, u));
    } else if (on_left || on_right) {
      sweeps += static_cast<std::uint64_t>(solve_corners<1>({on_left ? &left : &right}, M_inverse, dt, u));
    } else {
      u[1] -= g * dt;
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
