// How two solids touch, as compiled kernels ask for it: a function of the places of the two.
//
// shapes: the kinds of the two (SolidKind), then for a polyhedron its row of numbers (solid.hpp).
// arguments: of the first the centre, the frame (a matrix, row by row) and its measures, then of the second, then the
// number of the point, from 1. out: gap, n, p1, p2 in the world; where the solids have fewer points, one that is open
// by their size. nsm_touch_slopes: behind them the slopes of n, p1, p2 (Slopes of touch.hpp, row by row).
//
// What was asked last is kept, since kernels ask for one point after another; results do not depend on it.
#pragma once

#include <cstdint>

#include "runtime/kernel_abi.hpp"

namespace nsmc::rt::collision {

enum class SolidKind : std::uint8_t {
  ball,     // measures: radius
  capsule,  // radius, half of its length; along z
  box,      // half sizes
  hull,     // none
  plane,    // none; its normal is z
};
inline constexpr int measures_of(SolidKind kind) {
  return kind == SolidKind::ball ? 1 : kind == SolidKind::capsule ? 2 : kind == SolidKind::box ? 3 : 0;
}

inline constexpr std::uint32_t touch_values = 10;
inline constexpr std::uint32_t touch_slopes = touch_values + 9 * 12;

}  // namespace nsmc::rt::collision

// Visible, since kernels that were emitted as C find them in the program that loads them.
#pragma GCC visibility push(default)
extern "C" {
// The first, third and fourth argument are not used: all functions that kernels call have the same ones.
void nsm_touch(nsm_kernel, const void* shapes, uint32_t, uint32_t, const double* arguments, double* out);
void nsm_touch_slopes(nsm_kernel, const void* shapes, uint32_t, uint32_t, const double* arguments, double* out);
}
#pragma GCC visibility pop
