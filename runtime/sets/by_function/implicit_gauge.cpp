// The polar. At the maximiser v, scaled to Phi(v) = 1, x = k grad Phi(v) and grad k(x) = v. With g = grad Phi, H =
// Hess Phi at v and P = (H + g g^T)^-1, for which P g = v,
//     Hess k = (P - v v^T)/k,
// and v + P (x/k - g) is Newton's step towards x = k g(v). Where Phi has a kink at v (a flat of the set), x/k is a
// convex combination of gradients and not one of them.
//
// The moved set. With w = x/k - c, g = grad k0(w), D = g . x/k, v = g/D and H = Hess k0(w),
//     grad k = v,   Hess k = (I - v x^T/k) H (I - x v^T/k)/(k D).
// k0(w) over 1/k is convex and falls below 1 at 0, hence Newton's method in 1/k from beyond the root is monotone; a
// bracket keeps rounding from spoiling it.
#include "runtime/sets/by_function/implicit_gauge.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/sets/by_function/polar.hpp"

namespace {

using nsmc::rt::HomogeneousFunction;

constexpr int max_dim = static_cast<int>(HomogeneousFunction::max_dim);
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_dim, 1>;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, max_dim, max_dim>;

struct Values {
  double value;
  Vector gradient;
  Matrix hessian;
  bool ok;
};

// At any point but 0.
Values values_at(const HomogeneousFunction& f, const Vector& x) {
  double out[HomogeneousFunction::max_out], direction[max_dim];
  const auto n = static_cast<Eigen::Index>(f.dim);
  const double size = nsmc::rt::split_direction(x.data(), f.dim, direction);
  const bool ok = size > 0 && f.evaluate(direction, out);
  if (!ok) return {not_a_number, Vector::Zero(n), Matrix::Zero(n, n), false};
  return {size * out[0], Eigen::Map<Vector>(out + 1, n), Eigen::Map<Matrix>(out + 1 + n, n, n) / size, true};
}

void put(double* out, double k, const Vector& v, const Matrix& hessian) {
  const Eigen::Index n = v.size();
  out[0] = k;
  Eigen::Map<Vector>(out + 1, n) = v;
  Eigen::Map<Matrix>(out + 1 + n, n, n) = hessian;
}

void put_value(double* out, std::uint32_t dim, double k) {
  const auto n = static_cast<Eigen::Index>(dim);
  put(out, k, Vector::Constant(n, not_a_number), Matrix::Constant(n, n, not_a_number));
}

}  // namespace

void nsm_polar_gauge(nsm_kernel kernel, nsm_quad_kernel precise, uint32_t dim, uint32_t n_coefficients,
                     const double* arguments, double* out) {
  const HomogeneousFunction Phi{kernel, arguments + dim, n_coefficients, dim, precise};
  const auto n = static_cast<Eigen::Index>(dim);
  double direction[max_dim], normal[max_dim];
  const double size = nsmc::rt::split_direction(arguments, dim, direction);
  if (!(size > 0)) return put_value(out, dim, size);
  if (!Phi.has_finite_coefficients() || !nsmc::rt::guess_polar(Phi, direction, normal)) {
    return put_value(out, dim, not_a_number);
  }
  const Vector d = Eigen::Map<const Vector>(direction, n);
  Vector v = Eigen::Map<const Vector>(normal, n), best = v;
  Matrix P(n, n);
  double k = 0, missed = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 8; ++round) {
    const Values at = values_at(Phi, v);
    if (!at.ok || !(at.value > 0)) break;
    v /= at.value;
    k = std::max(k, d.dot(v));
    const double residual = (d / k - at.gradient).norm() / at.gradient.norm();
    if (!(residual < missed / 2)) break;
    missed = residual;
    best = v;
    const Eigen::PartialPivLU<Matrix> lu(Matrix(at.value * at.hessian + at.gradient * at.gradient.transpose()));
    P = lu.inverse();
    v += lu.solve(d / k - at.gradient);
    if (!v.allFinite() || residual <= 1e-15) break;
  }
  bool smooth = missed <= 1e-10;
  // Rounding of the residual moves v by P times it; and kinks want all digits.
  if (precise != nullptr && !(missed <= 1e-15 && P.norm() * best.norm() <= 100)) {
    nsmc::rt::QuadVector precise_d{};
    std::copy_n(arguments, dim, precise_d.v);
    precise_d = nsmc::rt::scaled(precise_d, 1 / nsmc::rt::length(precise_d, dim), dim);
    nsmc::rt::PolarPoint at;
    std::copy_n(best.data(), dim, at.v.v);
    if (nsmc::rt::find_polar(Phi, precise_d, 1e-18, at)) {
      for (Eigen::Index i = 0; i < n; ++i) best[i] = static_cast<double>(at.v[static_cast<std::uint32_t>(i)]);
      k = static_cast<double>(nsmc::rt::dot(at.v, precise_d, dim));
      smooth = at.has_P;
      if (smooth) P = at.P;
    }
  }
  const Matrix no_hessian = Matrix::Constant(n, n, not_a_number);
  put(out, size * k, best, smooth ? Matrix((P - best * best.transpose()) / (size * k)) : no_hessian);
}

void nsm_shifted_gauge(nsm_kernel kernel, nsm_quad_kernel precise, uint32_t dim, uint32_t n_coefficients,
                       const double* arguments, double* out) {
  const HomogeneousFunction k0{kernel, arguments + 2 * dim, n_coefficients, dim};
  const auto n = static_cast<Eigen::Index>(dim);
  const Vector c = Eigen::Map<const Vector>(arguments + dim, n);
  double direction[max_dim];
  const double size = nsmc::rt::split_direction(arguments, dim, direction);
  if (!(size > 0)) return put_value(out, dim, size);
  const Vector d = Eigen::Map<const Vector>(direction, n);
  // The reach s of the set in the direction d: k0(s d - c) = 1.
  const Values along = values_at(k0, d);
  const double back = c.squaredNorm() > 0 ? values_at(k0, -c).value : 0;
  if (!along.ok || !c.allFinite() || !(along.value > 0) || !k0.has_finite_coefficients()) {
    return put_value(out, dim, not_a_number);
  }
  if (!(back < 1)) return put_value(out, dim, std::isnan(back) ? back : std::numeric_limits<double>::infinity());
  // k0(s d) <= k0(s d - c) + k0(c)
  double low = 0, high = (1 + values_at(k0, c.squaredNorm() > 0 ? c : d).value) / along.value * (1 + 1e-12);
  double s = high;
  Values at{};
  for (int round = 0; round < 200; ++round) {
    at = values_at(k0, s * d - c);
    if (!at.ok) return put_value(out, dim, not_a_number);
    const double excess = at.value - 1, slope = at.gradient.dot(d);
    (excess > 0 ? high : low) = s;
    double next = s - excess / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double step = std::abs(next - s);
    if (!(step > 2 * std::numeric_limits<double>::epsilon() * s) || next == low || next == high) break;
    s = next;
  }
  double k = size / s;
  const double D = at.gradient.dot(s * d);
  Vector v = at.gradient / D;
  // Rounding of x/k - c moves the gradient by the Hessian times it.
  if (precise != nullptr && at.hessian.norm() * c.norm() > 100 * at.gradient.norm()) {
    nsm_quad given[2 * max_dim], found[1 + max_dim];
    std::copy_n(arguments, 2 * dim, given);
    nsm_precise_shifted_gauge(kernel, precise, dim, n_coefficients, given, arguments + 2 * dim, found);
    if (nsmc::rt::all_finite(found, 1 + dim)) {
      k = static_cast<double>(found[0]);
      for (Eigen::Index i = 0; i < n; ++i) v[i] = static_cast<double>(found[1 + i]);
    }
  }
  const Matrix turn = Matrix::Identity(n, n) - s * d * v.transpose();
  put(out, k, v, turn.transpose() * at.hessian * turn / (k * D));
}
