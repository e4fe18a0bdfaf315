// The list of contact solvers.
#include "runtime/solvers/solve.hpp"

namespace nsmc::rt {

ContactSolution solve(ContactProblem& problem, const SolverOptions& options) {
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

}  // namespace nsmc::rt
