// An element of the generalised Jacobian of x = prox_K(z): dx = P dz + Q da, a the arguments of the set.
//
//   interval       P = 1 inside, 0 outside; Q = 1 for the end that x sits on
//   ball, |z| > R  P = R/|z| (I - n n^T),   Q = n,   n = z/|z|
//   ellipsoid      x + tau A^-2 x = z, |A^-1 x| = 1 differentiated: with B = (I + tau A^-2)^-1 and n = A^-2 x,
//                  P = B - B n n^T B/(n^T B n)
//   contensou      P = rho/(rho + |z - x|) t t^T + |x_T|/|z_T| b b^T with t along the meridian, whose radius of
//                  curvature is rho, and b around the axis; Q = (x - P z)/f for the size f, none for the coefficient
//   polygon        I inside, t t^T on an edge with direction t, 0 at a corner; no Q
//
// P is symmetric with eigenvalues in [0, 1], as for every projection. On the border between two smooth pieces the piece
// inside is taken: a contact at rest counts as closed, a body at rest as sticking.
#pragma once

#include "runtime/sets/convex_set.hpp"

namespace nsmc::rt {

// What could be told in closed form; the rest is left to the caller's finite differences.
struct ProxDerivative {
  bool P = false, Q = false;
};

// z: the point, relative to the centre of a shifted set; x: its projection, relative to the centre too. slack: by how
// much z may be outside, from rounding, and still count as inside. P: dim x dim. Q: dim x n_arguments, both row after
// row and overwritten.
ProxDerivative prox_derivative(const ConvexSet& set, const double* z, const double* x, double slack, double* P,
                               double* Q);

}  // namespace nsmc::rt
