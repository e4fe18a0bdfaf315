// A convex function, positively homogeneous of degree one, given by a kernel: a gauge function k [Walker 2017, (16)] or
// a support function Phi. It is asked for value, gradient and Hessian at unit vectors only; the rest is homogeneity,
//     f(t d) = t f(d),   grad f(t d) = grad f(d),   Hess f(t d) = Hess f(d)/t,   d . grad f(d) = f(d),   Hess f(d) d =
//     0.
//
// Where the kernel has no answer. Formulas such as |x|^s have no finite second derivatives where a coordinate vanishes,
// some have no first ones, and at a kink there are none. Where anything is not finite, the function is asked beside the
// point: first with +-1e-150 for the coordinates that vanish, which changes nothing in value and gradient that double
// precision can see, and then, where the trouble is elsewhere (|x - y|), 1e-14 to the side. At a kink, where the two
// sides have different gradients, that of the first side is taken and the Hessian reported as missing (NaN).
#pragma once

#include <cmath>
#include <cstdint>

#include "runtime/kernel_abi.hpp"

namespace nsmc::rt {

// What a function says of a set: { x : f(x) <= 1 }, or f(v) = max { v . x }.
enum class Given { by_gauge, by_support };

struct HomogeneousFunction {
  static constexpr std::uint32_t max_dim = 6;
  static constexpr std::uint32_t max_out = 1 + max_dim + max_dim * max_dim;

  nsm_kernel function;
  const double* coefficients;
  std::uint32_t n_coefficients;
  std::uint32_t dim;
  const void* context = nullptr;  // for a function that is not a compiled kernel: what it stands for

  bool has_finite_coefficients() const {
    double sum = 0;
    for (std::uint32_t k = 0; k < n_coefficients; ++k) sum += 0 * coefficients[k];  // 0, or NaN
    return sum == 0;
  }

  // Value, gradient, Hessian at the unit vector d. False if value and gradient are not finite even nearby.
  bool evaluate(const double* d, double* out) const {
    nsm_view view{};
    view.self = coefficients;
    view.lambda = d;
    view.context = context;
    function(&view, out);
    double sum = 0;
    for (std::uint32_t k = 0; k <= dim + dim * dim; ++k) sum += 0 * out[k];
    return sum == 0 || evaluate_beside(d, out);
  }

  // In the plane at d = (x, y), with d' = (-y, x): f, its slope d' . grad f and bend d' . Hess f d'. All of gradient
  // and Hessian that homogeneity does not tell.
  struct Plane {
    double value, slope, bend;  // bend is NaN if it is missing
    bool ok;
  };
  Plane in_plane(double x, double y) const {
    const double d[2] = {x, y};
    double out[7];
    const bool ok = evaluate(d, out);
    return {out[0], x * out[2] - y * out[1], y * y * out[3] - x * y * (out[4] + out[5]) + x * x * out[6], ok};
  }

 private:
  bool evaluate_beside(const double* d, double* out) const;
};

// The nearest point to (rho, 0), or its normal, of the ellipse that has the same value, slope and bend at (1, 0) as f:
// tangent of its angle. With the matrix Q of smooth_newton.hpp, which has T = trace and D = determinant, the length
// that is to be 1 is a quotient rho sqrt(N)/M of polynomials in tau (gauge) or t (support); Newton's method climbs.
inline double model_tangent(const HomogeneousFunction::Plane& f, double rho, bool by_support) {
  const double Q11 = f.value * f.value, Q12 = f.value * f.slope, Q22 = f.slope * f.slope + f.value * f.bend;
  const double T = Q11 + Q22, D = Q11 * f.value * f.bend;
  const double n0 = by_support ? Q22 * D : Q11, n2 = by_support ? Q11 : Q22 * D;
  const double m0 = by_support ? D : 1, m2 = by_support ? 1 : D;
  double t = by_support ? std::fmax(0.0, rho * f.value - T) : (rho * f.value - 1) / T;
  for (int iteration = 0; iteration < 8; ++iteration) {
    const double N = n0 + t * (2 * D + t * n2), M = m0 + t * (T + t * m2), missing = rho * std::sqrt(N) - M;
    if (!(missing > 1e-9 * M)) break;
    t += missing * N / ((T + 2 * t * m2) * N - M * (D + t * n2));
  }
  return by_support ? -Q12 / (t + Q22) : -t * Q12 / (1 + t * Q22);
}

// tan(theta/2) from tan(theta).
inline double half_angle(double tangent) { return tangent / (1 + std::sqrt(1 + tangent * tangent)); }

// |x| without under- or overflow and the unit vector x/|x|; infinite coordinates beat finite ones. NaN if x has one.
double split_extreme_direction(const double* x, std::uint32_t dim, double* direction);
inline double split_direction(const double* x, std::uint32_t dim, double* direction) {
  double sum = 0;
  for (std::uint32_t k = 0; k < dim; ++k) sum += x[k] * x[k];
  if (!(sum > 1e-280 && sum < 1e280)) return split_extreme_direction(x, dim, direction);
  const double norm = std::sqrt(sum), inverse = 1 / norm;
  for (std::uint32_t k = 0; k < dim; ++k) direction[k] = x[k] * inverse;
  return norm;
}

}  // namespace nsmc::rt
