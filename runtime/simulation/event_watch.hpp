// Events of the model in a run: what is due after a step, whether it ends the run, and whether events come to no rest.
#pragma once

#include <cstdint>

#include "runtime/evaluation/model_events.hpp"
#include "runtime/simulation/simulate.hpp"

namespace nsmc::rt {

class EventWatch {
 public:
  explicit EventWatch(const System& system) : system_(&system), events_(system) {}

  bool any() const { return events_.any(); }
  // True: a `stop when` ends the run, as the summary says.
  bool look(Workspace& work, State& state, Summary& summary, bool at_start);

  void remember(Memory& memory) { memory(in_a_row_); }

 private:
  const System* system_;
  ModelEvents events_;
  std::uint64_t in_a_row_ = 0;  // steps with events one after the other
};

}  // namespace nsmc::rt
