// Coulomb-Contensou friction: forces T1, T2 and drilling torque tau of dry friction f = mu*N that acts all over a
// circular contact area, the ball B_F of [Möller 2009, (51)-(53)]. A body of revolution about tau,
//     { (T, tau) : (|T|, |tau|/a) = f rho (t(u), y(u)/y(0)), 0 <= rho <= 1, 0 <= u <= inf },
// whose generator is parametrised by the ratio of slip to drilling velocity u = |gamma_T|/(R |gamma_tau|). Its extents
// are f in T and f*a in tau, where a = y(0) R is the mean radius of friction.
#pragma once

#include "runtime/sets/set_trait.hpp"

namespace nsmc::rt {

enum class Pressure {
  parabolic,  // p ~ sqrt(1 - (r/R)^2), that of Hertz
  uniform     // p constant
};

// t = F'(u), y = F - u F' where F(u) is the support function at slip u and drilling velocity 1/R.
template <class Real>
struct ContensouProfileOf {
  Real t, y;
  Real bend;  // dt/du for u <= 1, u^3 dt/du beyond; dy/du = -u dt/du
};
using ContensouProfile = ContensouProfileOf<double>;

// At u = x (x <= 1), or at u = 1/x if `inverse`.
ContensouProfile contensou_profile(Pressure pressure, double x, bool inverse);

double contensou_mean_radius(Pressure pressure);  // y(0), see mean_radius.hpp

struct Contensou {
  double f, a;
  Pressure pressure;

  bool contains(const double* x) const;

  // Minkowski's functional; +inf where x leaves the span of the set.
  double gauge(const double* x) const;

  // In place, to about 1e-15 relative to the set. Returns the number of iterations, 0 exactly if z is inside and
  // stays as it is. NaN in z, f or a gives NaN.
  int prox(double* z) const;

  // P = rho/(rho + |z - x|) t t^T + |x_T|/|z_T| b b^T with t along the meridian, whose radius of curvature is rho, and
  // b around the axis; Q = (x - P z)/f for the size f, none for the coefficient. Not where the set is flat.
  ProxDerivative differentiate(const double* z, const double* x, double slack, double* P, double* Q) const;
  void expose(const double* xi, double* x) const;
};

}  // namespace nsmc::rt
