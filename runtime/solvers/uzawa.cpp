// Uzawa's method on the augmented Lagrangian [Studer 2006, sec. 6.6, (107), (108)]. Two equations for xi and Lambda,
//
//     xi = G Lambda^{new} + c,     Lambda_i^{new} = -prox_{K_i}(-Lambda_i + r_i xi_i).
//
// Iterated together they are JORprox: xi is known as soon as Lambda^{new} is. Uzawa's way is to solve the first for xi
// with Lambda fixed, then to update Lambda by the second. With the first solved, Lambda^{new} =: p satisfies
//
//     xi_i + (p_i - Lambda_i)/r_i  in  N_{K_i}(-p_i),     xi = G p + c:
//
// the same problem with G + R^-1 in place of G and c - R^-1 Lambda in place of c. It is regular even if G is singular,
// and is solved by sweeps of sor, from the last p. The update is then the proximal point method.
//
// Convergence. For constant sets and G positive semidefinite, symmetric or not, the proximal point method converges for
// every r > 0 [Rockafellar 1976]; there is no upper bound as for jor and jprox. Modes with an eigenvalue g of G shrink
// by 1/(1 + r g) in an update. Larger r: fewer updates with more sweeps each. Here r_i = 100/D_i.
//
// Accuracy. An update is solved to a hundredth of the residual before it, or to a tenth of the tolerance. Iterations
// are the sweeps of all updates together.
#include <algorithm>
#include <cmath>

#include "runtime/solvers/natural_residual.hpp"
#include "runtime/solvers/solve.hpp"

namespace nsmc::rt {

namespace {

constexpr double r_times_D = 100;
constexpr int sweeps_per_update = 500;

// visit(set, row, diagonal element of G) for all rows.
template <typename Visit>
void each_row(ContactProblem& p, Visit visit) {
  for (std::size_t n = 0; n < p.sets.size(); ++n) {
    const SetBlock& s = p.sets[n];
    const ContactRows& i = p.contacts[s.contact];
    for (std::uint32_t row = s.first_row; row < s.first_row + s.dim; ++row) {
      const std::size_t local = row - i.first_row;
      visit(n, row, p.G[i.first_value + local * i.width + i.own + local]);
    }
  }
}

// Puts the problem of an update, with Lambda as it is now, in the place of the problem, and takes it away again, to the
// last bit.
class Update {
 public:
  explicit Update(ContactProblem& p) : p_(p), kept_(p.uzawa) {
    kept_.resize(p.c.size(), p.sets.size());
    for (std::size_t n = 0; n < p.sets.size(); ++n) kept_.D[n] = p.sets[n].D;
    each_row(p, [this](std::size_t, std::uint32_t row, double diagonal) {
      kept_.diagonal[row] = diagonal;
      kept_.c[row] = p_.c[row];
      kept_.c_magnitude[row] = p_.c_magnitude[row];
      kept_.scale[row] = p_.row_scale[row];
    });
  }

  void begin() {
    each_row(p_, [this](std::size_t set, std::uint32_t row, double& diagonal) {
      // A set without effect has nothing to regularise: any r will do.
      const double scale = kept_.scale[row];
      const double inverse_r = kept_.D[set] > 0 ? kept_.D[set] / (r_times_D * scale * scale) : 1;
      const double pull = inverse_r * p_.Lambda[row];
      diagonal = kept_.diagonal[row] + inverse_r;
      p_.c[row] = kept_.c[row] - pull;
      p_.c_magnitude[row] = kept_.c_magnitude[row] + std::abs(pull);
    });
    p_.finish();
  }

  void end() {
    each_row(p_, [this](std::size_t, std::uint32_t row, double& diagonal) {
      diagonal = kept_.diagonal[row];
      p_.c[row] = kept_.c[row];
      p_.c_magnitude[row] = kept_.c_magnitude[row];
    });
    p_.finish();
  }

 private:
  ContactProblem& p_;
  UzawaMemory& kept_;
};

}  // namespace

ContactSolution solve_uzawa(ContactProblem& problem, const SolverOptions& options) {
  ContactSolution solution;
  if (problem.sets.empty()) {
    solution.converged = true;
    return solution;
  }
  const auto judge = [&] {
    const NaturalResidual residual = natural_residual(problem, problem.Lambda.data());
    solution.residual = residual.value;
    solution.finite = residual.finite;
    solution.converged = residual.finite && residual.value <= options.tolerance;
    solution.worst_contact = problem.contacts[problem.sets[residual.worst].contact].contact;
  };
  judge();
  Update update(problem);
  while (solution.finite && !solution.converged && solution.iterations < options.max_iterations &&
         !options.asked_to_stop()) {
    SolverOptions inner = options;
    inner.tolerance = std::max(options.tolerance / 10, std::min(solution.residual, 1.0) / 100);
    inner.max_iterations = std::min(sweeps_per_update, options.max_iterations - solution.iterations);
    update.begin();
    const ContactSolution swept = solve_sor(problem, inner);
    update.end();
    solution.iterations += swept.iterations;
    if (!swept.finite) {
      solution.finite = false;
      solution.residual = swept.residual;
      solution.worst_contact = swept.worst_contact;
      return solution;
    }
    judge();
  }
  return solution;
}

}  // namespace nsmc::rt
