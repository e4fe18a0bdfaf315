// In the plane an angle, by secants in a bracket; else Newton's method where k is smooth, and projections at kinks.
#include "runtime/sets/by_function/exposed_by_gauge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "runtime/linear/few.hpp"
#include "runtime/sets/by_function/function_newton.hpp"
#include "runtime/sets/by_function/function_set.hpp"
#include "runtime/sets/by_function/support_gauge.hpp"

namespace nsmc::rt {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Newton's method where k is smooth.
constexpr int most_steps = 400;
constexpr double least_part = 1e-9;  // of a step: below it is a kink
constexpr double armijo = 1e-4;      // of the gain that a step promises
constexpr double told = 1e-14;       // |xi - k grad k|, xi a unit vector: what counts as found
// In the plane.
constexpr double closed = 2e-16;  // of the bracket, rad
constexpr int most_halvings = 200;
// By the polar.
constexpr double aside = 1e-3;          // s, of p
constexpr double small_change = 1e-12;  // of a unit normal: what no longer shrinks below is rounding
constexpr int most_rounds = 30;

// In the plane: the angle of x = d/k(d) at which grad k points along xi. As d turns through the half plane of xi, the
// gradient turns the same way, so that cross(grad k(d), xi) changes its sign once. False if the function has no value.
bool exposed_in_plane(const HomogeneousFunction& k, const double* direction, double* x) {
  double out[HomogeneousFunction::max_out];
  const double base = std::atan2(direction[1], direction[0]);
  const auto turn = [&](double angle) {
    const double d[2] = {std::cos(base + angle), std::sin(base + angle)};
    if (!k.evaluate(d, out)) return std::numeric_limits<double>::quiet_NaN();
    x[0] = d[0] / out[0];
    x[1] = d[1] / out[0];
    return (out[1] * direction[1] - out[2] * direction[0]) / std::hypot(out[1], out[2]);
  };
  // 0 is inside the set, hence grad k(d) . d = k(d) > 0: the gradient is less than a right angle off d.
  constexpr double right = std::numbers::pi / 2;
  double low = -right, high = right, at_low = turn(low), at_high = turn(high);
  if (!std::isfinite(at_low) || !std::isfinite(at_high)) return false;
  int side = 0;
  double width = 2 * (high - low);
  for (int round = 0; round < most_halvings && high - low > closed; ++round) {
    double middle = low + (high - low) * at_low / (at_low - at_high);  // secant with Illinois' weights
    // Halves where three of them have not: at a corner of the set the gradient jumps.
    const bool slow = round % 3 == 2 && high - low > width / 2;
    if (round % 3 == 2) width = high - low;
    if (!(middle > low && middle < high) || slow) middle = low + (high - low) / 2;
    const double value = turn(middle);
    if (value == 0 || middle == low || middle == high) break;
    if (std::isnan(value)) return false;
    const bool is_low = value > 0;
    if (is_low) {
      low = middle, at_low = value;
      if (side == 1) at_high /= 2;
    } else {
      high = middle, at_high = value;
      if (side == -1) at_low /= 2;
    }
    side = is_low ? 1 : -1;
  }
  return true;
}

// Anywhere: k is the support function of the polar set, and x/k(x) is the point that is sought if x is normal to the
// polar where it ends in the direction xi, at p = xi/t. The nearest point of the polar to p + s x has this normal; with
// another x it has one that is better by s to the radius of curvature, and on a flat of the polar, which is a kink of
// k, all of them are the same.
void exposed_by_polar(const HomogeneousFunction& k, const double* direction, double* x) {
  const std::uint32_t dim = k.dim;
  double y[HomogeneousFunction::max_dim], e1[HomogeneousFunction::max_dim], out[HomogeneousFunction::max_out];
  const double t = gauge_and_normal({k, 1}, direction, x);
  double last = 1;
  for (int round = 0; round < most_rounds; ++round) {
    for (std::uint32_t h = 0; h < dim; ++h) y[h] = (direction[h] + aside * x[h]) / t;
    const double rho = split_direction(y, dim, e1);
    const NearestPoint found = nearest_of_support(k, rho, e1, function_slack);
    if (found.place != NearestPoint::outside) break;
    double change = 0;
    for (std::uint32_t h = 0; h < dim; ++h) {
      change = std::max(change, std::abs(found.n[h] - x[h]));
      x[h] = found.n[h];
    }
    if (change <= 4 * epsilon || (change <= small_change && change >= last / 2)) break;
    last = change;
  }
  k.evaluate(x, out);
  for (std::uint32_t h = 0; h < dim; ++h) x[h] /= out[0];
}

}  // namespace

// w = x xi . x is the minimum of 1/2 k(w)^2 - xi . w, which is convex, and
// Newton's method gets there from everywhere. Where the gradient is like |x_i|^9 its steps shrink by 8/9 each time:
// hence as many. False at kinks.
bool exposed_where_smooth(const HomogeneousFunction& k, const double* direction, double* x) {
  const auto dim = static_cast<int>(k.dim);
  const FewVector xi(direction, dim);
  double out[HomogeneousFunction::max_out];
  const auto value = [&](const FewVector& w) {
    const FewVector d = w.normalized();
    return k.evaluate(d.data(), out) ? w.norm() * out[0] : std::numeric_limits<double>::quiet_NaN();
  };
  // Coordinates that are too large come down step by step; those that are too small would jump.
  FewVector w = xi;
  for (int h = 0; h < dim; ++h) w[h] = std::copysign(std::pow(std::abs(w[h]), 0.1), w[h]);
  double size = value(w);
  const double scale = xi.dot(w) / (size * size);  // the best w in its direction
  w *= scale;
  size *= scale;
  double last = std::numeric_limits<double>::infinity();
  for (int step = 0; step < most_steps; ++step) {
    const FewVector g(out + 1, dim);
    FewMatrix Q(dim, dim);
    Q.add_outer(1, g, g);
    Q.add(out[0], FewMatrix(out + 1 + dim, dim));
    const FewVector r = xi - size * g;
    if (r.is_zero()) break;
    double trace = 0;
    for (int h = 0; h < dim; ++h) trace += Q(h, h);
    for (int h = 0; h < dim; ++h) Q(h, h) += epsilon * trace;
    const FewCholesky L(Q);
    if (!Q.is_finite() || !L.is_good()) return false;
    const FewVector way = L.solve(r);
    const bool shrinks = way.norm() < 0.9 * last;
    last = way.norm();
    if (last <= epsilon * w.norm() || (!shrinks && r.norm() <= 4 * epsilon)) break;
    const double before = size * size / 2 - xi.dot(w), slope = r.dot(way), rounding = 8 * epsilon * size * size;
    double part = 1;
    for (;; part /= 4) {
      if (part < least_part) return false;
      size = value(w + part * way);
      if (size * size / 2 - xi.dot(w + part * way) <= before - armijo * part * slope + rounding) break;
    }
    w += part * way;
  }
  std::copy_n((w / size).v, dim, x);
  return (xi - size * FewVector(out + 1, dim)).norm() <= told;
}

void exposed_by_gauge(const HomogeneousFunction& k, const double* xi, double* x) {
  const bool found = k.dim == 2 ? exposed_in_plane(k, xi, x) : exposed_where_smooth(k, xi, x);
  if (!found) exposed_by_polar(k, xi, x);
}

}  // namespace nsmc::rt
