#include "runtime/solvers/solve.hpp"
namespace nsmc::rt {
ContactSolution solve_automatic(ContactProblem& problem, const SolverOptions& options) { return solve_newton(problem, options); }
}  // namespace nsmc::rt
