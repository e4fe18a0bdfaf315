// With G: sor where it is quick, newton where it is not. With many contacts, in the velocities of bodies: sweeps with
// momentum and newton by turns.
//
// Sweeps are cheap and most problems of a run, started from the percussions of the step before, take a few of them. A
// Newton step costs about ten sweeps (measured: 7 to 10, on stacks and on problems from files), and a cold problem
// takes 5 to 20 of them. Hence sor continues as long as it is to finish within 100 sweeps, by its rate of convergence
// (rate_watch.hpp), looked at every 10 sweeps from the 20th on, and within 300 in all. Then newton takes over
// from where sor is. What newton leaves undone goes back to sor; the better result counts.
#include <algorithm>
#include <cmath>

#include "runtime/solvers/iterate.hpp"
#include "runtime/solvers/newton_system.hpp"

namespace nsmc::rt {

namespace {

// In the velocities of bodies: sweeps before the first Newton step, Newton steps of a turn.
constexpr int sweeps_first = 200, few_sweeps = 20, newton_steps_of_a_turn = 15, most_newton_steps = 500;

// How many sweeps cost as much as a quarter of the Newton steps of one turn, whose factors take so many
// multiplications: an update of a contact in a sweep takes as long as about 33 multiplications of a factorisation.
int sweeps_worth(double multiplications, std::size_t n_contacts) {
  constexpr double share = 0.25;
  const double sweeps = share * newton_steps_of_a_turn * multiplications / (33 * static_cast<double>(n_contacts));
  return static_cast<int>(std::clamp(sweeps, 100.0, 1e5));
}

// Whether elimination is all but free: there are constraints, whose forces it finds at once, or no more pairs of bodies
// that touch than bodies, as in chains and towers, which have next to no fill.
bool is_easily_eliminated(const ContactProblem& problem) {
  std::size_t pairs = 0;
  std::uint32_t last[2] = {NSM_NONE, NSM_NONE};
  for (const BodyForm::Contact& on : problem.bodies.contacts) {
    if (on.body[1] == problem.bodies.n_bodies || (on.body[0] == last[0] && on.body[1] == last[1])) continue;
    std::copy_n(on.body, 2, last);
    ++pairs;
  }
  if (pairs <= problem.bodies.n_bodies) return true;
  return std::any_of(problem.sets.begin(), problem.sets.end(), [&](const SetBlock& s) {
    if (s.set->kind != NSM_SET_INTERVAL || !s.constant) return false;
    const double* ends = problem.arguments.data() + problem.contacts[s.contact].first_argument + s.set->first_argument;
    return std::isinf(ends[0]) && std::isinf(ends[1]) && ends[0] < ends[1];
  });
}

// In the velocities of bodies: sweeps with momentum and Newton's method by turns, each from the best percussions so
// far.
ContactSolution solve_by_turns(ContactProblem& problem, const SolverOptions& options) {
  const bool easy = is_easily_eliminated(problem);
  int burst = easy ? few_sweeps : sweeps_first, newton_steps = easy ? most_newton_steps : newton_steps_of_a_turn;
  ContactSolution all;
  SolverOptions part = options;
  std::vector<double> best;  // of the turns that did not get there
  double least = 0;
  const auto turn = [&](ContactSolution (*solve)(ContactProblem&, const SolverOptions&), int most) {
    part.max_iterations = std::min(most, options.max_iterations - all.iterations);
    const int iterations = all.iterations, newton_before = all.newton_steps;
    all = solve(problem, part);
    all.iterations += iterations;
    all.newton_steps += newton_before;
    if (all.converged || !all.finite) return true;
    if (!best.empty() && least < all.residual) {
      problem.Lambda = best;
      all.residual = least;
    } else {
      best = problem.Lambda;
      least = all.residual;
    }
    return all.iterations >= options.max_iterations || options.asked_to_stop();
  };
  bool can_eliminate = true, first = true;
  while (true) {
    if (turn(solve_with_momentum, burst)) return all;
    if (can_eliminate && first) {
      can_eliminate = find_elimination(problem);
      burst = can_eliminate ? sweeps_worth(problem.newton.lu.flops(), problem.contacts.size()) : options.max_iterations;
    }
    first = false;
    if (can_eliminate && turn(solve_newton, newton_steps)) return all;
    burst = std::min(2 * burst, options.max_iterations);
    newton_steps = std::min(4 * newton_steps, most_newton_steps);
  }
}

}  // namespace

ContactSolution solve_automatic(ContactProblem& problem, const SolverOptions& options) {
  if (problem.bodies.active() && options.omega == 1 && !options.scaled) return solve_by_turns(problem, options);
  problem.form_G();
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
