#include "runtime/evaluation/signals.hpp"

#include <algorithm>

#include "runtime/evaluation/evaluation.hpp"
#include "runtime/view.hpp"

namespace nsmc::rt {

void evaluate_signal_rates(const System& system, Workspace& work, double t, const double* q, const double* u,
                           double* z_rate) {
  const nsm_model& model = system.model();
  if (model.n_z == 0) return;
  if (model.signal_rates == nullptr) {
    std::fill_n(z_rate, model.n_z, 0.0);
  } else {
    nsm_view view = view_at(system, work.shared.data(), t);
    look_at_all(view, system, q, u);
    view.lambda = work.signal_forces.data();
    model.signal_rates(&view, z_rate);
  }
  for (const InputSamples& input : system.inputs()) z_rate[input.signal] = input.rate(t);
}

void signals_see_percussions(const System& system, Workspace& work, double t, const double* q, const double* u,
                             const double* Lambda, double dt) {
  if (system.model().rates_read_forces == 0) return;
  user_forces(system, work, t, q, u, Lambda, dt, work.signal_forces.data());
}

void signals_see_forces(const System& system, Workspace& work, const State& state) {
  signals_see_percussions(system, work, state.t, state.q.data(), state.u.data(), state.Lambda.data(), state.dt);
}

void signals_see_solution(const System& system, Workspace& work, double t, const double* q, const double* u,
                          double dt) {
  if (system.model().rates_read_forces == 0) return;
  std::vector<double>& all = work.signal_Lambda;
  std::fill(all.begin(), all.end(), 0.0);
  for (const ContactRows& rows : work.problem.contacts) {
    std::copy_n(work.problem.Lambda.data() + rows.first_row, rows.n_rows,
                all.data() + system.contacts()[rows.contact].first_row);
  }
  signals_see_percussions(system, work, t, q, u, all.data(), dt);
}

void advance_signals(const System& system, Workspace& work, const State& state, double dt, const double* q_mid,
                     const double* u_end, double* q_end) {
  const std::uint32_t n_z = system.n_z(), first = system.first_z();
  if (n_z == 0) return;
  const double t_mid = state.t + dt / 2;
  std::vector<double>& u_mean = work.signal_u;
  for (std::size_t k = 0; k < u_mean.size(); ++k) u_mean[k] = (state.u[k] + u_end[k]) / 2;
  signals_see_solution(system, work, t_mid, q_mid, u_mean.data(), dt);
  evaluate_signal_rates(system, work, t_mid, q_mid, u_mean.data(), q_end + first);
  for (std::uint32_t k = first; k < first + n_z; ++k) q_end[k] = state.q[k] + dt * q_end[k];
  system.settle_inputs(state.t + dt, q_end);
}

}  // namespace nsmc::rt
