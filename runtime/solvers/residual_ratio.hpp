// The measure of natural_residual.hpp.
#pragma once

#include <limits>

#include "runtime/linear/number.hpp"

namespace nsmc::rt {

// From squared norms |delta|^2 and |Lambda|^2 to the ratio |delta|/(|Lambda| + 1e-15 c_scale), where what is below the
// rounding of c does not count.
template <class Real>
NSM_INLINE Real residual_ratio(const Real& delta2, const Real& Lambda2, const Real& c_scale) {
  const Real counted = root(delta2) - Real(4 * std::numeric_limits<double>::epsilon()) * c_scale;
  const mask_of<Real> nothing = counted <= Real(0);
  if (all(nothing)) return 0;
  return select(nothing, Real(0), counted / (root(Lambda2) + Real(1e-15) * c_scale));
}

}  // namespace nsmc::rt
