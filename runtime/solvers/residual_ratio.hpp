// The measure of natural_residual.hpp.
#pragma once

#include <cmath>
#include <limits>

namespace nsmc::rt {

// From squared norms |delta|^2 and |Lambda|^2 to the ratio |delta|/(|Lambda| + 1e-15 c_scale), where what is below the
// rounding of c does not count.
inline double residual_ratio(double delta2, double Lambda2, double c_scale) {
  const double delta = std::sqrt(delta2);
  const double counted = delta - 4 * std::numeric_limits<double>::epsilon() * c_scale;
  if (counted <= 0) return 0;
  return counted / (std::sqrt(Lambda2) + 1e-15 * c_scale);
}

}  // namespace nsmc::rt
