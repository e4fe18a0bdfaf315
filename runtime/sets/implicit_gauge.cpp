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
#include "runtime/sets/implicit_gauge.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/sets/contensou.hpp"
#include "runtime/sets/support_gauge.hpp"

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

// Phi in the half plane (slip, |drilling|): n_T t(u) + n_w y(u)/y(0), u = y(0) n_T/n_w.
void contensou_support(nsmc::rt::Pressure pressure, const nsm_view* view, double* out) {
  const double* v = view->lambda;
  const double y0 = nsmc::rt::contensou_mean_radius(pressure), T = std::hypot(v[0], v[1]), w = std::abs(v[2]);
  const bool inverse = y0 * T > w;
  const double k = inverse ? w / (y0 * T) : y0 * T / w;
  const nsmc::rt::ContensouProfile at = nsmc::rt::contensou_profile(pressure, k, inverse);
  const double t = at.t, y = at.y / y0;
  const double h_TT = inverse ? at.bend * k * k / T : at.bend * y0 / w;
  const double h_Tw = inverse ? -at.bend * k / (y0 * T) : -at.bend * k / w;
  const double h_ww = inverse ? at.bend / (y0 * y0 * T) : at.bend * k * k / (y0 * w);
  const double around = T > 0 ? t / T : h_TT, sign = v[2] < 0 ? -1 : 1;
  const double d[2] = {T > 0 ? v[0] / T : 1, T > 0 ? v[1] / T : 0};
  out[0] = T * t + w * y;
  for (int i = 0; i < 2; ++i) {
    out[1 + i] = t * d[i];
    for (int j = 0; j < 2; ++j) out[4 + 3 * i + j] = h_TT * d[i] * d[j] + around * ((i == j ? 1 : 0) - d[i] * d[j]);
    out[4 + 3 * i + 2] = out[4 + 6 + i] = sign * h_Tw * d[i];
  }
  out[3] = sign * y;
  out[12] = h_ww;
  for (int i = 0; i < 3; ++i) {
    out[0] += view->self[i] * v[i];
    out[1 + i] += view->self[i];
  }
}

}  // namespace

void nsm_polar_gauge(nsm_kernel kernel, uint32_t dim, uint32_t n_coefficients, const double* arguments, double* out) {
  const HomogeneousFunction Phi{kernel, arguments + dim, n_coefficients, dim};
  const auto n = static_cast<Eigen::Index>(dim);
  double normal[max_dim];
  double k = nsmc::rt::gauge_and_normal({Phi, 1}, arguments, normal);
  if (!(k > 0 && k <= std::numeric_limits<double>::max())) return put_value(out, dim, k);
  const Vector x = Eigen::Map<const Vector>(arguments, n);
  Vector v = Eigen::Map<const Vector>(normal, n), best;
  Matrix P(n, n);
  double missed = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 8; ++round) {
    Values at = values_at(Phi, v);
    if (!at.ok || !(at.value > 0)) break;
    v /= at.value;
    k = std::max(k, x.dot(v));
    const double residual = (x / k - at.gradient).norm() / at.gradient.norm();
    if (!(residual < missed / 2)) break;
    missed = residual;
    best = v;
    const Eigen::PartialPivLU<Matrix> lu(Matrix(at.value * at.hessian + at.gradient * at.gradient.transpose()));
    P = lu.inverse();
    v += lu.solve(x / k - at.gradient);
    if (!v.allFinite() || residual <= 1e-15) break;
  }
  if (!(missed < std::numeric_limits<double>::infinity())) return put_value(out, dim, k);
  const bool smooth = missed <= 1e-10;
  put(out, k, best, smooth ? Matrix((P - best * best.transpose()) / k) : Matrix::Constant(n, n, not_a_number));
}

void nsm_shifted_gauge(nsm_kernel kernel, uint32_t dim, uint32_t n_coefficients, const double* arguments, double* out) {
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
  const double k = size / s, D = at.gradient.dot(s * d);
  const Vector v = at.gradient / D;
  const Matrix turn = Matrix::Identity(n, n) - s * d * v.transpose();
  put(out, k, v, turn.transpose() * at.hessian * turn / (k * D));
}

void nsm_contensou_parabolic(const nsm_view* view, double* out) {
  contensou_support(nsmc::rt::Pressure::parabolic, view, out);
}

void nsm_contensou_uniform(const nsm_view* view, double* out) {
  contensou_support(nsmc::rt::Pressure::uniform, view, out);
}
