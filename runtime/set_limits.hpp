// The largest sets: projections work on arrays of fixed size, and a System accepts no larger set.
#pragma once

#include <cstdint>

namespace nsmc::rt {

inline constexpr std::uint32_t max_shifted_dim = 16;  // of a set with a centre
inline constexpr std::uint32_t max_function_dim = 6;  // of a set given by a gauge or support function

}  // namespace nsmc::rt
