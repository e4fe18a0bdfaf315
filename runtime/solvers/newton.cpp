// A generalised (semismooth) Newton method on the projection equation, inside a proximal point method.
//
// The equation is the stationarity of the augmented Lagrangian with respect to the percussions, the velocities being
// eliminated [Leine 2003, (16)], [Möller 2009, (35)], after Alart & Curnier:
//
//     F_i(Lambda) = Lambda_i + prox_{K_i(Lambda^)}(-Lambda_i + r_i xi_i) = 0,    xi = G Lambda + c,    r_i = 1/D_i.
//
// Lambda^ is Lambda, but for sets before i in the same contact (the normal force, for friction) what their own
// projection makes of it: "to be more precise", says the first footnote of [Leine 2003]. The zeros are the same.
//
// Jacobian. With P_i = dprox/dz and A_i = dprox/dLambda^ through the arguments a + K Lambda (prox_derivative.hpp)
//     J_i = I - P_i + P_i r_i G_i + A_i dLambda^/dLambda
// has the blocks of G. Interval, ball and ellipsoid in closed form, polygons too as far as they do not depend on
// forces; gauge sets, support sets, scaled laws and arguments that are not affine by finite differences (a set has six
// dimensions at most). J step = -F is solved by block elimination (block_lu.hpp) in the energy norm: row and column of
// set i are multiplied by sqrt(D_i) and its inverse, so that units do not matter.
//
// Proximal point. G is often singular (four corners of a box, redundant constraints), and Newton's method from afar may
// jump between stick, slip and open for ever. Therefore the problem is solved with
//     xi_i = G_i Lambda + c_i + rho D_i (Lambda_i - centre_i)
// in place of xi, the centre being the last solution: a regular problem, whose solutions approach one of the original
// problem when repeated, the faster the smaller rho. rho begins at 1e-4 and falls by 10 or 100 with every problem that
// was solved quickly, to 1e-11; when one is not solved, it grows by 10. A problem counts as solved if |F| is a tenth of
// what it was.
//
// Safeguards. Full steps are tried first, though |F| may grow: an active set that is nearly right pays back in the next
// step. They end when |F| has not reached a new minimum for `patience` steps; the problem has failed then and is taken
// back unless the residual has become smaller. Among four failures the first is followed by a problem with a line
// search on |F|^2 (not monotone: below the largest of the last four), the fourth by sweeps of sor, kept if they are any
// good. The best Lambda seen, by natural_residual, is what is returned, and its residual is what is reported, converged
// or not.
//
// The last step. What is left of a residual just below the tolerance stays in the velocities and adds up over the steps
// of a run: stacks at rest then ask for a full solve every other step. One Newton step more ends that: after the first
// Lambda within the tolerance there is another one unless the residual is a hundredth of it already.
//
// Memory: see newton_memory.hpp. It grows when contacts close, which is the exception to "no step allocates".
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/solvers/natural_residual.hpp"
#include "runtime/solvers/newton_system.hpp"
#include "runtime/solvers/solve.hpp"

namespace nsmc::rt {

namespace {

constexpr double first_rho = 1e-4, smallest_rho = 1e-11, largest_rho = 1;
constexpr int first_sweeps = 3, first_burst = 10, largest_burst = 500;
constexpr int max_steps = 20, patience = 12, max_halvings = 6;  // in one proximal problem
constexpr double polish = 1e-2;                                 // of the tolerance; see The last step above
constexpr int turns = 4;                                        // see Safeguards above
constexpr int max_newton_steps = 500;

}  // namespace

ContactSolution solve_newton(ContactProblem& p, const SolverOptions& options) {
  ContactSolution solution;
  if (p.sets.empty()) {
    solution.converged = true;
    return solution;
  }
  NewtonSystem system(p);
  NewtonMemory& m = p.newton;
  const std::size_t n = p.n_rows();
  double best_residual = std::numeric_limits<double>::infinity();
  // Looks at p.Lambda; true if there is nothing left to do.
  const auto judge = [&] {
    const NaturalResidual residual = natural_residual(p, p.Lambda.data());
    if (residual.finite && residual.value < best_residual) {
      best_residual = residual.value;
      std::copy_n(p.Lambda.data(), n, m.best.data());
    }
    solution.residual = residual.value;
    solution.finite = residual.finite;
    solution.converged = residual.finite && residual.value <= options.tolerance;
    solution.worst_contact = p.contacts[p.sets[residual.worst].contact].contact;
    return solution.converged;
  };
  const auto left = [&] { return options.asked_to_stop() ? 0 : options.max_iterations - solution.iterations; };
  // True if solved. Sweeps that make things worse are taken back if they should improve something.
  const auto sweep = [&](int count, bool must_improve) {
    SolverOptions some = options;
    some.max_iterations = std::min(count, left());
    if (some.max_iterations <= 0) return false;
    const double before = solution.residual;
    std::copy_n(p.Lambda.data(), n, m.Lambda.data());
    solution.iterations += solve_sor(p, some).iterations;
    if (judge()) return true;
    if (must_improve && !(solution.residual < before)) {
      std::copy_n(m.Lambda.data(), n, p.Lambda.data());
      judge();
    }
    return false;
  };
  // With the best percussions that were seen.
  const auto finish = [&] {
    if (best_residual < solution.residual || !solution.finite) {
      std::copy_n(m.best.data(), n, p.Lambda.data());
      judge();
    }
    return solution;
  };
  if (judge() || !solution.finite) return solution;
  if (sweep(first_sweeps, false) || !solution.finite) return solution;

  double rho = first_rho;
  int failures = 0, burst = first_burst;
  bool polishing = false;
  while (left() > 0 && solution.newton_steps < max_newton_steps) {
    const bool careful = failures % turns == 1;
    const double residual_before = solution.residual;
    std::copy_n(p.Lambda.data(), n, m.centre.data());
    const double merit_before = system.evaluate(p.Lambda.data(), rho, true);
    double history[4] = {merit_before, 0, 0, 0};
    double merit_best = merit_before;
    bool solved = false;
    int steps = 0, best_at = 0;
    while (!solved && left() > 0 && steps < max_steps && steps - best_at < patience) {
      ++steps;
      ++solution.iterations;
      ++solution.newton_steps;
      if (!(system.solve() < 0.1)) break;
      std::copy_n(p.Lambda.data(), n, m.Lambda.data());
      const double reference = *std::max_element(history, history + 4);
      bool accepted = false;
      double merit = 0, t = 1;
      for (int halving = 0; !accepted && halving < max_halvings; ++halving, t /= 2) {
        for (std::size_t h = 0; h < n; ++h) p.Lambda[h] = m.Lambda[h] + t * m.step[h] / m.scale[h];
        merit = system.evaluate(p.Lambda.data(), rho, false);
        accepted = careful ? merit <= (1 - 1e-4 * t) * reference : merit < std::numeric_limits<double>::max();
      }
      if (!accepted) {
        std::copy_n(m.Lambda.data(), n, p.Lambda.data());
        break;
      }
      history[steps % 4] = merit;
      const bool done = judge();
      if (polishing || (done && solution.residual <= polish * options.tolerance)) return finish();
      polishing = done;
      if (merit < 0.99 * merit_best) {
        merit_best = merit;
        best_at = steps;
      }
      solved = merit <= 0.01 * merit_before;
      if (!solved) system.evaluate(p.Lambda.data(), rho, true);
    }
    if (solved) {
      rho = std::max(rho * (steps <= 2 ? 0.01 : steps <= 15 ? 0.1 : 1), smallest_rho);
      continue;
    }
    if (!(solution.residual < residual_before)) {
      std::copy_n(m.centre.data(), n, p.Lambda.data());
      judge();
    }
    ++failures;
    rho = std::min(10 * rho, largest_rho);
    if (failures % turns != 0) continue;
    if (sweep(burst, true)) return solution;
    burst = std::min(2 * burst, largest_burst);
  }
  return finish();
}

}  // namespace nsmc::rt
