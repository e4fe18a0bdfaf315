// Lie's scheme, an operator splitting [Glowinski 2004, (2.3)-(2.7)]: a step is a friction substep, in which nothing
// moves and velocities change by friction, contacts and loads, and then an elastic substep without them. Of order one.
//
// The accelerations a(q, u, t) = M^-1 h are split into
//     elastic     a_e(q, t) = a(q, 0, t) - a(q_ref, 0, t),      q_ref the coordinates where the run starts,
//     the rest    a - a_e,
// so that M^-1 (-A X) with X = 0 at the start is elastic, as in the paper; loads f(t), weight and whatever depends on
// velocities go with friction. A constant more or less in a_e changes nothing about its being conservative.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/methods/integrator.hpp"

namespace nsmc::rt {

class LieIntegrator final : public Integrator {
 public:
  // inner_steps: P of the friction substep.
  LieIntegrator(const System& system, int inner_steps);

  StepReport step(const System& system, State& state, Workspace& work, double dt,
                  const SolverOptions& options) override;

  void remember(const System&, Workspace&, Memory& memory) override { memory(started_, q_ref_); }
  void renumber(const System& system, const Renumbering& contacts) override;

 private:
  // All M^-1 h at (t, q, 0) but those at (t, q_ref, 0), into elastic_. What kernels left in the workspace belongs to
  // (t, q, 0) then.
  Trouble evaluate_elastic(const System& system, Workspace& work, double t, const double* q);
  // One of the P steps: replaces u, work.u_end, and adds to percussions_.
  Trouble inner_step(const System& system, Workspace& work, double t, double dt, const double* q,
                     const SolverOptions& options, StepReport& report);

  int inner_steps_;
  std::vector<double> q_ref_;          // valid if started_
  std::vector<double> rest_;           // u = 0
  std::vector<double> elastic_;        // a_e
  std::vector<double> Lambda_before_;  // by rows of all contacts: where the solver starts
  std::vector<double> percussions_;    // by rows of the contact problem: the sum over the inner steps
  std::vector<double> u_before_;       // of an inner step
  bool started_ = false;
};

}  // namespace nsmc::rt
