// One closed form for each kind of set; a gauge set needs the direction whose gradient is xi.
#include "runtime/sets/exposed_face.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "runtime/sets/by_function/function_set.hpp"
#include "runtime/sets/by_function/support_gauge.hpp"
#include "runtime/sets/by_function/support_newton.hpp"

namespace nsmc::rt {

// w = x xi . x is the minimum of 1/2 k(w)^2 - xi . w, which is convex, and
// Newton's method gets there from everywhere. Where the gradient is like |x_i|^9 its steps shrink by 8/9 each time:
// hence as many. False at kinks.
bool exposed_where_smooth(const HomogeneousFunction& k, const double* direction, double* x) {
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, HomogeneousFunction::max_dim, 1>;
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, HomogeneousFunction::max_dim,
                               HomogeneousFunction::max_dim>;
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  constexpr int most_steps = 400;
  const auto dim = static_cast<Eigen::Index>(k.dim);
  const Vector xi = Eigen::Map<const Vector>(direction, dim);
  double out[HomogeneousFunction::max_out];
  const auto value = [&](const Vector& w) {
    const Vector d = w.normalized();
    return k.evaluate(d.data(), out) ? w.norm() * out[0] : std::numeric_limits<double>::quiet_NaN();
  };
  // Coordinates that are too large come down step by step; those that are too small would jump.
  Vector w = xi;
  for (double& coordinate : w) coordinate = std::copysign(std::pow(std::abs(coordinate), 0.1), coordinate);
  double size = value(w);
  const double scale = xi.dot(w) / (size * size);  // the best w in its direction
  w *= scale;
  size *= scale;
  double last = std::numeric_limits<double>::infinity();
  for (int step = 0; step < most_steps; ++step) {
    const Eigen::Map<const Vector> g(out + 1, dim);
    const Eigen::Map<const Matrix> H(out + 1 + dim, dim, dim);
    Matrix Q = g * g.transpose() + out[0] * H;
    const Vector r = xi - size * g;
    if (r.isZero(0)) break;
    Q.diagonal().array() += epsilon * Q.trace();
    const Eigen::LLT<Matrix> llt(Q);
    if (!Q.allFinite() || llt.info() != Eigen::Success) return false;
    const Vector way = llt.solve(r);
    const bool shrinks = way.norm() < 0.9 * last;
    last = way.norm();
    if (last <= epsilon * w.norm() || (!shrinks && r.norm() <= 4 * epsilon)) break;
    const double before = size * size / 2 - xi.dot(w), slope = r.dot(way), rounding = 8 * epsilon * size * size;
    double part = 1;
    for (;; part /= 4) {
      if (part < 1e-9) return false;
      size = value(w + part * way);
      if (size * size / 2 - xi.dot(w + part * way) <= before - 1e-4 * part * slope + rounding) break;
    }
    w += part * way;
  }
  Eigen::Map<Vector>(x, dim) = w / size;
  return (xi - size * Eigen::Map<const Vector>(out + 1, dim)).norm() <= 1e-14;
}

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

// Anywhere: k is the support function of the polar set, and x/k(x) is the point that is sought if x is normal to the
// polar where it ends in the direction xi, at p = xi/t. The nearest point of the polar to p + s x has this normal; with
// another x it has one that is better by s to the radius of curvature, and on a flat of the polar, which is a kink of
// k, all of them are the same.
void gauge_point_by_polar(const HomogeneousFunction& k, const double* direction, double* x) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  constexpr double aside = 1e-3;  // s, of p
  const std::uint32_t dim = k.dim;
  double y[HomogeneousFunction::max_dim], e1[HomogeneousFunction::max_dim], out[HomogeneousFunction::max_out];
  const double t = gauge_and_normal({k, 1}, direction, x);
  double last = 1;
  for (int round = 0; round < 30; ++round) {
    for (std::uint32_t h = 0; h < dim; ++h) y[h] = (direction[h] + aside * x[h]) / t;
    const double rho = split_direction(y, dim, e1);
    const SupportPoint found = nearest_by_newton(k, rho, e1, function_slack);
    if (found.place != SupportPoint::outside) break;
    double change = 0;
    for (std::uint32_t h = 0; h < dim; ++h) {
      change = std::max(change, std::abs(found.n[h] - x[h]));
      x[h] = found.n[h];
    }
    if (change <= 4 * epsilon || (change <= 1e-12 && change >= last / 2)) break;
    last = change;
  }
  k.evaluate(x, out);
  for (std::uint32_t h = 0; h < dim; ++h) x[h] /= out[0];
}

void gauge_point(const HomogeneousFunction& k, double s, const double* xi, double* x) {
  double direction[HomogeneousFunction::max_dim];
  split_direction(xi, k.dim, direction);
  const bool found = k.dim == 2 ? gauge_point_in_plane(k, direction, x) : exposed_where_smooth(k, direction, x);
  if (!found) gauge_point_by_polar(k, direction, x);
  for (std::uint32_t h = 0; h < k.dim; ++h) x[h] *= s;
}

}  // namespace

bool has_kinks(const ConvexSet& set) {
  const nsm_set& description = *set.set;
  const std::uint32_t dim = description.dim;
  if (description.kind != NSM_SET_GAUGE || dim == 2) return false;
  const HomogeneousFunction k{description.function, set.own() + 1, description.n_arguments - 1, dim};
  double xi[HomogeneousFunction::max_dim], direction[HomogeneousFunction::max_dim], x[HomogeneousFunction::max_dim];
  constexpr int directions = 32;
  constexpr double primes[HomogeneousFunction::max_dim] = {2, 3, 5, 7, 11, 13};
  for (int n = 1; n <= directions; ++n) {
    // Fractional parts of multiples of irrational numbers are spread evenly.
    for (std::uint32_t h = 0; h < dim; ++h) xi[h] = 2 * std::fmod(n * std::sqrt(primes[h]), 1.0) - 1;
    split_direction(xi, dim, direction);
    if (!exposed_where_smooth(k, direction, x)) return true;
  }
  return false;
}

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
