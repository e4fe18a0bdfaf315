// Newton's method for smooth functions first (smooth_newton.hpp); where it does not get there, a bundle of half spaces
// (gauge_bundle.hpp). better_answer chooses.
#include "runtime/sets/by_function/gauge_newton.hpp"

#include <algorithm>

#include "runtime/sets/by_function/gauge_bundle.hpp"
#include "runtime/sets/by_function/smooth_newton.hpp"

namespace nsmc::rt {

namespace {

// Undefined at a kink.
template <int N>
NearestPoint nearest_where_smooth(const HomogeneousFunction& k, double rho, const double* e1, double slack) {
  using Newton = SmoothNewton<N, Given::by_gauge>;
  Newton newton(k, rho, e1, slack - 1);
  NearestPoint point;
  const typename Newton::Result result = newton.run(smooth_evaluations);
  point.evaluations = newton.evaluations();
  if (result == Newton::inside) point.place = NearestPoint::inside;
  if (result != Newton::outside) return point;
  point.place = NearestPoint::outside;
  point.residual = newton.residual();
  std::copy_n(newton.nearest().v, N, point.x);
  return point;
}

NearestPoint nearest_where_smooth(const HomogeneousFunction& k, double rho, const double* e1, double slack) {
  switch (k.dim) {
    case 3: return nearest_where_smooth<3>(k, rho, e1, slack);
    case 4: return nearest_where_smooth<4>(k, rho, e1, slack);
    case 5: return nearest_where_smooth<5>(k, rho, e1, slack);
    default: return nearest_where_smooth<6>(k, rho, e1, slack);
  }
}

}  // namespace

NearestPoint nearest_of_gauge(const HomogeneousFunction& k, double rho, const double* e1, double slack) {
  const NearestPoint smooth = nearest_where_smooth(k, rho, e1, slack);
  if (smooth.place == NearestPoint::inside || (smooth.place == NearestPoint::outside && smooth.residual == 0))
    return smooth;
  const NearestPoint other = nearest_by_half_spaces(k, rho, e1, slack);
  const bool both = smooth.place == NearestPoint::outside && other.place == NearestPoint::outside;
  NearestPoint point = both ? better_answer(smooth, other, k.dim) : other;
  point.evaluations = smooth.evaluations + other.evaluations;
  return point;
}

}  // namespace nsmc::rt
