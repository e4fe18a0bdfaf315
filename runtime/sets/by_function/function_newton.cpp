// Newton's method for smooth functions first (smooth_newton.hpp); where it does not get there, a bundle of half spaces
// (gauge_bundle.hpp) or of points (support_bundle.hpp). better_answer chooses.
#include "runtime/sets/by_function/function_newton.hpp"

#include <algorithm>

#include "runtime/sets/by_function/gauge_bundle.hpp"
#include "runtime/sets/by_function/smooth_newton.hpp"
#include "runtime/sets/by_function/support_bundle.hpp"

namespace nsmc::rt {

namespace {

// What is nearer to its projection counts as inside a support set, of the point: bundles are exact to about this, and
// points that were projected stay.
constexpr double nothing_moved = 2e-13;

// Undefined at a kink.
template <int N, Given given>
NearestPoint nearest_where_smooth(const HomogeneousFunction& f, double rho, const double* e1, double slack) {
  using Newton = SmoothNewton<N, given>;
  Newton newton(f, rho, e1, slack);
  NearestPoint point;
  const typename Newton::Result result = newton.run(smooth_evaluations);
  point.evaluations = newton.evaluations();
  if (result != Newton::inside && result != Newton::outside) return point;
  point.place = result == Newton::inside ? NearestPoint::inside : NearestPoint::outside;
  if (given == Given::by_support || result == Newton::outside) point.residual = newton.residual();
  if (given == Given::by_support) {
    const Vec<N> n = result == Newton::inside ? newton.direction() : newton.normal();
    std::copy_n(n.v, N, point.n);
  }
  if (result == Newton::outside) std::copy_n(newton.nearest().v, N, point.x);
  return point;
}

template <Given given>
NearestPoint nearest_where_smooth(const HomogeneousFunction& f, double rho, const double* e1, double slack) {
  switch (f.dim) {
    case 3: return nearest_where_smooth<3, given>(f, rho, e1, slack);
    case 4: return nearest_where_smooth<4, given>(f, rho, e1, slack);
    case 5: return nearest_where_smooth<5, given>(f, rho, e1, slack);
    default: return nearest_where_smooth<6, given>(f, rho, e1, slack);
  }
}

}  // namespace

NearestPoint nearest_of_gauge(const HomogeneousFunction& k, double rho, const double* e1, double slack) {
  const NearestPoint smooth = nearest_where_smooth<Given::by_gauge>(k, rho, e1, slack - 1);
  if (smooth.place == NearestPoint::inside || (smooth.place == NearestPoint::outside && smooth.residual == 0))
    return smooth;
  const NearestPoint other = nearest_by_half_spaces(k, rho, e1, slack);
  const bool both = smooth.place == NearestPoint::outside && other.place == NearestPoint::outside;
  NearestPoint point = both ? better_answer(smooth, other, k.dim) : other;
  point.evaluations = smooth.evaluations + other.evaluations;
  return point;
}

NearestPoint nearest_of_support(const HomogeneousFunction& Phi, double rho, const double* e1, double slack) {
  NearestPoint point = nearest_where_smooth<Given::by_support>(Phi, rho, e1, slack);
  if (point.place == NearestPoint::undefined || point.residual > 0) {
    const NearestPoint other = nearest_by_points(Phi, rho, e1, slack);
    const int evaluations = point.evaluations + other.evaluations;
    if (point.place == NearestPoint::outside && other.place == NearestPoint::outside) {
      point = better_answer(point, other, Phi.dim);
    } else if (point.place == NearestPoint::undefined || other.residual < point.residual) {
      point = other;
    }
    point.evaluations = evaluations;
  }
  if (point.place != NearestPoint::outside) return point;
  double distance2 = 0;
  for (std::uint32_t k = 0; k < Phi.dim; ++k) distance2 += (rho * e1[k] - point.x[k]) * (rho * e1[k] - point.x[k]);
  if (distance2 <= nothing_moved * nothing_moved * rho * rho) point.place = NearestPoint::inside;
  return point;
}

}  // namespace nsmc::rt
