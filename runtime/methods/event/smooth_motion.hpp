// y' = f(t, y) by an adaptive explicit Runge-Kutta method: Verner's pair of orders 6 and 5 of SUNDIALS' ARKODE.
//
// A one-step method, since events restart the motion often and a multistep method would begin each time with order one.
// Not Fehlberg's pair of orders 7 and 8, whose error estimate vanishes where f depends on t alone. Events are not
// located by ARKODE's root finding, which looks at an interpolant of degree 5 that is less accurate than the method,
// but by `restep`: a step from the same beginning with another length has the accuracy of the method
// (event_driven.cpp).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "runtime/saved_run.hpp"

namespace nsmc::rt::event {

class MotionEquation {
 public:
  virtual ~MotionEquation() = default;
  // False: f has no value here.
  virtual bool rate(double t, const double* y, double* y_rate) = 0;
  // After a step was accepted: puts y back onto what it has drifted from.
  virtual bool settle(double t, double* y) = 0;
};

class SmoothMotion {
 public:
  SmoothMotion(MotionEquation& equation, std::size_t n, double rtol, double atol);
  ~SmoothMotion();
  SmoothMotion(const SmoothMotion&) = delete;
  SmoothMotion& operator=(const SmoothMotion&) = delete;

  // Begins anew, with this step size; 0: one of its own choice.
  void restart(double t, const double* y, double step = 0);

  // One step from where the motion stands, not beyond t_end and not longer than `longest`. False if there is none.
  bool advance(double t_end, double longest, double& t, double* y);

  // From (t0, y0) to t, as exact as a step is. The motion stands there afterwards.
  bool restep(double t0, const double* y0, double t, double* y);

  // The stages of a step from (t0, y0) to t, as they are whether it is taken or not: time, state, and the weight of
  // what is integrated over the step, after `equation` has been asked for its rate there. Stops where there is none.
  static void visit_stages(MotionEquation& equation, double t0, const double* y0, double t, std::size_t n,
                           const std::function<void(double, const double*, double)>& visit);

  std::uint64_t steps() const { return steps_; }

  // The step that the errors ask for, whatever end has cut the last one short: with it, the motion can begin anew at
  // the end of a step of the run. 0: none was taken since it began with a step of its own choice.
  double usual_step() const { return usual_step_; }
  void remember(Memory& memory) { memory(usual_step_); }

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
  std::uint64_t steps_ = 0;
  double usual_step_ = 0;
};

}  // namespace nsmc::rt::event
