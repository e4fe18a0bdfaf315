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

}  // namespace nsmc::rt
