#include "runtime/methods/event/stiff_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/evaluation/projection.hpp"
#include "runtime/evaluation/work_account.hpp"
#include "runtime/methods/event/accelerations.hpp"
#include "runtime/solvers/function_block.hpp"
#include "runtime/solvers/natural_residual.hpp"
#include "runtime/state.hpp"

namespace nsmc::rt::event {

namespace {

constexpr int first_check = 3, good_parts = 5;
constexpr double no_forces = 1e-9;
// A jump relative to the accelerations: a larger one is that of a force which leaves a face or turns, and not a lack of
// digits.
constexpr double small_jump = 1e-4;
constexpr double least_error = 1e-10;  // of the tolerances: a smaller one does not make the next step longer

}  // namespace

StiffMotion::StiffMotion(const System& system, Workspace& work, const ContactModes& modes, double rtol, double atol)
    : system_(system), work_(work), modes_(modes), rtol_(rtol), atol_(atol) {
  row_.assign(std::size_t{system.n_q()} + 3 * std::size_t{system.n_u()} + std::size_t{system.n_rows()} +
                  std::size_t{system.n_work_rows()} + 2,
              0);
  before_ = whole_ = beside_ = y_beside_ = row_;
  for (std::vector<double>& column : table_) column = row_;
  Lambda_.assign(system.n_rows(), 0);
}

// Sweeps of the solver would bring a set by a function to its solution slowly, with a projection each.
ContactSolution StiffMotion::solve_part(const SolverOptions& options) {
  for (const SetBlock& s : work_.problem.sets) solve_function_block(work_.problem, s);
  return solve_surely(work_.problem, options);
}

// Work is counted part by part, and extrapolated with the state. In the account stays what was there.
std::optional<Work> StiffMotion::begin_work() {
  if (work_.account == nullptr) return std::nullopt;
  std::optional<Work> kept = work_.account->pending();
  work_.account->begin_step();
  return kept;
}

void StiffMotion::end_work(const Work& kept, double* counted) {
  const Work& work = work_.account->pending();
  std::copy(work.dissipated.begin(), work.dissipated.end(), counted);
  counted[work.dissipated.size()] = work.damped;
  counted[work.dissipated.size() + 1] = work.supplied;
  work_.account->set_pending(kept);
}

// What the last step that was successful has counted.
void StiffMotion::count_work() const {
  if (work_.account == nullptr) return;
  const double* counted = row_.data() + row_.size() - system_.n_work_rows() - 2;
  Work work = work_.account->pending();
  for (std::uint32_t row = 0; row < system_.n_work_rows(); ++row) work.dissipated[row] += counted[row];
  work.damped += counted[system_.n_work_rows()];
  work.supplied += counted[system_.n_work_rows() + 1];
  work_.account->set_pending(work);
}

// `parts` steps of Euler's rule.
bool StiffMotion::run(double t, const double* y, double H, int parts, const SolverOptions& options,
                      const double* lambda, std::vector<double>& result) {
  const std::uint32_t n_q = system_.n_q(), n_u = system_.n_u();
  double *q = result.data(), *u = q + n_q, *first = u + n_u, *last = first + n_u, *forces = last + n_u;
  std::copy_n(y, n_q + n_u, q);
  const double h = H / parts;
  const std::optional<Work> counted = begin_work();
  for (std::uint32_t k = 0; k < system_.n_rows(); ++k) Lambda_[k] = h * lambda[k];
  for (int part = 0; part < parts; ++part) {
    if (options.asked_to_stop()) return false;
    ++evaluations;
    evaluate_kinematics(system_, work_, t + part * h, q, u, work_.q_rate.data());
    for (std::uint32_t k = 0; k < n_q; ++k) q[k] += h * work_.q_rate[k];
    normalise(system_, q);
    const double t1 = t + (part + 1) * h;
    if (evaluate_dynamics(system_, work_, t1, q, u)) return false;
    work_.closed.clear();
    for (std::uint32_t i = 0; i < modes_.n_contacts(); ++i) {
      if (modes_.closed[i] != 0) work_.closed.push_back(i);
    }
    evaluate_gaps(system_, work_, t1, q, u, work_.closed);
    evaluate_directions(system_, work_, t1, q, u, work_.closed);
    assemble(system_, work_, h, t1, q, u, Lambda_.data(), Velocities::no_restitution);
    if (system_.n_positions() > 0) {
      factor_constraints(system_, work_);
      solve_constraints(system_, work_);
    }
    if (!work_.closed.empty()) {
      const ContactSolution solution = solve_part(options);
      iterations += static_cast<std::uint64_t>(solution.iterations);
      if (!(solution.residual < worst_.residual)) worst_ = solution;
      if (!solution.finite || solution.residual > no_forces) return false;
    }
    std::copy_n(u, n_u, last);
    apply_percussions(system_, work_, h, u, u);
    if (counted) {
      std::vector<double> u_before(last, last + n_u);
      work_.account->add_midpoint(system_, work_, h, t1, q, u_before.data(), u);
    }
    for (std::uint32_t k = 0; k < n_u; ++k) last[k] = (u[k] - last[k]) / h;
    if (part == 0) std::copy_n(last, n_u, first);
    for (const ContactRows& rows : work_.problem.contacts) {
      std::copy_n(work_.problem.Lambda.data() + rows.first_row, rows.n_rows,
                  Lambda_.data() + system_.contacts()[rows.contact].first_row);
    }
  }
  for (std::uint32_t k = 0; k < system_.n_rows(); ++k) forces[k] = Lambda_[k] / h;
  if (counted) end_work(*counted, forces + system_.n_rows());
  return std::all_of(q, q + n_q + n_u, [](double x) { return std::isfinite(x); });
}

// What is negligible of velocities anyhow: extrapolation makes some 1e-11 of the rounding of contact problems.
double StiffMotion::noise() const {
  const double* u = row_.data() + system_.n_q();
  double largest = 0;
  for (std::uint32_t k = 0; k < system_.n_u(); ++k) largest = std::max(largest, std::abs(u[k]));
  return 0.1 * rtol_ * largest;
}

// What is allowed for q and u.
double StiffMotion::allowed(std::size_t k) const {
  return rtol_ * std::abs(row_[k]) + atol_ + (k < system_.n_q() ? 0 : noise());
}

// The difference of two states (q, u), against the tolerances.
double StiffMotion::difference(const double* a, const double* b) const {
  const std::size_t n = std::size_t{system_.n_q()} + system_.n_u();
  double sum = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const double part = (a[k] - b[k]) / allowed(k);
    sum += part * part;
  }
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(n, 1)));
}

// The jump of the accelerations at the beginning of the step, against what is allowed for velocities.
StiffMotion::Jump StiffMotion::jump() const {
  if (acceleration_.empty()) return {std::numeric_limits<double>::infinity(), false};
  const std::uint32_t n_q = system_.n_q(), n_u = system_.n_u();
  const double* first = row_.data() + n_q + n_u;
  double size = 0, largest = 0;
  for (std::uint32_t k = 0; k < n_u; ++k) {
    size = std::max(size, std::abs(first[k] - acceleration_[k]) / allowed(n_q + k));
    largest = std::max(largest, std::abs(first[k]) / allowed(n_q + k));
  }
  return {size, size <= small_jump * largest};
}

// How far off q and u may be at the end, against the tolerances, if forces jump in the first of j parts. All results
// then have the acceleration `first` from the beginning on, and the true motion has the one of before, for a time of at
// most H/j. That makes a difference d of the velocities, and F d H/(2 j) of positions. Where forces are steep it does
// not last: they move against it, and leave exp(-H L) of it. One part of Euler's rule from u + d leaves 1/(1 + H L),
// and F d H of positions.
double StiffMotion::hidden(double t, const double* y, double H, int j, const double* lambda,
                           const SolverOptions& options) {
  const std::uint32_t n_q = system_.n_q(), n_u = system_.n_u();
  const double* first = row_.data() + n_q + n_u;
  std::copy_n(y, n_q + n_u, y_beside_.data());
  for (std::uint32_t k = 0; k < n_u; ++k) y_beside_[n_q + k] += H / j * (acceleration_[k] - first[k]);
  if (!run(t, y_beside_.data(), H, 1, options, lambda, beside_)) return std::numeric_limits<double>::infinity();
  double most = 0;
  for (std::uint32_t k = 0; k < n_q + n_u; ++k)
    most = std::max(most, std::abs(beside_[k] - whole_[k]) / allowed(k) / (k < n_q ? 2 * j : 1));
  return most;
}

bool StiffMotion::step(double t, const double* y, double& H, const SolverOptions& options, double* y_next,
                       std::vector<double>& lambda) {
  worst_ = {};
  for (int j = 1; j <= most_parts; ++j) {
    if (!run(t, y, H, j, options, lambda.data(), row_)) {
      H *= 0.2;
      return false;
    }
    if (j == 1) whole_ = row_;
    // Neville's scheme: column k has the error H^(k+1).
    for (int k = 1; k < j; ++k) {
      std::swap(before_, table_[k - 1]);
      table_[k - 1] = row_;
      const double factor = 1 / (static_cast<double>(j) / (j - k) - 1);
      for (std::size_t i = 0; i < row_.size(); ++i) row_[i] += factor * (row_[i] - before_[i]);
    }
    table_[j - 1] = row_;
    if (j < first_check) continue;
    const double error = difference(row_.data(), table_[j - 2].data());
    const Jump first = jump();
    double jumped = H * first.size;
    if (error <= 1 && jumped > 1 && first.is_small) jumped = hidden(t, y, H, j, lambda.data(), options);
    const double change = 0.8 * std::pow(1 / std::max(error, least_error), 1.0 / j);
    if (error <= 1 && (jumped <= 1 || acceleration_.empty())) {
      const std::size_t n = std::size_t{system_.n_q()} + system_.n_u(), n_u = system_.n_u();
      std::copy_n(row_.data(), n, y_next);
      acceleration_next_.assign(row_.data() + n + n_u, row_.data() + n + 2 * n_u);
      // Forces that are not determined would not bear more.
      std::copy_n(table_[1].data() + n + 2 * n_u, lambda.size(), lambda.data());
      H *= std::clamp(j < good_parts ? 2 * change : change, 0.2, was_too_long_ ? 1.2 : 3.0);
      was_too_long_ = false;
      return true;
    }
    if (j == most_parts) {
      H *= std::clamp(std::min(change, 0.5 / jumped), 0.1, 0.7);
      was_too_long_ = true;
    }
  }
  return false;
}

}  // namespace nsmc::rt::event
