// The projection equation of newton.cpp, its derivative, and the linear system of a Newton step.
//
// F_i depends on the percussions of its own contact and on xi of it alone, so that the rows of a contact are
//
//     dF_i = B_i dLambda_i + Q_i dxi_i,     xi = G Lambda + c.
//
// With G the system (B + Q G) dLambda = -F is eliminated contact by contact. With bodies in its place (body_form.hpp)
// it is turned over to them: dLambda_i = -B_i^-1 (F_i + Q_i V~_i^T dy), and
//
//     (1 + sum_i W~_i B_i^-1 Q_i V~_i^T) dy = -sum_i W~_i B_i^-1 F_i,
//
// a block for each body and each pair that touches: a pile has three times as many contacts as bodies, and elimination
// costs a tenth or less. B_i is regular since the problem is a proximal one (rho > 0).
#pragma once

#include "runtime/solvers/contact_problem.hpp"

namespace nsmc::rt {

// Finds the order of elimination and what it costs (ContactProblem::newton, lu.flops()); false if its factors would
// take too much memory: piles of many thousands of bodies.
bool find_elimination(ContactProblem& problem);

class NewtonSystem {
 public:
  explicit NewtonSystem(ContactProblem& problem);

  // F of the proximal problem at Lambda, in the energy norm, into m.F, and its derivatives if asked. Returns |F|^2.
  double evaluate(const double* Lambda, double rho, bool with_derivatives);
  // The Newton step into m.step, in the energy norm; returns |J step + F|/|F|.
  double solve();

  ContactProblem& p;
  NewtonMemory& m;

 private:
  void factor_contacts();
  void factor_bodies();
  // x in: a right side, out: the solution, in the energy norm.
  void solve_factored(double* x);
  void solve_on_bodies(double* x);

  const double* B(std::size_t contact) const { return m.B.data() + m.B_first[contact]; }
  const double* Q(std::size_t contact) const { return m.Q.data() + m.B_first[contact]; }

  void project(const ContactRows& i, const SetBlock& s, const double* z, double* x);
  void differentiate(const ContactRows& i, std::uint32_t j, double r, double rho);
  bool is_predicted(const ContactRows& i, std::uint32_t j, std::uint32_t k) const;
  void chain_arguments(const ContactRows& i, const SetBlock& s, const double* P);
  void difference_P(const ContactRows& i, const SetBlock& s, double slack, double* P);
  void difference_arguments(const ContactRows& i, const SetBlock& s, double slack);
  void find_rest();
};

}  // namespace nsmc::rt
