#include "runtime/small/fused_step.hpp"

#include "runtime/small/small_step.hpp"

namespace nsmc::rt {

std::uint64_t advance_fused(const System& system, State& state, Workspace& work, const Stretch& stretch,
                            const SolverOptions& options, ContactTally& tally) {
  if (system.model().advance == nullptr || !has_small_steps(options)) return 0;
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
  run.most_sweeps = static_cast<std::uint32_t>(most_small_sweeps(options));
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

}  // namespace nsmc::rt
