// A disc on a vibrating table: M = diag(m, m, J), h = (0, -m g, 0).
#include <cmath>

#include "bench/handwritten/handwritten.hpp"
#include "bench/handwritten/planar_laws.hpp"

namespace nsmc::bench {

void sliding_ball(double t, const double* p, const double* q, const double* /*u*/, const Outputs& out) {
  const double m = p[0], J = p[1], r = p[2], e = p[3], mu = p[4], A = p[5], w = p[6], g = p[7];
  const double z = q[1];

  double* M = out.dynamics;
  M[0] = m;
  M[1] = m;
  M[2] = J;
  double* h = out.dynamics + 3;
  h[0] = 0;
  h[1] = -m * g;
  h[2] = 0;

  *out.gap = z - r - A * std::sin(w * t);

  double* W = out.directions;
  W[0] = 0;
  W[1] = 1;
  W[2] = 0;
  W[3] = 1;
  W[4] = 0;
  W[5] = r;
  planar_law(-A * w * std::cos(w * t), e, mu, W + 6);
}

}  // namespace nsmc::bench
