#include "runtime/evaluation/model_events.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/evaluation/evaluation.hpp"
#include "runtime/view.hpp"

namespace nsmc::rt {

namespace {

// Rounds at one instant, after which events are taken to go on for ever.
constexpr int most_rounds = 100;
constexpr double same_instant = 1e-9;  // of an interval

}  // namespace

ModelEvents::ModelEvents(const System& system)
    : system_(&system), intervals_(system.model().n_events, 0), forces_(system.n_fixed_rows() + 1, 0) {
  nsm_view view{};
  view.p = system.parameters();
  std::vector<double> shared(system.model().n_shared, 0);
  view.shared = shared.data();
  if (any() && system.model().prepare != nullptr) system.model().prepare(&view, nullptr);
  for (std::uint32_t i = 0; i < intervals_.size(); ++i) {
    const nsm_event& event = system.model().events[i];
    if (event.interval != nullptr) event.interval(&view, &intervals_[i]);
  }
}

void ModelEvents::see_forces(Workspace& work, const State& state) {
  user_forces(*system_, work, state.t, state.q.data(), state.u.data(), state.Lambda.data(), state.dt, forces_.data());
}

ModelEvents::Condition ModelEvents::condition(Workspace& work, const State& state, std::uint32_t event) {
  nsm_view view = view_at(*system_, work.shared.data(), state.t);
  look_at_all(view, *system_, state.q.data(), state.u.data());
  view.lambda = forces_.data();
  double out[2] = {0, 0};
  system_->model().events[event].condition(&view, out);
  return {out[0] != 0, out[1]};
}

// The k-th instant is at k intervals; the state remembers how many there were.
bool ModelEvents::due_in_time(const State& state, std::uint32_t event) const {
  const double interval = intervals_[event];
  return interval > 0 && state.t >= (state.events[event] - same_instant) * interval;
}

double ModelEvents::next_instant(const State& state) const {
  double next = std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < intervals_.size(); ++i) {
    if (intervals_[i] > 0) next = std::min(next, state.events[i] * intervals_[i]);
  }
  return next;
}

bool ModelEvents::holds_anew(Workspace& work, const State& state) {
  see_forces(work, state);
  for (std::uint32_t i = 0; i < intervals_.size(); ++i) {
    const bool timed = system_->model().events[i].kind == NSM_EVERY;
    if (!timed && state.events[i] == 0 && condition(work, state, i).holds) return true;
  }
  return false;
}

void ModelEvents::fire(Workspace& work, State& state, std::uint32_t number) {
  const nsm_event& event = system_->model().events[number];
  if (event.action == nullptr) return;
  nsm_view view = view_at(*system_, work.shared.data(), state.t);
  look_at_all(view, *system_, state.q.data(), state.u.data());
  view.lambda = forces_.data();
  values_.resize(event.n_targets);
  event.action(&view, values_.data());
  const std::uint32_t n_z = system_->n_z();
  for (std::uint32_t k = 0; k < event.n_targets; ++k) {
    const std::uint32_t target = event.targets[k];
    (target < n_z ? state.q[system_->first_z() + target] : state.u[target - n_z]) = values_[k];
  }
}

// What an event has made false may become true anew at the same instant.
void ModelEvents::forget_what_ended(Workspace& work, State& state) {
  for (std::uint32_t i = 0; i < intervals_.size(); ++i) {
    if (system_->model().events[i].kind == NSM_WHEN && state.events[i] != 0 && !condition(work, state, i).holds)
      state.events[i] = 0;
  }
}

ModelEvents::Outcome ModelEvents::go_round(Workspace& work, State& state, bool first) {
  Outcome outcome;
  see_forces(work, state);
  for (int round = 0;; ++round) {
    bool again = false;
    for (std::uint32_t i = 0; i < intervals_.size(); ++i) {
      const nsm_event& event = system_->model().events[i];
      double& remembered = state.events[i];
      if (event.kind == NSM_EVERY) {
        if (!due_in_time(state, i)) continue;
        remembered = std::max(remembered + 1, std::floor(state.t / intervals_[i] + same_instant) + 1);
      } else {
        const bool held = remembered != 0, holds = condition(work, state, i).holds;
        remembered = holds ? 1 : 0;
        if (!holds) continue;
        if (event.kind == NSM_STOP) {
          outcome.stop = std::min(outcome.stop, i);
          continue;
        }
        if (held || (first && round == 0)) continue;
      }
      fire(work, state, i);
      forget_what_ended(work, state);
      ++outcome.fired;
      outcome.last = i;
      again = true;
    }
    if (!again) return outcome;
    if (round == most_rounds) {
      outcome.chatters = outcome.last;
      return outcome;
    }
  }
}

ModelEvents::Outcome ModelEvents::begin(Workspace& work, State& state) { return go_round(work, state, true); }
ModelEvents::Outcome ModelEvents::act(Workspace& work, State& state) { return go_round(work, state, false); }

}  // namespace nsmc::rt
