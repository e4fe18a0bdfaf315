// In most cases smooth_newton.hpp has the answer; where Phi has kinks at it, support_hull.cpp; and where these are not
// sure, because Phi is curved without bounds across directions that are not the axes, support_ridge.cpp improves it.
// What that is not sure of either, nearest_by_cuts.cpp decides.
#include "runtime/sets/by_function/support_newton.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/sets/by_function/nearest_by_cuts.hpp"
#include "runtime/sets/by_function/smooth_newton.hpp"
#include "runtime/sets/by_function/support_hull.hpp"
#include "runtime/sets/by_function/support_ridge.hpp"

namespace nsmc::rt {

namespace {

// False at a kink.
template <int N>
bool answered_where_smooth(const HomogeneousFunction& Phi, double rho, const double* e1, double slack,
                           SupportPoint& point) {
  using Newton = SmoothNewton<N, Given::by_support>;
  Newton newton(Phi, rho, e1, slack);
  const typename Newton::Result result = newton.run(smooth_evaluations);
  if (result != Newton::inside && result != Newton::outside) return false;
  point.evaluations = newton.evaluations();
  point.sure = newton.is_sure();
  point.place = result == Newton::inside ? SupportPoint::inside : SupportPoint::outside;
  const Vec<N> n = result == Newton::inside ? newton.direction() : newton.normal();
  std::copy_n(n.v, N, point.n);
  if (result == Newton::inside) return true;
  const Vec<N> x = newton.nearest();
  std::copy_n(x.v, N, point.x);
  return true;
}

bool answered_where_smooth(const HomogeneousFunction& Phi, double rho, const double* e1, double slack,
                           SupportPoint& point) {
  switch (Phi.dim) {
    case 3: return answered_where_smooth<3>(Phi, rho, e1, slack, point);
    case 4: return answered_where_smooth<4>(Phi, rho, e1, slack, point);
    case 5: return answered_where_smooth<5>(Phi, rho, e1, slack, point);
    default: return answered_where_smooth<6>(Phi, rho, e1, slack, point);
  }
}

void settle_by_cuts(const HomogeneousFunction& Phi, double rho, const double* e1, SupportPoint& point) {
  double y[HomogeneousFunction::max_dim], distance2 = 0;
  for (std::uint32_t k = 0; k < Phi.dim; ++k) y[k] = rho * e1[k];
  if (point.place == SupportPoint::inside) std::copy_n(y, Phi.dim, point.x);
  if (!nearest_by_cuts(Phi, Given::by_support, y, point.x, point.evaluations)) return;
  for (std::uint32_t k = 0; k < Phi.dim; ++k) distance2 += (y[k] - point.x[k]) * (y[k] - point.x[k]);
  for (std::uint32_t k = 0; k < Phi.dim && distance2 > 0; ++k) point.n[k] = (y[k] - point.x[k]) / std::sqrt(distance2);
  point.place = SupportPoint::outside;
  point.sure = true;
}

}  // namespace

SupportPoint nearest_by_newton(const HomogeneousFunction& Phi, double rho, const double* e1, double slack) {
  SupportPoint point;
  if (!answered_where_smooth(Phi, rho, e1, slack, point)) point = nearest_by_hull(Phi, rho, e1, slack);
  if (point.place == SupportPoint::undefined) return point;
  if (!point.sure) point.sure = settle_on_ridges(Phi, rho, e1, slack, point);
  if (!point.sure) settle_by_cuts(Phi, rho, e1, point);
  // The hull is exact to about 1e-13 of the point: what is nearer counts as inside, so that points which were projected
  // stay.
  double distance2 = 0;
  for (std::uint32_t k = 0; k < Phi.dim; ++k) distance2 += (rho * e1[k] - point.x[k]) * (rho * e1[k] - point.x[k]);
  if (point.place == SupportPoint::outside && distance2 <= 4e-26 * rho * rho) point.place = SupportPoint::inside;
  return point;
}

}  // namespace nsmc::rt
