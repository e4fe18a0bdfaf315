// From the directions of the closed contacts to the contact problem in the velocities of bodies (body_form.hpp).
#pragma once

#include <cstddef>

#include "runtime/evaluation/workspace.hpp"

namespace nsmc::rt {

// With fewer contacts elimination contact by contact is quick enough; small models keep the numbers of the small and
// the fused step bit by bit.
inline constexpr std::size_t many_contacts = 128;

inline bool are_many(const System& system, std::size_t n_closed) {
  return n_closed >= many_contacts && system.max_block_u() <= BodyForm::most_u;
}

// Fills ContactProblem::bodies but for the velocities. Needs the contacts of the problem, their directions and the
// factors of M.
void form_bodies(const System& system, Workspace& work);

}  // namespace nsmc::rt
