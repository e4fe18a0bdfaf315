// bench/models/tippe_top_coulomb.nsm and models/tippe_top_ellipsoid.nsm: q = (x, e), u = (v, spin in the frame of the
// body), head and tip on the floor. With E_F the third friction row is the spin times Rbar, so that the set is a ball.
#include <cmath>

#include "bench/handwritten/dense_sweeps.hpp"
#include "bench/handwritten/quaternion.hpp"
#include "bench/handwritten/runs.hpp"

namespace nsmc::bench {

namespace {

constexpr double m = 6e-3, I1 = 8e-7, I3 = 7e-7, mu = 0.3, R_area = 0.5e-3, g = 9.81;
constexpr double Rbar = 3 * 3.14159265358979323846 / 16 * R_area;
constexpr double M_inverse[6] = {1 / m, 1 / m, 1 / m, 1 / I1, 1 / I1, 1 / I3};

template <int D>
struct Touch {
  double W[1 + D][6];
  double Lambda[1 + D];
};

// The sphere of radius r about the point a of the axis; false if it does not touch.
template <int D>
bool look(const double (&R)[3][3], double z, double a, double r, Touch<D>& touch) {
  if (z + a * R[2][2] - r > 0) {
    for (double& value : touch.Lambda) value = 0;
    return false;
  }
  // The velocity along d at p is d . v + (p x d) . R w.
  const double px = a * R[0][2], py = a * R[1][2], pz = a * R[2][2] - r;
  double(&W)[1 + D][6] = touch.W;
  for (int h = 0; h <= D; ++h) W[h][0] = W[h][1] = W[h][2] = 0;
  W[0][2] = W[1][0] = W[2][1] = 1;
  for (int k = 0; k < 3; ++k) {
    W[0][3 + k] = py * R[0][k] - px * R[1][k];
    W[1][3 + k] = pz * R[1][k] - py * R[2][k];
    W[2][3 + k] = px * R[2][k] - pz * R[0][k];
    if constexpr (D == 3) W[3][3 + k] = Rbar * R[2][k];
  }
  return true;
}

// u: in, the velocities of the step without contacts; out, with them.
template <int Contacts, int D>
int solve_touches(Touch<D>* const (&closed)[Contacts], double (&u)[6]) {
  constexpr int rows = 1 + D;
  DenseContacts<Contacts, D> problem;
  double W[rows * Contacts][6];
  problem.mu = mu;
  for (int i = 0; i < Contacts; ++i) {
    for (int h = 0; h < rows; ++h) {
      double sum = 0;
      for (int k = 0; k < 6; ++k) {
        W[rows * i + h][k] = closed[i]->W[h][k];
        sum += closed[i]->W[h][k] * u[k];
      }
      problem.c[rows * i + h] = sum;
      problem.Lambda[rows * i + h] = closed[i]->Lambda[h];
    }
  }
  problem.fill(W, M_inverse);
  const int sweeps = problem.solve();
  for (int i = 0; i < Contacts; ++i) {
    for (int h = 0; h < rows; ++h) {
      const double Lambda = problem.Lambda[rows * i + h];
      for (int k = 0; k < 6; ++k) u[k] += M_inverse[k] * W[rows * i + h][k] * Lambda;
      closed[i]->Lambda[h] = Lambda;
    }
  }
  return sweeps;
}

template <int D>
std::uint64_t run(double dt, std::uint64_t steps, double* q_out, double* u_out) {
  double x[3] = {0, 0, 12.015e-3}, e[4] = {std::cos(0.05), std::sin(0.05), 0, 0}, u[6] = {0, 0, 0, 0, 0, 180};
  const double half = dt / 2;
  Touch<D> head{}, tip{};
  std::uint64_t sweeps = 0;
  for (std::uint64_t step = 0; step < steps; ++step) {
    double R[3][3];
    for (int k = 0; k < 3; ++k) x[k] += half * u[k];
    turn(e, u + 3, half);
    rotation(e, R);
    // The gyroscopic moment -w x I w
    const double w1 = u[3], w2 = u[4], w3 = u[5];
    u[2] -= dt * g;
    u[3] -= dt * ((I3 - I1) * w2 * w3 / I1);
    u[4] -= dt * ((I1 - I3) * w3 * w1 / I1);
    const bool on_head = look(R, x[2], 3e-3, 15e-3, head), on_tip = look(R, x[2], 16e-3, 5e-3, tip);
    if (on_head && on_tip) {
      sweeps += static_cast<std::uint64_t>(solve_touches<2, D>({&head, &tip}, u));
    } else if (on_head || on_tip) {
      sweeps += static_cast<std::uint64_t>(solve_touches<1, D>({on_head ? &head : &tip}, u));
    }
    for (int k = 0; k < 3; ++k) x[k] += half * u[k];
    turn(e, u + 3, half);
  }
  for (int k = 0; k < 3; ++k) q_out[k] = x[k];
  for (int k = 0; k < 4; ++k) q_out[3 + k] = e[k];
  for (int k = 0; k < 6; ++k) u_out[k] = u[k];
  return sweeps;
}

}  // namespace

std::uint64_t run_tippe_top_coulomb(double dt, std::uint64_t steps, double* q, double* u) {
  return run<2>(dt, steps, q, u);
}

std::uint64_t run_tippe_top_ellipsoid(double dt, std::uint64_t steps, double* q, double* u) {
  return run<3>(dt, steps, q, u);
}

}  // namespace nsmc::bench
