// Moreau's step where the compiler has made one program of it and the model's kernels (nsm_model::advance, from
// runtime/small/step.cpp): stretches of steps at once. What that leaves to others, and single steps, are done by the
// integrator within.
#pragma once

#include <memory>

#include "runtime/methods/integrator.hpp"

namespace nsmc::rt {

// `within` itself if the model has no such program.
std::unique_ptr<Integrator> with_fused_step(const System& system, std::unique_ptr<Integrator> within);

}  // namespace nsmc::rt
