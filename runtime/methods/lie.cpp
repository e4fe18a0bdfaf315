// Friction substep, from (q^n, u^n) at t^n, with tau_f = dt/P [Glowinski 2004, (3.11), (3.12)]: for p = 1 ... P
//     M (w^p - w^{p-1}) = tau_f M (a - a_e)(q^n, w^{p-1}, t^n + p tau_f) + W Lambda^p,
//     xi^p in N_K(-Lambda^p),   xi^p = W^T w^p + chi + eps (W^T w^{p-1} + chi),
// M, W, chi and the closed contacts those of q^n. In the paper the contacts are dry friction at every coordinate and
// -Lambda^p = tau_f C lambda^p; here they are all the closed contacts of the model, each with its law: the contact
// problem of Moreau's rule over an inner step. Its solver is the caller's choice, (4.16) is solve_multiplier.
//
// Elastic substep (2.6), from (q^n, w^P), by the centred scheme
//     q^{n+1/2} = q^n + dt/2 F(q^n) w^P,   u^{n+1} = w^P + dt a_e(q^{n+1/2}, t^n + dt/2),
//     q^{n+1} = q^{n+1/2} + dt/2 F(q^{n+1/2}) u^{n+1}.
// For constant M, A it is (X^{n+1} - 2 X^n + X^{n-1})/dt^2 = -M^-1 A X^n, of order 2, without dissipation, and stable
// if dt times the largest frequency is below 2.
//
// Constraints that hold positions are contacts of the friction substep, with W^T w^p + chi = 0. The elastic substep
// leaves them; q^{n+1} and u^{n+1} are then put back onto them (projection.hpp).
#include "runtime/methods/lie.hpp"

#include <algorithm>

#include "runtime/evaluation/projection.hpp"
#include "runtime/evaluation/signals.hpp"
#include "runtime/evaluation/work_account.hpp"

namespace nsmc::rt {

LieIntegrator::LieIntegrator(const System& system, int inner_steps)
    : inner_steps_(inner_steps),
      q_ref_(system.n_q(), 0),
      rest_(system.n_u(), 0),
      elastic_(system.n_u(), 0),
      Lambda_before_(system.n_rows(), 0),
      percussions_(system.n_rows(), 0),
      u_before_(system.n_u(), 0) {}

void LieIntegrator::renumber(const System& system, const Renumbering&) {
  Lambda_before_.assign(system.n_rows(), 0);
  percussions_.assign(system.n_rows(), 0);
}

Trouble LieIntegrator::evaluate_elastic(const System& system, Workspace& work, double t, const double* q) {
  if (const Trouble trouble = evaluate_dynamics(system, work, t, q_ref_.data(), rest_.data())) return trouble;
  for (std::size_t k = 0; k < elastic_.size(); ++k) elastic_[k] = -work.free_acceleration[k];
  if (const Trouble trouble = evaluate_dynamics(system, work, t, q, rest_.data())) return trouble;
  for (std::size_t k = 0; k < elastic_.size(); ++k) elastic_[k] += work.free_acceleration[k];
  return {};
}

Trouble LieIntegrator::inner_step(const System& system, Workspace& work, double t, double dt, const double* q,
                                  const SolverOptions& options, StepReport& report) {
  double* u = work.u_end.data();
  if (const Trouble trouble = evaluate_elastic(system, work, t, q)) return trouble;
  if (const Trouble trouble = evaluate_dynamics(system, work, t, q, u)) return trouble;
  for (std::size_t k = 0; k < elastic_.size(); ++k) work.free_acceleration[k] -= elastic_[k];
  evaluate_gaps(system, work, t, q, u, work.closed);
  evaluate_directions(system, work, t, q, u, work.closed);
  assemble(system, work, dt, t, q, u, Lambda_before_.data(), Velocities::end);
  if (system.n_positions() > 0) {
    factor_constraints(system, work);
    solve_constraints(system, work);
  }
  const ContactProblem& problem = work.problem;
  if (!work.closed.empty()) {
    const ContactSolution solution = solve(work.problem, options);
    report.add(solution);
    if (!solution.finite) return {StepStatus::not_finite, NSM_NONE, solution.worst_contact};
  }
  std::copy_n(u, u_before_.size(), u_before_.data());
  apply_percussions(system, work, dt, u, u);
  if (work.account != nullptr) work.account->add_midpoint(system, work, dt, t, q, u_before_.data(), u);
  for (const ContactRows& rows : problem.contacts) {
    const double* Lambda = problem.Lambda.data() + rows.first_row;
    std::copy_n(Lambda, rows.n_rows, Lambda_before_.data() + system.contacts()[rows.contact].first_row);
    for (std::uint32_t h = 0; h < rows.n_rows; ++h) percussions_[rows.first_row + h] += Lambda[h];
  }
  return {};
}

StepReport LieIntegrator::step(const System& system, State& state, Workspace& work, double dt,
                               const SolverOptions& options) {
  StepReport report;
  const std::uint32_t n_q = system.n_q(), n_u = system.n_u();
  signals_see_forces(system, work, state);
  if (!started_) {
    std::copy_n(state.q.data(), n_q, q_ref_.data());
    started_ = true;
  }

  // The friction substep. Which contacts are closed is asked where q belongs to t.
  const double* q = state.q.data();
  if (const Trouble trouble = evaluate_dynamics(system, work, state.t, q, state.u.data()))
    return failure(trouble, report);
  if (const Trouble trouble = find_closed(system, work, state.t, q, state.u.data())) return failure(trouble, report);
  report.n_closed = static_cast<std::uint32_t>(work.closed.size());
  const double inner_dt = dt / inner_steps_;
  std::copy_n(state.u.data(), n_u, work.u_end.data());
  std::fill(percussions_.begin(), percussions_.end(), 0.0);
  for (std::size_t k = 0; k < Lambda_before_.size(); ++k) Lambda_before_[k] = state.Lambda[k] / inner_steps_;
  for (int p = 1; p <= inner_steps_; ++p) {
    if (const Trouble trouble = inner_step(system, work, state.t + p * inner_dt, inner_dt, q, options, report))
      return failure(trouble, report);
  }

  // The elastic substep.
  const double half = dt / 2, t_mid = state.t + half, t_end = state.t + dt;
  double *q_mid = work.q_mid.data(), *q_end = work.q_end.data(), *u_end = work.u_end.data();
  evaluate_kinematics(system, work, state.t, q, u_end, work.q_rate.data());
  for (std::uint32_t k = 0; k < n_q; ++k) q_mid[k] = q[k] + half * work.q_rate[k];
  normalise(system, q_mid);
  if (const Trouble trouble = evaluate_elastic(system, work, t_mid, q_mid)) return failure(trouble, report);
  for (std::uint32_t k = 0; k < n_u; ++k) u_end[k] += dt * elastic_[k];
  evaluate_displacement(system, work, t_mid, q_mid, u_end, work.q_rate.data());
  for (std::uint32_t k = 0; k < n_q; ++k) q_end[k] = q_mid[k] + half * work.q_rate[k];
  advance_signals(system, work, state, dt, q_mid, u_end, q_end);
  std::uint32_t bad = find_not_finite(system, u_end, false);
  if (bad == NSM_NONE) bad = find_not_finite(system, q_end, true);
  if (bad != NSM_NONE) return failure({StepStatus::not_finite, bad, NSM_NONE}, report);
  normalise(system, q_end);

  if (system.n_positions() > 0) {
    if (const Trouble trouble = evaluate_constraints(system, work, t_end, q_end, u_end))
      return failure(trouble, report);
    const PositionReport positions = project_positions(system, work, t_end, q_end, q_end, u_end);
    if (positions.trouble) return failure(positions.trouble, report);
    if (const Trouble trouble = evaluate_constraints(system, work, t_end, q_end, u_end))
      return failure(trouble, report);
    project_velocities(system, work, u_end);
    report.position_error = positions.error;
    report.position_contact = positions.contact;
    report.projection_rounds = positions.rounds;
  }

  std::swap(state.q, work.q_end);
  std::swap(state.u, work.u_end);
  std::copy_n(percussions_.data(), work.problem.Lambda.size(), work.problem.Lambda.data());
  keep_percussions(system, work, report.residual, state);
  state.t = t_end;
  state.dt = dt;
  return report;
}

}  // namespace nsmc::rt
