// Time-stepping whose steps follow from the accuracy that is asked for, after [Studer 2008]: step size adjustment and
// extrapolation for time-stepping schemes with impacts and friction.
//
// A step of the run's grid is covered by steps H of its own. Each of them is done by 1, 2, 3, ... equal steps of the
// scheme below, Moreau's rule or Runge-Kutta time-stepping, and these levels are compared:
//
// - Where nothing switches (the contacts that carry forces are the same in all substeps) the levels are extrapolated to
//   substeps of length zero (extrapolation.hpp). The error of k levels is estimated by the difference to k - 1 of them.
//   H and the number of levels are those of the least work, as in [Hairer 1993, II.9].
// - Where something switches, a result without extrapolation counts, and its error is the difference of one step and
// two
//   halves. It falls with H, and so steps become small there, at least `shortest`.
// - A gap that closes is closed at the end of a step: where one is found below zero in between, the step is done again,
// up to
//   the root of a secant. Then an impact is a step of next to no length, and the motion goes on behind it.
// - A contact that takes off close to an end of a step is seen by the line through its last percussions, and the step
//   ends there (take_offs.hpp).
// - Contacts that carry forces stay closed whatever their gap is in between, and their gaps are put back to zero at the
// end
//   of the step (gap_projection.hpp); how far, is part of the error.
//
// Errors are relative (error_scales.hpp). Switching points that levels do not see are seen by accelerations
// (acceleration_jumps.hpp) and by velocities of friction (slip_turns.hpp).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/evaluation/gap_projection.hpp"
#include "runtime/evaluation/work_account.hpp"
#include "runtime/methods/acceleration_jumps.hpp"
#include "runtime/methods/error_scales.hpp"
#include "runtime/methods/extrapolation.hpp"
#include "runtime/methods/integrator.hpp"
#include "runtime/methods/slip_turns.hpp"
#include "runtime/methods/take_offs.hpp"

namespace nsmc::rt {

class Adaptive final : public Integrator {
 public:
  // scheme: a method of one step, of order `order` where the motion is smooth.
  Adaptive(const System& system, std::unique_ptr<Integrator> scheme, int order, double accuracy,
           const std::atomic<bool>* stop);

  StepReport step(const System& system, State& state, Workspace& work, double dt,
                  const SolverOptions& options) override;
  void remember(const System& system, Workspace& work, Memory& memory) override;

 private:
  enum class Outcome : std::uint8_t { accepted, too_inaccurate, crosses, failed };
  struct Attempt {
    Outcome outcome = Outcome::accepted;
    StepReport report;
    double factor = 1;      // to H: of the next step, or of this one again
    bool switched = false;  // accepted without extrapolation
    bool forced = false;    // accepted although it is not as accurate as asked for
  };

  void begin(const State& state, double grid);
  // At the present state: gaps and their rates, scales, and which contacts are held.
  Trouble look(const System& system, Workspace& work, const State& state, double grid);
  bool strikes() const;
  double time_to_touch() const;
  Attempt impact(const System& system, State& state, Workspace& work, double H, const SolverOptions& options);
  Attempt attempt(const System& system, State& state, Workspace& work, double H, double shortest,
                  const SolverOptions& options);
  bool run_level(Integrator& scheme, const System& system, State& state, Workspace& work, double H, int level,
                 const SolverOptions& options, StepReport& report);
  StepReport substep(Integrator& scheme, const System& system, State& state, Workspace& work, double dt,
                     const SolverOptions& options);
  double first_crossing(const System& system, Workspace& work, const State& state, double H);
  const std::vector<std::uint32_t>& let_go(bool at_start);
  TakeOffs::Scales take_off_scales() const { return {mobility_.data(), slow_.data()}; }
  void combine(const Extrapolation& by, int levels, std::vector<double>& out) const;
  struct Estimate {
    double error = 0;
    int order = 0;  // it falls with this power of H
  };
  Estimate extrapolate(int k);
  double settle(const System& system, State& state, Workspace& work);
  double choose_levels(const Estimate* estimates, int last);

  std::unique_ptr<Integrator> scheme_;
  std::unique_ptr<Integrator> impacts_;  // by Moreau's rule, whose laws hold for the velocities behind an impact
  int order_, most_levels_;
  double accuracy_;
  const std::atomic<bool>* stop_;
  Extrapolation weights_, even_weights_;
  ErrorScales scales_;
  AccelerationJumps jumps_;
  SlipTurns turns_;
  TakeOffs take_offs_;
  GapProjection gaps_;

  // What lasts from step to step.
  bool started_ = false;
  double H_ = 0;                                // of the next step
  int levels_ = 3;                              // that it is expected to take
  bool gave_up_ = false;                        // the last step of the grid was not followed to its end
  bool even_ = false;                           // its errors go on in even powers of H only
  std::vector<double> gap_scale_, rate_scale_;  // by contact: of gaps, and of their rates
  std::vector<double> gap_level_;               // by contact: where a gap is held; below 0 if the run began there
  std::vector<std::uint8_t> pressed_;           // by contact: carried a force at the end of the last step
  std::vector<double> Lambda_;                  // percussions of the last step of the scheme,
  double dt_ = 0;                               // and its length

  // At the beginning of a step H.
  State start_;
  Work start_work_;                                       // counted up to there, where it is counted
  std::vector<double> gap_allowed_, slow_;                // by contact: errors of a gap, and of its rate
  std::vector<double> gap_, rate_, slack_, start_slack_;  // by contact
  std::vector<std::uint8_t> held_;  // by contact: closed for the whole step; the others are open for all of it

  std::vector<double> mobility_;  // by contact

  // In a step H.
  std::vector<std::uint8_t> presses_, presses_first_;  // by contact: in this substep, and in the first one
  bool same_ = true;                                   // all substeps so far press the same contacts
  std::array<std::vector<double>, max_levels> level_;  // results: q, u, percussions, work
  std::vector<double> x_, x_before_, sum_, total_, settled_;
  std::vector<double> u_before_;
  std::vector<std::uint32_t> lasting_, let_go_;
  double grid_ = 0;
  State whole_;  // at the beginning of the step of the grid
};

}  // namespace nsmc::rt
