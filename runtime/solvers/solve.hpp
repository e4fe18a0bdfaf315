// ContactProblem -> ContactSolution. All solvers share their options, their stopping rule (natural_residual.hpp) and
// their report; Lambda goes in as a starting point and comes out as the solution.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/names.hpp"
#include "runtime/solvers/contact_problem.hpp"

namespace nsmc::rt {

// The one place where the default is chosen.
inline constexpr SolverKind default_solver = SolverKind::automatic;

struct ContactSolution;

// Sees the contact problems of a run, each with its solution.
class ProblemObserver {
 public:
  virtual ~ProblemObserver() = default;
  virtual void solved(const ContactProblem& problem, const ContactSolution& solution) = 0;
};

struct SolverOptions {
  SolverKind kind = default_solver;
  double omega = 1;          // relaxation, 0 < omega < 2
  double tolerance = 1e-10;  // of the natural residual
  int max_iterations = 10000;
  bool scaled = false;  // in stick, a step for every row: scheme (46) of [Möller 2009]; see iterate.hpp
  double rho = 0;       // step of solve_multiplier, lambda <- P(lambda - rho xi); 0: from (4.18) of [Glowinski 2004]
  bool one_step_for_all = false;  // rows are not scaled (row_metric.hpp): the step rho is meant as it is given
  ProblemObserver* observer = nullptr;
  const std::atomic<bool>* stop = nullptr;  // set from outside: give up, with what there is

  bool asked_to_stop() const { return stop != nullptr && stop->load(std::memory_order_relaxed); }
};

class RateWatch;  // rate_watch.hpp

struct ContactSolution {
  int iterations = 0;    // sweeps and Newton steps together
  int newton_steps = 0;  // of them
  double residual = 0;   // natural residual at the returned Lambda
  bool converged = false;
  bool finite = true;                      // false: NaN or infinity turned up, Lambda is worthless
  std::uint32_t worst_contact = NSM_NONE;  // index in the model of the contact with the largest residual
};

ContactSolution solve(ContactProblem& problem, const SolverOptions& options);

// Whether the solver has an iteration for accelerations too (kappa.hpp).
constexpr bool has_kappa_form(SolverKind kind) {
  return kind == SolverKind::jor || kind == SolverKind::sor || kind == SolverKind::newton ||
         kind == SolverKind::automatic;
}

// What every solution has to pass: one with a set of negative extent is none. The observer sees it.
ContactSolution examined(ContactProblem& problem, const SolverOptions& options, ContactSolution solution);

ContactSolution solve_jor(ContactProblem& problem, const SolverOptions& options);
ContactSolution solve_sor(ContactProblem& problem, const SolverOptions& options);
ContactSolution solve_sor(ContactProblem& problem, const SolverOptions& options, RateWatch* rate);  // ends early by it
ContactSolution solve_newton(ContactProblem& problem, const SolverOptions& options);
ContactSolution solve_jprox(ContactProblem& problem, const SolverOptions& options);
ContactSolution solve_uzawa(ContactProblem& problem, const SolverOptions& options);
ContactSolution solve_multiplier(ContactProblem& problem, const SolverOptions& options);
ContactSolution solve_with_momentum(ContactProblem& problem, const SolverOptions& options);  // on bodies only
ContactSolution solve_automatic(ContactProblem& problem, const SolverOptions& options);

}  // namespace nsmc::rt
