// Which models and which processors.
#include "runtime/small/lane_step.hpp"

#include <algorithm>

#include "runtime/small/make_lane_step.hpp"
#include "runtime/solvers/ball_block.hpp"

namespace nsmc::rt {

unsigned lanes_of_processor() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return 8;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 4;
#endif
  return 1;
}

namespace {

bool fits_lanes(const nsm_set& set) {
  switch (set.kind) {
    case NSM_SET_INTERVAL:
      if (set.dim != 1) return false;
      break;
    case NSM_SET_BALL:
      if (set.dim > max_ball_block) return false;
      break;
    case NSM_SET_CONTENSOU_PARABOLIC: break;
    default: return false;
  }
  return set.shifted == 0 && set.scaled == 0;
}

}  // namespace

// As in small_step.cpp, and one more kind of set.
bool fits_lanes(const System& system) {
  if (system.blocks().size() != 1 || !system.elements().empty() || system.n_positions() > 0) return false;
  const BlockInfo& block = system.blocks()[0];
  if (block.n_u < 1 || block.n_u > 6 || block.n_q > max_lane_q) return false;
  if (system.contacts().size() > max_lane_contacts || system.n_rows() > max_lane_rows) return false;
  return std::all_of(system.contacts().begin(), system.contacts().end(), [](const ContactInfo& contact) {
    const nsm_contact_class& type = *contact.type;
    return contact.n_blocks == 1 && type.mapped == 0 && type.compliant == 0 && type.affine != 0 &&
           std::all_of(type.sets, type.sets + type.n_sets, [](const nsm_set& set) { return fits_lanes(set); });
  });
}

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
