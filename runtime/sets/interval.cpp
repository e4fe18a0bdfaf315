// The parts of Interval that no solver needs in its inner loop.
#include "runtime/sets/interval.hpp"

#include <cmath>

namespace nsmc::rt {

bool Interval::contains(double x) const {
  if (a > b) return x == middle();
  return x >= a && x <= b;
}

double Interval::gauge(double x) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!contains(0)) return infinity;
  if (x == 0) return 0;
  const double end = a > b ? 0 : (x > 0 ? b : a);
  if (end == 0) return infinity;
  if (std::isinf(end)) return 0;
  return x / end;
}

double Interval::middle() const {
  if (std::isinf(a) && std::isinf(b)) return 0;
  if (std::isinf(a)) return b;
  if (std::isinf(b)) return a;
  return a / 2 + b / 2;
}

double Intervals::gauge(const double* x) const {
  double largest = 0;
  for (std::uint32_t k = 0; k < dim; ++k) {
    const double g = each.gauge(x[k]);
    if (!(g <= largest)) largest = g;
  }
  return largest;
}

ProxDerivative Intervals::differentiate(const double* z, const double*, double slack, double* P, double* Q) const {
  const auto [a, b] = each;
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
  return {true, true};
}

void Intervals::expose(const double*, double* x) const {
  std::fill_n(x, dim, std::numeric_limits<double>::quiet_NaN());
}

}  // namespace nsmc::rt
