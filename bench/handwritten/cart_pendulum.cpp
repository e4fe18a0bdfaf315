// A triple pendulum on a cart in absolute angles. With a_i the first moment that hangs on rod i,
//     a1 = m1 s1 + (m2 + m3) l1,   a2 = m2 s2 + m3 l2,   a3 = m3 s3,
// M_1i = a_i cos th_i, M_ij = l_i a_j cos(th_i - th_j) for i < j, and every centrifugal term has the coefficient of
// the entry it comes from.
#include <cmath>

#include "bench/handwritten/handwritten.hpp"
#include "bench/handwritten/planar_laws.hpp"

namespace nsmc::bench {

void cart_pendulum(double /*t*/, const double* p, const double* q, const double* u, const Outputs& out) {
  const double m0 = p[0], m1 = p[1], m2 = p[2], m3 = p[3], l1 = p[4], l2 = p[5], l3 = p[6];
  const double s1 = p[7], s2 = p[8], s3 = p[9], J1 = p[10], J2 = p[11], J3 = p[12];
  const double k = p[13], d = p[14], g = p[15], depth = p[16], e = p[17], mu = p[18];
  const double x = q[0];
  const double sin1 = std::sin(q[1]), cos1 = std::cos(q[1]);
  const double sin2 = std::sin(q[2]), cos2 = std::cos(q[2]);
  const double sin3 = std::sin(q[3]), cos3 = std::cos(q[3]);
  const double v = u[0];
  const double w1 = u[1] * u[1], w2 = u[2] * u[2], w3 = u[3] * u[3];

  const double a1 = m1 * s1 + (m2 + m3) * l1;
  const double a2 = m2 * s2 + m3 * l2;
  const double a3 = m3 * s3;
  const double b12 = l1 * a2, b13 = l1 * a3, b23 = l2 * a3;
  const double S12 = b12 * (sin1 * cos2 - cos1 * sin2);
  const double S13 = b13 * (sin1 * cos3 - cos1 * sin3);
  const double S23 = b23 * (sin2 * cos3 - cos2 * sin3);

  double* M = out.dynamics;
  M[0] = m0 + m1 + m2 + m3;
  M[1] = a1 * cos1;
  M[2] = a2 * cos2;
  M[3] = a3 * cos3;
  M[4] = 0;
  M[5] = J1 + m1 * s1 * s1 + (m2 + m3) * l1 * l1;
  M[6] = b12 * (cos1 * cos2 + sin1 * sin2);
  M[7] = b13 * (cos1 * cos3 + sin1 * sin3);
  M[8] = 0;
  M[9] = 0;
  M[10] = J2 + m2 * s2 * s2 + m3 * l2 * l2;
  M[11] = b23 * (cos2 * cos3 + sin2 * sin3);
  M[12] = 0;
  M[13] = 0;
  M[14] = 0;
  M[15] = J3 + m3 * s3 * s3;
  double* h = out.dynamics + 16;
  h[0] = a1 * sin1 * w1 + a2 * sin2 * w2 + a3 * sin3 * w3 - k * x - d * v;
  h[1] = -S12 * w2 - S13 * w3 - a1 * g * sin1;
  h[2] = S12 * w1 - S23 * w3 - a2 * g * sin2;
  h[3] = S13 * w1 + S23 * w2 - a3 * g * sin3;

  *out.gap = depth - l1 * cos1 - l2 * cos2 - l3 * cos3;

  double* W = out.directions;
  W[0] = 0;
  W[1] = l1 * sin1;
  W[2] = l2 * sin2;
  W[3] = l3 * sin3;
  W[4] = 1;
  W[5] = l1 * cos1;
  W[6] = l2 * cos2;
  W[7] = l3 * cos3;
  planar_law(0, e, mu, W + 8);
}

}  // namespace nsmc::bench
