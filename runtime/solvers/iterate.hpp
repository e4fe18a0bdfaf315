// The frame around the sweeps of an iterative solver: choose the steps r, sweep, look whether it is done, and slow down
// when it does not get anywhere.
//
// Done? The change of a sweep is the natural residual at the solver's own r (for jor exactly, for sor up to what
// changed during the sweep). With |delta(r')| <= max(1, r'/r) |delta(r)| it predicts the residual at r' = 1/D, which
// costs nothing; only when the prediction meets the tolerance, the residual is evaluated and has the last word.
//
// Scheme (46). With options.scaled, where nothing is projected (stick) every row of a set moves by its own diagonal
// element: Lambda_h <- Lambda_h - omega/G_hh xi_h in place of r xi_h, which recovers the plain Jacobi or Gauss-Seidel
// iteration for rows of different magnitude [Möller 2009, (43)-(46)]. The fixed points are the same.
//
// Scaled laws. For xi in N_K(-alpha(Lambda) Lambda) the iteration [Walker 2017, (30)] has two troubles. One is the
// length of Lambda, which approaches the boundary of the reservoir C like (1 - k_C/k_D)^n. With p on the boundary of
// K = D, (21) makes 1/alpha(-tau p) = 1 + m tau, and the fixed point tau = 1/(1 - m) of the length follows from one
// more value of alpha; fixed points of (30) stay. The other is the direction: the right step for it depends on how far
// the law is from associated; a larger one diverges (p_1/p_2 < mu_1/mu_2), a smaller one takes hundreds of sweeps.
// Every scaled set therefore has a factor on its own r. Criterion: if the change of Lambda_i has turned against the
// last one, change . last < 0, and is more than half as large, the factor is halved (the step was more than 3/2 of the
// right one); if it continues in the same direction and is more than half as large, the factor grows by 1/2 (the step
// was less than half of the right one). Stick is tried with the plain step first. Other sets keep their r.
//
// Not getting anywhere? Over every `window` sweeps the smallest change is kept. If it is not below 0.9 of that of the
// window before, all r are halved, down to 1/64. Slow but steady progress, where every sweep changes less than the one
// before, is left alone: smaller steps would make it slower still.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/solvers/natural_residual.hpp"
#include "runtime/solvers/rate_watch.hpp"
#include "runtime/solvers/solve.hpp"

namespace nsmc::rt {

// Bounds on the factors of scaled sets, on their r.
inline constexpr double smallest_factor = 1.0 / 4096, largest_factor = 8;

// What a sweep tells: squared norms in the measure of natural_residual.hpp.
struct Sweep {
  double change2 = 0;  // max_i of weight_i |change of Lambda_i|^2
  double Lambda2 = 0;  // max_i of measure_i |Lambda_i|^2
  double sum = 0;      // of all the changes squared: not finite if any of them is not
  std::uint32_t worst = 0;

  void add(const SetBlock& s, std::uint32_t position, double delta2, double size2) {
    sum += delta2;
    const double weighted = s.weight * delta2;
    if (weighted > change2) {
      change2 = weighted;
      worst = position;
    }
    if (s.measure * size2 > Lambda2) Lambda2 = s.measure * size2;
  }
};

// What one set does in one sweep: its next percussions, from all those of `now`, are written to `next`, which may be
// the same. relaxation: omega with the global factor.
inline void update_set(ContactProblem& problem, std::uint32_t position, const double* now, double* next,
                       const SolverOptions& options, double relaxation, Sweep& sweep) {
  SetBlock& s = problem.sets[position];
  // Stick has no direction to miss: the plain step, if nothing is projected then.
  const bool in_metric = !options.one_step_for_all;
  ContactProblem::ProxStep step = problem.prox_step(s, s.r / s.factor, now, in_metric);
  if (s.factor != 1 && !step.inside) step = problem.prox_step(s, s.r, now, in_metric);
  if (s.set->scaled != 0 && !step.inside) problem.find_length(s, step.alpha, now);
  const bool by_rows = options.scaled && step.inside && s.dim > 1;
  double delta2 = 0, size2 = 0, along = 0, last2 = 0;
  for (std::uint32_t h = 0; h < s.dim; ++h) {
    const std::uint32_t row = s.first_row + h;
    double value = -problem.z[h], delta = value - now[row];
    if (by_rows) {
      const double diagonal = problem.diagonal(s, h);
      const double step_of_row = s.metric && in_metric ? s.r * problem.row_scale[row] * problem.row_scale[row] : s.r;
      if (diagonal > 0 && step_of_row > 0) delta *= relaxation / (step_of_row * diagonal);
      value = now[row] + delta;
    }
    next[row] = value;
    const double unit = s.plain ? 1 : problem.row_unit[row];
    delta2 += delta * unit * (delta * unit);
    size2 += value * unit * (value * unit);
    if (s.set->scaled != 0) {
      along += delta * problem.change[row];
      last2 += problem.change[row] * problem.change[row];
      problem.change[row] = delta;
    }
  }
  sweep.add(s, position, delta2, size2);
  if (s.set->scaled != 0 && 4 * delta2 > last2 && last2 > 0) {
    const double factor =
        along < 0 ? std::max(s.factor / 2, smallest_factor) : std::min(1.5 * s.factor, largest_factor);
    s.r *= factor / s.factor;
    s.factor = factor;
    s.set_weight();
  }
}

class StagnationWatch {
 public:
  static constexpr int window = 50;

  // True if the steps should become smaller.
  bool stagnates(double change2) {
    if (!(change2 < last_)) steady_ = false;
    last_ = change2;
    if (change2 < best_) best_ = change2;
    if (++count_ < window) return false;
    const bool stuck = !steady_ && !(best_ < 0.81 * best_before_) && best_before_ != infinity;
    best_before_ = stuck ? infinity : best_;
    best_ = infinity;
    steady_ = true;
    if (stuck) last_ = infinity;
    count_ = 0;
    return stuck;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  double last_ = infinity, best_ = infinity, best_before_ = infinity;
  int count_ = 0;
  bool steady_ = true;
};

// choose_r(problem, relaxation) writes r of every set; do_sweep(problem, relaxation) does one sweep on problem.Lambda.
// rate, if there is one, may end the iteration early.
template <typename ChooseR, typename DoSweep>
ContactSolution iterate(ContactProblem& problem, const SolverOptions& options, ChooseR choose_r, DoSweep do_sweep,
                        RateWatch* rate = nullptr) {
  ContactSolution solution;
  if (problem.sets.empty()) {
    solution.converged = true;
    return solution;
  }
  double factor = 1;
  // True if a sweep without any change proves that Lambda is the solution: no r is small against 1/D.
  bool decisive = true;
  const auto set_steps = [&] {
    choose_r(problem, options.omega * factor);
    decisive = true;
    for (SetBlock& s : problem.sets) {
      s.r *= s.factor;
      s.set_weight();
      if (s.set->scaled != 0 || (s.D > 0 && !(s.r * s.D >= 0.25))) decisive = false;
    }
  };
  const auto name_of = [&](std::uint32_t set) { return problem.contacts[problem.sets[set].contact].contact; };
  const auto judge = [&] {
    const NaturalResidual residual = natural_residual(problem, problem.Lambda.data());
    solution.residual = residual.value;
    solution.finite = residual.finite;
    solution.converged = residual.finite && residual.value <= options.tolerance;
    solution.worst_contact = name_of(residual.worst);
  };

  for (SetBlock& s : problem.sets) {
    if (s.set->scaled == 0) continue;
    s.factor = 1;
    std::fill_n(problem.change.data() + s.first_row, s.dim, 0.0);
  }
  set_steps();
  StagnationWatch watch;
  while (solution.iterations < options.max_iterations && !options.asked_to_stop()) {
    ++solution.iterations;
    const Sweep sweep = do_sweep(problem, options.omega * factor);
    if (!std::isfinite(sweep.sum) || !std::isfinite(sweep.Lambda2)) {
      solution.finite = false;
      solution.converged = false;
      solution.residual = std::numeric_limits<double>::quiet_NaN();
      solution.worst_contact = name_of(sweep.worst);
      for (const SetBlock& s : problem.sets) {
        for (std::uint32_t h = 0; h < s.dim; ++h) {
          if (!std::isfinite(problem.Lambda[s.first_row + h])) {
            solution.worst_contact = problem.contacts[s.contact].contact;
            return solution;
          }
        }
      }
      return solution;
    }
    if (sweep.change2 == 0 && decisive) {
      solution.residual = 0;
      solution.converged = true;
      solution.worst_contact = name_of(0);
      return solution;
    }
    const double ratio = residual_ratio(sweep.change2, sweep.Lambda2, problem.c_scale);
    if (ratio <= options.tolerance) {
      judge();
      if (solution.converged || !solution.finite) return solution;
    }
    if (rate != nullptr && rate->gives_up(solution.iterations, ratio, options.tolerance)) break;
    if (watch.stagnates(sweep.change2) && factor > 1.0 / 64) {
      factor /= 2;
      set_steps();
    }
  }
  judge();
  return solution;
}

}  // namespace nsmc::rt
