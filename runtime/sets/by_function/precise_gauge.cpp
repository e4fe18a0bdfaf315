// implicit_gauge.cpp in numbers of 113 bits. The polar: polar.cpp. The moved set: Newton's method in a bracket, as in
// doubles.
#include <algorithm>
#include <limits>

#include "runtime/sets/by_function/implicit_gauge.hpp"
#include "runtime/sets/by_function/polar.hpp"

using namespace nsmc::rt;

namespace {

constexpr double accuracy = 1e-29;  // of k
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

void put(Quad* out, std::uint32_t dim, Quad k, const QuadVector& v) {
  out[0] = k;
  std::copy_n(v.v, dim, out + 1);
}

// Without derivatives.
void put_value(Quad* out, std::uint32_t dim, Quad k) {
  std::fill_n(out + 1, dim, not_a_number);
  out[0] = k;
}

}  // namespace

void nsm_precise_polar_gauge(nsm_kernel kernel, nsm_quad_kernel precise, uint32_t dim, uint32_t n_coefficients,
                             const nsm_quad* x, const double* coefficients, nsm_quad* out) {
  const HomogeneousFunction Phi{kernel, coefficients, n_coefficients, dim, precise};
  QuadVector d{};
  std::copy_n(x, dim, d.v);
  const Quad size = length(d, dim);
  if (!(size > 0) || !all_finite(&size, 1)) return put_value(out, dim, size);
  d = scaled(d, 1 / size, dim);
  double direction[HomogeneousFunction::max_dim], v[HomogeneousFunction::max_dim];
  for (std::uint32_t i = 0; i < dim; ++i) direction[i] = static_cast<double>(d[i]);
  PolarPoint at;
  if (!guess_polar(Phi, direction, v)) return put_value(out, dim, not_a_number);
  std::copy_n(v, dim, at.v.v);
  if (!find_polar(Phi, d, accuracy, at)) return put_value(out, dim, not_a_number);
  put(out, dim, size * dot(at.v, d, dim), at.v);
}

void nsm_precise_shifted_gauge(nsm_kernel kernel, nsm_quad_kernel precise, uint32_t dim, uint32_t n_coefficients,
                               const nsm_quad* x_and_c, const double* coefficients, nsm_quad* out) {
  const HomogeneousFunction k0{kernel, coefficients, n_coefficients, dim, precise};
  QuadVector x{}, c{};
  std::copy_n(x_and_c, dim, x.v);
  std::copy_n(x_and_c + dim, dim, c.v);
  const Quad size = length(x, dim);
  if (!(size > 0) || !all_finite(x_and_c, 2 * dim)) return put_value(out, dim, size);
  const QuadVector d = scaled(x, 1 / size, dim);
  const auto look = [&](QuadVector at, Quad& value, QuadVector& g) {
    return length(at, dim) == 0 || look_precisely(k0, at, length(at, dim), value, g);
  };
  Quad along = 0, forth = 0;
  QuadVector g{};
  if (!look(d, along, g) || !look(c, forth, g) || !(along > 0)) return put_value(out, dim, not_a_number);
  // The reach s of the set in the direction d, k0(s d - c) = 1, from beyond: k0(s d) <= k0(s d - c) + k0(c).
  Quad low = 0, high = (1 + forth) / along * (1 + Quad(1e-30)), s = high;
  for (int round = 0; round < 400; ++round) {
    QuadVector w;
    for (std::uint32_t i = 0; i < dim; ++i) w[i] = s * d[i] - c[i];
    Quad value = 0;
    if (!look(w, value, g)) return put_value(out, dim, not_a_number);
    const Quad excess = value - 1;
    (excess > 0 ? high : low) = s;
    Quad next = s - excess / dot(g, d, dim);
    if (!(next > low && next < high)) next = (low + high) / 2;
    const Quad step = next > s ? next - s : s - next;
    if (!(step > Quad(1e-33) * s) || next == low || next == high) break;
    s = next;
  }
  put(out, dim, size / s, scaled(g, 1 / (s * dot(g, d, dim)), dim));
}
