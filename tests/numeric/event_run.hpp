// Runs a model from event to event and keeps the events.
#pragma once

#include <string>
#include <vector>

#include "run_model.hpp"

namespace nsmc::test {

struct LoggedEvent {
  double t;
  std::uint32_t contact;
  rt::EventKind kind;
  Column before, after;
};

class EventList final : public rt::EventSink {
 public:
  void record(const rt::Event& e) override {
    events.push_back({e.t, e.contact, e.kind, {e.before.begin(), e.before.end()}, {e.after.begin(), e.after.end()}});
  }

  std::vector<LoggedEvent> of(rt::EventKind kind) const {
    std::vector<LoggedEvent> found;
    for (const LoggedEvent& e : events) {
      if (e.kind == kind) found.push_back(e);
    }
    return found;
  }

  std::vector<LoggedEvent> events;
};

struct EventRun {
  Trajectory run;
  EventList log;
};

inline EventRun run_events(Model& model, const Overrides& overrides = {}, RunSettings settings = {}) {
  EventList log;
  settings.method = rt::Method::event;
  settings.integrator.events = &log;
  Trajectory run = model.run(overrides, settings);
  return {std::move(run), std::move(log)};
}

}  // namespace nsmc::test
