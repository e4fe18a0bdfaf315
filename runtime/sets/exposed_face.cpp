// One closed form for each kind of set; a gauge set needs the direction whose gradient is xi.
#include "runtime/sets/exposed_face.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace nsmc::rt {

namespace {

// x_k = a_k^2 xi_k/|A xi|, the support point of an ellipsoid.
void ellipsoid_point(const double* a, const double* xi, std::uint32_t dim, double* x) {
  double largest = 0;
  for (std::uint32_t k = 0; k < dim; ++k) largest = std::max(largest, std::abs(a[k] * xi[k]));
  if (!(largest > 0)) {
    std::fill_n(x, dim, 0.0);
    return;
  }
  double sum = 0;
  for (std::uint32_t k = 0; k < dim; ++k) {
    const double y = a[k] * xi[k] / largest;
    sum += y * y;
  }
  const double inverse = 1 / (largest * std::sqrt(sum));
  for (std::uint32_t k = 0; k < dim; ++k) x[k] = a[k] * (a[k] * xi[k] * inverse);
}

// (T, tau) = f (t(u) gamma_T/|gamma_T|, a y(u)/y(0) sgn(gamma_tau)), u = |gamma_T|/(R |gamma_tau|), R = a/y(0)
// [Möller 2009, (51), (52)].
void contensou_point(const Contensou& set, const double* xi, double* x) {
  const double y0 = contensou_mean_radius(set.pressure);
  const double slip = std::hypot(xi[0], xi[1]), drilling = set.a / y0 * std::abs(xi[2]);
  const bool inverse = slip > drilling;
  const double ratio = inverse ? drilling / slip : slip / drilling;
  const ContensouProfile p = contensou_profile(set.pressure, ratio, inverse);
  const double t = slip > 0 ? set.f * p.t / slip : 0;
  x[0] = t * xi[0];
  x[1] = t * xi[1];
  x[2] = std::copysign(set.f * set.a * p.y / y0, xi[2]);
}

// s grad Phi(xi).
void support_point(const HomogeneousFunction& Phi, double s, const double* xi, double* x) {
  double direction[HomogeneousFunction::max_dim], out[HomogeneousFunction::max_out];
  split_direction(xi, Phi.dim, direction);
  Phi.evaluate(direction, out);
  for (std::uint32_t k = 0; k < Phi.dim; ++k) x[k] = s * out[1 + k];
}

// In the plane: the angle of x = d/k(d) at which grad k points along xi. As d turns through the half plane of xi, the
// gradient turns the same way, so that cross(grad k(d), xi) changes its sign once. False if the function has no value.
bool gauge_point_in_plane(const HomogeneousFunction& k, const double* direction, double* x) {
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
  for (int round = 0; round < 200 && high - low > 2e-16; ++round) {
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

// In more dimensions: x = prox(x + T xi) says T xi in N(x), for any T > 0. The larger T, the faster this converges,
// above all where xi is close to the normal of a flat, along which a round moves x by T times the angle; but the
// projection of a point that far away is less exact. So T grows while x moves, and an answer must stand still for a
// small T. How far it moves with that tells which of several answers is the best.
void gauge_point_by_prox(const HomogeneousFunction& k, const double* direction, double* x) {
  constexpr double small = 100, large = 1e13;
  const GaugeSet unit{k, 1};
  const std::uint32_t dim = k.dim;
  double out[HomogeneousFunction::max_out], next[HomogeneousFunction::max_dim], best[HomogeneousFunction::max_dim];
  k.evaluate(direction, out);
  const double length = 1 / out[0];
  for (std::uint32_t h = 0; h < dim; ++h) x[h] = best[h] = direction[h] * length;
  double T = small, largest = large, least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 60; ++round) {
    double change = 0, size = 0;
    for (std::uint32_t h = 0; h < dim; ++h) next[h] = x[h] + T * length * direction[h];
    unit.prox(next);
    for (std::uint32_t h = 0; h < dim; ++h) {
      change = std::max(change, std::abs(next[h] - x[h]));
      size = std::max(size, std::abs(next[h]));
      x[h] = next[h];
    }
    if (!(size <= std::numeric_limits<double>::max())) return;
    if (T > small) {
      const bool stands = change <= 1e-15 * T * size || T >= largest;
      T = stands ? small : T * (round > 6 ? 50 : 1000);
      continue;
    }
    if (change < least) {
      least = change;
      std::copy_n(x, dim, best);
    }
    if (least <= 1e-15 * size) break;
    if (round > 6 && least <= 1e-13 * size) break;
    if (round > 20 && least <= 1e-11 * size) break;
    T = small * 100;
    if (round > 6) largest = std::max(largest / 7, 1e9);  // other numbers, other rounding
  }
  std::copy_n(best, dim, x);
}

void gauge_point(const HomogeneousFunction& k, double s, const double* xi, double* x) {
  double direction[HomogeneousFunction::max_dim];
  split_direction(xi, k.dim, direction);
  if (k.dim != 2 || !gauge_point_in_plane(k, direction, x)) gauge_point_by_prox(k, direction, x);
  for (std::uint32_t h = 0; h < k.dim; ++h) x[h] *= s;
}

}  // namespace

void exposed_unit_point(const ConvexSet& set, const double* xi, double* x) {
  const nsm_set& description = *set.set;
  const HomogeneousFunction function{description.function, set.own() + 1, description.n_arguments - 1, description.dim};
  if (description.kind == NSM_SET_GAUGE) {
    gauge_point(function, 1, xi, x);
  } else {
    support_point(function, 1, xi, x);
  }
}

void exposed_point(const ConvexSet& set, const double* xi, double* x) {
  const nsm_set& description = *set.set;
  const double* own = set.own();
  const std::uint32_t dim = description.dim;
  const HomogeneousFunction function{description.function, own + 1, description.n_arguments - 1, dim};
  switch (description.kind) {
    case NSM_SET_BALL: {
      double length = 0;
      for (std::uint32_t k = 0; k < dim; ++k) length = std::hypot(length, xi[k]);
      for (std::uint32_t k = 0; k < dim; ++k) x[k] = own[0] * (xi[k] / length);
      break;
    }
    case NSM_SET_ELLIPSOID: ellipsoid_point(own, xi, dim, x); break;
    case NSM_SET_POLYGON: corner_of(set, exposed_corner(set, xi), x); return;
    case NSM_SET_GAUGE: gauge_point(function, own[0], xi, x); break;
    case NSM_SET_SUPPORT: support_point(function, own[0], xi, x); break;
    case NSM_SET_CONTENSOU_PARABOLIC:
    case NSM_SET_CONTENSOU_UNIFORM: contensou_point(set.contensou(), xi, x); break;
    default: std::fill_n(x, dim, std::numeric_limits<double>::quiet_NaN()); return;
  }
  if (const double* centre = set.centre()) {
    for (std::uint32_t k = 0; k < dim; ++k) x[k] += centre[k];
  }
}

double exposed_end(const ConvexSet& set, std::uint32_t row, bool upper) {
  const double end = set.own()[upper ? 1 : 0];
  return set.centre() != nullptr ? end + set.centre()[row] : end;
}

std::uint32_t exposed_corner(const ConvexSet& set, const double* xi) {
  const double* corners = set.own();
  const std::uint32_t n = set.set->n_arguments / 2;
  std::uint32_t best = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (std::uint32_t k = 0; k < n; ++k) {
    const double value = corners[2 * k] * xi[0] + corners[2 * k + 1] * xi[1];
    if (value > most) most = value, best = k;
  }
  return best;
}

void corner_of(const ConvexSet& set, std::uint32_t corner, double* x) {
  const double* centre = set.centre();
  for (std::uint32_t k = 0; k < 2; ++k) x[k] = set.own()[2 * corner + k] + (centre != nullptr ? centre[k] : 0);
}

}  // namespace nsmc::rt
