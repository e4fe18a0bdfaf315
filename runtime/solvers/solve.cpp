// The list of contact solvers.
#include "runtime/solvers/solve.hpp"

#include "runtime/solvers/set_extents.hpp"

namespace nsmc::rt {

namespace {

ContactSolution solve_by_kind(ContactProblem& problem, const SolverOptions& options) {
  const bool on_bodies = options.kind == SolverKind::sor || options.kind == SolverKind::automatic;
  if (!on_bodies) problem.form_G();
  switch (options.kind) {
    case SolverKind::jor: return solve_jor(problem, options);
    case SolverKind::sor: break;
    case SolverKind::newton: return solve_newton(problem, options);
    case SolverKind::jprox: return solve_jprox(problem, options);
    case SolverKind::uzawa: return solve_uzawa(problem, options);
    case SolverKind::multiplier: return solve_multiplier(problem, options);
    case SolverKind::automatic: return solve_automatic(problem, options);
  }
  return solve_sor(problem, options);
}

// The first set of negative extent at the solution, if there is one.
const SetBlock* find_negative_set(ContactProblem& problem) {
  for (const SetBlock& s : problem.sets) {
    if (negative_extent(problem, s) < 0) return &s;
  }
  return nullptr;
}

}  // namespace

ContactSolution solve(ContactProblem& problem, const SolverOptions& options) {
  return examined(problem, options, solve_by_kind(problem, options));
}

ContactSolution examined(ContactProblem& problem, const SolverOptions& options, ContactSolution solution) {
  if (const SetBlock* set = solution.converged ? find_negative_set(problem) : nullptr) {
    solution.finite = solution.converged = false;
    solution.worst_contact = problem.contacts[set->contact].contact;
  }
  if (options.observer != nullptr) {
    problem.form_G();
    options.observer->solved(problem, solution);
  }
  return solution;
}

}  // namespace nsmc::rt
