// Kernels over lanes for models whose kernels are written by hand: every lane calls the plain kernel.
#pragma once

#include <array>

#include "runtime/lane_abi.hpp"
#include "runtime/system.hpp"
#include "tests/unit/runtime/hand_models.hpp"

namespace models {

struct PlainKernel {
  nsm_kernel kernel = nullptr;
  std::uint32_t n_p = 0, n_q = 0, n_u = 0, lanes = 0;
  std::size_t n_out = 0;
};
// A kernel is a plain function and has no memory of its own.
inline std::array<PlainKernel, 3> plain_kernels;

template <int slot>
void lane_by_lane(const nsm_lane_view* lanes, double* out) {
  const PlainKernel& plain = plain_kernels[slot];
  double p[8], q[8], u[8], own[64];
  for (std::uint32_t l = 0; l < plain.lanes; ++l) {
    for (std::uint32_t k = 0; k < plain.n_p; ++k) p[k] = lanes->p[k * plain.lanes + l];
    for (std::uint32_t k = 0; k < plain.n_q; ++k) q[k] = lanes->q[0][k * plain.lanes + l];
    for (std::uint32_t k = 0; k < plain.n_u; ++k) u[k] = lanes->u[0][k * plain.lanes + l];
    nsm_view view{};
    view.t = lanes->t[l];
    view.p = p;
    view.self = lanes->self;
    view.q[0] = q;
    view.u[0] = u;
    plain.kernel(&view, own);
    for (std::size_t k = 0; k < plain.n_out; ++k) out[k * plain.lanes + l] = own[k];
  }
}

// Of a model with q' = u, one block and one contact, without shared values. One at a time.
struct LaneTable {
  LaneTable(const nsmc::rt::System& system, std::uint32_t lanes) {
    const nsm_model& model = system.model();
    const nsmc::rt::ContactInfo& info = system.contacts()[0];
    const auto plain = [&](nsm_kernel kernel, std::size_t n_out) {
      return PlainKernel{kernel, model.n_p, model.n_q, model.n_u, lanes, n_out};
    };
    plain_kernels = {plain(model.block_classes[0].dynamics, system.n_dynamics()), plain(info.type->gap, 1),
                     plain(info.type->directions, system.layout(info).size)};
    block.dynamics = lane_by_lane<0>;
    contact.gap = lane_by_lane<1>;
    contact.directions = lane_by_lane<2>;
    table = {lanes, 1, &block, &contact};
  }
  LaneTable(const LaneTable&) = delete;
  LaneTable& operator=(const LaneTable&) = delete;

  nsm_lane_block_class block{};
  nsm_lane_contact_class contact{};
  nsm_lane_model table{};
};

}  // namespace models
