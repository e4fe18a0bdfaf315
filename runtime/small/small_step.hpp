// Moreau's step for small models, with fixed-size memory: the same step as moreau.hpp, number by number, for models
// that are one block with a few simple contacts (balls, blocks, tops). There the general step spends most of its time
// on finding out what there is to do; here that is worked out once.
//
// It does the common case only. Whatever else turns up in a step (numbers that are not finite, a mass matrix that is
// not positive definite, slow convergence, a solver other than plain SORprox) is left to the general step, which does
// it again from the same state. So there is one place that knows what to do about trouble.
#pragma once

#include <memory>

#include "runtime/methods/integrator.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

// Null if the model is not small: one block with at most 6 velocities, no elements, no constraints on positions, at
// most 4 contacts, not mapped nor compliant, on intervals and balls that are affine in the forces, neither shifted nor
// scaled.
std::unique_ptr<Integrator> make_small_step(const System& system);

}  // namespace nsmc::rt
