#include "runtime/simulation/event_watch.hpp"

namespace nsmc::rt {

namespace {

// Steps with events one after the other that are no accident.
constexpr std::uint64_t many_in_a_row = 50;

}  // namespace

bool EventWatch::look(Workspace& work, State& state, Summary& summary, bool at_start) {
  const ModelEvents::Outcome outcome = at_start ? events_.begin(work, state) : events_.act(work, state);
  if (outcome.chatters != NSM_NONE) summary.warnings.add(WarningKind::events_chatter, state.t, 2, 1, outcome.chatters);
  // What happens every so often may well do so in every step.
  const bool timed = outcome.last != NSM_NONE && system_->model().events[outcome.last].kind == NSM_EVERY;
  in_a_row_ = outcome.fired > 0 && !timed ? in_a_row_ + 1 : 0;
  if (in_a_row_ == many_in_a_row) summary.warnings.add(WarningKind::events_chatter, state.t, 1, 1, outcome.last);
  if (outcome.stop == NSM_NONE) return false;
  summary.stopped = true;
  summary.stop_time = state.t;
  summary.stopped_by = system_->model().events[outcome.stop].text;
  return true;
}

}  // namespace nsmc::rt
