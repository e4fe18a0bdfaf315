// A symmetric top in Euler angles. With w3 = psi' + phi' cos theta,
//     M = diag(m, m, m) and, in (theta, phi, psi), [ I1, 0, 0; 0, I1 sin^2 + I3 cos^2, I3 cos; 0, I3 cos, I3 ],
//     h_theta = (I1 phi' cos theta - I3 w3) phi' sin theta
//     h_phi   = (I3 (w3 + phi' cos theta) - 2 I1 phi' cos theta) theta' sin theta,   h_psi = I3 theta' phi' sin theta.
// The contact point lies below the centre of the head, at centre - r e_z.
#include <cmath>
#include <limits>

#include "bench/handwritten/handwritten.hpp"

namespace nsmc::bench {

void euler_top(double /*t*/, const double* p, const double* q, const double* u, const Outputs& out) {
  const double m = p[0], I1 = p[1], I3 = p[2], a = p[3], r = p[4], g = p[5], e = p[6], mu = p[7];
  const double z = q[2];
  const double st = std::sin(q[3]), ct = std::cos(q[3]);
  const double sp = std::sin(q[4]), cp = std::cos(q[4]);
  const double theta_dot = u[3], phi_dot = u[4], psi_dot = u[5];
  const double w3 = psi_dot + phi_dot * ct;

  double* M = out.dynamics;
  for (int i = 0; i < 36; ++i) M[i] = 0;
  M[0] = m;
  M[7] = m;
  M[14] = m;
  M[21] = I1;
  M[28] = I1 * st * st + I3 * ct * ct;
  M[29] = I3 * ct;
  M[35] = I3;
  double* h = out.dynamics + 36;
  h[0] = 0;
  h[1] = 0;
  h[2] = -m * g;
  h[3] = (I1 * phi_dot * ct - I3 * w3) * phi_dot * st;
  h[4] = (I3 * (w3 + phi_dot * ct) - 2 * I1 * phi_dot * ct) * theta_dot * st;
  h[5] = I3 * theta_dot * phi_dot * st;

  *out.gap = z + a * ct - r;

  double* W = out.directions;
  for (int i = 0; i < 18; ++i) W[i] = 0;
  W[2] = 1;  // gap' = z' - a sin(theta) theta'
  W[3] = -a * st;
  const double lever = a * ct - r;
  W[6] = 1;  // slip in x
  W[9] = lever * sp;
  W[10] = a * st * cp;
  W[11] = r * st * cp;
  W[13] = 1;  // slip in y
  W[15] = -lever * cp;
  W[16] = a * st * sp;
  W[17] = r * st * sp;
  double* chi = W + 18;
  for (int i = 0; i < 3; ++i) chi[i] = 0;
  double* restitution = chi + 3;
  restitution[0] = e;
  restitution[1] = 0;
  restitution[2] = 0;
  double* bounds = restitution + 3;  // a of (-inf, 0] x disc(mu N)
  bounds[0] = -std::numeric_limits<double>::infinity();
  bounds[1] = 0;
  bounds[2] = 0;
  double* K = bounds + 3;
  for (int i = 0; i < 9; ++i) K[i] = 0;
  K[6] = mu;
}

}  // namespace nsmc::bench
