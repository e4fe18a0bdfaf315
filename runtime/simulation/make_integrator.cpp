#include "runtime/simulation/make_integrator.hpp"

#include <utility>

#include "runtime/methods/event/event_driven.hpp"
#include "runtime/methods/lie.hpp"
#include "runtime/methods/moreau.hpp"
#include "runtime/methods/runge_kutta.hpp"
#include "runtime/small/fused_step.hpp"
#include "runtime/small/small_step.hpp"

namespace nsmc::rt {

namespace {

// Integrators without a memory of their own are functions.
template <auto function>
class PlainIntegrator final : public Integrator {
 public:
  StepReport step(const System& system, State& state, Workspace& work, double dt,
                  const SolverOptions& options) override {
    return function(system, state, work, dt, options);
  }
};

}  // namespace

bool needs_zeta(Method method) { return method == Method::rk || method == Method::event; }

std::unique_ptr<Integrator> make_integrator(Method method, const System& system, const IntegratorOptions& options) {
  switch (method) {
    case Method::moreau:
      if (std::unique_ptr<Integrator> small = make_small_step(system)) return with_fused_step(system, std::move(small));
      return std::make_unique<PlainIntegrator<moreau::step>>();
    case Method::rk:
      return std::make_unique<RungeKutta>(system, options.tableau != nullptr ? *options.tableau : classical_tableau());
    case Method::event: return event::make_event_driven(options);
    case Method::lie: return std::make_unique<LieIntegrator>(system, options.inner_steps);
  }
  return nullptr;
}

}  // namespace nsmc::rt
