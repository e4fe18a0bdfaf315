// Events of a model: `when` a condition becomes true, `every` so often, `stop when`. A run looks for them after its
// steps, event-driven integration at the instants that it finds; what happens then is the same.
//
// All that is due happens one event after the other, in the order of the model, and then once more for what became true
// by that, until nothing is due. A condition that holds when a run begins has not become true. The first instant of
// `every` is the start.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/evaluation/workspace.hpp"
#include "runtime/state.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

class ModelEvents {
 public:
  explicit ModelEvents(const System& system);

  bool any() const { return system_->model().n_events > 0; }

  // Conditions at the start, and the first instants. Then: what is due at the state, whose signals and velocities may
  // change, and what it remembers of events.
  struct Outcome {
    std::uint32_t fired = 0;            // events that happened
    std::uint32_t stop = NSM_NONE;      // the one that ends the run
    std::uint32_t chatters = NSM_NONE;  // one that does not come to rest at this instant
    std::uint32_t last = NSM_NONE;      // the last one that happened
  };
  Outcome begin(Workspace& work, State& state);
  Outcome act(Workspace& work, State& state);

  // For those who look for the instants: whether a condition holds that has not held before, and the next instant of an
  // `every` (infinite: there is none).
  bool holds_anew(Workspace& work, const State& state);
  double next_instant(const State& state) const;

 private:
  struct Condition {
    bool holds;
    double margin;
  };
  Condition condition(Workspace& work, const State& state, std::uint32_t event);
  void see_forces(Workspace& work, const State& state);
  bool due_in_time(const State& state, std::uint32_t event) const;
  void fire(Workspace& work, State& state, std::uint32_t event);
  void forget_what_ended(Workspace& work, State& state);
  Outcome go_round(Workspace& work, State& state, bool first);

  const System* system_;
  std::vector<double> intervals_;  // by event; 0: it has none
  std::vector<double> forces_, values_;
};

}  // namespace nsmc::rt
