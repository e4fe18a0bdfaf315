#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstdio>
#include <limits>

#include "runtime/sets/prox_derivative.hpp"
#include "runtime/solvers/natural_residual.hpp"
#include "runtime/solvers/solve.hpp"

namespace nsmc::rt {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

double env(const char* name, double value) { const char* s = std::getenv(name); return s ? std::atof(s) : value; }

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
        for (std::uint32_t j = run.first_contact; j < run.first_contact + run.n_contacts; ++j) m.edges.push_back({i, j});
      }
    }
    m.lu.analyse(m.sizes, m.edges);
    const std::size_t n = p.n_rows();
    for (std::vector<double>* v : {&m.F, &m.step, &m.rest, &m.Lambda, &m.best}) v->assign(n, 0);
    m.scale.assign(n, 1);
    m.P_first.clear();
    std::size_t P = 0;
    for (const SetBlock& s : p.sets) {
      m.P_first.push_back(P);
      P += std::size_t{s.dim} * s.dim;
      if (s.D > 0) std::fill_n(m.scale.data() + s.first_row, s.dim, std::sqrt(s.D));
    }
    m.P.assign(P, 0);
    m.J.assign(p.G.size(), 0);
    const std::size_t rows = most_rows;
    for (std::vector<double>* v : {&m.xi, &m.z, &m.x, &m.predicted}) v->assign(rows, 0);
    m.Q.assign(rows * most_arguments, 0);
    m.A.assign(rows * rows, 0);
  }

  // F at Lambda, in the energy norm, into m.F; with the Jacobian if asked. Returns |F|^2.
  double evaluate(const double* Lambda, bool with_J) {
    double merit = 0;
    for (const ContactRows& i : p.contacts) {
      const double* own = Lambda + i.first_row;
      std::copy_n(own, i.n_rows, m.predicted.data());
      for (std::uint32_t j = i.first_set; j < i.first_set + i.n_sets; ++j) {
        const SetBlock& s = p.sets[j];
        const std::uint32_t local = s.first_row - i.first_row;
        const double r = s.D > 0 ? 1 / s.D : 0;
        if (!s.constant) p.update_arguments_at(i, *s.set, m.predicted.data());
        for (std::uint32_t h = 0; h < s.dim; ++h) m.z[h] = r * p.xi(i, local + h, Lambda) - own[local + h];
        project(i, s, m.z.data(), m.x.data());
        for (std::uint32_t h = 0; h < s.dim; ++h) {
          const double F = m.scale[s.first_row + h] * (own[local + h] + m.x[h]);
          m.F[s.first_row + h] = F;
          merit += F * F;
        }
        if (with_J) differentiate(i, j, r);
        if (predict) {
          for (std::uint32_t h = 0; h < s.dim; ++h) m.predicted[local + h] = -m.x[h];
        }
      }
    }
    return merit;
  }

  // (J + rho P) step = -F; returns the relative error of the solution.
  double solve(double rho) {
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
          if (&columns == &i) add_regularisation(i, rho, block);
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
      find_rest(rho);
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
  bool predict = env("NPRED", 1) != 0;

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
  void differentiate(const ContactRows& i, std::uint32_t j, double r) {
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
      for (std::uint32_t k = 0; k < dim; ++k) J[i.own + local + k] += (h == k ? 1 : 0) - P[h * dim + k];
      for (std::uint32_t k = 0; k < i.n_rows; ++k) {
        const double a = m.A[h * i.n_rows + k];
        if (a == 0) continue;
        J[i.own + k] += a;
        if (!predict || !is_predicted(i, j, k)) continue;
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
      for (std::uint32_t h = 0; h < s.dim; ++h)
        m.A[h * i.n_rows + k] = actual != 0 ? (p.z[h] - m.x[h]) / actual : 0;
    }
    p.update_arguments_at(i, *s.set, own);
  }

  void add_regularisation(const ContactRows& i, double rho, double* block) const {
    for (std::uint32_t j = i.first_set; j < i.first_set + i.n_sets; ++j) {
      const SetBlock& s = p.sets[j];
      const std::uint32_t local = s.first_row - i.first_row;
      const double* P = m.P.data() + m.P_first[j];
      for (std::uint32_t h = 0; h < s.dim; ++h) {
        for (std::uint32_t k = 0; k < s.dim; ++k) block[(local + h) * i.n_rows + local + k] += rho * P[h * s.dim + k];
      }
    }
  }

  // m.rest = -F - (J + rho P) step
  void find_rest(double rho) {
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
    for (std::size_t j = 0; j < p.sets.size(); ++j) {
      const SetBlock& s = p.sets[j];
      const double* P = m.P.data() + m.P_first[j];
      for (std::uint32_t h = 0; h < s.dim; ++h) {
        for (std::uint32_t k = 0; k < s.dim; ++k) m.rest[s.first_row + h] -= rho * P[h * s.dim + k] * m.step[s.first_row + k];
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
  const bool trace = env("NTRACE", 0) != 0;
  const double rho_min = env("NRHOMIN", 1e-11), rho_start = env("NRHO", 1e-8);
  const int max_newton = static_cast<int>(env("NMAX", 300));
  double best_residual = std::numeric_limits<double>::infinity();
  const auto name_of = [&](std::uint32_t set) { return p.contacts[p.sets[set].contact].contact; };
  NewtonMemory& m = p.newton;
  // Looks at p.Lambda; true if there is nothing left to do.
  const auto judge = [&] {
    const NaturalResidual residual = natural_residual(p, p.Lambda.data());
    if (residual.finite && !(residual.value >= best_residual)) {
      best_residual = residual.value;
      std::copy_n(p.Lambda.data(), p.n_rows(), m.best.data());
    }
    solution.residual = residual.value;
    solution.finite = residual.finite;
    solution.converged = residual.finite && residual.value <= options.tolerance;
    solution.worst_contact = name_of(residual.worst);
    return solution.converged || !residual.finite;
  };
  NewtonSystem system(p);
  const auto sweep = [&](int count) {
    SolverOptions some = options;
    some.max_iterations = std::min(count, options.max_iterations - solution.iterations);
    if (some.max_iterations <= 0) return false;
    const ContactSolution swept = solve_sor(p, some);
    solution.iterations += swept.iterations;
    return judge();
  };
  const int burst_start = static_cast<int>(env("NBURST", 10));
  int burst = burst_start, first = static_cast<int>(env("NFIRST", 3));
  if (judge() || (first > 0 && sweep(first))) return solution;

  constexpr int memory = 4;
  double history[memory];
  int n_history = 0;
  double rho = rho_start;
  const std::size_t n = p.n_rows();
  while (solution.iterations < options.max_iterations && solution.newton_steps < max_newton) {
    const double merit = system.evaluate(p.Lambda.data(), true);
    history[n_history++ % memory] = merit;
    const double reference = *std::max_element(history, history + std::min(n_history, memory));
    ++solution.iterations;
    ++solution.newton_steps;
    const double error = system.solve(rho);
    std::copy_n(p.Lambda.data(), n, m.Lambda.data());
    bool accepted = false;
    double t = 1, now = 0;
    if (error < 0.1) {
      for (int halving = 0; halving < env("NHALF", 8) && !accepted; ++halving, t /= 2) {
        for (std::size_t h = 0; h < n; ++h) p.Lambda[h] = m.Lambda[h] + t * m.step[h] / m.scale[h];
        now = system.evaluate(p.Lambda.data(), false);
        accepted = now <= (1 - 1e-4 * t) * reference;
        if (accepted) break;
      }
    }
    if (trace) std::fprintf(stderr, "step %d rho %.1e merit %.3e lin %.1e t %.3g now %.3e %s\n", solution.newton_steps, rho, std::sqrt(merit), error, t, std::sqrt(now), accepted ? "" : "FAIL");
    if (accepted) {
      if (judge()) return solution;
      if (t == 1) rho = std::max(rho / 10, rho_min);
      if (t < 0.1) rho = std::min(rho * 10, 1e-2);
      if (trace) std::fprintf(stderr, "   residual %.3e\n", solution.residual);
      if (t > 0.1 || merit < 0.5 * reference) continue;
    }
    if (!accepted) {
      std::copy_n(m.Lambda.data(), n, p.Lambda.data());
      rho = std::min(rho * 100, 1e-2);
    }
    if (sweep(burst)) return solution;
    if (trace) std::fprintf(stderr, "   swept %d residual %.3e\n", burst, solution.residual);
    burst = std::min(2 * burst, 200);
    n_history = 0;
  }
  if (best_residual < solution.residual || !std::isfinite(solution.residual)) {
    std::copy_n(m.best.data(), n, p.Lambda.data());
    judge();
  }
  return solution;
}

}  // namespace nsmc::rt
