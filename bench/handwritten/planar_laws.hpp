// What the planar models have in common: a unilateral contact with Coulomb friction in one direction.
#pragma once

#include <initializer_list>
#include <limits>

namespace nsmc::bench {

// Arguments of (-inf, 0] x [-mu N, mu N] as a + K*(N, T); returns the place after them.
inline double* planar_friction(double mu, double* out) {
  const double values[] = {-std::numeric_limits<double>::infinity(),
                           0,
                           0,
                           0,  // a
                           0,
                           0,
                           0,
                           0,
                           -mu,
                           0,
                           mu,
                           0};  // K
  for (const double value : values) *out++ = value;
  return out;
}

// chi = (drive, 0), restitution, and these arguments.
inline void planar_law(double drive, double e, double mu, double* out) {
  for (const double value : {drive, 0.0, e, 0.0}) *out++ = value;
  planar_friction(mu, out);
}

}  // namespace nsmc::bench
