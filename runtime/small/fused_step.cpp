#include "runtime/small/fused_step.hpp"

#include <algorithm>
#include <utility>

#include "runtime/solvers/iterate.hpp"

namespace nsmc::rt {

namespace {

class FusedStep final : public Integrator {
 public:
  explicit FusedStep(std::unique_ptr<Integrator> within) : within_(std::move(within)) {}

  StepReport step(const System& system, State& state, Workspace& work, double dt,
                  const SolverOptions& options) override {
    return within_->step(system, state, work, dt, options);
  }

  void remember(const System& system, Workspace& work, Memory& memory) override {
    within_->remember(system, work, memory);
  }

  std::uint64_t advance(const System& system, State& state, Workspace& work, const Stretch& stretch,
                        const SolverOptions& options, ContactTally& tally) override {
    const bool sweeps = options.kind == SolverKind::sor || options.kind == SolverKind::automatic;
    if (!sweeps || options.omega != 1 || options.scaled || options.observer != nullptr) return 0;
    nsm_run run{};
    run.p = system.parameters();
    run.block_self = system.blocks()[0].self;
    for (std::size_t i = 0; i < system.contacts().size(); ++i) run.contact_self[i] = system.contacts()[i].self;
    run.shared = work.shared.data();
    run.q = state.q.data();
    run.u = state.u.data();
    run.Lambda = state.Lambda.data();
    run.closed = state.closed.data();
    run.gap_slack = work.gap_slack.data();
    run.t_first = stretch.t_first;
    run.dt = stretch.dt;
    run.first = stretch.first;
    run.steps = stretch.steps;
    run.tolerance = options.tolerance;
    // Beyond that, `iterate` may slow down.
    run.most_sweeps = static_cast<std::uint32_t>(std::min(options.max_iterations, 2 * StagnationWatch::window - 1));
    run.automatic = options.kind == SolverKind::automatic ? 1 : 0;

    run.steps_with_contact = tally.steps;
    run.closed_total = tally.closed;
    run.sweeps_total = tally.iterations;
    run.closed_max = tally.closed_max;
    run.sweeps_max = static_cast<std::uint32_t>(tally.iterations_max);
    run.worst_residual = tally.worst_residual;
    run.worst_step = tally.worst_step;
    run.worst_contact = tally.worst_contact;
    const std::uint64_t done = system.model().advance(&run);
    if (done == 0) return 0;
    tally.steps = run.steps_with_contact;
    tally.closed = run.closed_total;
    tally.iterations = run.sweeps_total;
    tally.closed_max = run.closed_max;
    tally.iterations_max = static_cast<int>(run.sweeps_max);
    tally.worst_residual = run.worst_residual;
    tally.worst_step = run.worst_step;
    tally.worst_contact = run.worst_contact;
    state.t = stretch.t_first + static_cast<double>(stretch.first + done) * stretch.dt;
    state.dt = stretch.dt;
    return done;
  }

 private:
  std::unique_ptr<Integrator> within_;
};

}  // namespace

std::unique_ptr<Integrator> with_fused_step(const System& system, std::unique_ptr<Integrator> within) {
  if (system.model().advance == nullptr) return within;
  return std::make_unique<FusedStep>(std::move(within));
}

}  // namespace nsmc::rt
