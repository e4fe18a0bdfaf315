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

#include "runtime/sets/prox_derivative.hpp"
#include "runtime/solvers/natural_residual.hpp"
#include "runtime/solvers/solve.hpp"

namespace nsmc::rt {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

constexpr double first_rho = 1e-4, smallest_rho = 1e-11, largest_rho = 1;
constexpr int first_sweeps = 3, first_burst = 10, largest_burst = 500;
constexpr int max_steps = 20, patience = 12, max_halvings = 6;  // in one proximal problem
constexpr double polish = 1e-2;                                 // of the tolerance; see The last step above
constexpr int turns = 4;                                        // see Safeguards above
constexpr int max_newton_steps = 500;

// F, its Jacobian and the linear system.
class NewtonSystem {
 public:
  explicit NewtonSystem(ContactProblem& problem) : p(problem), m(problem.newton) {
    m.sizes.clear();
    m.edges.clear();
    std::uint32_t most_rows = 0, most_arguments = 0;
    for (std::uint32_t i = 0; i < p.contacts.size(); ++i) {
      const ContactRows& rows = p.contacts[i];
      m.sizes.push_back(rows.n_rows);
      most_rows = std::max(most_rows, rows.n_rows);
      most_arguments = std::max(most_arguments, rows.n_arguments);
      for (std::uint32_t n = 0; n < rows.n_runs; ++n) {
        const ColumnRun& run = p.runs[rows.first_run + n];
        for (std::uint32_t j = run.first_contact; j < run.first_contact + run.n_contacts; ++j)
          m.edges.push_back({i, j});
      }
    }
    m.lu.analyse(m.sizes, m.edges);
    const std::size_t n = p.n_rows();
    for (std::vector<double>* v : {&m.F, &m.step, &m.rest, &m.Lambda, &m.best, &m.centre}) v->assign(n, 0);
    m.scale.assign(n, 1);
    m.P_first.clear();
    std::size_t P = 0;
    for (const SetBlock& s : p.sets) {
      m.P_first.push_back(P);
      P += std::size_t{s.dim} * s.dim;
      for (std::uint32_t h = s.first_row; s.D > 0 && h < s.first_row + s.dim; ++h)
        m.scale[h] = std::sqrt(s.D) / p.row_scale[h];
    }
    m.P.assign(P, 0);
    m.J.assign(p.G.size(), 0);
    const std::size_t rows = most_rows;
    for (std::vector<double>* v : {&m.xi, &m.z, &m.x, &m.predicted}) v->assign(rows, 0);
    m.Q.assign(rows * most_arguments, 0);
    m.A.assign(rows * rows, 0);
  }

  // F of the proximal problem at Lambda, in the energy norm, into m.F, and J into m.J if asked. Returns |F|^2.
  double evaluate(const double* Lambda, double rho, bool with_J) {
    double merit = 0;
    for (const ContactRows& i : p.contacts) {
      const double* own = Lambda + i.first_row;
      std::copy_n(own, i.n_rows, m.predicted.data());
      for (std::uint32_t j = i.first_set; j < i.first_set + i.n_sets; ++j) {
        const SetBlock& s = p.sets[j];
        const std::uint32_t local = s.first_row - i.first_row;
        const double r = s.D > 0 ? 1 / s.D : 0;
        if (!s.constant) p.update_arguments_at(i, *s.set, m.predicted.data());
        for (std::uint32_t h = 0; h < s.dim; ++h) {
          const double from_centre = own[local + h] - m.centre[s.first_row + h];
          m.z[h] = r * p.xi(i, local + h, Lambda) - own[local + h] + rho * from_centre;
        }
        project(i, s, m.z.data(), m.x.data());
        for (std::uint32_t h = 0; h < s.dim; ++h) {
          const double F = m.scale[s.first_row + h] * (own[local + h] + m.x[h]);
          m.F[s.first_row + h] = F;
          merit += F * F;
        }
        if (with_J) differentiate(i, j, r, rho);
        for (std::uint32_t h = 0; h < s.dim; ++h) m.predicted[local + h] = -m.x[h];
      }
    }
    return merit;
  }

  // J step = -F into m.step, in the energy norm; returns |J step + F|/|F|.
  double solve() {
    m.lu.clear();
    std::size_t edge = 0;
    for (const ContactRows& i : p.contacts) {
      std::size_t column = 0;
      for (std::uint32_t n = 0; n < i.n_runs; ++n) {
        const ColumnRun& run = p.runs[i.first_run + n];
        for (std::uint32_t j = run.first_contact; j < run.first_contact + run.n_contacts; ++j, ++edge) {
          const ContactRows& columns = p.contacts[j];
          double* block = m.lu.block(edge);
          for (std::uint32_t h = 0; h < i.n_rows; ++h) {
            const double* J = m.J.data() + i.first_value + std::size_t{h} * i.width + column;
            const double s = m.scale[i.first_row + h];
            for (std::uint32_t k = 0; k < columns.n_rows; ++k)
              block[h * columns.n_rows + k] = s * J[k] / m.scale[columns.first_row + k];
          }
          column += columns.n_rows;
        }
      }
    }
    m.lu.factor();
    const std::size_t n = p.n_rows();
    for (std::size_t h = 0; h < n; ++h) m.step[h] = -m.F[h];
    m.lu.solve(m.step.data());
    double error = 0;
    for (int round = 0; round < 2; ++round) {
      double rest2 = 0, F2 = 0;
      find_rest();
      for (std::size_t h = 0; h < n; ++h) {
        rest2 += m.rest[h] * m.rest[h];
        F2 += m.F[h] * m.F[h];
      }
      error = std::sqrt(rest2 / F2);
      if (round == 1 || !(error > 1e-12) || !std::isfinite(error)) break;
      m.lu.solve(m.rest.data());
      for (std::size_t h = 0; h < n; ++h) m.step[h] += m.rest[h];
    }
    return error;
  }

  ContactProblem& p;
  NewtonMemory& m;

 private:
  // x = prox_K(alpha z)/alpha with the arguments as they are.
  void project(const ContactRows& i, const SetBlock& s, const double* z, double* x) {
    const ConvexSet set{s.set, p.arguments.data() + i.first_argument};
    const double alpha = set.alpha();
    for (std::uint32_t h = 0; h < s.dim; ++h) x[h] = alpha * z[h];
    set.prox(x);
    if (s.set->scaled != 0) {
      for (std::uint32_t h = 0; h < s.dim; ++h) x[h] /= alpha;
    }
  }

  // The rows of J of set j of contact i, from m.z, m.x and the arguments.
  void differentiate(const ContactRows& i, std::uint32_t j, double r, double rho) {
    const SetBlock& s = p.sets[j];
    const std::uint32_t local = s.first_row - i.first_row, dim = s.dim;
    double* P = m.P.data() + m.P_first[j];
    double c_magnitude = 0;
    for (std::uint32_t h = 0; h < dim; ++h) c_magnitude = std::max(c_magnitude, p.c_magnitude[s.first_row + h]);
    const double slack = 4 * epsilon * r * c_magnitude;
    ProxDerivative known;
    const ConvexSet set{s.set, p.arguments.data() + i.first_argument};
    if (s.set->scaled == 0) {
      const double* centre = set.centre();
      if (centre != nullptr) {
        for (std::uint32_t h = 0; h < dim; ++h) {
          m.z[h] -= centre[h];
          m.x[h] -= centre[h];
        }
      }
      known = prox_derivative(set, m.z.data(), m.x.data(), slack, P, m.Q.data());
      if (centre != nullptr) {
        for (std::uint32_t h = 0; h < dim; ++h) {
          m.z[h] += centre[h];
          m.x[h] += centre[h];
        }
      }
    }
    if (!known.P) difference_P(i, s, slack, P);
    std::fill_n(m.A.data(), std::size_t{dim} * i.n_rows, 0.0);
    if (!s.constant) {
      if (known.Q && i.K != nullptr) {
        chain_arguments(i, s, P);
      } else {
        difference_arguments(i, s, slack);
      }
    }
    for (std::uint32_t h = 0; h < dim; ++h) {
      double* J = m.J.data() + i.first_value + std::size_t{local + h} * i.width;
      std::fill_n(J, i.width, 0.0);
      for (std::uint32_t k = 0; k < dim; ++k) {
        const double weight = r * P[h * dim + k];
        if (weight == 0) continue;
        const double* g = p.G.data() + i.first_value + std::size_t{local + k} * i.width;
        for (std::uint32_t column = 0; column < i.width; ++column) J[column] += weight * g[column];
      }
      for (std::uint32_t k = 0; k < dim; ++k) J[i.own + local + k] += (h == k ? 1 : 0) - (1 - rho) * P[h * dim + k];
      for (std::uint32_t k = 0; k < i.n_rows; ++k) {
        const double a = m.A[h * i.n_rows + k];
        if (a == 0) continue;
        J[i.own + k] += a;
        if (!is_predicted(i, j, k)) continue;
        const double* other = m.J.data() + i.first_value + std::size_t{k} * i.width;
        for (std::uint32_t column = 0; column < i.width; ++column) J[column] -= a * other[column];
      }
    }
  }

  // Whether row k of contact i belongs to a set before set j.
  bool is_predicted(const ContactRows& i, std::uint32_t j, std::uint32_t k) const {
    for (std::uint32_t n = i.first_set; n < j; ++n) {
      const std::uint32_t first = p.sets[n].first_row - i.first_row;
      if (k >= first && k < first + p.sets[n].dim) return true;
    }
    return false;
  }

  void chain_arguments(const ContactRows& i, const SetBlock& s, const double* P) {
    const nsm_set& set = *s.set;
    for (std::uint32_t n = 0; n < set.n_arguments; ++n) {
      const double* K = i.K + std::size_t{set.first_argument + n} * i.n_rows;
      const double unit = n < set.n_lengths ? 1 : 1 / p.dt;
      for (std::uint32_t h = 0; h < s.dim; ++h) {
        const double q = unit * m.Q[h * set.n_arguments + n];
        if (q == 0) continue;
        for (std::uint32_t k = 0; k < i.n_rows; ++k) m.A[h * i.n_rows + k] += q * K[k];
      }
    }
    if (set.shifted == 0) return;
    for (std::uint32_t n = 0; n < s.dim; ++n) {
      const double* K = i.K + std::size_t{set.first_argument + set.n_arguments + n} * i.n_rows;
      for (std::uint32_t h = 0; h < s.dim; ++h) {
        const double q = (h == n ? 1 : 0) - P[h * s.dim + n];
        for (std::uint32_t k = 0; k < i.n_rows; ++k) m.A[h * i.n_rows + k] += q * K[k];
      }
    }
  }

  static double size(const double* x, std::uint32_t n) {
    double largest = 0;
    for (std::uint32_t k = 0; k < n; ++k) largest = std::max(largest, std::abs(x[k]));
    return largest;
  }

  void difference_P(const ContactRows& i, const SetBlock& s, double slack, double* P) {
    const double step = 1e-7 * size(m.z.data(), s.dim) + slack;
    for (std::uint32_t k = 0; k < s.dim; ++k) {
      const double kept = m.z[k];
      m.z[k] = kept + (m.x[k] < kept ? -step : step);  // towards the set
      const double actual = m.z[k] - kept;
      project(i, s, m.z.data(), p.z.data());
      m.z[k] = kept;
      for (std::uint32_t h = 0; h < s.dim; ++h) P[h * s.dim + k] = actual != 0 ? (p.z[h] - m.x[h]) / actual : 0;
    }
  }

  void difference_arguments(const ContactRows& i, const SetBlock& s, double slack) {
    double* own = m.predicted.data();
    const double step = 1e-7 * std::max(size(own, i.n_rows), size(m.z.data(), s.dim)) + slack;
    for (std::uint32_t k = 0; k < i.n_rows; ++k) {
      const double kept = own[k];
      own[k] = kept + step;
      const double actual = own[k] - kept;
      p.update_arguments_at(i, *s.set, own);
      project(i, s, m.z.data(), p.z.data());
      own[k] = kept;
      for (std::uint32_t h = 0; h < s.dim; ++h) m.A[h * i.n_rows + k] = actual != 0 ? (p.z[h] - m.x[h]) / actual : 0;
    }
    p.update_arguments_at(i, *s.set, own);
  }

  // m.rest = -F - J step
  void find_rest() {
    for (const ContactRows& i : p.contacts) {
      for (std::uint32_t h = 0; h < i.n_rows; ++h) {
        const double* J = m.J.data() + i.first_value + std::size_t{h} * i.width;
        double sum = 0;
        for (std::uint32_t n = 0; n < i.n_runs; ++n) {
          const ColumnRun& run = p.runs[i.first_run + n];
          for (std::uint32_t k = 0; k < run.n_columns; ++k)
            sum += J[k] * m.step[run.first_column + k] / m.scale[run.first_column + k];
          J += run.n_columns;
        }
        m.rest[i.first_row + h] = -m.F[i.first_row + h] - m.scale[i.first_row + h] * sum;
      }
    }
  }
};

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
