// Where a kernel has no answer, and directions of extreme vectors.
#include "runtime/sets/by_function/homogeneous_function.hpp"

#include <algorithm>
#include <limits>

namespace nsmc::rt {

bool HomogeneousFunction::evaluate_beside(const double* d, double* out) const {
  // In the place of coordinates that vanish; to the side; and what a gradient changes by, of it, at a kink.
  constexpr double tiny = 1e-150, aside = 1e-14, kink = 1e-6;
  const std::uint32_t n_out = 1 + dim + dim * dim;
  const auto is_finite = [](const double* x, std::uint32_t n) {
    return std::all_of(x, x + n, [](double value) { return std::isfinite(value); });
  };
  const auto ask = [&](double in_place_of_zero, double step, double* answer) {
    double beside[max_dim];
    for (std::uint32_t k = 0; k < dim; ++k) {
      beside[k] = (std::abs(d[k]) < tiny ? in_place_of_zero : d[k]) + step * (1 + 0.3 * static_cast<double>(k));
    }
    nsm_view view{};
    view.self = coefficients;
    view.lambda = beside;
    view.context = context;
    function(&view, answer);
    return is_finite(answer, dim + 1);
  };
  double at[max_out], one[max_out], other[max_out];
  std::copy_n(out, n_out, at);
  bool both = ask(tiny, 0, one) && ask(-tiny, 0, other) && is_finite(one + 1 + dim, dim * dim);
  if (!both && is_finite(at, dim + 1)) {
    std::fill_n(out + 1 + dim, dim * dim, std::numeric_limits<double>::quiet_NaN());
    return true;
  }
  if (!both && !is_finite(one, dim + 1)) {
    both = ask(tiny, aside, one) && ask(-tiny, -aside, other) && is_finite(one + 1 + dim, dim * dim);
    if (!is_finite(one, dim + 1) && !ask(-tiny, -aside, one)) {
      // A function that is nowhere negative has the slope 0 where it is 0: supports of a set that lost its extents.
      if (at[0] != 0) return false;
      std::fill_n(out, n_out, 0.0);
      return true;
    }
  }
  if (is_finite(at, dim + 1)) {
    std::copy_n(one + 1 + dim, dim * dim, out + 1 + dim);
  } else {
    std::copy_n(one, n_out, out);
    if (std::isfinite(at[0])) out[0] = at[0];
  }
  double size = 0, jump = 0;
  for (std::uint32_t k = 1; both && k <= dim; ++k) {
    size += std::abs(one[k]);
    jump += std::abs(one[k] - other[k]);
  }
  if (!both || jump > kink * size) std::fill_n(out + 1 + dim, dim * dim, std::numeric_limits<double>::quiet_NaN());
  return true;
}

double split_extreme_direction(const double* x, std::uint32_t dim, double* direction) {
  double largest = 0;
  for (std::uint32_t k = 0; k < dim; ++k) {
    if (!(std::abs(x[k]) <= largest)) largest = std::abs(x[k]);
    if (std::isnan(largest)) return largest;
  }
  if (largest == 0) {
    std::fill_n(direction, dim, 0.0);
    return 0;
  }
  double sum = 0;
  for (std::uint32_t k = 0; k < dim; ++k) {
    direction[k] = std::isinf(largest) ? (std::isinf(x[k]) ? std::copysign(1.0, x[k]) : 0.0) : x[k] / largest;
    sum += direction[k] * direction[k];
  }
  const double norm = std::sqrt(sum);
  for (std::uint32_t k = 0; k < dim; ++k) direction[k] /= norm;
  return largest * norm;
}

}  // namespace nsmc::rt
