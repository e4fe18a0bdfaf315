// The step over 4 lanes, for processors with AVX2. As for the instruction set, see step_avx512.cpp.
#include "runtime/small/lane_step_of.hpp"
#include "runtime/small/make_lane_step.hpp"
#include "runtime/small/registers_avx2.hpp"

namespace nsmc::rt {

std::unique_ptr<LaneStep> make_step_of_4_lanes(const System& system, const small::Layout& layout,
                                               const nsm_lane_model& kernels) {
  return make_lane_step_of<Lanes4>(system, layout, kernels);
}

}  // namespace nsmc::rt
