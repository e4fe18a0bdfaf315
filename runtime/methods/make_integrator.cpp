#include "runtime/methods/make_integrator.hpp"

#include <utility>

#include "runtime/methods/adaptive.hpp"
#include "runtime/methods/event/event_driven.hpp"
#include "runtime/methods/lie.hpp"
#include "runtime/methods/moreau.hpp"
#include "runtime/methods/runge_kutta.hpp"

namespace nsmc::rt {

bool needs_zeta(Method method) { return method == Method::rk || method == Method::event; }

std::unique_ptr<Integrator> make_integrator(Method method, const System& system, const IntegratorOptions& options) {
  const Tableau& tableau = options.tableau != nullptr ? *options.tableau : classical_tableau();
  const auto by_accuracy = [&](std::unique_ptr<Integrator> scheme, int order) -> std::unique_ptr<Integrator> {
    if (!(options.accuracy > 0)) return scheme;
    return std::make_unique<Adaptive>(system, std::move(scheme), order, options.accuracy, options.stop);
  };
  switch (method) {
    case Method::moreau: return by_accuracy(moreau::make_integrator(system), 1);
    case Method::rk: return by_accuracy(std::make_unique<RungeKutta>(system, tableau), tableau.order);
    case Method::event: return event::make_event_driven(options);
    case Method::lie: return std::make_unique<LieIntegrator>(system, options.inner_steps);
  }
  return nullptr;
}

}  // namespace nsmc::rt
