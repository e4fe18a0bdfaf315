// [Möller 2009, (13)-(18)]:
//     q^M = q^B + dt/2 F(q^B) u^B,   t^M = t^B + dt/2                                                    (13)
//     M, h, W, chi and the closed contacts at (q^M, u^B, t^M)
//     xi in N_K(-Lambda),  xi = G Lambda + c                                                             (16), (17)
//     u^E = u^B + M^-1 (h dt + W Lambda)                                                                 (18)
//     q^E = q^M + dt/2 F(q^M) u^E,   t^E = t^B + dt                                                      (15)
// Unit quaternions are normalised in q^M and q^E, and q^E and u^E are put back onto the constraints (projection.hpp).
// Constraints that hold positions are kept by the mean of the velocities: see assemble, and solve_contacts for the
// exception.
#include "runtime/methods/moreau.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "runtime/evaluation/projection.hpp"
#include "runtime/evaluation/signals.hpp"
#include "runtime/evaluation/work_account.hpp"
#include "runtime/small/fused_step.hpp"
#include "runtime/small/small_step.hpp"

namespace nsmc::rt::moreau {

namespace {

// Whether other contacts are closed than in the last step.
bool velocities_jump(const State& state, const Workspace& work) {
  std::size_t n = 0;
  for (const std::uint8_t closed : state.closed) n += closed;
  if (n != work.closed.size()) return true;
  for (const std::uint32_t i : work.closed) {
    if (state.closed[i] == 0) return true;
  }
  return false;
}

// Whether this step begins where the last one ended (the caller may have rounded the time otherwise).
bool goes_on(const Workspace& work, const State& state, double dt) {
  return std::abs(work.projection.rate_time - state.t) <= 1e-6 * dt;
}

// |u|^2 of the blocks that constraints hold. Only compared with itself: units do not matter.
double squares(const System& system, const Workspace& work, const double* u) {
  double sum = 0;
  for (const std::uint32_t b : work.projection.blocks) {
    const BlockInfo& block = system.blocks()[b];
    for (std::uint32_t k = 0; k < block.n_u; ++k) sum += u[block.first_u + k] * u[block.first_u + k];
  }
  return sum;
}

// Solves the contact problem. Constraints ask for the mean of the velocities, W^T (u^E + u^B) = 0: W^T u^B is what the
// curvature of the constraint has made of a tangential velocity by the midpoint, and u^E has as much of it ahead. Where
// the motion is stopped within the step (friction sticks, an impact) it has next to none, curvature being quadratic in
// the velocities. Then the step is solved with constraints on u^E alone: a mechanism that sticks would otherwise have
// to go on moving by W^T u^B, against friction.
ContactSolution solve_contacts(const System& system, Workspace& work, double dt, double t_mid, const State& state,
                               const SolverOptions& options, Velocities& asked) {
  ContactProblem& problem = work.problem;
  const bool mixed = system.n_positions() > 0 && work.closed.size() > system.position_contacts().size();
  if (!mixed) return solve(problem, options);
  constexpr int kGlance = 200;  // sweeps that tell whether the motion stops
  const double* u = state.u.data();
  SolverOptions glance = options;
  glance.max_iterations = std::min(options.max_iterations, kGlance);
  ContactSolution solution = solve(problem, glance);
  const auto stops = [&] {
    apply_percussions(system, work, dt, u, work.u_end.data());
    return squares(system, work, work.u_end.data()) < 0.5 * squares(system, work, u);
  };
  const auto again = [&] {
    const int before = solution.iterations, newton_before = solution.newton_steps;
    solution = solve(problem, options);
    solution.iterations += before;
    solution.newton_steps += newton_before;
  };
  if (solution.finite && !solution.converged && !stops()) again();
  if (!solution.finite || (solution.converged && !stops())) return solution;
  asked = Velocities::end;
  assemble(system, work, dt, t_mid, work.q_mid.data(), u, state.Lambda.data(), asked);
  solve_constraints(system, work);
  again();
  return solution;
}

class Moreau final : public Integrator {
 public:
  explicit Moreau(const System& system) : small_(make_small_step(system)) {}

  StepReport step(const System& system, State& state, Workspace& work, double dt,
                  const SolverOptions& options) override {
    if (small_ != nullptr && work.account == nullptr) {
      if (const std::optional<StepReport> report = small_->step(system, state, work, dt, options)) return *report;
    }
    return moreau::step(system, state, work, dt, options);
  }

  std::uint64_t advance(const System& system, State& state, Workspace& work, const Stretch& stretch,
                        const SolverOptions& options, ContactTally& tally) override {
    if (work.account != nullptr) return 0;
    return advance_fused(system, state, work, stretch, options, tally);
  }

  // The small step and the fused one do not count.
  bool counts_work_cheaply() const override { return small_ == nullptr; }

 private:
  std::unique_ptr<SmallStep> small_;
};

}  // namespace

std::unique_ptr<Integrator> make_integrator(const System& system) { return std::make_unique<Moreau>(system); }

StepReport step(const System& system, State& state, Workspace& work, double dt, const SolverOptions& options) {
  StepReport report;
  const std::uint32_t n_q = system.n_q();
  const double half = dt / 2;
  const double t_mid = state.t + half;
  const double* u = state.u.data();

  signals_see_forces(system, work, state);
  evaluate_kinematics(system, work, state.t, state.q.data(), u, work.q_rate.data());
  for (std::uint32_t k = 0; k < n_q; ++k) work.q_mid[k] = state.q[k] + half * work.q_rate[k];
  normalise(system, work.q_mid.data());
  const double* q_mid = work.q_mid.data();

  if (const Trouble trouble = evaluate_dynamics(system, work, t_mid, q_mid, u)) return failure(trouble, report);
  if (const Trouble trouble = find_closed(system, work, t_mid, q_mid, u)) return failure(trouble, report);
  report.n_closed = static_cast<std::uint32_t>(work.closed.size());
  evaluate_directions(system, work, t_mid, q_mid, u, work.closed);
  assemble(system, work, dt, t_mid, q_mid, u, state.Lambda.data(), Velocities::mean, ProblemForm::bodies_if_many);
  if (system.n_positions() > 0) {
    factor_constraints(system, work);
    solve_constraints(system, work);
  }
  Velocities asked = Velocities::mean;
  if (report.n_closed > 0) {
    const ContactSolution solution = solve_contacts(system, work, dt, t_mid, state, options, asked);
    report.add(solution);
    if (!solution.finite) return failure({StepStatus::not_finite, NSM_NONE, solution.worst_contact}, report);
  }

  apply_percussions(system, work, dt, u, work.u_end.data());
  if (work.account != nullptr) work.account->add_midpoint(system, work, dt, t_mid, q_mid, u, work.u_end.data());
  evaluate_displacement(system, work, t_mid, q_mid, work.u_end.data(), work.q_rate.data());
  for (std::uint32_t k = 0; k < n_q; ++k) work.q_end[k] = q_mid[k] + half * work.q_rate[k];
  advance_signals(system, work, state, dt, q_mid, work.u_end.data(), work.q_end.data());

  std::uint32_t bad = find_not_finite(system, work.u_end.data(), false);
  if (bad == NSM_NONE) bad = find_not_finite(system, work.q_end.data(), true);
  if (bad != NSM_NONE) return failure({StepStatus::not_finite, bad, NSM_NONE}, report);
  normalise(system, work.q_end.data());
  if (system.n_positions() > 0) {
    double *q_end = work.q_end.data(), *u_end = work.u_end.data();
    const double t_end = state.t + dt;
    const PositionReport positions = project_positions(system, work, t_end, q_mid, q_end, u_end);
    if (positions.trouble) return failure(positions.trouble, report);
    const bool smooth = asked == Velocities::mean && goes_on(work, state, dt) && !velocities_jump(state, work);
    if (const Trouble trouble = evaluate_constraints(system, work, t_end, q_end, u_end))
      return failure(trouble, report);
    if (smooth) {
      settle_velocities(system, work, u_end);
    } else {
      project_velocities(system, work, u_end);
    }
    work.projection.rate_time = t_end;
    report.position_error = positions.error;
    report.position_contact = positions.contact;
    report.projection_rounds = positions.rounds;
  }

  std::swap(state.q, work.q_end);
  std::swap(state.u, work.u_end);
  keep_percussions(system, work, report.residual, state);
  state.t += dt;
  state.dt = dt;
  return report;
}

}  // namespace nsmc::rt::moreau
