// Which models and which processors.
#include "runtime/lanes/lane_step.hpp"

#include "runtime/integrators/small_step.hpp"
#include "runtime/lanes/make_lane_step.hpp"

namespace nsmc::rt {

unsigned lanes_of_processor() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return 8;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 4;
#endif
  return 1;
}

bool fits_lanes(const System& system) { return make_small_step(system) != nullptr; }

bool fits_lanes(const SolverOptions& options) {
  const bool sweeps = options.kind == SolverKind::sor || options.kind == SolverKind::automatic;
  return sweeps && options.omega == 1 && !options.scaled && options.observer == nullptr;
}

std::unique_ptr<LaneStep> make_lane_step(const System& system, const nsm_lane_model& kernels) {
  switch (kernels.lanes) {
    case 8: return make_step_of_8_lanes(system, kernels);
    case 4: return make_step_of_4_lanes(system, kernels);
    default: throw SystemError("there are no steps over that many lanes");
  }
}

}  // namespace nsmc::rt
