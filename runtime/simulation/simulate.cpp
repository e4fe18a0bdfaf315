// The loop over the steps.
#include "runtime/simulation/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "runtime/integrators/projection.hpp"

namespace nsmc::rt {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string find_wrong_option(const System& system, const State& state, const SimulationOptions& options) {
  if (!(options.step > 0) || std::isinf(options.step)) return fmt::format("step {} is not positive", options.step);
  if (!std::isfinite(options.until)) return fmt::format("end time {} is not a number", options.until);
  if (!(options.solver.omega > 0 && options.solver.omega < 2)) {
    return fmt::format("relaxation omega = {} is not between 0 and 2", options.solver.omega);
  }
  if (!(options.solver.tolerance > 0)) return fmt::format("tolerance {} is not positive", options.solver.tolerance);
  if (options.solver.max_iterations < 1) return "the solver needs at least one iteration";
  if (!(options.solver.rho >= 0)) return fmt::format("rho = {} is negative", options.solver.rho);
  if (options.integrator.inner_steps < 1) return "the friction substep needs at least one step";
  if (!(options.record_dt >= 0)) return fmt::format("recording interval {} is negative", options.record_dt);
  if (needs_zeta(options.method) && !has_zeta(system))
    return "the model was compiled without accelerations of contacts";
  if (!state.fits(system)) return "the state does not belong to the model";
  if (!((options.until - state.t) / options.step < 1e15)) return "that would be more than 1e15 steps";
  return {};
}

// Writes rows and follows the energy in them.
class RowWriter {
 public:
  RowWriter(const System& system, Workspace& work, const SimulationOptions& options, Recorder& recorder,
            Summary& summary)
      : observation_(system, options.parts),
        energy_column_(system.energy_column()),
        work_(work),
        recorder_(recorder),
        summary_(summary) {}

  void write(const State& state) {
    const std::span<const double> row = observation_.row(state, work_);
    recorder_.record(state.t, row);
    const double energy = row[energy_column_];
    if (rows_ == 0) summary_.energy_first = summary_.energy_min = summary_.energy_max = energy;
    summary_.energy_last = energy;
    summary_.energy_min = std::min(summary_.energy_min, energy);
    summary_.energy_max = std::max(summary_.energy_max, energy);
    ++rows_;
  }

 private:
  Observation observation_;
  std::uint32_t energy_column_;
  Workspace& work_;
  Recorder& recorder_;
  Summary& summary_;
  std::uint64_t rows_ = 0;
};

// Which steps are recorded, apart from the last one.
class RecordingPlan {
 public:
  RecordingPlan(const SimulationOptions& options, double t_first) : options_(options), t_first_(t_first) {}

  bool wants(std::uint64_t step, double t) {
    if (options_.record_dt > 0) {
      const double allowance = 1e-9 * options_.step;
      if (t < t_first_ + static_cast<double>(next_) * options_.record_dt - allowance) return false;
      next_ = static_cast<std::uint64_t>((t - t_first_ + allowance) / options_.record_dt) + 1;
      return true;
    }
    return options_.record_every > 0 && step % options_.record_every == 0;
  }

 private:
  const SimulationOptions& options_;
  double t_first_;
  std::uint64_t next_ = 1;
};

// Calls back about every 0.1 s while looking at the clock only now and then.
class ProgressTicker {
 public:
  explicit ProgressTicker(const SimulationOptions& options) : options_(options) {}

  void tick(double t, std::uint64_t step, std::uint64_t n_steps) {
    if (!options_.progress || step < next_look_) return;
    const double now = seconds_since(start_);
    stride_ = now - last_look_ < 0.01 ? stride_ * 2 : std::max<std::uint64_t>(stride_ / 2, 1);
    last_look_ = now;
    next_look_ = step + stride_;
    if (now - last_call_ < 0.1 && step < n_steps) return;
    last_call_ = now;
    options_.progress({t, options_.until, step, n_steps});
  }

 private:
  const SimulationOptions& options_;
  Clock::time_point start_ = Clock::now();
  double last_look_ = 0, last_call_ = 0;
  std::uint64_t stride_ = 1, next_look_ = 1;
};

// The initial state is moved onto the constraints, positions and velocities; the summary says how far it was off.
void make_consistent(const System& system, Workspace& work, State& state, Summary& summary) {
  double *q = state.q.data(), *u = state.u.data();
  // Trouble is left to the first step to meet and to report.
  if (evaluate_constraints(system, work, state.t, q, u)) return;
  summary.position_error_first = project_positions(system, work, state.t, q, q, u).moved_from;
  if (evaluate_constraints(system, work, state.t, q, u)) return;
  summary.velocity_error_first = project_velocities(system, work, u);
}

// What only event-driven integration meets.
std::string describe_event_failure(const System& system, const StepReport& report, const std::string& where) {
  switch (report.status) {
    case StepStatus::no_accelerations:
      return fmt::format(
          "no accelerations that satisfy the laws{} were found (residual {:.2g}); there may be none, as in "
          "the examples of Painleve",
          where, report.residual);
    case StepStatus::no_impact:
      return fmt::format("no velocities after an impact that satisfy the laws{} were found (residual {:.2g})", where,
                         report.residual);
    case StepStatus::singular_G: {
      std::string names;
      for (const std::uint32_t contact : report.dependent)
        names += (names.empty() ? "" : ", ") + system.contact_name(contact);
      return fmt::format(
          "form kappa needs an inverse of G, and the rows of {} depend on those of other contacts; form "
          "lambda does without",
          names);
    }
    case StepStatus::events_accumulate: return fmt::format("events{} follow each other and time stands still", where);
    case StepStatus::smooth_motion_fails:
      return "the steps of the smooth motion became too small (a reservoir with flats, or forces that jump)";
    case StepStatus::gap_law_not_plain:
      return fmt::format(
          "method event needs a law for gap' by itself, but{} it is scaled, compliant or together with "
          "other velocities",
          where);
    default: return "method event needs kernels of the acceleration level";
  }
}

std::string describe_failure(const System& system, const StepReport& report, std::uint64_t step, double t) {
  std::string where;
  if (report.block != nobody && system.blocks().size() > 1)
    where = fmt::format(" in block {}", system.block_name(report.block));
  if (report.contact != nobody) where = fmt::format(" in contact {}", system.contact_name(report.contact));
  if (report.status >= StepStatus::no_accelerations) {
    return fmt::format("at t = {:.9g}, {}", report.failure_time, describe_event_failure(system, report, where));
  }
  const char* what = report.status == StepStatus::mass_not_positive_definite
                         ? "the mass matrix is not positive definite"
                         : "a value is not finite";
  return fmt::format("{}{} in step {} from t = {:.9g}", what, where, step, t);
}

}  // namespace

struct Simulation::Impl {
  const System& system;
  State& state;
  SimulationOptions options;
  Clock::time_point start = Clock::now();
  SimulationResult result;
  Workspace work;
  RowWriter rows;
  RecordingPlan plan;
  ProgressTicker ticker;
  double t_first;
  std::uint64_t n_steps = 0, step = 0;
  bool over = false;
  bool recorded = true;  // the present state
  double closed_sum = 0;

  Impl(const System& of, State& from, const SimulationOptions& given, Recorder& recorder)
      : system(of),
        state(from),
        options(given),
        work(of),
        rows(of, work, options, recorder, result.summary),
        plan(options, from.t),
        ticker(options),
        t_first(from.t) {}

  void end(EndReason reason, std::string message) {
    result.reason = reason;
    result.message = std::move(message);
    over = true;
  }

  void sum_up(const StepReport& report);
};

Simulation::Simulation(const System& system, State& state, const SimulationOptions& options, Recorder& recorder)
    : impl_(std::make_unique<Impl>(system, state, options, recorder)) {
  Impl& run = *impl_;
  if (std::string fault = find_wrong_option(system, state, options); !fault.empty()) {
    run.end(EndReason::invalid_options, std::move(fault));
    return;
  }
  const double span = options.until - run.t_first;
  run.n_steps = static_cast<std::uint64_t>(std::max(0.0, std::ceil(span / options.step - 1e-9)));
  state.dt = 0;
  if (system.n_positions() > 0) make_consistent(system, run.work, state, run.result.summary);
  run.rows.write(state);
}

Simulation::~Simulation() = default;

Workspace& Simulation::work() { return impl_->work; }

std::optional<double> Simulation::next_step() {
  Impl& run = *impl_;
  if (run.over || run.step == run.n_steps) return std::nullopt;
  const SimulationOptions& options = run.options;
  if (options.stop != nullptr && options.stop->load(std::memory_order_relaxed)) {
    run.end(EndReason::interrupted, fmt::format("interrupted after {} steps at t = {:.9g}", run.step, run.state.t));
    return std::nullopt;
  }
  return run.step + 1 == run.n_steps ? options.until - run.state.t : options.step;
}

void Simulation::Impl::sum_up(const StepReport& report) {
  Summary& summary = result.summary;
  summary.steps = step;
  summary.internal_steps += report.internal_steps;
  summary.evaluations += report.evaluations;
  for (std::size_t kind = 0; kind < n_event_kinds; ++kind) summary.events[kind] += report.events[kind];
  if (report.n_closed > 0) {
    ++summary.steps_with_contact;
    summary.closed_max = std::max(summary.closed_max, report.n_closed);
    summary.iterations_max = std::max(summary.iterations_max, report.iterations);
    closed_sum += report.n_closed;
    summary.iterations_total += static_cast<std::uint64_t>(report.iterations);
    summary.newton_steps += static_cast<std::uint64_t>(report.newton_steps);
    if (report.residual > summary.worst_residual || (summary.worst_contact == nobody)) {
      summary.worst_residual = report.residual;
      summary.worst_time = state.t;
      summary.worst_contact = report.contact;
    }
    if (!report.converged) ++summary.unconverged_steps;
  }
  if (report.position_contact != nobody &&
      (report.position_error > summary.position_error || summary.position_contact == nobody)) {
    summary.position_error = report.position_error;
    summary.position_time = state.t;
    summary.position_contact = report.position_contact;
  }
}

bool Simulation::took_step(const StepReport& report) {
  Impl& run = *impl_;
  if (report.status != StepStatus::ok) {
    run.end(EndReason::numerical_failure, describe_failure(run.system, report, run.step + 1, run.state.t));
    return false;
  }
  const std::uint64_t k = ++run.step;
  run.state.t = k == run.n_steps ? run.options.until : run.t_first + static_cast<double>(k) * run.options.step;
  run.recorded = false;
  run.sum_up(report);
  run.ticker.tick(run.state.t, k, run.n_steps);
  if (!report.converged && run.options.strict) {
    run.end(EndReason::strict_failure,
            fmt::format(
                "the contact solver did not converge in step {} to t = {:.9g}: residual {:.3g} after {} iterations, "
                "largest in contact {}",
                k, run.state.t, report.residual, report.iterations, run.system.contact_name(report.contact)));
  }
  return run.plan.wants(k, run.state.t);
}

void Simulation::record() {
  impl_->rows.write(impl_->state);
  impl_->recorded = true;
}

SimulationResult Simulation::finish() {
  Impl& run = *impl_;
  Summary& summary = run.result.summary;
  if (run.result.reason == EndReason::invalid_options) return run.result;
  if (!run.recorded) record();
  if (summary.steps > 0) summary.closed_mean = run.closed_sum / static_cast<double>(summary.steps);
  if (summary.steps_with_contact > 0) {
    summary.iterations_mean =
        static_cast<double>(summary.iterations_total) / static_cast<double>(summary.steps_with_contact);
  }
  if (summary.worst_contact != nobody) summary.worst_contact_name = run.system.contact_name(summary.worst_contact);
  if (summary.position_contact != nobody)
    summary.position_contact_name = run.system.contact_name(summary.position_contact);
  summary.wall_seconds = seconds_since(run.start);
  return run.result;
}

SimulationResult simulate(const System& system, State& state, const SimulationOptions& options, Recorder& recorder) {
  Simulation run(system, state, options, recorder);
  const std::unique_ptr<Integrator> integrator = make_integrator(options.method, system, options.integrator);
  while (const std::optional<double> dt = run.next_step()) {
    if (run.took_step(integrator->step(system, state, run.work(), *dt, options.solver))) run.record();
  }
  return run.finish();
}

}  // namespace nsmc::rt
