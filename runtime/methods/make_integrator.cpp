#include "runtime/methods/make_integrator.hpp"

#include "runtime/methods/event/event_driven.hpp"
#include "runtime/methods/lie.hpp"
#include "runtime/methods/moreau.hpp"
#include "runtime/methods/runge_kutta.hpp"

namespace nsmc::rt {

bool needs_zeta(Method method) { return method == Method::rk || method == Method::event; }

std::unique_ptr<Integrator> make_integrator(Method method, const System& system, const IntegratorOptions& options) {
  switch (method) {
    case Method::moreau: return moreau::make_integrator(system);
    case Method::rk:
      return std::make_unique<RungeKutta>(system, options.tableau != nullptr ? *options.tableau : classical_tableau());
    case Method::event: return event::make_event_driven(options);
    case Method::lie: return std::make_unique<LieIntegrator>(system, options.inner_steps);
  }
  return nullptr;
}

}  // namespace nsmc::rt
