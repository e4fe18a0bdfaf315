// Nearest point of an ellipsoid by the secular equation.
//
// The point x nearest to a z outside satisfies z - x = tau * (x_k/a_k^2)_k with a multiplier tau > 0, hence
//     x_k = a_k w_k,   w_k = a_k z_k / (a_k^2 + tau),   f(tau) := |w(tau)| = 1.
// The reciprocal 1/f is the power mean of order -2 of the linear functions (a_k^2 + tau)/(a_k |z_k|) up to a factor,
// and therefore concave and increasing. Newton's method on 1/f(tau) = 1 started left of the root stays left of it and
// climbs monotonically to it; far from the root, where all a_k^2 are small against tau, 1/f is nearly linear, so that
// few steps do. A bracket with bisection catches what rounding may do to this argument, so the method cannot fail.
//     d/dtau (1/f) = -f'/f^2 = (sum w_k^2/(a_k^2 + tau)) / f^3.
#include "runtime/sets/ellipsoid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nsmc::rt {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Semi-axes below this share of the largest one are zero: their squares would underflow.
constexpr double negligible_axis = 1e-150;

// Points farther away than this, in units of the largest semi-axis, are moved in along their direction: the nearest
// point then depends on the direction alone, to about 1e-100.
constexpr double far_away = 1e100;

double slack(std::uint32_t dim) { return 1 + (4 + 2 * static_cast<double>(dim)) * epsilon; }

void set_nan(double* z, std::uint32_t dim) { std::fill(z, z + dim, std::numeric_limits<double>::quiet_NaN()); }

}  // namespace

bool Ellipsoid::contains(const double* x) const { return gauge(x) <= slack(dim); }

double Ellipsoid::gauge(const double* x) const {
  double largest = 0;
  for (std::uint32_t k = 0; k < dim; ++k) {
    if (std::isnan(x[k]) || std::isnan(a[k])) return std::numeric_limits<double>::quiet_NaN();
    if (x[k] == 0 || std::isinf(a[k])) continue;
    if (!(a[k] > 0)) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, std::abs(x[k] / a[k]));
  }
  if (largest == 0 || std::isinf(largest)) return largest;
  double sum = 0;
  for (std::uint32_t k = 0; k < dim; ++k) {
    if (x[k] == 0 || std::isinf(a[k])) continue;
    const double w = x[k] / a[k] / largest;
    sum += w * w;
  }
  return largest * std::sqrt(sum);
}

int Ellipsoid::prox(double* z) const {
  // Decouple the directions that are removed (x_k = 0) or free (x_k = z_k), and find the scales of the rest.
  double a_max = 0, z_max = 0;
  for (std::uint32_t k = 0; k < dim; ++k) {
    if (std::isnan(a[k]) || std::isnan(z[k])) {
      set_nan(z, dim);
      return 1;
    }
    if (std::isinf(a[k]) && a[k] > 0) continue;
    a_max = std::max(a_max, a[k]);
  }
  const double smallest = std::max(a_max * negligible_axis, 1e-290);
  int touched = 0;  // until a direction is removed
  for (std::uint32_t k = 0; k < dim; ++k) {
    if (std::isinf(a[k]) && a[k] > 0) continue;
    if (a[k] < smallest && z[k] != 0) {
      z[k] = 0;
      touched = 1;
    }
    z_max = std::max(z_max, std::abs(z[k]));
  }
  if (z_max == 0) return touched;
  const auto takes_part = [&](std::uint32_t k) { return a[k] >= smallest && !std::isinf(a[k]) && z[k] != 0; };

  // Inside? Far terms overflow to inf and the answer is no.
  double inside = 0;
  for (std::uint32_t k = 0; k < dim; ++k) {
    if (!takes_part(k)) continue;
    const double w = z[k] / a[k];
    inside += w * w;
  }
  if (inside <= slack(dim)) return touched;

  // In units of a_max from here on: alpha = a/a_max <= 1, zeta = z/a_max (or a far point in the same direction).
  const double per_length = 1 / a_max;
  const bool is_far = std::isinf(z_max) || z_max > far_away * a_max;
  const auto alpha = [&](std::uint32_t k) { return a[k] * per_length; };
  const auto zeta = [&](std::uint32_t k) {
    if (!is_far) return z[k] * per_length;
    if (std::isinf(z_max)) return std::isinf(z[k]) ? std::copysign(far_away, z[k]) : 0.0;
    return z[k] / z_max * far_away;
  };

  // Brackets. One term alone: f >= alpha_k |zeta_k| / (alpha_k^2 + tau), hence tau >= alpha_k |zeta_k| - alpha_k^2; all
  // terms with the largest (smallest) axis in the denominator bound tau from below (above).
  double product2 = 0, alpha_min = 1, alpha_max = 0, low = 0;
  for (std::uint32_t k = 0; k < dim; ++k) {
    if (!takes_part(k)) continue;
    const double product = alpha(k) * std::abs(zeta(k));
    product2 += product * product;
    alpha_min = std::min(alpha_min, alpha(k));
    alpha_max = std::max(alpha_max, alpha(k));
    low = std::max(low, product - alpha(k) * alpha(k));
  }
  const double product = std::sqrt(product2);
  low = std::max({0.0, low * (1 - 8 * epsilon), (product - alpha_max * alpha_max) * (1 - 8 * epsilon)});
  double high = std::max(low, product - alpha_min * alpha_min) * (1 + 8 * epsilon) + std::numeric_limits<double>::min();

  double tau = low;
  double f = 1;
  int iterations = 0;
  while (true) {
    ++iterations;
    double f2 = 0, slope = 0;
    for (std::uint32_t k = 0; k < dim; ++k) {
      if (!takes_part(k)) continue;
      const double denominator = alpha(k) * alpha(k) + tau;
      const double w = alpha(k) * zeta(k) / denominator;
      f2 += w * w;
      slope += w * w / denominator;
    }
    f = std::sqrt(f2);
    if (std::abs(f - 1) <= 2 * epsilon || iterations >= 200) break;
    if (f > 1) {
      low = tau;
    } else {
      high = tau;
    }
    // Newton on 1/f = 1: tau += (1 - 1/f) f^3 / slope.
    double next = tau + (f - 1) * f2 / slope;
    // Inside the bracket, or half of it; close to its ends rounding has the last word.
    if (!(next >= low && next <= high)) next = low + (high - low) / 2;
    if (std::abs(next - tau) <= epsilon * tau || next == tau) break;
    tau = next;
  }

  // w is a unit vector up to rounding; dividing by its length puts x on the surface.
  for (std::uint32_t k = 0; k < dim; ++k) {
    if (!takes_part(k)) continue;
    z[k] = a[k] * (alpha(k) * zeta(k) / (alpha(k) * alpha(k) + tau) / f);
  }
  return iterations;
}

ProxDerivative Ellipsoid::differentiate(const double* z, const double* x, double slack, double* P, double* Q) const {
  double smallest = a[0], largest = 0, difference2 = 0, normal2 = 0;
  for (std::uint32_t k = 0; k < dim; ++k) {
    smallest = std::min(smallest, a[k]);
    largest = std::max(largest, a[k]);
  }
  if (!(smallest > 1e-100 && smallest > 1e-12 * largest && largest < 1e100)) return {};
  for (std::uint32_t k = 0; k < dim; ++k) {
    difference2 += (z[k] - x[k]) * (z[k] - x[k]);
    const double n = x[k] / a[k] * (largest / a[k]);
    normal2 += n * n;
  }
  if (difference2 <= slack * slack) {
    set_identity(P, dim);
    return {true, true};
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
  return {true, true};
}

// x_k = a_k^2 xi_k/|A xi|
void Ellipsoid::expose(const double* xi, double* x) const {
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

}  // namespace nsmc::rt
