// sor where it is quick, newton where it is not.
//
// Sweeps are cheap and most problems of a run, started from the percussions of the step before, take a few of them. A
// Newton step costs about ten sweeps (measured: 7 to 10, on stacks and on problems from files), and a cold problem
// takes 5 to 20 of them. Hence sor continues as long as it is to finish within 100 sweeps, by its rate of convergence
// (rate_watch.hpp), looked at every 10 sweeps from the 20th on, and within 300 in all. Then newton takes over
// from where sor is. What newton leaves undone goes back to sor; the better result counts.
#include <algorithm>

#include "runtime/solvers/iterate.hpp"

namespace nsmc::rt {

ContactSolution solve_automatic(ContactProblem& problem, const SolverOptions& options) {
  RateWatch rate;
  ContactSolution swept = solve_sor(problem, options, &rate);
  if (swept.converged || !swept.finite || swept.iterations >= options.max_iterations) return swept;

  SolverOptions rest = options;
  rest.max_iterations -= swept.iterations;
  ContactSolution solution = solve_newton(problem, rest);
  solution.iterations += swept.iterations;
  if (solution.converged || !solution.finite || solution.iterations >= options.max_iterations) return solution;

  std::vector<double>& best = problem.newton.best;
  std::copy_n(problem.Lambda.data(), problem.n_rows(), best.data());
  rest.max_iterations = options.max_iterations - solution.iterations;
  swept = solve_sor(problem, rest);
  swept.iterations += solution.iterations;
  swept.newton_steps = solution.newton_steps;
  if (swept.finite && swept.residual <= solution.residual) return swept;
  std::copy_n(best.data(), problem.n_rows(), problem.Lambda.data());
  solution.iterations = swept.iterations;
  return solution;
}

}  // namespace nsmc::rt
