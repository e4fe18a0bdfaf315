// The steps over lanes, by instruction set: to be called only where the processor has it.
#pragma once

#include <memory>

#include "runtime/small/lane_step.hpp"
#include "runtime/small/layout.hpp"

namespace nsmc::rt {

std::unique_ptr<LaneStep> make_step_of_4_lanes(const System& system, const small::Layout& layout,
                                               const nsm_lane_model& kernels);
std::unique_ptr<LaneStep> make_step_of_8_lanes(const System& system, const small::Layout& layout,
                                               const nsm_lane_model& kernels);

}  // namespace nsmc::rt
