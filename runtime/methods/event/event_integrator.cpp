// The integrator from event to event: a step at once, or in pieces where inputs have samples and the model has events.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/evaluation/contact_search.hpp"
#include "runtime/evaluation/model_events.hpp"
#include "runtime/methods/event/event_core.hpp"
#include "runtime/methods/event/event_driven.hpp"

namespace nsmc::rt::event {

namespace {

// Of a step, by samples of inputs and events of the model.
constexpr int most_pieces = 10000;

// Keeps what pieces of a step tell until it is known that they are taken.
class HeldEvents final : public EventSink {
 public:
  explicit HeldEvents(EventSink* to) : to_(to) {}

  void hold() { holding_ = true; }
  void drop() { held_.clear(); }
  void pass_on() {
    for (const Held& e : held_) to_->record({e.t, e.system, e.contact, e.kind, e.before, e.after, e.percussion});
    held_.clear();
    holding_ = false;
  }
  void record(const Event& event) override {
    if (!holding_) return to_->record(event);
    const auto copy = [](std::span<const double> values) { return std::vector<double>(values.begin(), values.end()); };
    held_.push_back({event.t, event.system, event.contact, event.kind, copy(event.before), copy(event.after),
                     copy(event.percussion)});
  }

 private:
  struct Held {
    double t;
    const System* system;
    std::uint32_t contact;
    EventKind kind;
    std::vector<double> before, after, percussion;
  };
  EventSink* to_;
  std::vector<Held> held_;
  bool holding_ = false;
};

class EventDriven final : public Integrator {
 public:
  explicit EventDriven(const IntegratorOptions& options)
      : options_(options), of_step_(options.events), held_(&of_step_) {
    if (options_.events != nullptr) options_.events = &held_;
  }
  EventDriven(const EventDriven&) = delete;  // what it makes tells `held_`
  EventDriven& operator=(const EventDriven&) = delete;

  StepReport step(const System& system, State& state, Workspace& work, double dt,
                  const SolverOptions& options) override {
    if (work.search == nullptr) return plain_step(system, state, work, dt, options);
    return step_among_candidates(system, state, work, dt, options);
  }

  // The modes belong to contacts that are no more; the motion begins anew, as at the start.
  void renumber(const System&, const Renumbering&) override { core_.reset(); }

  StepReport plain_step(const System& system, State& state, Workspace& work, double dt, const SolverOptions& options) {
    if (!core_ || !core_->belongs_to(system, work)) core_ = std::make_unique<EventCore>(system, work, options_);
    if (system.inputs().empty() && system.model().n_events == 0) return core_->step(state, dt, options);
    return step_with_instants(system, state, work, dt, options);
  }

  // The steps of the smooth motion are looked at once more.
  bool counts_work_cheaply() const override { return false; }

  void remember(const System& system, Workspace& work, Memory& memory) override {
    bool begun = core_ != nullptr;
    memory(begun);
    if (!begun) return;
    if (!memory.saving()) core_ = std::make_unique<EventCore>(system, work, options_);
    core_->remember(memory);
  }

 private:
  StepReport step_with_instants(const System& system, State& state, Workspace& work, double dt,
                                const SolverOptions& options);

  // The gaps of the candidates are looked at all along the step, which must not leave their surroundings. Events of a
  // step that is done again are not told twice.
  StepReport step_among_candidates(const System& system, State& state, Workspace& work, double dt,
                                   const SolverOptions& options) {
    const auto covered = [&] { return work.search->covers(system, work, state.t, state.q.data()); };
    StepReport report;
    report.status = StepStatus::beyond_candidates;
    if (!covered()) return report;
    const State before = state;
    of_step_.hold();
    report = plain_step(system, state, work, dt, options);
    if (report.status == StepStatus::ok && !covered()) {
      report = {};
      report.status = StepStatus::beyond_candidates;
    }
    if (report.status == StepStatus::beyond_candidates) {
      state = before;
      core_.reset();
      of_step_.drop();
    }
    of_step_.pass_on();
    return report;
  }

  IntegratorOptions options_;
  HeldEvents of_step_, held_;  // of the whole, and of a piece
  std::unique_ptr<EventCore> core_;
};

// Of a step that was done in pieces.
void add_piece(StepReport& whole, const StepReport& piece, const State& state, std::vector<double>& impulse) {
  const StepReport before = whole;
  whole = piece;
  whole.n_closed = std::max(piece.n_closed, before.n_closed);
  whole.iterations += before.iterations;
  whole.newton_steps += before.newton_steps;
  whole.internal_steps += before.internal_steps;
  whole.evaluations += before.evaluations;
  whole.converged = piece.converged && before.converged;
  for (std::size_t k = 0; k < whole.events.size(); ++k) whole.events[k] += before.events[k];
  if (before.residual > piece.residual) {
    whole.residual = before.residual;
    whole.contact = before.contact;
  }
  whole.position_error = std::max(piece.position_error, before.position_error);
  impulse.resize(state.impulse.size(), 0);
  for (std::size_t k = 0; k < impulse.size(); ++k) impulse[k] += state.impulse[k];
}

// The step in pieces that end where inputs have a sample and where events of the model are due. An instant within a
// piece is found by halving: the piece is done again from its beginning, up to half of what is left of it, until it is
// as short as rounding makes it.
StepReport EventDriven::step_with_instants(const System& system, State& state, Workspace& work, double dt,
                                           const SolverOptions& options) {
  ModelEvents events(system);
  const State start = state;
  const double t_end = state.t + dt, rounding = 1e-12 * std::max(std::abs(t_end), dt);
  StepReport whole;
  std::vector<double> impulse;
  for (int pieces = 0; t_end - state.t > rounding; ++pieces) {
    double end = std::min(t_end, events.any() ? events.next_instant(state) : t_end);
    for (const InputSamples& input : system.inputs()) end = std::min(end, input.next_time(state.t));
    if (end - state.t <= rounding) end = std::min(t_end, state.t + 2 * rounding);
    if (t_end - end <= rounding) end = t_end;
    const State before = state;
    held_.hold();
    StepReport report = core_->step(state, end - before.t, options);
    if (report.status != StepStatus::ok) {
      held_.pass_on();
      state = start;
      return report;
    }
    if (events.any() && events.holds_anew(work, state)) {
      // Nothing is due at `low`, something at `high`.
      double low = before.t, high = end;
      while (high - low > rounding) {
        const double middle = low + (high - low) / 2;
        state = before;
        held_.drop();
        report = core_->step(state, middle - before.t, options);
        if (report.status != StepStatus::ok) {
          state = start;
          return report;
        }
        (events.holds_anew(work, state) ? high : low) = middle;
      }
      state = before;
      held_.drop();
      report = core_->step(state, high - before.t, options);
      if (report.status != StepStatus::ok) {
        state = start;
        return report;
      }
      end = high;
    }
    held_.pass_on();
    state.t = end;
    add_piece(whole, report, state, impulse);
    system.settle_inputs(state.t, state.q.data());
    // What is due at the end of the step is left to the run, which tells of it.
    if (!events.any() || t_end - state.t <= rounding) continue;
    const ModelEvents::Outcome outcome = events.act(work, state);
    if (outcome.stop != NSM_NONE) break;  // the run sees it, too
    if (pieces == most_pieces) {
      state = start;
      whole.failure_time = t_end;
      return failure({StepStatus::events_accumulate, NSM_NONE, NSM_NONE}, whole);
    }
  }
  state.impulse = impulse;
  state.dt = dt;
  return whole;
}

}  // namespace

std::unique_ptr<Integrator> make_event_driven(const IntegratorOptions& options) {
  return std::make_unique<EventDriven>(options);
}

}  // namespace nsmc::rt::event
