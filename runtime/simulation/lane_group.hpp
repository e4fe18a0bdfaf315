// Runs of one model that go on together, a run in every lane: as a run ends, the next takes its lane.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "runtime/methods/integrator.hpp"
#include "runtime/simulation/simulate.hpp"
#include "runtime/small/lane_step.hpp"

namespace nsmc::rt {

// A run as its owner has it: everything lives until the run has ended.
struct LaneRun {
  const System* system = nullptr;
  State* state = nullptr;
  Simulation* simulation = nullptr;
  const SolverOptions* solver = nullptr;
};

class LaneGroup {
 public:
  // `system` is one of the model's, which fits lanes; it is not kept.
  LaneGroup(const System& system, const nsm_lane_model& kernels);

  unsigned lanes() const { return step_->lanes(); }
  unsigned running() const { return running_; }

  // Takes a free lane; returns which.
  unsigned start(const LaneRun& run);

  // Steps until one of the runs is over, whose lane is free then and whose state is up to date, for `most` steps at
  // the longest. Something must be running. `alone`: no further run is waiting for a lane. A few runs are then faster
  // one by one, where that does not change results.
  std::optional<unsigned> run(std::uint64_t most, bool alone);

 private:
  struct Lane {
    LaneRun run;
    std::unique_ptr<Integrator> integrator;  // for single steps
    bool busy = false;
  };

  unsigned end(unsigned lane);
  std::optional<unsigned> run_one(std::uint64_t most);
  void step_alone(unsigned lane, double dt);

  std::unique_ptr<LaneStep> step_;
  bool exact_;
  std::array<Lane, max_lanes> lane_;
  std::array<StepReport, max_lanes> reports_;
  LaneValues t_, dt_;
  unsigned running_ = 0;
};

}  // namespace nsmc::rt
