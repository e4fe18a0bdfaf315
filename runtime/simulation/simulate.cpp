// The loop over the steps.
#include "runtime/simulation/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "runtime/evaluation/projection.hpp"
#include "runtime/methods/make_integrator.hpp"
#include "runtime/solvers/set_extents.hpp"

namespace nsmc::rt {

namespace {

using Clock = std::chrono::steady_clock;

// Steps between two looks at whether the run should end.
constexpr std::uint64_t longest_stretch = 1024;

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

  // The next step that is wanted, when `done` steps are done.
  std::uint64_t next_wanted(std::uint64_t done) const {
    if (options_.record_dt > 0) {
      const double wanted = static_cast<double>(next_) * options_.record_dt, allowance = 1e-9 * options_.step;
      auto step = std::max(done + 1, static_cast<std::uint64_t>(std::max(0.0, wanted / options_.step - 2)));
      while (t_first_ + static_cast<double>(step) * options_.step < t_first_ + wanted - allowance) ++step;
      return step;
    }
    if (options_.record_every == 0) return std::numeric_limits<std::uint64_t>::max();
    return (done / options_.record_every + 1) * options_.record_every;
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

void fill_in(const ContactTally& tally, Summary& summary) {
  summary.steps_with_contact = tally.steps;
  summary.closed_max = tally.closed_max;
  summary.iterations_max = tally.iterations_max;
  summary.iterations_total = tally.iterations;
  summary.worst_residual = tally.worst_residual;
  summary.worst_contact = tally.worst_contact;
  if (summary.steps > 0) summary.closed_mean = static_cast<double>(tally.closed) / static_cast<double>(summary.steps);
  const std::uint64_t solved = tally.steps - tally.without_problem;
  if (solved > 0) summary.iterations_mean = static_cast<double>(tally.iterations) / static_cast<double>(solved);
}

// What only event-driven integration meets.
std::string describe_event_failure(const System& system, const StepReport& report, const std::string& where) {
  switch (report.status) {
    case StepStatus::no_accelerations:
      return fmt::format(
          "the contact solver did not converge to accelerations that satisfy the laws{} (residual {:.2g} after {} "
          "iterations){}",
          where, report.residual, report.iterations,
          report.solution_exists
              ? ""
              : "; since limits of friction depend on forces, there may be none, as in the examples of Painleve");
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
      return "the steps of the smooth motion became too small (forces that jump, or that turn too fast where slip "
             "begins)";
    case StepStatus::gap_law_not_plain:
      return fmt::format(
          "method event needs a law for gap' by itself, but{} it is scaled, compliant or together with "
          "other velocities",
          where);
    default: return "method event needs kernels of the acceleration level";
  }
}

// Of the contact, in the problem that was solved last; 0 if its sets are as they should be.
double negative_extent_of(const ContactProblem& problem, std::uint32_t contact) {
  for (const SetBlock& s : problem.sets) {
    const ContactRows& rows = problem.contacts[s.contact];
    if (rows.contact != contact) continue;
    const double* arguments = problem.arguments.data() + rows.first_argument + s.set->first_argument;
    const double extent = negative_extent(s.set->kind, arguments, s.set->n_arguments, 0);
    if (extent < 0) return extent / problem.dt;
  }
  return 0;
}

std::string describe_failure(const System& system, const Workspace& work, const StepReport& report, std::uint64_t step,
                             double t) {
  std::string where;
  if (report.block != NSM_NONE && system.blocks().size() > 1)
    where = fmt::format(" in block {}", system.block_name(report.block));
  if (report.contact != NSM_NONE) where = fmt::format(" in contact {}", system.contact_name(report.contact));
  if (report.contact != NSM_NONE && report.status != StepStatus::mass_not_positive_definite) {
    const double extent = negative_extent_of(work.problem, report.contact);
    if (extent < 0) {
      return fmt::format(
          "the set of a law has the negative extent {:.4g}{} in step {} from t = {:.9g}: a friction coefficient or "
          "limit "
          "is not negative",
          extent, where, step, t);
    }
  }
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
  ContactTally tally;
  std::uint64_t longest = longest_stretch;

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

  void interrupt() {
    end(EndReason::interrupted, fmt::format("interrupted after {} steps at t = {:.9g}", step, state.t));
  }

  double time_of(std::uint64_t k) const {
    return k == n_steps ? options.until : t_first + static_cast<double>(k) * options.step;
  }

  void sum_up(const StepReport& report);
  bool take_stretch(Integrator& integrator);
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
    run.interrupt();
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
  tally.add(report, step);
  if (report.n_closed > 0) {
    summary.newton_steps += static_cast<std::uint64_t>(report.newton_steps);
    if (!report.converged) ++summary.unconverged_steps;
  }
  if (report.position_contact != NSM_NONE &&
      (report.position_error > summary.position_error || summary.position_contact == NSM_NONE)) {
    summary.position_error = report.position_error;
    summary.position_time = state.t;
    summary.position_contact = report.position_contact;
  }
}

bool Simulation::took_step(const StepReport& report) {
  Impl& run = *impl_;
  if (report.status == StepStatus::interrupted) {
    run.interrupt();
    return false;
  }
  if (report.status != StepStatus::ok) {
    run.end(EndReason::numerical_failure, describe_failure(run.system, run.work, report, run.step + 1, run.state.t));
    return false;
  }
  const std::uint64_t k = ++run.step;
  run.state.t = run.time_of(k);
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
  fill_in(run.tally, summary);
  if (run.tally.worst_contact != NSM_NONE) {
    summary.worst_time = run.time_of(run.tally.worst_step);
    summary.worst_contact_name = run.system.contact_name(run.tally.worst_contact);
  }
  if (summary.position_contact != NSM_NONE)
    summary.position_contact_name = run.system.contact_name(summary.position_contact);
  summary.wall_seconds = seconds_since(run.start);
  return run.result;
}

// Steps up to the next row at once, where the integrator can, but for the last one, which has a length of its own.
bool Simulation::Impl::take_stretch(Integrator& integrator) {
  if (step + 1 >= n_steps) return false;
  const std::uint64_t end = std::min({plan.next_wanted(step), n_steps - 1, step + longest});
  const Stretch stretch{t_first, options.step, step, end - step};
  const std::uint64_t n = integrator.advance(system, state, work, stretch, options.solver, tally);
  if (n == 0) {
    longest = std::max<std::uint64_t>(stretch.steps / 2, 1);  // trouble ahead: it is found step by step
    return false;
  }
  step += n;
  longest = std::min(2 * longest, longest_stretch);
  result.summary.steps = step;
  recorded = plan.wants(step, state.t);
  if (recorded) rows.write(state);
  ticker.tick(state.t, step, n_steps);
  return true;
}

bool Simulation::go_on(Integrator& integrator) {
  const std::optional<double> dt = next_step();
  if (!dt) return false;
  Impl& run = *impl_;
  if (run.take_stretch(integrator)) return true;
  if (took_step(integrator.step(run.system, run.state, run.work, *dt, run.options.solver))) record();
  return true;
}

SimulationResult simulate(const System& system, State& state, const SimulationOptions& options, Recorder& recorder) {
  Simulation run(system, state, options, recorder);
  IntegratorOptions own = options.integrator;
  own.stop = options.stop;
  const std::unique_ptr<Integrator> integrator = make_integrator(options.method, system, own);
  while (run.go_on(*integrator)) {
  }
  return run.finish();
}

}  // namespace nsmc::rt
