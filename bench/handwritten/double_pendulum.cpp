// The double pendulum of two rods in absolute angles:
//     M = [ J1 + m1 s1^2 + m2 l1^2          m2 l1 s2 cos(th1 - th2) ]
//         [ m2 l1 s2 cos(th1 - th2)         J2 + m2 s2^2            ]
//     h1 = -m2 l1 s2 sin(th1 - th2) th2'^2 - (m1 s1 + m2 l1) g sin th1 - d1 th1' + d2 (th2' - th1')
//     h2 =  m2 l1 s2 sin(th1 - th2) th1'^2 - m2 s2 g sin th2 - d2 (th2' - th1')
#include <cmath>

#include "bench/handwritten/handwritten.hpp"
#include "bench/handwritten/planar_laws.hpp"

namespace nsmc::bench {

void double_pendulum(double /*t*/, const double* p, const double* q, const double* u, const Outputs& out) {
  const double m1 = p[0], m2 = p[1], l1 = p[2], s1 = p[3], s2 = p[4], l2 = p[5], J1 = p[6], J2 = p[7];
  const double d1 = p[8], d2 = p[9], g = p[10], wall = p[11], e = p[12], mu = p[13];
  const double w1 = u[0], w2 = u[1];
  const double sin1 = std::sin(q[0]), cos1 = std::cos(q[0]);
  const double sin2 = std::sin(q[1]), cos2 = std::cos(q[1]);
  const double sin12 = sin1 * cos2 - cos1 * sin2;
  const double cos12 = cos1 * cos2 + sin1 * sin2;
  const double coupling = m2 * l1 * s2;

  double* M = out.dynamics;
  M[0] = J1 + m1 * s1 * s1 + m2 * l1 * l1;
  M[1] = coupling * cos12;
  M[2] = 0;
  M[3] = J2 + m2 * s2 * s2;
  double* h = out.dynamics + 4;
  const double joint = d2 * (w2 - w1);
  h[0] = -coupling * sin12 * w2 * w2 - (m1 * s1 + m2 * l1) * g * sin1 - d1 * w1 + joint;
  h[1] = coupling * sin12 * w1 * w1 - m2 * s2 * g * sin2 - joint;

  *out.gap = wall - l1 * sin1 - l2 * sin2;

  double* W = out.directions;
  W[0] = -l1 * cos1;
  W[1] = -l2 * cos2;
  W[2] = l1 * sin1;
  W[3] = l2 * sin2;
  planar_law(0, e, mu, W + 4);
}

}  // namespace nsmc::bench
