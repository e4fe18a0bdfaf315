// The frame around the sweeps of an iterative solver: choose the steps r, sweep, look whether it is done, and slow down
// when it does not get anywhere.
//
// Done? The change of a sweep is the natural residual at the solver's own r (for jor exactly, for sor up to what
// changed during the sweep). With |delta(r')| <= max(1, r'/r) |delta(r)| it predicts the residual at r' = 1/D, which
// costs nothing; only when the prediction meets the tolerance, the residual is evaluated and has the last word.
//
// Not getting anywhere? Over every `window` sweeps the smallest change is kept. If it is not below 0.9 of that of the
// window before, all r are halved, down to 1/64. Slow but steady progress, where every sweep changes less than the one
// before, is left alone: smaller steps would make it slower still.
#pragma once

#include <cmath>
#include <limits>

#include "runtime/solvers/natural_residual.hpp"
#include "runtime/solvers/solve.hpp"

namespace nsmc::rt {

// What a sweep tells: squared norms in the measure of natural_residual.hpp.
struct Sweep {
  double change2 = 0;  // max_i of weight_i |change of Lambda_i|^2
  double Lambda2 = 0;  // max_i of D_i |Lambda_i|^2
  double sum = 0;      // of all the changes squared: not finite if any of them is not
  std::uint32_t worst = 0;

  void add(const SetBlock& s, std::uint32_t position, double delta2, double size2) {
    sum += delta2;
    const double weighted = s.weight * delta2;
    if (weighted > change2) {
      change2 = weighted;
      worst = position;
    }
    if (s.D * size2 > Lambda2) Lambda2 = s.D * size2;
  }
};

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

// choose_r(problem, factor) writes r of every set; sweep(problem) does one sweep on problem.Lambda.
template <typename ChooseR, typename DoSweep>
ContactSolution iterate(ContactProblem& problem, const SolverOptions& options, ChooseR choose_r, DoSweep do_sweep) {
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
      const double rD = s.r * s.D;
      s.weight = rD > 0 && rD < 1 ? s.D / (rD * rD) : s.D;
      if (s.D > 0 && !(rD >= 0.25)) decisive = false;
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

  set_steps();
  StagnationWatch watch;
  while (solution.iterations < options.max_iterations) {
    ++solution.iterations;
    const Sweep sweep = do_sweep(problem);
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
    if (residual_ratio(sweep.change2, sweep.Lambda2, problem.c_scale) <= options.tolerance) {
      judge();
      if (solution.converged || !solution.finite) return solution;
    }
    if (watch.stagnates(sweep.change2) && factor > 1.0 / 64) {
      factor /= 2;
      set_steps();
    }
  }
  judge();
  return solution;
}

}  // namespace nsmc::rt
