// Moreau's step for several runs of one small model at once, a run in every lane of SIMD registers: step.hpp with
// registers in the place of doubles and masks where runs differ (in which contacts are closed, in
// how many sweeps they take). Runs need not have the same parameters, time, step or tolerance.
//
// Every lane has the numbers that a single run has, bit by bit, if its kernels have (nsm_lane_model::exact). As the
// small step, it does the common case only: whatever else turns up in a lane is left to the step of single runs, from
// the same state.
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/evaluation/step_report.hpp"
#include "runtime/evaluation/workspace.hpp"
#include "runtime/lane_abi.hpp"
#include "runtime/state.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

inline constexpr unsigned max_lanes = 8;

// As many lanes of doubles as this processor has: 8 with AVX-512, 4 with AVX2, else 1.
unsigned lanes_of_processor();

// A number of every lane.
struct alignas(8 * max_lanes) LaneValues {
  double of[max_lanes] = {};
};

class LaneStep {
 public:
  virtual ~LaneStep() = default;

  unsigned lanes() const { return lanes_; }

  // A run takes over a lane, or goes on in it after a step of its own. `work` has constants of its parameters.
  virtual void enter(unsigned lane, const System& system, const State& state, const Workspace& work,
                     const SolverOptions& options) = 0;

  // q, u, Lambda, closed and the slack of gaps after the last step of a lane. The time is the caller's.
  virtual void leave(unsigned lane, State& state, Workspace& work) const = 0;

  // A step of length dt from t in each of the lanes `wanted` (bits). Returns those in which it was done and its report
  // written; in the others nothing has changed.
  virtual std::uint32_t step(std::uint32_t wanted, const LaneValues& t, const LaneValues& dt, StepReport* reports) = 0;

 protected:
  explicit LaneStep(unsigned lanes) : lanes_(lanes) {}

 private:
  unsigned lanes_;
};

// Can runs of this model, with this method and these options, be steps of lanes?
bool fits_lanes(const System& system);
bool fits_lanes(const SolverOptions& options);

// For runs of the model of `system`, which fits. Its kernels over lanes must be for a number of lanes that this
// processor has.
std::unique_ptr<LaneStep> make_lane_step(const System& system, const nsm_lane_model& kernels);

}  // namespace nsmc::rt
