// Sweeps of SORprox in the velocities of bodies (body_form.hpp): the updates are those of sor.cpp, set by set, with xi
// from the velocities of the bodies, which each update moves on.
//
// Contacts with an interval of one row and a friction ball of two, whose rows of G_ii are a multiple of the unit matrix
// (spheres, point masses), are most of a pile. They have a form of their own: all that an update reads lies side by
// side, in the order of the sweep, loops have constant bounds, and the ball is solved without a search:
//
//     Lambda_T = prox_{|.| <= mu Lambda_N}(Lambda_T - xi_T/G_T),     G_TT = G_T I.
#pragma once

#include <cstdint>

#include "runtime/solvers/iterate.hpp"

namespace nsmc::rt {

class BodySweeps {
 public:
  // Takes stock of the contacts of the problem, whose percussions and velocities agree from then on.
  BodySweeps(ContactProblem& problem, const SolverOptions& options);

  // One sweep over all contacts, in place.
  Sweep sweep(double relaxation);

 private:
  template <std::uint32_t stride>
  Sweep sweep_of(double relaxation);
  void update(std::uint32_t contact, double relaxation, Sweep& sweep);

  ContactProblem& p_;
  const SolverOptions& options_;
};

}  // namespace nsmc::rt
