#include "runtime/solvers/newton_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/sets/prox_derivative.hpp"

namespace nsmc::rt {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

double size(const double* x, std::uint32_t n) {
  double largest = 0;
  for (std::uint32_t k = 0; k < n; ++k) largest = std::max(largest, std::abs(x[k]));
  return largest;
}

// X <- A^-1 X for an n x n matrix A and m columns, by elimination with row exchanges; A is used up.
void solve_small(double* A, double* X, std::uint32_t n, std::uint32_t m) {
  for (std::uint32_t k = 0; k < n; ++k) {
    std::uint32_t pivot = k;
    for (std::uint32_t h = k + 1; h < n; ++h) {
      if (std::abs(A[h * n + k]) > std::abs(A[pivot * n + k])) pivot = h;
    }
    if (pivot != k) {
      std::swap_ranges(A + pivot * n, A + (pivot + 1) * n, A + k * n);
      std::swap_ranges(X + pivot * m, X + (pivot + 1) * m, X + k * m);
    }
    const double inverse = 1 / A[k * n + k];
    for (std::uint32_t h = k + 1; h < n; ++h) {
      const double factor = A[h * n + k] * inverse;
      if (factor == 0) continue;
      for (std::uint32_t l = k + 1; l < n; ++l) A[h * n + l] -= factor * A[k * n + l];
      for (std::uint32_t l = 0; l < m; ++l) X[h * m + l] -= factor * X[k * m + l];
    }
  }
  for (std::uint32_t k = n; k-- > 0;) {
    for (std::uint32_t l = 0; l < m; ++l) {
      double sum = X[k * m + l];
      for (std::uint32_t h = k + 1; h < n; ++h) sum -= A[k * n + h] * X[h * m + l];
      X[k * m + l] = sum / A[k * n + k];
    }
  }
}

void find_pattern_of_contacts(const ContactProblem& p, NewtonMemory& m) {
  m.sizes.clear();
  m.edges.clear();
  for (std::uint32_t i = 0; i < p.contacts.size(); ++i) {
    const ContactRows& rows = p.contacts[i];
    m.sizes.push_back(rows.n_rows);
    for (std::uint32_t n = 0; n < rows.n_runs; ++n) {
      const ColumnRun& run = p.runs[rows.first_run + n];
      for (std::uint32_t j = run.first_contact; j < run.first_contact + run.n_contacts; ++j) m.edges.push_back({i, j});
    }
  }
}

// The edges of bodies: each with itself, then the pairs that touch, sorted. m.edge_of: by contact, the places of its
// pair in both orders.
void find_pattern_of_bodies(const ContactProblem& p, NewtonMemory& m) {
  const BodyForm& bodies = p.bodies;
  m.sizes.assign(bodies.n_bodies, bodies.stride);
  m.edges.clear();
  for (std::uint32_t b = 0; b < bodies.n_bodies; ++b) m.edges.push_back({b, b});
  const auto before = [](const BlockLu::Edge& a, const BlockLu::Edge& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  };
  for (const BodyForm::Contact& on : bodies.contacts) {
    if (on.body[1] == bodies.n_bodies) continue;
    m.edges.push_back({on.body[0], on.body[1]});
    m.edges.push_back({on.body[1], on.body[0]});
  }
  const auto pairs = m.edges.begin() + bodies.n_bodies;
  std::sort(pairs, m.edges.end(), before);
  m.edges.erase(std::unique(pairs, m.edges.end()), m.edges.end());
  m.edge_of.clear();
  const auto place = [&](std::uint32_t a, std::uint32_t b) {
    const auto at = std::lower_bound(m.edges.begin() + bodies.n_bodies, m.edges.end(), BlockLu::Edge{a, b}, before);
    return static_cast<std::uint32_t>(at - m.edges.begin());
  };
  for (const BodyForm::Contact& on : bodies.contacts) {
    const bool two = on.body[1] != bodies.n_bodies;
    m.edge_of.push_back(two ? place(on.body[0], on.body[1]) : 0);
    m.edge_of.push_back(two ? place(on.body[1], on.body[0]) : 0);
  }
  m.dy.assign(std::size_t{bodies.n_bodies + 1} * bodies.stride, 0);
}

}  // namespace

bool find_elimination(ContactProblem& p) {
  // Values of the factors: 240 MB. Beyond, sweeps are quicker than a single Newton step.
  constexpr std::size_t most_values = 30'000'000;
  if (p.bodies.active()) {
    find_pattern_of_bodies(p, p.newton);
  } else {
    find_pattern_of_contacts(p, p.newton);
  }
  return p.newton.lu.analyse(p.newton.sizes, p.newton.edges, p.bodies.active() ? most_values : SIZE_MAX);
}

NewtonSystem::NewtonSystem(ContactProblem& problem) : p(problem), m(problem.newton) {
  find_elimination(p);
  std::uint32_t most_rows = 0, most_arguments = 0;
  std::size_t n_B = 0;
  m.B_first.clear();
  for (const ContactRows& rows : p.contacts) {
    most_rows = std::max(most_rows, rows.n_rows);
    most_arguments = std::max(most_arguments, rows.n_arguments);
    m.B_first.push_back(n_B);
    n_B += std::size_t{rows.n_rows} * rows.n_rows;
  }
  for (std::vector<double>* v : {&m.B, &m.Q, &m.K}) v->assign(n_B, 0);
  const std::size_t n = p.n_rows();
  for (std::vector<double>* v : {&m.F, &m.step, &m.rest, &m.Lambda, &m.best, &m.centre, &m.f}) v->assign(n, 0);
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
  const std::size_t rows = most_rows;
  for (std::vector<double>* v : {&m.z, &m.x, &m.predicted}) v->assign(rows, 0);
  m.dprox.assign(rows * most_arguments, 0);
  m.A.assign(rows * rows, 0);
  m.small.assign(std::max<std::size_t>(rows * rows, rows * BodyForm::most_u), 0);
}

double NewtonSystem::evaluate(const double* Lambda, double rho, bool with_derivatives) {
  double merit = 0;
  p.look_at(Lambda);
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
      if (with_derivatives) differentiate(i, j, r, rho);
      for (std::uint32_t h = 0; h < s.dim; ++h) m.predicted[local + h] = -m.x[h];
    }
  }
  return merit;
}

double NewtonSystem::solve() {
  if (p.bodies.active()) {
    factor_bodies();
  } else {
    factor_contacts();
  }
  const std::size_t n = p.n_rows();
  for (std::size_t h = 0; h < n; ++h) m.step[h] = -m.F[h];
  solve_factored(m.step.data());
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
    solve_factored(m.rest.data());
    for (std::size_t h = 0; h < n; ++h) m.step[h] += m.rest[h];
  }
  return error;
}

void NewtonSystem::factor_contacts() {
  m.lu.clear();
  std::size_t edge = 0;
  for (std::size_t n = 0; n < p.contacts.size(); ++n) {
    const ContactRows& i = p.contacts[n];
    const std::uint32_t n_rows = i.n_rows;
    const double *own_B = B(n), *own_Q = Q(n);
    std::size_t column = 0;
    for (std::uint32_t r = 0; r < i.n_runs; ++r) {
      const ColumnRun& run = p.runs[i.first_run + r];
      for (std::uint32_t j = run.first_contact; j < run.first_contact + run.n_contacts; ++j, ++edge) {
        const ContactRows& columns = p.contacts[j];
        double* block = m.lu.block(edge);
        for (std::uint32_t h = 0; h < n_rows; ++h) {
          const double s = m.scale[i.first_row + h];
          for (std::uint32_t k = 0; k < columns.n_rows; ++k) {
            double sum = j == n ? own_B[h * n_rows + k] : 0;
            for (std::uint32_t l = 0; l < n_rows; ++l)
              sum += own_Q[h * n_rows + l] * p.G[i.first_value + std::size_t{l} * i.width + column + k];
            block[h * columns.n_rows + k] = s * sum / m.scale[columns.first_row + k];
          }
        }
        column += columns.n_rows;
      }
    }
  }
  m.lu.factor();
}

void NewtonSystem::factor_bodies() {
  const BodyForm& bodies = p.bodies;
  const std::uint32_t stride = bodies.stride;
  m.lu.clear();
  for (std::uint32_t b = 0; b < bodies.n_bodies; ++b) {
    for (std::uint32_t k = 0; k < stride; ++k) m.lu.block(b)[k * (stride + 1)] = 1;
  }
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const BodyForm::Contact& on = bodies.contacts[i];
    const std::uint32_t n = p.contacts[i].n_rows;
    double* K = m.K.data() + m.B_first[i];
    // K = B^-1 (Q), B with what compliance adds to xi.
    std::copy_n(B(i), n * n, m.small.data());
    for (std::uint32_t h = 0; on.C != nullptr && h < n; ++h) {
      for (std::uint32_t k = 0; k < n; ++k) {
        for (std::uint32_t l = 0; l < n; ++l) m.small[h * n + k] += Q(i)[h * n + l] * on.C[l * n + k] / p.dt;
      }
    }
    std::copy_n(Q(i), n * n, K);
    solve_small(m.small.data(), K, n, n);
    for (std::uint32_t b = 0; b < 2; ++b) {
      if (on.body[b] == bodies.n_bodies) continue;
      // K V~^T of this side, then W~ of both sides with it.
      double* KV = m.small.data();
      const double* V = bodies.directions.data() + on.V + std::size_t{b} * n * stride;
      for (std::uint32_t h = 0; h < n; ++h) {
        for (std::uint32_t k = 0; k < stride; ++k) {
          double sum = 0;
          for (std::uint32_t l = 0; l < n; ++l) sum += K[h * n + l] * V[l * stride + k];
          KV[h * stride + k] = sum;
        }
      }
      for (std::uint32_t a = 0; a < 2; ++a) {
        if (on.body[a] == bodies.n_bodies) continue;
        double* block = m.lu.block(a == b ? on.body[a] : m.edge_of[2 * i + a]);
        const double* W = bodies.directions.data() + on.W + std::size_t{a} * n * stride;
        for (std::uint32_t h = 0; h < n; ++h) {
          for (std::uint32_t j = 0; j < stride; ++j) {
            for (std::uint32_t k = 0; k < stride; ++k) block[j * stride + k] += W[h * stride + j] * KV[h * stride + k];
          }
        }
      }
    }
  }
  m.lu.factor();
}

void NewtonSystem::solve_factored(double* x) {
  if (p.bodies.active()) {
    solve_on_bodies(x);
  } else {
    m.lu.solve(x);
  }
}

void NewtonSystem::solve_on_bodies(double* x) {
  const BodyForm& bodies = p.bodies;
  const std::uint32_t stride = bodies.stride;
  std::fill(m.dy.begin(), m.dy.end(), 0.0);
  // f = B^-1 of the right side, and what it does to the bodies.
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const ContactRows& rows = p.contacts[i];
    const BodyForm::Contact& on = bodies.contacts[i];
    const std::uint32_t n = rows.n_rows;
    double* f = m.f.data() + rows.first_row;
    for (std::uint32_t h = 0; h < n; ++h) f[h] = x[rows.first_row + h] / m.scale[rows.first_row + h];
    std::copy_n(B(i), n * n, m.small.data());
    for (std::uint32_t h = 0; on.C != nullptr && h < n; ++h) {
      for (std::uint32_t k = 0; k < n; ++k) {
        for (std::uint32_t l = 0; l < n; ++l) m.small[h * n + k] += Q(i)[h * n + l] * on.C[l * n + k] / p.dt;
      }
    }
    solve_small(m.small.data(), f, n, 1);
    const double* W = bodies.directions.data() + on.W;
    for (std::uint32_t side = 0; side < 2; ++side) {
      double* dy = m.dy.data() + std::size_t{on.body[side]} * stride;
      for (std::uint32_t h = 0; h < n; ++h, W += stride) {
        for (std::uint32_t k = 0; k < stride; ++k) dy[k] += W[k] * f[h];
      }
    }
  }
  m.lu.solve(m.dy.data());
  std::fill_n(m.dy.data() + std::size_t{bodies.n_bodies} * stride, stride, 0.0);
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const ContactRows& rows = p.contacts[i];
    const BodyForm::Contact& on = bodies.contacts[i];
    const std::uint32_t n = rows.n_rows;
    const double* K = m.K.data() + m.B_first[i];
    for (std::uint32_t h = 0; h < n; ++h) {
      double sum = 0;
      for (std::uint32_t side = 0; side < 2; ++side) {
        const double* V = bodies.directions.data() + on.V + std::size_t{side * n + h} * stride;
        const double* dy = m.dy.data() + std::size_t{on.body[side]} * stride;
        for (std::uint32_t k = 0; k < stride; ++k) sum += V[k] * dy[k];
      }
      m.small[h] = sum;
    }
    for (std::uint32_t h = 0; h < n; ++h) {
      double value = m.f[rows.first_row + h];
      for (std::uint32_t l = 0; l < n; ++l) value -= K[h * n + l] * m.small[l];
      x[rows.first_row + h] = m.scale[rows.first_row + h] * value;
    }
  }
}

// m.rest = -F - (B + Q G) step
void NewtonSystem::find_rest() {
  const std::size_t n_rows = p.n_rows();
  for (std::size_t h = 0; h < n_rows; ++h) m.f[h] = m.step[h] / m.scale[h];
  p.look_at(m.f.data());
  for (std::size_t n = 0; n < p.contacts.size(); ++n) {
    const ContactRows& i = p.contacts[n];
    const double* step = m.f.data() + i.first_row;
    for (std::uint32_t h = 0; h < i.n_rows; ++h) m.small[h] = p.G_times(i, h, m.f.data());
    for (std::uint32_t h = 0; h < i.n_rows; ++h) {
      double sum = 0;
      for (std::uint32_t k = 0; k < i.n_rows; ++k)
        sum += B(n)[h * i.n_rows + k] * step[k] + Q(n)[h * i.n_rows + k] * m.small[k];
      m.rest[i.first_row + h] = -m.F[i.first_row + h] - m.scale[i.first_row + h] * sum;
    }
  }
}

// x = prox_K(alpha z)/alpha with the arguments as they are.
void NewtonSystem::project(const ContactRows& i, const SetBlock& s, const double* z, double* x) {
  const ConvexSet set{s.set, p.arguments.data() + i.first_argument};
  const double alpha = set.alpha();
  for (std::uint32_t h = 0; h < s.dim; ++h) x[h] = alpha * z[h];
  set.prox(x);
  if (s.set->scaled != 0) {
    for (std::uint32_t h = 0; h < s.dim; ++h) x[h] /= alpha;
  }
}

// The rows of B and Q of set j of contact i, from m.z, m.x and the arguments.
void NewtonSystem::differentiate(const ContactRows& i, std::uint32_t j, double r, double rho) {
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
    known = prox_derivative(set, m.z.data(), m.x.data(), slack, P, m.dprox.data());
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
  const std::size_t n = i.n_rows, first = m.B_first[static_cast<std::size_t>(&i - p.contacts.data())];
  double *B = m.B.data() + first, *Q = m.Q.data() + first;
  for (std::uint32_t h = 0; h < dim; ++h) {
    double *b = B + (local + h) * n, *q = Q + (local + h) * n;
    std::fill_n(b, n, 0.0);
    std::fill_n(q, n, 0.0);
    for (std::uint32_t k = 0; k < dim; ++k) {
      q[local + k] = r * P[h * dim + k];
      b[local + k] = (h == k ? 1 : 0) - (1 - rho) * P[h * dim + k];
    }
    for (std::uint32_t k = 0; k < n; ++k) {
      const double a = m.A[h * n + k];
      if (a == 0) continue;
      b[k] += a;
      if (!is_predicted(i, j, k)) continue;
      for (std::uint32_t l = 0; l < n; ++l) {
        b[l] -= a * B[k * n + l];
        q[l] -= a * Q[k * n + l];
      }
    }
  }
}

// Whether row k of contact i belongs to a set before set j.
bool NewtonSystem::is_predicted(const ContactRows& i, std::uint32_t j, std::uint32_t k) const {
  for (std::uint32_t n = i.first_set; n < j; ++n) {
    const std::uint32_t first = p.sets[n].first_row - i.first_row;
    if (k >= first && k < first + p.sets[n].dim) return true;
  }
  return false;
}

void NewtonSystem::chain_arguments(const ContactRows& i, const SetBlock& s, const double* P) {
  const nsm_set& set = *s.set;
  for (std::uint32_t n = 0; n < set.n_arguments; ++n) {
    const double* K = i.K + std::size_t{set.first_argument + n} * i.n_rows;
    const double unit = n < set.n_lengths ? 1 : 1 / p.dt;
    for (std::uint32_t h = 0; h < s.dim; ++h) {
      const double q = unit * m.dprox[h * set.n_arguments + n];
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

void NewtonSystem::difference_P(const ContactRows& i, const SetBlock& s, double slack, double* P) {
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

void NewtonSystem::difference_arguments(const ContactRows& i, const SetBlock& s, double slack) {
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

}  // namespace nsmc::rt
