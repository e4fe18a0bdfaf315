// The mean radius of dry friction on a circular contact area, relative to the radius of the area: torque of pure
// drilling over force of pure sliding [Möller 2009, (50)]. The compiler scales its sets by it, the runtime its
// profiles.
#pragma once

#include <numbers>

namespace nsmc::rt {

inline constexpr double mean_radius_parabolic = 3 * std::numbers::pi / 16;  // Hertz's pressure
inline constexpr double mean_radius_uniform = 2.0 / 3;

}  // namespace nsmc::rt
