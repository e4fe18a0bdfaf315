// The parts of Ball that no solver needs in its inner loop.
#include "runtime/sets/ball.hpp"

namespace nsmc::rt {

namespace {

// The largest component and the norm of x divided by it. NaN if x has one.
struct ScaledNorm {
  double largest;
  double norm;  // |x| = largest * norm
};

ScaledNorm scaled_norm(const double* x, std::uint32_t dim) {
  double largest = 0;
  for (std::uint32_t k = 0; k < dim; ++k) {
    if (!(std::abs(x[k]) <= largest)) largest = std::abs(x[k]);
    if (std::isnan(largest)) return {largest, largest};
  }
  if (largest == 0) return {0, 0};
  double sum = 0;
  for (std::uint32_t k = 0; k < dim; ++k) {
    const double y = std::isinf(largest) ? (std::isinf(x[k]) ? 1 : 0) : x[k] / largest;
    sum += y * y;
  }
  return {largest, std::sqrt(sum)};
}

}  // namespace

bool Ball::contains(const double* x) const { return gauge(x) <= slack(); }

double Ball::gauge(const double* x) const {
  const ScaledNorm n = scaled_norm(x, dim);
  if (std::isnan(n.norm) || std::isnan(radius)) return std::numeric_limits<double>::quiet_NaN();
  if (n.norm == 0) return 0;
  if (!(radius > 0)) return std::numeric_limits<double>::infinity();
  if (std::isinf(radius)) return 0;
  return n.largest / radius * n.norm;
}

bool Ball::prox_of_extreme(double* z, double rho) const {
  const ScaledNorm n = scaled_norm(z, dim);
  if (std::isnan(n.norm) || std::isnan(rho)) {
    for (std::uint32_t k = 0; k < dim; ++k) z[k] = std::numeric_limits<double>::quiet_NaN();
    return false;
  }
  if (n.norm == 0 || std::isinf(rho) || n.largest * n.norm <= rho * slack()) return true;
  for (std::uint32_t k = 0; k < dim; ++k) {
    const double y = std::isinf(n.largest) ? (std::isinf(z[k]) ? std::copysign(1, z[k]) : 0) : z[k] / n.largest;
    z[k] = rho * (y / n.norm);
  }
  return false;
}

ProxDerivative Ball::differentiate(const double* z, const double*, double slack, double* P, double* Q) const {
  double square = 0;
  for (std::uint32_t k = 0; k < dim; ++k) square += z[k] * z[k];
  const double length = std::sqrt(square), rho = radius < 0 ? 0 : radius;
  if (length <= rho + slack) {
    set_identity(P, dim);
    return {true, true};
  }
  for (std::uint32_t h = 0; h < dim; ++h) {
    for (std::uint32_t k = 0; k < dim; ++k) {
      P[h * dim + k] = rho / length * ((h == k ? 1 : 0) - z[h] / length * (z[k] / length));
    }
    Q[h] = radius >= 0 ? z[h] / length : 0;
  }
  return {true, true};
}

void Ball::expose(const double* xi, double* x) const {
  double length = 0;
  for (std::uint32_t k = 0; k < dim; ++k) length = std::hypot(length, xi[k]);
  for (std::uint32_t k = 0; k < dim; ++k) x[k] = radius * (xi[k] / length);
}

}  // namespace nsmc::rt
