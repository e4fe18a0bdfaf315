// The integrators by their names: the one that a run asks for, in the fastest form that the model allows.
#pragma once

#include <memory>

#include "runtime/methods/integrator.hpp"

namespace nsmc::rt {

// Whether the method works with accelerations of contacts, that is with the kernels `zeta`.
bool needs_zeta(Method method);

std::unique_ptr<Integrator> make_integrator(Method method, const System& system, const IntegratorOptions& options = {});

}  // namespace nsmc::rt
