// Unit quaternions e, e_0 = cos(angle/2), and the spin w in the frame of the body, by hand.
#pragma once

#include <cmath>

namespace nsmc::bench {
namespace {

// e + s e', e' = e o (0, w)/2, put back on the unit sphere.
inline void turn(double (&e)[4], const double* w, double s) {
  const double a = s / 2;
  const double r0 = e[0] - a * (e[1] * w[0] + e[2] * w[1] + e[3] * w[2]);
  const double r1 = e[1] + a * (e[0] * w[0] + e[2] * w[2] - e[3] * w[1]);
  const double r2 = e[2] + a * (e[0] * w[1] - e[1] * w[2] + e[3] * w[0]);
  const double r3 = e[3] + a * (e[0] * w[2] + e[1] * w[1] - e[2] * w[0]);
  const double one = 1 / std::sqrt(r0 * r0 + r1 * r1 + r2 * r2 + r3 * r3);
  e[0] = one * r0;
  e[1] = one * r1;
  e[2] = one * r2;
  e[3] = one * r3;
}

// world = R body
inline void rotation(const double (&e)[4], double (&R)[3][3]) {
  const double e00 = e[0] * e[0], e11 = e[1] * e[1], e22 = e[2] * e[2], e33 = e[3] * e[3];
  R[0][0] = e00 + e11 - e22 - e33;
  R[1][1] = e00 - e11 + e22 - e33;
  R[2][2] = e00 - e11 - e22 + e33;
  R[0][1] = 2 * (e[1] * e[2] - e[0] * e[3]);
  R[1][0] = 2 * (e[1] * e[2] + e[0] * e[3]);
  R[0][2] = 2 * (e[1] * e[3] + e[0] * e[2]);
  R[2][0] = 2 * (e[1] * e[3] - e[0] * e[2]);
  R[1][2] = 2 * (e[2] * e[3] - e[0] * e[1]);
  R[2][1] = 2 * (e[2] * e[3] + e[0] * e[1]);
}

}  // namespace
}  // namespace nsmc::bench
