// The measure of natural_residual.hpp.
#pragma once

#include <limits>

#include "runtime/linear/number.hpp"

namespace nsmc::rt {

// Percussions count at most as so many times c_scale. A light body under a heavy one has percussions that are as much
// larger than its own momentum as the other is heavier, and what is small against them may be all of its velocity.
inline constexpr double most_percussion = 1e5;

// From squared norms |delta|^2 and |Lambda|^2 to the ratio |delta|/(min(|Lambda|, 1e5 c_scale) + 1e-15 c_scale), where
// what is below the rounding of c and of Lambda does not count: redundant friction at rest has percussions, and c = 0.
template <class Real>
NSM_INLINE Real residual_ratio(const Real& delta2, const Real& Lambda2, const Real& c_scale) {
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  const Real percussions = root(Lambda2);
  const Real counted = root(delta2) - Real(4 * rounding) * c_scale - Real(16 * rounding) * percussions;
  const mask_of<Real> nothing = counted <= Real(0);
  if (all(nothing)) return 0;
  return select(nothing, Real(0),
                counted / (smaller(percussions, Real(most_percussion) * c_scale) + Real(1e-15) * c_scale));
}

// Whether the ratio may be as small as `tolerance`, without its roots and its division: where this is false it is
// larger, by the measure with all of |Lambda|, (a + b)^2 <= 2 (a^2 + b^2), and some room for rounding and underflow.
template <class Real>
NSM_INLINE mask_of<Real> may_be_within(const Real& tolerance, const Real& delta2, const Real& Lambda2,
                                       const Real& c_scale) {
  constexpr double rounding = std::numeric_limits<double>::epsilon(), room = 1.25, faint = 1e-200;
  const Real of_Lambda = tolerance + Real(16 * rounding),
             of_c = (Real(1e-15) * tolerance + Real(4 * rounding)) * c_scale;
  return !(delta2 > Real(2 * room) * (of_Lambda * of_Lambda * Lambda2 + of_c * of_c) + Real(faint));
}

}  // namespace nsmc::rt
