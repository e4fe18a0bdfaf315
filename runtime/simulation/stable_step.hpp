// Is the step too long for the springs of the model? Explicit methods have a longest stable step, 2/omega for Moreau's
// rule, and beyond it energy grows by orders of magnitude while every step converges.
#pragma once

#include "runtime/evaluation/workspace.hpp"
#include "runtime/methods/integrator.hpp"
#include "runtime/state.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

// Says when |energy| has become tenfold since it was last asked about; the first energy that is not 0 begins.
class EnergyWatch {
 public:
  bool has_grown(double energy) {
    if (first_ == 0) {
      first_ = last_ = energy;
      return false;
    }
    if (!(energy > 10 * last_)) return false;
    last_ = energy;
    return true;
  }
  double growth(double energy) const { return energy / first_; }

  void remember(Memory& memory) { memory(first_, last_); }

 private:
  double first_ = 0, last_ = 0;
};

// The longest step that is stable for the fastest oscillation or decay at a state, by the springs and dampers of h
// alone: the largest eigenvalues omega^2 of -d(M^-1 h)/dq F and d of -d(M^-1 h)/du, by power iteration with finite
// differences. Infinite where there is none. Contacts and constraints do not count, they can only slow down what is
// free. Writes over the evaluation in `work`.
double largest_stable_step(const System& system, Workspace& work, const State& state, Method method,
                           const IntegratorOptions& options);

}  // namespace nsmc::rt
