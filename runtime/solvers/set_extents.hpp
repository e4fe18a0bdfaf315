// Sets that do not exist: a radius or semi-axis below zero, an interval whose ends are in the wrong order. A projection
// takes such a set for a point, since an iterate may ask for it on the way; as an answer it is none.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "runtime/kernel_abi.hpp"

namespace nsmc::rt {

// The extent below zero, by more than `rounding`; otherwise 0.
inline double negative_extent(std::uint32_t kind, const double* arguments, std::uint32_t n_arguments, double rounding) {
  double extent = 0;
  switch (static_cast<nsm_set_kind>(kind)) {
    case NSM_SET_INTERVAL: extent = arguments[1] - arguments[0]; break;
    case NSM_SET_BALL: extent = arguments[0]; break;
    case NSM_SET_ELLIPSOID: extent = *std::min_element(arguments, arguments + n_arguments); break;
    case NSM_SET_GAUGE:
    case NSM_SET_SUPPORT:
    case NSM_SET_CONTENSOU_PARABOLIC:
    case NSM_SET_CONTENSOU_UNIFORM: extent = arguments[0]; break;
    case NSM_SET_POLYGON:
    case NSM_SET_FACE: break;  // have none
  }
  return extent < -rounding ? extent : 0;
}

}  // namespace nsmc::rt
