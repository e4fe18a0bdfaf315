// Runge-Kutta time-stepping [Leine 2003, p. 6]: a Runge-Kutta method for u' = A, q' = F u, where the acceleration of
// every stage is a pseudo-acceleration, the change of velocity over the step by what a contact problem of Moreau's kind
// gives for it. Of the order of the tableau where the motion is smooth, also with contacts that stay closed; of order
// one where anything non-smooth happens.
//
// Given q^B, u^B at t^B, the closed contacts I = { i : g_i(q^M, t^M) <= 0 } as for Moreau's rule (moreau.cpp), and
// gamma^B = V^T u^B + chi at (q^B, t^B). For each stage
//
//     Q_i = q^B + dt sum_j a_ij F(Q_j) U_j,    U_i = u^B + dt sum_j a_ij A_j,    t_i = t^B + c_i dt
//     M, h, W, V, chi, zeta, the sets at (Q_i, U_i, t_i)
//     xi in N_K(-Lambda_i),    xi = G Lambda_i + dt (V^T M^-1 h + zeta) + (1 + eps) gamma^B
//     A_i = M^-1 (h + W Lambda_i/dt)
//
// and u^E = u^B + dt sum b_i A_i, q^E = q^B + dt sum b_i F(Q_i) U_i, Lambda = sum b_i Lambda_i. zeta is what gamma' has
// besides V^T u', so that xi is the velocity of the contact at the end of a step with this acceleration.
//
// Why gamma^B, the velocity at the beginning of the step, in every stage? A stage with the gamma of its own would ask
// for a share of an impact that the stages before have begun: a restitution of the user would not be met. With gamma^B
// all stages ask for the same jump, and since the sum of b_i is 1, gamma^E = -eps gamma^B. Where a contact stays
// closed, gamma^B is the drift of one step, O(dt^(p+1)); it is taken away without any effect on the order, while the
// gamma of a stage is off by O(dt^2). For the same reasons I is the same for all stages.
//
// Slip. The direction of a friction force belongs to the velocity of the stage, gamma_i = V^T U_i + chi, not to that at
// the end, which is off by O(dt). Where a set slides all over the step, |gamma - gamma^B| <= |gamma^B|/2, its rows are
//     xi = gamma_i + dt (gamma' - gamma'*),     gamma' = V^T A_i + zeta,
// with gamma'* from the stage before and then from the solution, which is solved again until they agree. If this does
// not contract (friction that is stiff against the step) the set keeps the rows above, which are implicit.
#pragma once

#include <vector>

#include "runtime/methods/integrator.hpp"
#include "runtime/methods/tableau.hpp"

namespace nsmc::rt {

class RungeKutta final : public Integrator {
 public:
  RungeKutta(const System& system, const Tableau& tableau);

  StepReport step(const System& system, State& state, Workspace& work, double dt,
                  const SolverOptions& options) override;
  void renumber(const System& system, const Renumbering& contacts) override;

 private:
  // What a set of the contact problem does in the present step.
  struct Slip {
    bool candidate = false;  // its force depends on the velocity by more than a sign, and there is no restitution
    bool sliding = false;
    double last_change = 0;  // of dt gamma'*, in the last correction
  };

  void make_room(const System& system);
  void set_stage(const System& system, const State& state, int i);
  Trouble evaluate_stage(const System& system, Workspace& work, double t, int i);
  Trouble find_contacts(const System& system, const State& state, Workspace& work, double dt);
  void begin_contacts(const System& system, const State& state, Workspace& work);
  bool solve_stage(const System& system, Workspace& work, double dt, const SolverOptions& options, int i,
                   StepReport& report);
  bool correct_slips(const System& system, Workspace& work, double dt, double tolerance, int i);
  Trouble keep_constraints(const System& system, Workspace& work, double t_end, StepReport& report);
  void count_work(const System& system, Workspace& work, double t, double dt, int i);
  void widen_slack(const System& system, Workspace& work, double dt);

  const Tableau& tableau_;
  std::vector<double> zero_u_;                           // as many as velocities
  std::vector<double> counted_u_;                        // that forces do work on
  std::vector<double> dq_[max_stages], du_[max_stages];  // dt F(Q_i) U_i, dt A_i
  std::vector<double> Q_, U_;                            // of the present stage; Q with unit quaternions
  std::vector<double> Lambda_, Lambda_mean_;             // of the stage before; sum b_i Lambda_i. By row of the model
  std::vector<double> gamma_before_, gamma_, free_, rate_;  // gamma^B, gamma_i, dt (V^T M^-1 h + zeta), dt gamma'*
  std::vector<Slip> slips_;                                 // by set of the problem
};

}  // namespace nsmc::rt
