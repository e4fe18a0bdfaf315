// Which processors, and what a step over lanes does lane by lane.
#include "runtime/small/lane_step.hpp"

#include <optional>

#include "runtime/small/make_lane_step.hpp"
#include "runtime/small/small_step.hpp"
#include "runtime/solvers/rate_watch.hpp"

namespace nsmc::rt {

unsigned lanes_of_processor() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return 8;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 4;
#endif
  return 1;
}

namespace small {

bool rate_gives_up(RateWatch& rate, int sweeps, double ratio, double tolerance) {
  return rate.gives_up(sweeps, ratio, tolerance);
}

}  // namespace small

bool fits_lanes(const System& system) { return small_layout(system).has_value(); }
bool fits_lanes(const SolverOptions& options) { return has_small_steps(options); }

std::unique_ptr<LaneStep> make_lane_step(const System& system, const nsm_lane_model& kernels) {
  const std::optional<small::Layout> layout = small_layout(system);
  if (!layout) throw SystemError("the model is not one for steps over lanes");
  switch (kernels.lanes) {
    case 8: return make_step_of_8_lanes(system, *layout, kernels);
    case 4: return make_step_of_4_lanes(system, *layout, kernels);
    default: throw SystemError("there are no steps over that many lanes");
  }
}

}  // namespace nsmc::rt
