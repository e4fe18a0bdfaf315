// Motion where the forces of contacts move or jump so fast with the velocity that no explicit method gets on, and that
// has no modes: bends, and slip from rest at ridges, of sets in three and more dimensions.
//
// Forces are implicit in the velocity, as in time-stepping. With everything at t1 = t + tau, q1 = q + tau F(q) u,
//
//     u1 = u + M^-1 (h(t1, q1, u) tau + W Lambda),    xi = V^T u1 + chi in N_K(-Lambda)
//
// is Euler's rule, which steep and jumping forces do no harm. Where the motion is smooth its error has an expansion in
// powers of tau: a step H in 1, 2, ... 6 parts, and polynomials through the results at tau = 0, give order 6.
//
// Where it is not, the results differ, unless forces jump in the first part of all of them: then they agree, and are
// wrong. Hence the accelerations at the beginning of the step, from the first parts, must be those at the end of the
// last step, to what H makes of their difference. A jump is passed by a step that short. Where forces are steep,
// accelerations lack digits that velocities have: what is small against them may be larger, if the state at the end of
// the step does not feel it.
#pragma once

#include <optional>
#include <vector>

#include "runtime/evaluation/work_account.hpp"
#include "runtime/evaluation/workspace.hpp"
#include "runtime/methods/event/contact_modes.hpp"
#include "runtime/methods/integrator.hpp"
#include "runtime/solvers/solve.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt::event {

class StiffMotion {
 public:
  StiffMotion(const System& system, Workspace& work, const ContactModes& modes, double rtol, double atol);

  // From (t, y), y = (q, u), over H with the contacts that are closed now. Out: y_next, and forces by row of the
  // System (in: where to look for them). False: not within tolerances. Either way H <- a good length of the next one.
  bool step(double t, const double* y, double& H, const SolverOptions& options, double* y_next,
            std::vector<double>& lambda);

  // The step was taken: the next one starts at its end. Or the motion begins anew, and accelerations are unknown.
  void accept() { acceleration_ = acceleration_next_; }
  void restart() { acceleration_.clear(); }
  // Tells Workspace::account, if there is one, the work of the last step.
  void count_work() const;

  void remember(Memory& memory) {
    memory.sized(acceleration_);
    memory.sized(acceleration_next_);
    memory(was_too_long_);
  }

  // The worst solution of a contact problem in the last step.
  const ContactSolution& worst() const { return worst_; }
  std::uint64_t evaluations = 0;
  std::uint64_t iterations = 0;  // of the contact solver, so far

 private:
  static constexpr int most_parts = 6;

  struct Jump {
    double size;    // over the tolerances, by time
    bool is_small;  // against the accelerations
  };

  std::optional<Work> begin_work();
  void end_work(const Work& kept, double* counted);
  bool run(double t, const double* y, double H, int parts, const SolverOptions& options, const double* lambda,
           std::vector<double>& result);
  ContactSolution solve_part(const SolverOptions& options);
  double allowed(std::size_t k) const;
  double difference(const double* a, const double* b) const;
  Jump jump() const;
  double hidden(double t, const double* y, double H, int j, const double* lambda, const SolverOptions& options);
  double noise() const;

  const System& system_;
  Workspace& work_;
  const ContactModes& modes_;
  double rtol_, atol_;
  // The last row of extrapolation: q, u, accelerations of the first and of the last part, forces; work
  // by row of the System, of dissipation functions, and supplied.
  std::vector<double> table_[most_parts];
  std::vector<double> acceleration_, acceleration_next_;  // at the end of the last step, and of this one
  std::vector<double> row_, before_, Lambda_;
  std::vector<double> whole_, beside_, y_beside_;  // in one part; the same from a start beside; that start
  bool was_too_long_ = false;                      // the last step that was tried
  ContactSolution worst_;
};

}  // namespace nsmc::rt::event
