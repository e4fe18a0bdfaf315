// The list of contact solvers.
#include "runtime/solvers/solve.hpp"

namespace nsmc::rt {

namespace {

ContactSolution solve_by_kind(ContactProblem& problem, const SolverOptions& options) {
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

}  // namespace

ContactSolution solve(ContactProblem& problem, const SolverOptions& options) {
  const ContactSolution solution = solve_by_kind(problem, options);
  if (options.observer != nullptr) options.observer->solved(problem, solution);
  return solution;
}

}  // namespace nsmc::rt
