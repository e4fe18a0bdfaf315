// Which models the small step is for, and their sizes and structure as plain numbers: the one rule, which the runtime
// asks with a System and the compiler with its plan. In: the facts of a model; out: its layout, or nothing.
//
// The step reads all sizes from a layout. It is a member where models come and go (small_step.cpp, lane_step_of.hpp),
// and a constant where the compiler writes it beside the kernels (step_fused.cpp): to the optimiser everything in it is
// known then.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/kernel_abi.hpp"

namespace nsmc::rt::small {

inline constexpr std::uint32_t max_q = 8, max_u = 6;
inline constexpr std::uint32_t max_contacts = 4, max_rows = 16;  // rows of all contacts; each set has one at least
inline constexpr std::uint32_t max_set_dim = 6, max_arguments = 2;

// How much of that there may be, and the memory for it.
struct Limits {
  std::uint32_t contacts, rows;
  std::uint32_t directions;  // values that the kernels `directions` of all contacts write
  std::uint32_t shared;
  bool contensou;  // whether Coulomb-Contensou balls may be among the sets, with intervals and balls
};

// With max_arguments for each of the rows, all in one contact, `directions` are as many as there can be.
inline constexpr Limits member_limits{max_contacts, max_rows,
                                      (max_u + 2 + max_arguments * max_rows) * max_rows + max_arguments* max_rows,
                                      NSM_NONE, true};
// Each selection of closed contacts has code of its own: three contacts would already be seven of them. A projection on
// a Coulomb-Contensou ball is a program of its own.
inline constexpr Limits constant_limits{2, 12, 384, 512, false};

struct SetLayout {
  std::uint32_t kind;                    // nsm_set_kind
  std::uint32_t first_row, dim;          // among the rows of all contacts
  std::uint32_t n_arguments, n_lengths;  // the arguments are dt a + K Lambda, beyond the lengths a + K Lambda/dt
  std::uint32_t a, K;                    // where they are among the directions
};

struct ContactLayout {
  std::uint32_t has_gap;
  std::uint32_t first_row, n_rows;
  std::uint32_t first_set, n_sets;
  std::uint32_t W, chi, restitution;  // where they are among the directions
};

struct Layout {
  std::uint32_t n_q, n_u, n_shared;
  std::uint32_t diagonal_mass, constant_mass, identity_kinematics;
  std::uint32_t quaternion;  // NSM_NONE: there is none
  std::uint32_t n_contacts, n_rows, n_directions;
  ContactLayout contacts[max_contacts];
  SetLayout sets[max_rows];
};

struct ContactFacts {
  std::uint32_t n_blocks, n_rows, n_arguments, n_position;
  bool has_gap, mapped, compliant, affine;
  std::span<const nsm_set> sets;
};

struct ModelFacts {
  std::size_t n_blocks, n_elements;
  std::uint32_t n_shared;
  // What its one block has.
  std::uint32_t n_q, n_u, quaternion;
  bool diagonal_mass, constant_mass, identity_kinematics;
  std::vector<ContactFacts> contacts;
};

inline bool fits(const nsm_set& set, const Limits& limits) {
  if (set.shifted != 0 || set.scaled != 0 || set.n_arguments > max_arguments) return false;
  switch (set.kind) {
    case NSM_SET_INTERVAL: return set.dim == 1;
    case NSM_SET_BALL: return set.dim >= 1 && set.dim <= max_set_dim;
    case NSM_SET_CONTENSOU_PARABOLIC: return limits.contensou;
    default: return false;
  }
}

// Appends the contact, whose kernel `directions` writes W, chi, restitution, a and K (kernel_abi.hpp).
inline bool add(const ContactFacts& contact, const Limits& limits, Layout& layout) {
  if (contact.n_blocks != 1 || contact.mapped || contact.compliant || !contact.affine || contact.n_position > 0 ||
      contact.sets.empty())
    return false;
  for (const nsm_set& set : contact.sets) {
    if (!fits(set, limits)) return false;
  }
  const std::uint32_t n_rows = contact.n_rows, W = layout.n_directions;
  const std::uint32_t chi = W + layout.n_u * n_rows, a = chi + 2 * n_rows, K = a + contact.n_arguments;
  if (layout.n_rows + n_rows > limits.rows || K + contact.n_arguments * n_rows > limits.directions) return false;
  std::uint32_t first_set = 0;
  if (layout.n_contacts > 0) {
    const ContactLayout& last = layout.contacts[layout.n_contacts - 1];
    first_set = last.first_set + last.n_sets;
  }
  const auto n_sets = static_cast<std::uint32_t>(contact.sets.size());
  for (std::uint32_t j = 0; j < n_sets; ++j) {
    const nsm_set& set = contact.sets[j];
    layout.sets[first_set + j] = {set.kind,
                                  layout.n_rows + set.first_row,
                                  set.dim,
                                  set.n_arguments,
                                  set.n_lengths,
                                  a + set.first_argument,
                                  K + set.first_argument * n_rows};
  }
  layout.contacts[layout.n_contacts++] = {
      contact.has_gap ? 1u : 0u, layout.n_rows, n_rows, first_set, n_sets, W, chi, chi + n_rows};
  layout.n_rows += n_rows;
  layout.n_directions = K + contact.n_arguments * n_rows;
  return true;
}

// A model is small if it has no signals, is one block with a few velocities, has no elements and no constraints on
// positions, and few contacts on simple sets, not mapped nor compliant, affine in the forces, neither shifted nor
// scaled.
inline std::optional<Layout> layout_of(const ModelFacts& model, const Limits& limits) {
  if (model.n_blocks != 1 || model.n_elements > 0 || model.n_u < 1 || model.n_u > max_u || model.n_q > max_q ||
      model.n_shared > limits.shared || model.contacts.size() > limits.contacts)
    return std::nullopt;
  Layout layout{};
  layout.n_q = model.n_q;
  layout.n_u = model.n_u;
  layout.n_shared = model.n_shared;
  layout.diagonal_mass = model.diagonal_mass ? 1 : 0;
  layout.constant_mass = model.constant_mass ? 1 : 0;
  layout.identity_kinematics = model.identity_kinematics ? 1 : 0;
  layout.quaternion = model.quaternion;
  for (const ContactFacts& contact : model.contacts) {
    if (!add(contact, limits, layout)) return std::nullopt;
  }
  return layout;
}

}  // namespace nsmc::rt::small
