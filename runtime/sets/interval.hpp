// The interval a <= x <= b, either end may be infinite: unilateral laws (-inf, 0], dry friction [-mu N, mu N],
// bilateral constraints (-inf, inf).
//
// In: the two ends, which may depend on the iterate of a solver; out: membership, gauge, nearest point.
//
// Empty intervals. An iterate can ask for a > b (friction under a negative normal percussion). The set is then the
// point halfway between the ends, which for [-r, r] with r < 0 is 0: the same answer that a ball of negative radius
// gives. If one end is infinite, the point is the finite end; if both are, it is 0.
#pragma once

#include <cstdint>
#include <limits>

#include "runtime/sets/set_trait.hpp"

namespace nsmc::rt {

struct Interval {
  double a;
  double b;

  bool contains(double x) const;

  // inf { s >= 0 : x in s K }, Minkowski's functional; defined where 0 is in K, +inf otherwise.
  double gauge(double x) const;

  // The nearest point of [a, b]; NaN in x, a or b gives NaN, so that trouble is seen and not clipped away.
  double prox(double x) const {
    if (a > b) return middle();
    if (x < a) return a;
    if (x > b) return b;
    if (x >= a && x <= b) return x;
    return std::numeric_limits<double>::quiet_NaN();
  }

  // The only point of an interval with a > b.
  double middle() const;
};

// The same interval in every row.
struct Intervals {
  Interval each;
  std::uint32_t dim;

  bool contains(const double* x) const {
    return std::all_of(x, x + dim, [this](double row) { return each.contains(row); });
  }
  double gauge(const double* x) const;
  bool prox(double* z) const {
    bool inside = true;
    for (std::uint32_t k = 0; k < dim; ++k) {
      const double x = each.prox(z[k]);
      if (x != z[k]) inside = false;
      z[k] = x;
    }
    return inside;
  }
  // P = 1 inside, 0 outside; Q = 1 for the end that x sits on.
  ProxDerivative differentiate(const double* z, const double* x, double slack, double* P, double* Q) const;
  void expose(const double* xi, double* x) const;
};

}  // namespace nsmc::rt
