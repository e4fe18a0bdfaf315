// The step over 8 lanes, for processors with AVX-512.
//
// nsmc is built for every x86-64; this file alone is compiled for more. An inline function exists once in a program,
// and the linker may take the copy of this file: hence all that is left of it in machine code, besides what follows,
// are templates on Lanes8, which no other file has. A test looks at the symbols. Functions that others share are called
// where they were compiled for all processors (lane_step.cpp).
#include "runtime/small/lane_step_of.hpp"
#include "runtime/small/make_lane_step.hpp"
#include "runtime/small/registers_avx512.hpp"

namespace nsmc::rt {

std::unique_ptr<LaneStep> make_step_of_8_lanes(const System& system, const small::Layout& layout,
                                               const nsm_lane_model& kernels) {
  return make_lane_step_of<Lanes8>(system, layout, kernels);
}

}  // namespace nsmc::rt
