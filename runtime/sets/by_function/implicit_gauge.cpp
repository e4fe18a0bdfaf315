// The polar. At the maximiser v, scaled to Phi(v) = 1, x = k grad Phi(v) and grad k(x) = v. With g = grad Phi, H =
// Hess Phi at v and P = (H + g g^T)^-1, for which P g = v,
//     Hess k = (P - v v^T)/k,
// and v + P (x/k - g) is Newton's step towards x = k g(v). Where Phi has a kink at v (a flat of the set), x/k is a
// convex combination of gradients and not one of them. v cannot move along the jumps of the gradient, which are
// perpendicular to it: with an orthonormal basis E of what is perpendicular to all of them, P = E (E^T (H + g g^T)
// E)^-1 E^T, H that of the pieces that meet, on average.
//
// The moved set. With w = x/k - c, g = grad k0(w), D = g . x/k, v = g/D and H = Hess k0(w),
//     grad k = v,   Hess k = (I - v x^T/k) H (I - x v^T/k)/(k D).
// k0(w) over 1/k is convex and falls below 1 at 0, hence Newton's method in 1/k from beyond the root is monotone; a
// bracket keeps rounding from spoiling it.
#include "runtime/sets/by_function/implicit_gauge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/linear/few.hpp"
#include "runtime/sets/by_function/exposed_by_gauge.hpp"
#include "runtime/sets/by_function/gauge_set.hpp"

namespace {

using nsmc::rt::HomogeneousFunction;
using Vector = nsmc::rt::FewVector;
using Matrix = nsmc::rt::FewMatrix;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// The polar. Residuals are those of x/k = grad Phi(v), relative to it.
constexpr double smooth_residual = 1e-10;   // at most, where Phi is smooth
constexpr double told_residual = 1e-15;     // enough
constexpr double lost_by_rounding = 1e-14;  // of k
constexpr int most_steps = 8;
// Guesses at kinks by projections from this far, of 1/Phi(d), and what they may change by, of v, before the next.
constexpr struct { double far, change; } guesses[] = {{1e3, 1e-6}, {10, 1e-14}};
constexpr int most_guesses = 12;
// Pieces at a kink: how far from v they are looked at, and the least jump of the gradient, of it.
constexpr double beside = 1e-7, least_jump = 1e-4;
// The moved set.
constexpr int most_rounds = 200;
constexpr double beyond = 1e-12;  // how far beyond the root the bracket begins, of it

struct Values {
  double value = not_a_number;
  Vector gradient;
  Matrix hessian;
  bool ok = false;
};

// At any point but 0.
Values values_at(const HomogeneousFunction& f, const Vector& x) {
  double out[HomogeneousFunction::max_out], direction[HomogeneousFunction::max_dim];
  const auto n = static_cast<int>(f.dim);
  const double size = nsmc::rt::split_direction(x.data(), f.dim, direction);
  if (!(size > 0 && f.evaluate(direction, out))) return {not_a_number, Vector(n), Matrix(n, n), false};
  Values result{size * out[0], Vector(out + 1, n), Matrix(n, n), true};
  result.hessian.add(1 / size, Matrix(out + 1 + n, n));
  return result;
}

// v with Phi(v) = 1 and v . d = k(d), nearly: the point of { Phi <= 1 } that d exposes. At kinks in three dimensions
// and more by projections: v is that of v + far d for every `far`, and a guess becomes better by 1/far. False if Phi
// has no values.
bool guess_polar(const HomogeneousFunction& Phi, const double* d, double* v) {
  double out[HomogeneousFunction::max_out];
  if (!Phi.evaluate(d, out) || !(out[0] > 0)) return false;
  const auto is_finite = [&] { return std::all_of(v, v + Phi.dim, [](double x) { return std::isfinite(x); }); };
  if (Phi.dim == 2) {
    nsmc::rt::exposed_by_gauge(Phi, d, v);
    return is_finite();
  }
  if (Phi.dim > 1 && nsmc::rt::exposed_where_smooth(Phi, d, v)) return true;
  std::fill_n(v, Phi.dim, 0.0);
  for (const auto& guess : guesses) {
    for (int round = 0; round < most_guesses; ++round) {
      double before[HomogeneousFunction::max_dim], change = 0, size = 0;
      std::copy_n(v, Phi.dim, before);
      for (std::uint32_t i = 0; i < Phi.dim; ++i) v[i] += guess.far / out[0] * d[i];
      nsmc::rt::GaugeSet{Phi, 1}.prox(v);
      for (std::uint32_t i = 0; i < Phi.dim; ++i) {
        change = std::max(change, std::abs(v[i] - before[i]));
        size = std::max(size, std::abs(v[i]));
      }
      if (!(change > guess.change * size)) break;
    }
  }
  return is_finite();
}

// P at a kink of Phi.
Matrix inverse_at_kink(const HomogeneousFunction& Phi, const Vector& v, const Vector& g) {
  const int n = v.n;
  const Vector unit = v.normalized();
  Matrix jumps(n, 0), known(n, 0), M(n, n);  // known: v, the jumps, and directions across which there is none
  known.add_col(unit);
  int pieces = 0;
  for (int found = 1; found < n; ++found) {
    const Vector d = nsmc::rt::FewQr(known).Q().col(found);
    const Values ahead = values_at(Phi, unit + beside * d), behind = values_at(Phi, unit - beside * d);
    for (const Values* side : {&ahead, &behind}) {
      if (!side->ok || !side->hessian.is_finite()) continue;
      M.add(1 / v.norm(), side->hessian);
      ++pieces;
    }
    const Vector jump = ahead.gradient - behind.gradient;
    const bool jumps_here = d.dot(jump) > least_jump * g.norm();
    known.add_col(jumps_here ? jump : d);
    if (jumps_here) jumps.add_col(jump);
  }
  Matrix mean(n, n);
  if (pieces > 0) mean.add(1.0 / pieces, M);
  mean.add_outer(1, g, g);
  const Matrix Q = jumps.cols > 0 ? nsmc::rt::FewQr(jumps).Q() : Matrix::identity(n);
  Matrix E(n, 0);
  for (int j = jumps.cols; j < n; ++j) E.add_col(Q.col(j));
  const nsmc::rt::FewLu inner(E.transposed_times(mean * E));
  if (!inner.is_invertible()) return Matrix(n, n);
  Matrix P(n, n);
  const Matrix inverse = inner.inverse();
  for (int i = 0; i < E.cols; ++i) {
    for (int j = 0; j < E.cols; ++j) P.add_outer(inverse(i, j), E.col(i), E.col(j));
  }
  return P;
}

void put(double* out, double k, const Vector& v, const Matrix& hessian) {
  out[0] = k;
  out = std::copy_n(v.v, v.n, out + 1);
  for (int i = 0; i < v.n; ++i) out = std::copy_n(hessian.a[i], v.n, out);
}

void put_value(double* out, std::uint32_t dim, double k) {
  std::fill_n(out + 1, dim + dim * dim, not_a_number);
  out[0] = k;
}

}  // namespace

void nsm_polar_gauge(nsm_kernel kernel, const void* context, uint32_t dim, uint32_t n_coefficients,
                     const double* arguments, double* out) {
  const HomogeneousFunction Phi{kernel, arguments + dim, n_coefficients, dim, context};
  const auto n = static_cast<int>(dim);
  double direction[HomogeneousFunction::max_dim], normal[HomogeneousFunction::max_dim];
  const double size = nsmc::rt::split_direction(arguments, dim, direction);
  if (!(size > 0)) return put_value(out, dim, size);
  if (!Phi.has_finite_coefficients() || !guess_polar(Phi, direction, normal)) {
    return put_value(out, dim, not_a_number);
  }
  const Vector d(direction, n);
  Vector v(normal, n), best = v, gradient(n);
  Matrix P(n, n);
  double k = 0, missed = std::numeric_limits<double>::infinity();
  for (int step = 0; step < most_steps; ++step) {
    const Values at = values_at(Phi, v);
    if (!at.ok || !(at.value > 0)) break;
    v = v / at.value;
    if (d.dot(v) < k * (1 - lost_by_rounding)) break;  // a v that gives less than another is farther from the maximum
    k = std::max(k, d.dot(v));
    const Vector r = d / k - at.gradient;
    const double residual = r.norm() / at.gradient.norm();
    if (!(residual < missed / 2)) break;
    missed = residual;
    best = v;
    gradient = at.gradient;
    Matrix M(n, n);
    M.add(at.value, at.hessian);
    M.add_outer(1, at.gradient, at.gradient);
    const nsmc::rt::FewLu lu(M);
    if (!lu.is_invertible()) break;
    P = lu.inverse();
    v += lu.solve(r);
    if (!v.is_finite() || residual <= told_residual) break;
  }
  if (!(missed <= smooth_residual)) P = inverse_at_kink(Phi, best, gradient);
  Matrix hessian(n, n);
  hessian.add(1 / (size * k), P);
  hessian.add_outer(-1 / (size * k), best, best);
  put(out, size * k, best, hessian);
}

void nsm_shifted_gauge(nsm_kernel kernel, const void* context, uint32_t dim, uint32_t n_coefficients,
                       const double* arguments, double* out) {
  const HomogeneousFunction k0{kernel, arguments + 2 * dim, n_coefficients, dim, context};
  const auto n = static_cast<int>(dim);
  const Vector c(arguments + dim, n);
  double direction[HomogeneousFunction::max_dim];
  const double size = nsmc::rt::split_direction(arguments, dim, direction);
  if (!(size > 0)) return put_value(out, dim, size);
  const Vector d(direction, n);
  // The reach s of the set in the direction d: k0(s d - c) = 1.
  const Values along = values_at(k0, d);
  const bool is_moved = c.squared_norm() > 0;
  const double back = is_moved ? values_at(k0, -c).value : 0;
  if (!along.ok || !c.is_finite() || !(along.value > 0) || !k0.has_finite_coefficients()) {
    return put_value(out, dim, not_a_number);
  }
  if (!(back < 1)) return put_value(out, dim, std::isnan(back) ? back : std::numeric_limits<double>::infinity());
  // k0(s d) <= k0(s d - c) + k0(c)
  double low = 0, high = (1 + values_at(k0, is_moved ? c : d).value) / along.value * (1 + beyond);
  double s = high;
  Values at;
  for (int round = 0; round < most_rounds; ++round) {
    at = values_at(k0, s * d - c);
    if (!at.ok) return put_value(out, dim, not_a_number);
    const double excess = at.value - 1, slope = at.gradient.dot(d);
    (excess > 0 ? high : low) = s;
    double next = s - excess / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double step = std::abs(next - s);
    if (!(step > 2 * epsilon * s) || next == low || next == high) break;
    s = next;
  }
  const double k = size / s, D = at.gradient.dot(s * d);
  const Vector v = at.gradient / D;
  Matrix turn = Matrix::identity(n), hessian(n, n);
  turn.add_outer(-s, d, v);
  hessian.add(1 / (k * D), turn.transposed_times(at.hessian * turn));
  put(out, k, v, hessian);
}
