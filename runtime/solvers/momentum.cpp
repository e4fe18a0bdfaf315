// Sweeps with momentum: Nesterov's acceleration of SORprox in the velocities of bodies.
//
//     Lambda_k+1 = S(z_k),     z_k+1 = Lambda_k+1 + theta_k (Lambda_k+1 - Lambda_k),     theta_k = (t_k - 1)/t_k+1,
//     t_k+1 = (1 + sqrt(1 + 4 t_k^2))/2,   t_0 = 1                                            [Nesterov 1983]
//
// with a sweep S in the place of the step along the gradient. A pile at rest is all but statically determinate: forces
// that hold each other change along flat valleys, where sweeps advance by the same small steps for thousands of times.
// Momentum goes k^2/4 steps in k sweeps. It begins anew (t = 1) where it leads astray: if the change of the sweep
// points against the motion, <z_k - Lambda_k+1, Lambda_k+1 - Lambda_k> > 0 in the energy norm [O'Donoghue & Candes
// 2015], or if the changes |S(z) - z| have become `grown` times their least since the last beginning; friction is no
// gradient of anything, so that the first criterion alone does not end all that grows.
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/solvers/body_sweeps.hpp"
#include "runtime/solvers/natural_residual.hpp"

namespace nsmc::rt {

namespace {

constexpr double grown = 2;
constexpr int refresh = 100;  // sweeps after which velocities are computed anew: momentum carries their rounding on

class Momentum {
 public:
  explicit Momentum(ContactProblem& problem) : p_(problem), m_(problem.momentum) {
    m_.weight.resize(p_.n_rows());
    for (const SetBlock& s : p_.sets) std::fill_n(m_.weight.data() + s.first_row, s.dim, s.measure);
    restart();
  }

  // Forgets what was before: the next sweep starts from the percussions as they are.
  void restart() {
    m_.Lambda = p_.Lambda;
    m_.start = p_.Lambda;
    m_.y = p_.bodies.y;
    t_ = 1;
    least_ = std::numeric_limits<double>::infinity();
  }

  // After a sweep: from its percussions and velocities to where the next one starts.
  void extrapolate() {
    const std::size_t n = p_.n_rows();
    double *Lambda = p_.Lambda.data(), *before = m_.Lambda.data(), *start = m_.start.data();
    double against = 0, change2 = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const double back = m_.weight[k] * (start[k] - Lambda[k]);
      against += back * (Lambda[k] - before[k]);
      change2 += back * (start[k] - Lambda[k]);
    }
    const double next = (1 + std::sqrt(1 + 4 * t_ * t_)) / 2;
    double theta = (t_ - 1) / next;
    t_ = next;
    const bool astray = against > 0 || change2 > grown * grown * least_;
    least_ = std::min(least_, change2);
    if (astray) {
      t_ = 1;
      theta = 0;
      least_ = std::numeric_limits<double>::infinity();
    }
    lead(Lambda, before, theta, n);
    lead(p_.bodies.y.data(), m_.y.data(), theta, p_.bodies.y.size());
    std::copy_n(Lambda, n, start);
    if (++sweeps_ % refresh != 0) return;
    p_.look_at(before);
    std::swap(p_.bodies.y, m_.y);
    p_.look_at(start);
  }

 private:
  // x <- x + theta (x - before), before <- x
  static void lead(double* x, double* before, double theta, std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) {
      const double now = x[k];
      x[k] = now + theta * (now - before[k]);
      before[k] = now;
    }
  }

  ContactProblem& p_;
  MomentumMemory& m_;
  double t_ = 1, least_ = 0;
  int sweeps_ = 0;
};

}  // namespace

ContactSolution solve_with_momentum(ContactProblem& p, const SolverOptions& options) {
  ContactSolution solution;
  if (p.sets.empty()) {
    solution.converged = true;
    return solution;
  }
  const auto judge = [&] {
    const NaturalResidual residual = natural_residual(p, p.Lambda.data());
    solution.residual = residual.value;
    solution.finite = residual.finite;
    solution.converged = residual.finite && residual.value <= options.tolerance;
    solution.worst_contact = p.contacts[p.sets[residual.worst].contact].contact;
  };
  for (SetBlock& s : p.sets) {
    s.r = s.D == 0 ? 0 : 1 / s.D;
    s.factor = 1;
    s.set_weight();
    if (s.set->scaled != 0) std::fill_n(p.change.data() + s.first_row, s.dim, 0.0);
  }
  BodySweeps sweeps(p, options);
  Momentum momentum(p);
  double least = std::numeric_limits<double>::infinity();
  p.momentum.best = p.Lambda;
  while (solution.iterations < options.max_iterations && !options.asked_to_stop()) {
    ++solution.iterations;
    const Sweep sweep = sweeps.sweep(1);
    if (!std::isfinite(sweep.sum) || !std::isfinite(sweep.Lambda2)) break;
    const double ratio = residual_ratio(sweep.change2, sweep.Lambda2, p.c_scale);
    if (ratio <= options.tolerance) {
      judge();
      if (solution.converged || !solution.finite) return solution;
    }
    if (ratio < least) {
      least = ratio;
      p.momentum.best = p.Lambda;
    }
    momentum.extrapolate();
  }
  p.Lambda = p.momentum.best;
  judge();
  return solution;
}

}  // namespace nsmc::rt
