// How large the gap of a contact that is closed may be by errors alone. A contact stays closed while its gap is not
// larger (find_closed in evaluation.hpp).
#pragma once

#include <limits>

#include "runtime/linear/number.hpp"

namespace nsmc::rt {

namespace gap_slack {
inline constexpr double velocity_error = 1e-12;  // of the velocity of a gap, relative to the terms it is the sum of
inline constexpr double coordinate_error = 8 * std::numeric_limits<double>::epsilon();  // of a gap, relative to q
inline constexpr double most = 1e-4;  // of what a contact in earnest moves in a step
}  // namespace gap_slack

// Rounding can lift a gap over a step by errors of the velocities times dt, and by those of the coordinates themselves.
// The solver's inaccuracy can lift it in all steps since it closed together: with the residual of natural_residual.hpp,
// the error of a velocity is |xi_i| <= residual |Lambda| sqrt(D_i). It may be of the same sign in many steps, so that
// it adds up; it is cut off well below what a contact in earnest moves in a step.
//
// before: the slack after the last step. velocity: the largest of c_magnitude over the rows of the contact; coordinate:
// of |q| over its blocks; velocity_scale: residual |Lambda|; D: the largest over its sets.
template <class Real>
NSM_INLINE Real slack_of_gap(const Real& before, const Real& dt, const Real& velocity, const Real& coordinate,
                             const Real& velocity_scale, const Real& D) {
  const Real rounding =
      Real(gap_slack::velocity_error) * dt * velocity + Real(gap_slack::coordinate_error) * coordinate;
  Real lifted = 0;
  if (any(velocity_scale > Real(0))) lifted = dt * velocity_scale * root(D);
  return smaller(larger(before, rounding) + lifted, larger(rounding, Real(gap_slack::most) * dt * velocity));
}

}  // namespace nsmc::rt
