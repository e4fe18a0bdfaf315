// The steps over lanes, by instruction set: to be called only where the processor has it.
#pragma once

#include <memory>

#include "runtime/small/lane_step.hpp"

namespace nsmc::rt {

inline constexpr std::uint32_t max_lane_q = 8, max_lane_contacts = 4, max_lane_rows = 16;

std::unique_ptr<LaneStep> make_step_of_4_lanes(const System& system, const nsm_lane_model& kernels);
std::unique_ptr<LaneStep> make_step_of_8_lanes(const System& system, const nsm_lane_model& kernels);

}  // namespace nsmc::rt
