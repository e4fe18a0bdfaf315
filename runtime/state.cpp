// Where a run begins.
#include "runtime/state.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace nsmc::rt {

void normalise(const System& system, double* q) {
  for (const std::uint32_t first : system.quaternions()) {
    double* e = q + first;
    const double length = std::sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    if (!(length > 0)) continue;
    for (int k = 0; k < 4; ++k) e[k] /= length;
  }
}

State initial_state(const System& system) {
  State state(system);
  const nsm_model& model = system.model();
  std::vector<double> shared(model.n_shared, 0), values;
  nsm_view view{};
  view.p = system.parameters();
  view.shared = shared.data();
  if (model.prepare != nullptr) model.prepare(&view, nullptr);
  for (const BlockInfo& block : system.blocks()) {
    if (block.type->initial == nullptr) continue;
    values.assign(block.n_q + block.n_u, 0);
    view.self = block.self;
    block.type->initial(&view, values.data());
    std::copy_n(values.begin(), block.n_q, state.q.begin() + block.first_q);
    std::copy_n(values.begin() + block.n_q, block.n_u, state.u.begin() + block.first_u);
  }
  if (model.signal_initial != nullptr) model.signal_initial(&view, state.q.data() + system.first_z());
  system.settle_inputs(state.t, state.q.data());
  normalise(system, state.q.data());
  return state;
}

StateFault find_fault(const System& system, const State& state) {
  const std::span<const BlockInfo> blocks = system.blocks();
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    const BlockInfo& block = blocks[b];
    for (std::uint32_t k = 0; k < block.n_q; ++k) {
      if (!std::isfinite(state.q[block.first_q + k])) return {StateFault::Kind::q_not_finite, b, k};
    }
    for (std::uint32_t k = 0; k < block.n_u; ++k) {
      if (!std::isfinite(state.u[block.first_u + k])) return {StateFault::Kind::u_not_finite, b, k};
    }
    if (block.type->quaternion == NSM_NONE) continue;
    const double* e = state.q.data() + block.first_q + block.type->quaternion;
    if (e[0] == 0 && e[1] == 0 && e[2] == 0 && e[3] == 0)
      return {StateFault::Kind::quaternion_zero, b, block.type->quaternion};
  }
  for (std::uint32_t k = 0; k < system.n_z(); ++k) {
    if (!std::isfinite(state.q[system.first_z() + k]))
      return {StateFault::Kind::q_not_finite, static_cast<std::uint32_t>(blocks.size()), k};
  }
  return {};
}

std::string describe(const System& system, const StateFault& fault) {
  switch (fault.kind) {
    case StateFault::Kind::none: break;
    case StateFault::Kind::q_not_finite:
    case StateFault::Kind::u_not_finite:
      return fmt::format("{}[{}] of block {} is not finite", fault.kind == StateFault::Kind::q_not_finite ? 'q' : 'u',
                         fault.index, system.block_name(fault.block));
    case StateFault::Kind::quaternion_zero:
      return fmt::format("the quaternion of block {} is zero, no rotation", system.block_name(fault.block));
  }
  return {};
}

}  // namespace nsmc::rt
