// What kernels are shown: views on the parts of a state that an instance touches.
#pragma once

#include <cstdint>

#include "runtime/kernel_abi.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

inline nsm_view view_at(const System& system, double* shared, double t) {
  nsm_view view{};
  view.t = t;
  view.p = system.parameters();
  view.shared = shared;
  return view;
}

inline void look_at(nsm_view& view, const System& system, const BlockInfo& block, const double* q, const double* u) {
  view.self = block.self;
  view.z = q + system.first_z();
  view.q[0] = q + block.first_q;
  view.u[0] = u + block.first_u;
}

// All of it, for kernels that a model has once.
inline void look_at_all(nsm_view& view, const System& system, const double* q, const double* u) {
  view.q[0] = q;
  view.u[0] = u;
  view.z = q + system.first_z();
}

// An element, a contact or an output.
template <typename Info>
void look_at(nsm_view& view, const System& system, const Info& instance, const double* q, const double* u) {
  view.self = instance.self;
  view.z = q + system.first_z();
  for (std::uint32_t b = 0; b < instance.n_blocks; ++b) {
    const BlockInfo& block = system.blocks()[instance.blocks[b]];
    view.q[b] = q + block.first_q;
    view.u[b] = u + block.first_u;
  }
}

}  // namespace nsmc::rt
