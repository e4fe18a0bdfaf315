// The loop over the steps.
#include "runtime/simulation/simulate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "runtime/evaluation/contact_search.hpp"
#include "runtime/methods/make_integrator.hpp"
#include "runtime/simulation/contact_watch.hpp"
#include "runtime/simulation/event_watch.hpp"
#include "runtime/simulation/failure_text.hpp"
#include "runtime/simulation/pass_watch.hpp"
#include "runtime/simulation/recording_plan.hpp"
#include "runtime/simulation/stable_step.hpp"
#include "runtime/simulation/start.hpp"
#include "runtime/tables/table.hpp"

namespace nsmc::rt {

namespace {

using Clock = std::chrono::steady_clock;

// Times that differ by less than this part of a step are one.
constexpr double same_time = 1e-9;

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
  if (options.method == Method::event && system.has_switches())
    return "method event does not know contacts and joints that are switched by `while`";
  if (options.method == Method::event && system.model().rates_read_forces != 0)
    return "method event does not know states whose rates depend on contact forces";
  if (options.integrator.accuracy > 0 && !system.families().empty())
    return "steps by accuracy look at every contact of the model, and contacts that come and go are too many for that; "
           "leave `accuracy` out and give a step";
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
    follow(row[energy_column_]);
  }

  // A state whose row is elsewhere.
  void pass(const State& state) { follow(observation_.energy(state, work_)); }

  double energy(const State& state) const { return observation_.energy(state, work_); }

  // How many states were followed so far, here or before the run was saved.
  std::uint64_t followed() const { return rows_; }
  void go_on_from(std::uint64_t followed) { rows_ = followed; }

 private:
  void follow(double energy) {
    if (rows_ == 0) summary_.energy_first = summary_.energy_min = summary_.energy_max = energy;
    summary_.energy_last = energy;
    summary_.energy_min = std::min(summary_.energy_min, energy);
    summary_.energy_max = std::max(summary_.energy_max, energy);
    ++rows_;
  }

  Observation observation_;
  std::uint32_t energy_column_;
  Workspace& work_;
  Recorder& recorder_;
  Summary& summary_;
  std::uint64_t rows_ = 0;
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

}  // namespace

struct Simulation::Impl {
  static constexpr int most_tries = 20;  // with more candidates each

  System system;
  State& state;
  SimulationOptions options;
  Clock::time_point start = Clock::now();
  SimulationResult result;
  Workspace work;
  std::optional<ContactSearch> search;
  Integrator* stepping = nullptr;  // who took the last step
  RowWriter rows;
  RecordingPlan plan;
  ProgressTicker ticker;
  double t_first;
  std::uint64_t n_steps = 0, step = 0;
  bool ends_between_times = false;  // the last step is shorter
  bool over = false;
  bool recorded = true;  // the present state
  ContactTally tally;
  std::optional<WorkAccount> account;
  bool asked_for_account = false;  // the integrator was, whether it is cheap
  EventWatch events;
  EnergyWatch growth;
  PassWatch passes;
  ContactWatch depths;
  std::uint64_t longest = longest_stretch;  // changes how fast steps are done, and no bit of them

  Impl(const System& of, State& from, const SimulationOptions& given, Recorder& recorder)
      : system(of),
        state(from),
        options(given),
        work(system),
        search(first_search()),
        rows(system, work, options, recorder, result.summary),
        plan(plan_from(from.t)),
        ticker(options),
        t_first(from.t),
        events(system),
        // Event-driven integration looks at minima of gaps itself, and steps by accuracy end where a gap would close;
        // the watch knows the ends of a step of the run only.
        passes(system, given.method == Method::event || given.integrator.accuracy > 0 ? std::vector<std::uint8_t>{}
                                                                                      : given.passable),
        depths(system, given.method == Method::moreau || given.method == Method::rk,
               given.stabilises && !(given.integrator.accuracy > 0)) {}

  // With the candidates of the state at the start; a run that goes on has them already, and its search.
  std::optional<ContactSearch> first_search() {
    if (system.families().empty()) return std::nullopt;
    std::optional<ContactSearch> made(std::in_place, system);
    if (!system.candidates().empty() || !state.fits(system)) return made;
    const Renumbering contacts = system.set_candidates(made->find(system, work, state.t, state.q.data(), {}));
    state.renumber(contacts);
    work.renumber(system, contacts);
    return made;
  }

  // Candidates around the present state, and whoever keeps something by contact is told.
  void search_anew() {
    std::vector<Candidate> kept;
    for (const std::uint32_t contact : named_contacts()) {
      if (contact >= system.n_fixed() && contact < system.contacts().size())
        kept.push_back(system.candidates()[contact - system.n_fixed()]);
    }
    std::vector<Candidate> found = search->find(system, work, state.t, state.q.data(), kept);
    if (std::equal(found.begin(), found.end(), system.candidates().begin(), system.candidates().end())) return;
    const Renumbering contacts = system.set_candidates(std::move(found));
    state.renumber(contacts);
    work.renumber(system, contacts);
    depths.renumber(system, contacts);
    contacts.number(tally.worst_contact);
    result.summary.warnings.renumber(contacts);
    if (stepping != nullptr) stepping->renumber(system, contacts);
  }

  // Those that somebody speaks of keep their places: who watches how they sink, or the end of the run.
  std::vector<std::uint32_t> named_contacts() const {
    std::vector<std::uint32_t> named{tally.worst_contact};
    depths.add_contacts(named);
    result.summary.warnings.add_contacts(named);
    return named;
  }

  void step_by(Integrator& integrator) {
    if (stepping == &integrator) return;
    stepping = &integrator;
    if (search) stepping->renumber(system, {});  // it may have been made before the first search
  }

  // A step, done again with more candidates where shapes go further than the search had looked.
  StepReport take_step(double dt) {
    if (search) search->begin_step();
    for (int tries = 1;; ++tries) {
      if (account) account->begin_step();
      const StepReport report = stepping->step(system, state, work, dt, options.solver);
      if (report.status != StepStatus::beyond_candidates || tries == most_tries) return report;
      search_anew();
    }
  }

  RecordingPlan plan_from(double t) const { return {options.record_every, options.record_dt, options.step, t}; }

  // The search and the workspace know each other.
  void begin_search() { work.search = search ? &*search : nullptr; }

  // False: an option is wrong, and the run is over. n_steps follows from where the times begin.
  bool begin() {
    tables::take_left();  // of a run before
    if (std::string fault = find_wrong_option(system, state, options); !fault.empty()) {
      end(EndReason::invalid_options, std::move(fault));
      return false;
    }
    const double span = options.until - t_first;
    n_steps = static_cast<std::uint64_t>(std::max(0.0, std::ceil(span / options.step - same_time)));
    const double last = t_first + static_cast<double>(n_steps) * options.step;
    ends_between_times = std::abs(options.until - last) > same_time * options.step;
    return true;
  }

  // Everything that the run itself has to know; what belongs to an older step is not taken over.
  void remember(Memory& memory) {
    double t_began = t_first, dt = options.step;
    std::uint64_t done = step;
    Method method = options.method;
    memory(method, dt, t_began, done);
    if (method != options.method) throw SavedRunError("the run was saved by another method");
    SimulationResult counted = result;
    ContactTally tallied = tally;
    bool was_recorded = recorded;
    std::uint64_t followed = rows.followed();
    EnergyWatch grown = growth;
    PassWatch passed = passes;
    ContactWatch deep = depths;
    memory(was_recorded, counted.summary, tallied, followed, grown, passed, deep, events);
    if (memory.saving() || dt != options.step) return;
    growth = grown;
    passes = passed;
    depths = deep;
    t_first = t_began;
    step = done;
    state.t = t_first + static_cast<double>(step) * dt;
    result.summary = counted.summary;
    tally = tallied;
    recorded = was_recorded;
    rows.go_on_from(followed);
  }

  void end(EndReason reason, std::string message) {
    result.reason = reason;
    result.message = std::move(message);
    over = true;
  }

  // A strict run ends with its first warning.
  void end_strictly() {
    const Warning first = result.summary.warnings.words(system, options.columns).front();
    const std::string where = step == 0 ? "at the start" : fmt::format("in step {} at t = {:.9g}", step, state.t);
    end(EndReason::strict_failure, fmt::format("ended by strict {}: {}: {}", where, first.code, first.message));
  }

  void interrupt() {
    end(EndReason::interrupted, fmt::format("interrupted after {} steps at t = {:.9g}", step, state.t));
  }

  double time_of(std::uint64_t k) const {
    return k == n_steps ? options.until : t_first + static_cast<double>(k) * options.step;
  }

  void count_work() {
    if (!account) account.emplace(system, work, state, rows.energy(state));
    work.account = &*account;
  }
  bool must_count_work() const { return options.parts.work || options.count_work == SimulationOptions::CountWork::yes; }

  // With the energy, which changes while a run is saved if its parameters do.
  void remember_account(Memory& memory) {
    double energy = rows.energy(state);
    memory(*account, energy);
    if (!memory.saving()) account->go_on_with(system, work, state, energy, rows.energy(state));
  }

  void write_row() {
    rows.write(state);
    watch_energy();
  }

  // A step beyond stability: energy that has grown tenfold, and an oscillation that the step does not resolve. Grown
  // energy alone says nothing, motors and forces may give it. At the border itself it grows, too, as a power of time.
  void watch_energy() {
    const double energy = std::abs(result.summary.energy_last);
    if (!growth.has_grown(energy) || options.method == Method::event) return;
    const double stable = largest_stable_step(system, work, state, options.method, options.integrator);
    if (!(options.step > 0.999 * stable)) return;
    result.summary.warnings.add(WarningKind::unstable_step, state.t, growth.growth(energy), stable);
    if (options.strict && !over) end_strictly();
  }

  // After some steps: how deep contacts are, and positions of those that sink.
  void look() {
    if (step != depths.next()) return;
    if (search && !search->covers(system, work, state.t, state.q.data())) search_anew();
    const double energy = rows.energy(state);
    if (search) search->begin_step();
    depths.look(system, work, state, energy, step);
    for (int tries = 1; depths.went_beyond() && tries < most_tries; ++tries) {
      search_anew();
      depths.correct_again(system, work, state);
    }
    if (!account || depths.lifts().empty()) return;
    const double lifted = rows.energy(state) - energy;
    for (const ContactWatch::Lift& lift : depths.lifts())
      account->give_back(system, system.contacts()[lift.contact], lift.share * lifted);
  }

  // Events of the model that are due now; one of them may end the run.
  void look_for_events(bool at_start = false) {
    if (events.any() && !over) over = events.look(work, state, result.summary, at_start);
  }

  void sum_up(const StepReport& report);
  bool take_stretch(Integrator& integrator, std::uint64_t most);
};

Simulation::Simulation(const System& of, State& state, const SimulationOptions& options, Recorder& recorder)
    : impl_(std::make_unique<Impl>(of, state, options, recorder)) {
  Impl& run = *impl_;
  run.begin_search();
  const System& system = run.system;
  if (!run.begin()) return;
  state.dt = 0;
  Summary& summary = run.result.summary;
  const StartErrors errors = make_consistent(system, run.work, state, summary.warnings);
  summary.position_error_first = errors.position;
  summary.velocity_error_first = errors.velocity;
  if (!errors.contradictory.empty())
    run.end(EndReason::numerical_failure, describe_contradiction(system, errors.contradictory));
  close_touching(system, run.work, state);
  run.passes.look(system, run.work, state, 0, options.step, summary.warnings);
  run.depths.begin(system, run.work, state);
  run.look_for_events(true);
  if (run.must_count_work()) run.count_work();
  run.write_row();
  if (options.strict && !run.over && summary.warnings.any()) run.end_strictly();
}

namespace {

// By their names in a SavedRun.
constexpr const char *state_block = "state", *workspace_block = "workspace", *run_block = "run",
                     *method_block = "method", *account_block = "work", *candidates_block = "candidates",
                     *search_block = "search";

// With the candidates that were there.
System restored_system(const System& system, const SavedRun& from) {
  System restored = system;
  if (system.families().empty()) return restored;
  std::vector<Candidate> candidates;
  restore_block(from, candidates_block, [&](Memory& memory) { memory.sized(candidates); });
  for (const Candidate& candidate : candidates) {
    if (candidate.family >= system.families().size()) throw SavedRunError("there are other families of contacts");
  }
  restored.set_candidates(std::move(candidates));
  return restored;
}

State restored_state(const System& system, const SavedRun& from) {
  State state(system);
  restore_block(from, state_block, [&](Memory& memory) { state.remember(memory); });
  return state;
}

}  // namespace

Simulation::Simulation(const System& system, State& state, const SimulationOptions& options, Recorder& recorder,
                       const SavedRun& from, Integrator& integrator) {
  const System restored = restored_system(system, from);
  state = restored_state(restored, from);
  impl_ = std::make_unique<Impl>(restored, state, options, recorder);
  Impl& run = *impl_;
  run.begin_search();
  if (run.search) restore_block(from, search_block, [&](Memory& memory) { run.search->remember(memory); });
  restore_block(from, run_block, [&](Memory& memory) { run.remember(memory); });
  run.plan = run.plan_from(run.t_first);
  run.plan.skip_to(state.t);
  if (!run.begin()) return;
  if (run.n_steps < run.step) {
    run.end(EndReason::invalid_options,
            fmt::format("the saved state is at t = {:.9g}, beyond the end {:.9g}", state.t, options.until));
    return;
  }
  restore_block(from, workspace_block, [&](Memory& memory) { run.work.remember(memory); });
  if (run.must_count_work() || from.find(account_block) != nullptr) run.count_work();
  if (from.find(account_block) != nullptr)
    restore_block(from, account_block, [&](Memory& memory) { run.remember_account(memory); });
  run.step_by(integrator);
  restore_block(from, method_block, [&](Memory& memory) { integrator.remember(run.system, run.work, memory); });
  if (run.rows.followed() == 0) run.rows.pass(state);
}

SavedRun Simulation::save(Integrator& integrator) {
  Impl& run = *impl_;
  SavedRun saved;
  if (run.search) {
    std::vector<Candidate> candidates(run.system.candidates().begin(), run.system.candidates().end());
    save_block(saved, candidates_block, [&](Memory& memory) { memory.sized(candidates); });
    save_block(saved, search_block, [&](Memory& memory) { run.search->remember(memory); });
  }
  save_block(saved, state_block, [&](Memory& memory) { run.state.remember(memory); });
  save_block(saved, workspace_block, [&](Memory& memory) { run.work.remember(memory); });
  if (!run.system.inputs().empty()) {
    std::vector<InputSamples> inputs = run.system.inputs();
    save_block(saved, inputs_block, [&](Memory& memory) { memory.sized(inputs); });
  }
  save_block(saved, run_block, [&](Memory& memory) { run.remember(memory); });
  if (run.account) save_block(saved, account_block, [&](Memory& memory) { run.remember_account(memory); });
  save_block(saved, method_block, [&](Memory& memory) { integrator.remember(run.system, run.work, memory); });
  return saved;
}

Simulation::~Simulation() = default;

Workspace& Simulation::work() { return impl_->work; }
System& Simulation::system() { return impl_->system; }

bool Simulation::looks_after_next_step() const { return impl_->step + 1 == impl_->depths.next(); }
std::uint64_t Simulation::steps() const { return impl_->step; }
bool Simulation::is_over() const { return impl_->over || impl_->step == impl_->n_steps; }
bool Simulation::is_interrupted() const { return impl_->result.reason == EndReason::interrupted; }
bool Simulation::ends_between_times() const { return impl_->ends_between_times; }

std::uint64_t Simulation::step_at(double t) const {
  const double steps = std::ceil((t - impl_->t_first) / impl_->options.step - same_time);
  return steps > 0 ? std::min(static_cast<std::uint64_t>(std::min(steps, 1e15)), impl_->n_steps) : 0;
}

std::optional<double> Simulation::next_step() {
  Impl& run = *impl_;
  if (run.over || run.step == run.n_steps) return std::nullopt;
  const SimulationOptions& options = run.options;
  if (options.stop != nullptr && options.stop->load(std::memory_order_relaxed)) {
    run.interrupt();
    return std::nullopt;
  }
  return run.ends_between_times && run.step + 1 == run.n_steps ? options.until - run.state.t : options.step;
}

void Simulation::Impl::sum_up(const StepReport& report) {
  Summary& summary = result.summary;
  summary.steps = step;
  summary.internal_steps += report.internal_steps;
  summary.evaluations += report.evaluations;
  for (std::size_t kind = 0; kind < n_event_kinds; ++kind) summary.events[kind] += report.events[kind];
  summary.rejected += report.rejected;
  summary.switches += report.switches;
  summary.forced += report.forced;
  if (report.gave_up) summary.warnings.add(WarningKind::accuracy_missed, state.t, state.dt, 1);
  if (report.longest > 0) {
    summary.shortest = summary.longest > 0 ? std::min(summary.shortest, report.shortest) : report.shortest;
    summary.longest = std::max(summary.longest, report.longest);
  }
  tally.add(report, step);
  if (report.n_closed > 0) {
    summary.newton_steps += static_cast<std::uint64_t>(report.newton_steps);
    if (!report.converged) {
      ++summary.unconverged_steps;
      summary.warnings.add(WarningKind::unconverged, state.t, report.residual, 1, report.contact);
    }
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
  const double end = run.time_of(k);
  // Event-driven integration ends at the instant of a `stop when`.
  const bool is_whole = !run.events.any() || run.state.t > end - same_time * run.options.step;
  if (is_whole) run.state.t = end;
  run.recorded = false;
  if (run.account) run.account->keep_step(run.system, run.work, run.state);
  run.sum_up(report);
  run.look_for_events();
  run.look();
  run.ticker.tick(run.state.t, k, run.n_steps);
  if (run.options.strict && run.result.summary.warnings.any()) run.end_strictly();
  return run.plan.wants(k, run.state.t);
}

void Simulation::record() {
  impl_->write_row();
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
  if (run.account) {
    summary.work = run.account->work();
    summary.energy_rest = run.account->rest(summary.energy_last);
  }
  ContactWatch& watch = run.depths;
  watch.look_last(run.system, run.work, run.state, summary.energy_last);
  summary.penetration = watch.deepest;
  summary.penetration_time = watch.deepest_time;
  if (watch.deepest_contact != NSM_NONE) summary.penetration_contact = run.system.contact_name(watch.deepest_contact);
  summary.corrections = watch.corrections;
  // A short run has been looked at once, at its end.
  summary.energy_rise = std::max(watch.energy_rise, summary.energy_last - summary.energy_first);
  summary.watched = watch.looks();
  summary.warning_words = summary.warnings.words(run.system, run.options.columns);
  summary.wall_seconds = seconds_since(run.start);
  return run.result;
}

// Steps up to the next row at once, where the integrator can, but for the last one, which has a length of its own.
bool Simulation::Impl::take_stretch(Integrator& integrator, std::uint64_t most) {
  if (step + 1 >= n_steps) return false;
  const std::uint64_t end =
      std::min({plan.next_wanted(step), n_steps - 1, step + std::min(longest, most), depths.next()});
  const Stretch stretch{t_first, options.step, step, end - step};
  const std::uint64_t n = integrator.advance(system, state, work, stretch, options.solver, tally);
  if (n == 0) {
    longest = std::max<std::uint64_t>(stretch.steps / 2, 1);  // trouble ahead: it is found step by step
    return false;
  }
  step += n;
  longest = std::min(2 * longest, longest_stretch);
  result.summary.steps = step;
  look();
  recorded = plan.wants(step, state.t);
  if (recorded) write_row();
  ticker.tick(state.t, step, n_steps);
  return true;
}

bool Simulation::go_on(Integrator& integrator, std::uint64_t most) {
  const std::optional<double> dt = next_step();
  if (!dt) return false;
  Impl& run = *impl_;
  if (!run.asked_for_account) {
    run.asked_for_account = true;
    if (run.options.count_work == SimulationOptions::CountWork::if_cheap && integrator.counts_work_cheaply())
      run.count_work();
  }
  run.step_by(integrator);
  Warnings& warnings = run.result.summary.warnings;
  if (run.account) run.account->begin_step();
  const bool stretched = run.take_stretch(integrator, std::min(most, run.passes.idle_after(run.step)));
  if (!stretched && took_step(run.take_step(*dt))) record();
  if (run.over) return true;
  run.passes.look(run.system, run.work, run.state, run.step, *dt, warnings);
  if (run.options.strict && warnings.any()) run.end_strictly();
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
