// What the fused step (step.cpp) is specialised to: the sizes and the structure of a model, as plain numbers. The
// compiler writes one such constant beside the kernels; to the optimiser everything in it is known.
//
// A model has one if it is one block with a few velocities, has no elements and no constraints on positions, and at
// most two contacts on intervals and balls, not mapped nor compliant, affine in the forces, neither shifted nor scaled.
#pragma once

#include <cstdint>

namespace nsmc::fused {

// Three contacts would already be seven selections of closed ones, each with code of its own.
inline constexpr std::uint32_t max_q = 8, max_u = 6, max_contacts = 2;
inline constexpr std::uint32_t max_rows = 12;  // of all contacts
inline constexpr std::uint32_t max_sets = 6;   // of a contact
inline constexpr std::uint32_t max_set_dim = 6, max_arguments = 2;
inline constexpr std::uint32_t max_directions = 192;  // values that a kernel `directions` writes
inline constexpr std::uint32_t max_shared = 512;

struct SetLayout {
  std::uint32_t kind;       // NSM_SET_INTERVAL or NSM_SET_BALL
  std::uint32_t first_row;  // among the rows of all contacts
  std::uint32_t dim;
  std::uint32_t n_arguments;
  std::uint32_t a, K;  // where `directions` writes them: arguments are dt a + K Lambda
};

struct ContactLayout {
  std::uint32_t has_gap;
  std::uint32_t first_row, n_rows;
  std::uint32_t chi, restitution;  // W comes first
  std::uint32_t n_sets;
  SetLayout sets[max_sets];
};

struct Layout {
  std::uint32_t n_q, n_u, n_shared;
  std::uint32_t diagonal_mass, constant_mass, identity_kinematics;
  std::uint32_t quaternion;  // NSM_NONE: there is none
  std::uint32_t n_contacts, n_rows;
  ContactLayout contacts[max_contacts];
};

}  // namespace nsmc::fused
