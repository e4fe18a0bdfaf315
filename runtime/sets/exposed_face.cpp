// One closed form for each kind of set; for gauge sets see exposed_by_gauge.hpp.
#include "runtime/sets/exposed_face.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/sets/by_function/exposed_by_gauge.hpp"

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

void gauge_point(const HomogeneousFunction& k, double s, const double* xi, double* x) {
  double direction[HomogeneousFunction::max_dim];
  split_direction(xi, k.dim, direction);
  exposed_by_gauge(k, direction, x);
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
