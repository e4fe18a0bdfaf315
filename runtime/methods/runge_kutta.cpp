// The stages of a step, see runge_kutta.hpp.
#include "runtime/methods/runge_kutta.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/evaluation/projection.hpp"
#include "runtime/evaluation/signals.hpp"
#include "runtime/evaluation/work_account.hpp"

namespace nsmc::rt {

namespace {

constexpr int max_corrections = 8;

// |x|^2 of the rows of a set, each measured by its G_hh: slip and spin have different units.
double square(const ContactProblem& problem, const SetBlock& s, const double* x, const double* minus = nullptr) {
  double sum = 0;
  for (std::uint32_t h = 0; h < s.dim; ++h) {
    const double d = problem.diagonal(s, h);
    const double value = x[s.first_row + h] - (minus != nullptr ? minus[s.first_row + h] : 0);
    if (d > 0) sum += value * value / d;
  }
  return sum;
}

}  // namespace

RungeKutta::RungeKutta(const System& system, const Tableau& tableau)
    : tableau_(tableau),
      zero_u_(system.n_u(), 0),
      counted_u_(system.n_u(), 0),
      Q_(system.n_q(), 0),
      U_(system.n_u(), 0) {
  for (int i = 0; i < tableau.stages; ++i) {
    dq_[i].assign(system.n_q(), 0);
    du_[i].assign(system.n_u(), 0);
  }
  make_room(system);
}

void RungeKutta::renumber(const System& system, const Renumbering&) { make_room(system); }

// What is kept by contact lasts for a step.
void RungeKutta::make_room(const System& system) {
  for (std::vector<double>* rows : {&Lambda_, &Lambda_mean_, &gamma_before_, &gamma_, &free_, &rate_})
    rows->assign(system.n_rows(), 0);
  slips_.assign(system.n_sets(), {});
}

// Q_i and U_i. Quaternions are normalised where kernels see them only: the method is that for the vector field
// F(q/|q|) u, which is as smooth.
void RungeKutta::set_stage(const System& system, const State& state, int i) {
  std::copy(state.q.begin(), state.q.end(), Q_.begin());
  std::copy(state.u.begin(), state.u.end(), U_.begin());
  for (int j = 0; j < i; ++j) {
    const double a = tableau_.a[i][j];
    if (a == 0) continue;
    for (std::size_t k = 0; k < Q_.size(); ++k) Q_[k] += a * dq_[j][k];
    for (std::size_t k = 0; k < U_.size(); ++k) U_[k] += a * du_[j][k];
  }
  normalise(system, Q_.data());
}

// The closed contacts, found at Moreau's midpoint.
Trouble RungeKutta::find_contacts(const System& system, const State& state, Workspace& work, double dt) {
  const double t_mid = state.t + dt / 2;
  evaluate_kinematics(system, work, state.t, state.q.data(), state.u.data(), work.q_rate.data());
  for (std::uint32_t k = 0; k < system.n_q(); ++k) work.q_mid[k] = state.q[k] + dt / 2 * work.q_rate[k];
  normalise(system, work.q_mid.data());
  if (!work.shared.empty()) {  // `gap` may read there what `dynamics` finds
    if (const Trouble trouble = evaluate_dynamics(system, work, t_mid, work.q_mid.data(), state.u.data()))
      return trouble;
  }
  return find_closed(system, work, t_mid, work.q_mid.data(), state.u.data());
}

Trouble RungeKutta::evaluate_stage(const System& system, Workspace& work, double t, int i) {
  const double *q = Q_.data(), *u = U_.data();
  evaluate_kinematics(system, work, t, q, u, dq_[i].data());
  if (const Trouble trouble = evaluate_dynamics(system, work, t, q, u)) return trouble;
  evaluate_gaps(system, work, t, q, u, work.closed);
  evaluate_directions(system, work, t, q, u, work.closed);
  evaluate_zeta(system, work, t, q, u);
  return {};
}

// At the first stage, which is the beginning of the step: gamma^B, and which sets may slide. An interval or a ball of
// one row asks for a sign only.
void RungeKutta::begin_contacts(const System& system, const State& state, Workspace& work) {
  ContactProblem& problem = work.problem;
  for (std::size_t n = 0; n < problem.sets.size(); ++n) {
    const SetBlock& s = problem.sets[n];
    const ContactRows& rows = problem.contacts[s.contact];
    const ContactInfo& contact = system.contacts()[rows.contact];
    const double* restitution = work.directions_of(contact) + system.layout(contact).restitution;
    Slip& slip = slips_[n];
    slip = {};
    slip.candidate = s.dim > 1 || contact.type->compliant != 0;
    for (std::uint32_t h = s.first_row - rows.first_row; h < s.first_row - rows.first_row + s.dim; ++h) {
      if (restitution[h] != 0 || h < contact.type->n_position) slip.candidate = false;
    }
  }
  for (const ContactRows& rows : problem.contacts) {
    const ContactInfo& contact = system.contacts()[rows.contact];
    const double* chi = work.directions_of(contact) + system.layout(contact).chi;
    for (std::uint32_t h = 0; h < rows.n_rows; ++h) {
      gamma_before_[rows.first_row + h] = row_velocity(system, work, contact, h, state.u.data()) + chi[h];
      rate_[rows.first_row + h] = 0;
    }
  }
}

// After a solution: dt gamma'* of the sets that slide, and c by it. False if nothing is left to be solved again.
bool RungeKutta::correct_slips(const System& system, Workspace& work, double dt, double tolerance, int i) {
  ContactProblem& problem = work.problem;
  bool again = false;
  for (std::size_t n = 0; n < problem.sets.size(); ++n) {
    Slip& slip = slips_[n];
    if (!slip.candidate) continue;
    const SetBlock& s = problem.sets[n];
    const ContactRows& rows = problem.contacts[s.contact];
    const ContactInfo& contact = system.contacts()[rows.contact];
    double* now = problem.next.data();  // dt gamma' of this solution
    for (std::uint32_t h = s.first_row; h < s.first_row + s.dim; ++h) {
      const std::uint32_t local = h - rows.first_row;
      now[h] = row_velocity(system, work, contact, local, du_[i].data()) + dt * work.zeta[contact.first_row + local];
    }
    const double before2 = square(problem, s, gamma_before_.data()), now2 = square(problem, s, now);
    const bool slides =
        4 * now2 <= before2 && 4 * square(problem, s, gamma_.data(), gamma_before_.data()) <= before2 && before2 > 0;
    if (!slides && !slip.sliding) continue;
    const double change = std::sqrt(square(problem, s, now, rate_.data()));
    const bool contracts = !(slip.last_change > 0) || change <= 0.5 * slip.last_change;
    if (slides && slip.sliding && change <= tolerance * std::sqrt(before2)) continue;
    slip.last_change = change;
    again = true;
    if (!slides || !contracts) {
      slip.candidate = slip.sliding = false;  // for the rest of the step
      for (std::uint32_t h = s.first_row; h < s.first_row + s.dim; ++h) problem.c[h] = gamma_before_[h] + free_[h];
      continue;
    }
    slip.sliding = true;
    for (std::uint32_t h = s.first_row; h < s.first_row + s.dim; ++h) {
      rate_[h] = now[h];
      problem.c[h] = gamma_[h] - rate_[h] + free_[h];
    }
  }
  return again;
}

// The contact problem of a stage; du_[i] = dt A_i. False if values are not finite.
bool RungeKutta::solve_stage(const System& system, Workspace& work, double dt, const SolverOptions& options, int i,
                             StepReport& report) {
  ContactProblem& problem = work.problem;
  for (std::size_t n = 0; n < problem.sets.size(); ++n) {
    const SetBlock& s = problem.sets[n];
    const ContactRows& rows = problem.contacts[s.contact];
    const ContactInfo& contact = system.contacts()[rows.contact];
    const DirectionLayout& layout = system.layout(contact);
    const double* directions = work.directions_of(contact);
    slips_[n].last_change = 0;
    for (std::uint32_t h = s.first_row; h < s.first_row + s.dim; ++h) {
      const std::uint32_t local = h - rows.first_row;
      const double zeta = work.zeta[contact.first_row + local];
      const double accelerated = row_velocity(system, work, contact, local, work.free_acceleration.data());
      const double eps = local < contact.type->n_position ? 0 : directions[layout.restitution + local];
      gamma_[h] = row_velocity(system, work, contact, local, U_.data()) + directions[layout.chi + local];
      free_[h] = dt * (accelerated + zeta);
      problem.c[h] = free_[h] + (slips_[n].sliding ? gamma_[h] - rate_[h] : (1 + eps) * gamma_before_[h]);
      problem.c_magnitude[h] =
          dt * (std::abs(accelerated) + std::abs(zeta)) + (1 + eps) * std::abs(gamma_before_[h]) + std::abs(gamma_[h]);
    }
  }
  problem.finish();
  if (system.n_positions() > 0) {
    factor_constraints(system, work);
    solve_constraints(system, work);
  }
  for (int correction = 0;; ++correction) {
    const ContactSolution solution = solve(problem, options);
    report.add(solution);
    if (!solution.finite) return false;
    apply_percussions(system, work, dt, zero_u_.data(), du_[i].data());
    if (correction == max_corrections || !correct_slips(system, work, dt, 10 * options.tolerance, i)) return true;
  }
}

// Positions and velocities at the end onto the constraints: both are off by O(dt^(p+1)), p the order of the tableau.
Trouble RungeKutta::keep_constraints(const System& system, Workspace& work, double t_end, StepReport& report) {
  double *q_end = work.q_end.data(), *u_end = work.u_end.data();
  if (const Trouble trouble = evaluate_constraints(system, work, t_end, q_end, u_end)) return trouble;
  const PositionReport positions = project_positions(system, work, t_end, q_end, q_end, u_end);
  if (positions.trouble) return positions.trouble;
  if (const Trouble trouble = evaluate_constraints(system, work, t_end, q_end, u_end)) return trouble;
  project_velocities(system, work, u_end);
  report.position_error = positions.error;
  report.position_contact = positions.contact;
  report.projection_rounds = positions.rounds;
  return {};
}

// Power is integrated as the motion is, sum b_i P_i. A percussion that is the same in all stages does the work of the
// mean velocity, sum b_i U_i = u^B + sum b_i c_i (u^E - u^B), if sum b_i c_i = 1/2, which is the condition of order 2;
// for a tableau of order 1 what is missing is added.
void RungeKutta::count_work(const System& system, Workspace& work, double t, double dt, int i) {
  double mean = 0;
  for (int j = 0; j < tableau_.stages; ++j) mean += tableau_.b[j] * tableau_.c(j);
  const double missing = std::abs(mean - 0.5) < 1e-9 ? 0 : 0.5 - mean;
  for (std::size_t k = 0; k < U_.size(); ++k) counted_u_[k] = U_[k] + missing * du_[i][k];
  work.account->add_percussions(system, work, work.problem.Lambda, counted_u_.data(), tableau_.b[i]);
  work.account->add_smooth(system, work, t, Q_.data(), counted_u_.data(), tableau_.b[i] * dt);
}

// A contact that is pressed together stays closed although its gap drifts, by the error of the method and, at the
// midpoint of a straight line, by the curvature zeta dt^2/8. Else it would be let go and fall back every now and then.
// The allowance is what a contact that is let go falls in half a step or so; contacts that open in earnest get no
// percussion, and none of this.
void RungeKutta::widen_slack(const System& system, Workspace& work, double dt) {
  const ContactProblem& problem = work.problem;
  for (const ContactRows& rows : problem.contacts) {
    const ContactInfo& contact = system.contacts()[rows.contact];
    if (contact.type->gap == nullptr) continue;
    double pressed = 0, velocity = 0;
    for (std::uint32_t n = rows.first_set; n < rows.first_set + rows.n_sets; ++n) {
      const SetBlock& s = problem.sets[n];
      if (s.set->kind != NSM_SET_INTERVAL) continue;
      for (std::uint32_t h = s.first_row; h < s.first_row + s.dim; ++h) {
        const double lift = problem.xi(rows, h - rows.first_row, problem.Lambda.data()) - problem.c[h];
        pressed = std::max(pressed, std::abs(problem.Lambda[h]));
        velocity =
            std::max(velocity, std::abs(lift) + dt * std::abs(work.zeta[contact.first_row + h - rows.first_row]));
      }
    }
    if (!(pressed > 0)) continue;
    double& slack = work.gap_slack[rows.contact];
    slack = std::max(slack, std::max(work.gap[rows.contact], 0.0) + dt / 4 * velocity);
  }
}

StepReport RungeKutta::step(const System& system, State& state, Workspace& work, double dt,
                            const SolverOptions& options) {
  StepReport report;
  signals_see_forces(system, work, state);
  if (const Trouble trouble = find_contacts(system, state, work, dt)) return failure(trouble, report);
  report.n_closed = static_cast<std::uint32_t>(work.closed.size());
  std::copy(state.Lambda.begin(), state.Lambda.end(), Lambda_.begin());
  std::fill(Lambda_mean_.begin(), Lambda_mean_.end(), 0.0);

  for (int i = 0; i < tableau_.stages; ++i) {
    const double t = state.t + tableau_.c(i) * dt;
    set_stage(system, state, i);
    if (const Trouble trouble = evaluate_stage(system, work, t, i)) return failure(trouble, report);
    for (double& x : dq_[i]) x *= dt;
    assemble_matrix(system, work, dt, t, Q_.data(), U_.data(), Lambda_.data());
    if (i == 0) begin_contacts(system, state, work);
    if (!solve_stage(system, work, dt, options, i, report))
      return failure({StepStatus::not_finite, NSM_NONE, report.contact}, report);
    if (system.model().rates_read_forces != 0) {
      signals_see_solution(system, work, t, Q_.data(), U_.data(), dt);
      double* dz = dq_[i].data() + system.first_z();
      evaluate_signal_rates(system, work, t, Q_.data(), U_.data(), dz);
      for (std::uint32_t k = 0; k < system.n_z(); ++k) dz[k] *= dt;
    }
    if (work.account != nullptr) count_work(system, work, t, dt, i);
    for (const ContactRows& rows : work.problem.contacts) {
      const std::uint32_t first = system.contacts()[rows.contact].first_row;
      for (std::uint32_t h = 0; h < rows.n_rows; ++h) {
        Lambda_[first + h] = work.problem.Lambda[rows.first_row + h];
        Lambda_mean_[first + h] += tableau_.b[i] * Lambda_[first + h];
      }
    }
  }

  std::copy(state.q.begin(), state.q.end(), work.q_end.begin());
  std::copy(state.u.begin(), state.u.end(), work.u_end.begin());
  for (int i = 0; i < tableau_.stages; ++i) {
    const double b = tableau_.b[i];
    for (std::size_t k = 0; k < work.q_end.size(); ++k) work.q_end[k] += b * dq_[i][k];
    for (std::size_t k = 0; k < work.u_end.size(); ++k) work.u_end[k] += b * du_[i][k];
  }
  std::uint32_t bad = find_not_finite(system, work.u_end.data(), false);
  if (bad == NSM_NONE) bad = find_not_finite(system, work.q_end.data(), true);
  if (bad != NSM_NONE) return failure({StepStatus::not_finite, bad, NSM_NONE}, report);
  normalise(system, work.q_end.data());
  system.settle_inputs(state.t + dt, work.q_end.data());
  for (const ContactRows& rows : work.problem.contacts) {
    std::copy_n(Lambda_mean_.data() + system.contacts()[rows.contact].first_row, rows.n_rows,
                work.problem.Lambda.data() + rows.first_row);
  }
  if (system.n_positions() > 0) {
    if (const Trouble trouble = keep_constraints(system, work, state.t + dt, report)) return failure(trouble, report);
  }

  std::swap(state.q, work.q_end);
  std::swap(state.u, work.u_end);
  keep_percussions(system, work, report.residual, state);
  widen_slack(system, work, dt);
  state.t += dt;
  state.dt = dt;
  return report;
}

}  // namespace nsmc::rt
