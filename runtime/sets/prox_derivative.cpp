// Derivatives of the projections that are known in closed form.
#include "runtime/sets/prox_derivative.hpp"

#include <algorithm>
#include <cmath>

namespace nsmc::rt {

namespace {

void set_identity(double* P, std::uint32_t dim) {
  std::fill_n(P, std::size_t{dim} * dim, 0.0);
  for (std::uint32_t h = 0; h < dim; ++h) P[h * dim + h] = 1;
}

double norm(const double* x, std::uint32_t dim) {
  double square = 0;
  for (std::uint32_t k = 0; k < dim; ++k) square += x[k] * x[k];
  return std::sqrt(square);
}

void differentiate_interval(double a, double b, const double* z, std::uint32_t dim, double slack, double* P,
                            double* Q) {
  for (std::uint32_t h = 0; h < dim; ++h) {
    double &p = P[h * dim + h], *q = Q + 2 * h;
    if (a > b) {
      if (!std::isinf(a) && !std::isinf(b)) q[0] = q[1] = 0.5;
    } else if (z[h] < a - slack) {
      q[0] = 1;
    } else if (z[h] > b + slack) {
      q[1] = 1;
    } else {
      p = 1;
    }
  }
}

void differentiate_ball(double R, const double* z, std::uint32_t dim, double slack, double* P, double* Q) {
  const double length = norm(z, dim);
  const double rho = R < 0 ? 0 : R;
  if (length <= rho + slack) return set_identity(P, dim);
  for (std::uint32_t h = 0; h < dim; ++h) {
    for (std::uint32_t k = 0; k < dim; ++k) {
      P[h * dim + k] = rho / length * ((h == k ? 1 : 0) - z[h] / length * (z[k] / length));
    }
    Q[h] = R >= 0 ? z[h] / length : 0;
  }
}

// False where semi-axes vanish or are infinite.
bool differentiate_ellipsoid(const double* a, const double* z, const double* x, std::uint32_t dim, double slack,
                             double* P, double* Q) {
  double smallest = a[0], largest = 0, difference2 = 0, normal2 = 0;
  for (std::uint32_t k = 0; k < dim; ++k) {
    smallest = std::min(smallest, a[k]);
    largest = std::max(largest, a[k]);
  }
  if (!(smallest > 1e-100 && smallest > 1e-12 * largest && largest < 1e100)) return false;
  for (std::uint32_t k = 0; k < dim; ++k) {
    difference2 += (z[k] - x[k]) * (z[k] - x[k]);
    const double n = x[k] / a[k] * (largest / a[k]);
    normal2 += n * n;
  }
  if (difference2 <= slack * slack) {
    set_identity(P, dim);
    return true;
  }
  // In units of the largest semi-axis where n = largest A^-2 x.
  const double tau = largest * std::sqrt(difference2 / normal2);
  double nBn = 0;
  for (std::uint32_t k = 0; k < dim; ++k) {
    const double n = x[k] / a[k] * (largest / a[k]);
    nBn += n * n / (1 + tau / a[k] / a[k]);
  }
  for (std::uint32_t h = 0; h < dim; ++h) {
    const double B_h = 1 / (1 + tau / a[h] / a[h]), Bn_h = B_h * (x[h] / a[h] * (largest / a[h]));
    for (std::uint32_t k = 0; k < dim; ++k) {
      const double B_k = 1 / (1 + tau / a[k] / a[k]), n_k = x[k] / a[k] * (largest / a[k]), Bn_k = B_k * n_k;
      const double p = (h == k ? B_h : 0) - Bn_h * Bn_k / nBn;
      P[h * dim + k] = p;
      // d a_k: the right side of row k changes by 2 tau x_k/a_k^3 and that of the constraint by x_k^2/a_k^3.
      Q[h * dim + k] = p * (2 * tau * x[k] / a[k] / a[k] / a[k]) + Bn_h / nBn * (x[k] * n_k / a[k]);
    }
  }
  return true;
}

// Whether P and the column of Q for the size f are known.
bool differentiate_contensou(const Contensou& set, const double* z, const double* x, double slack, double* P,
                             double* Q) {
  const double difference[3] = {z[0] - x[0], z[1] - x[1], z[2] - x[2]};
  if (norm(difference, 3) <= slack) {
    set_identity(P, 3);
    return true;
  }
  double df[3];
  if (!set.differentiate(z, x, P, df)) return false;
  for (int h = 0; h < 3; ++h) Q[2 * h] = df[h];
  return true;
}

void differentiate_polygon(const double* corners, std::uint32_t n, const double* z, const double* x, double slack,
                           double* P) {
  const double u = z[0] - x[0], v = z[1] - x[1], length2 = u * u + v * v;
  if (length2 <= slack * slack) return set_identity(P, 2);
  for (std::uint32_t k = 0; k < n; ++k) {
    if (corners[2 * k] == x[0] && corners[2 * k + 1] == x[1]) return;
  }
  // The edge is perpendicular to z - x.
  P[0] = v * v / length2;
  P[1] = P[2] = -u * v / length2;
  P[3] = u * u / length2;
}

}  // namespace

ProxDerivative prox_derivative(const ConvexSet& set, const double* z, const double* x, double slack, double* P,
                               double* Q) {
  const std::uint32_t dim = set.set->dim, n_arguments = set.set->n_arguments;
  std::fill_n(P, std::size_t{dim} * dim, 0.0);
  std::fill_n(Q, std::size_t{dim} * n_arguments, 0.0);
  switch (set.set->kind) {
    case NSM_SET_INTERVAL: differentiate_interval(set.own()[0], set.own()[1], z, dim, slack, P, Q); return {true, true};
    case NSM_SET_BALL: differentiate_ball(set.own()[0], z, dim, slack, P, Q); return {true, true};
    case NSM_SET_ELLIPSOID: {
      const bool done = differentiate_ellipsoid(set.own(), z, x, dim, slack, P, Q);
      return {done, done};
    }
    case NSM_SET_CONTENSOU_PARABOLIC:
    case NSM_SET_CONTENSOU_UNIFORM: {
      const bool done = differentiate_contensou(set.contensou(), z, x, slack, P, Q);
      return {done, done};
    }
    case NSM_SET_POLYGON: differentiate_polygon(set.own(), n_arguments / 2, z, x, slack, P); return {true, false};
    default: return {};
  }
}

}  // namespace nsmc::rt
