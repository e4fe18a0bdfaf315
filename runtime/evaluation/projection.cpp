// From constraints to corrections, see projection.hpp.
#include "runtime/evaluation/projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/view.hpp"

namespace nsmc::rt {

namespace {

constexpr int max_rounds = 10;
// Pivots of redundant rows come out as rounding errors, 1e-15 or so of the diagonal, or 1e-12 after long detours; those
// of long chains, different masses and awkward positions are far larger.
constexpr double drop = 1e-10;

const ContactInfo& position_contact(const System& system, std::size_t n) {
  return system.contacts()[system.position_contacts()[n]];
}

// g of all constraints; trouble if one of them is not finite. Masses and directions stay as they are.
Trouble evaluate_positions(const System& system, Workspace& work, double t, const double* q, const double* u) {
  nsm_view view = view_at(system, work.shared.data(), t);
  ProjectionWorkspace& own = work.projection;
  if (!work.shared.empty()) {  // `position` may read there what `dynamics` finds
    for (const std::uint32_t b : own.blocks) {
      const BlockInfo& block = system.blocks()[b];
      look_at(view, system, block, q, u);
      block.type->dynamics(&view, work.dynamics.data() + block.first_dynamics);
    }
  }
  for (std::size_t n = 0; n < system.position_contacts().size(); ++n) {
    const ContactInfo& contact = position_contact(system, n);
    look_at(view, system, contact, q, u);
    double* g = own.g.data() + own.first_position[n];
    contact.type->position(&view, g);
    for (std::uint32_t h = 0; h < contact.type->n_position; ++h) {
      if (!std::isfinite(g[h])) return {StepStatus::not_finite, NSM_NONE, system.position_contacts()[n]};
    }
  }
  return {};
}

// How large g may be by the rounding of the coordinates: in g's own units, since |W_hk| is dg_h per coordinate.
void estimate_rounding(const System& system, Workspace& work, const double* q) {
  constexpr double epsilon = 8 * std::numeric_limits<double>::epsilon();
  ProjectionWorkspace& own = work.projection;
  std::fill(own.rounding.begin(), own.rounding.end(), std::numeric_limits<double>::min());
  for (std::size_t n = 0; n < system.position_contacts().size(); ++n) {
    const ContactInfo& contact = position_contact(system, n);
    const double* directions = work.directions_of(contact);
    for (std::uint32_t b = 0; b < contact.n_blocks; ++b) {
      const BlockInfo& block = system.blocks()[contact.blocks[b]];
      double size = 0;
      for (std::uint32_t k = 0; k < block.n_q; ++k) size = std::max(size, std::abs(q[block.first_q + k]));
      const double* w = directions + system.layout(contact).W[b];
      for (std::uint32_t h = 0; h < contact.type->n_position; ++h, w += block.n_u) {
        double sum = 0;
        for (std::uint32_t k = 0; k < block.n_u; ++k) sum += std::abs(w[k]);
        own.rounding[own.first_position[n] + h] += epsilon * sum * size;
      }
    }
  }
}

// The largest g, in units of its rounding.
double rounding_units(const ProjectionWorkspace& own) {
  double worst = 0;
  for (std::size_t h = 0; h < own.g.size(); ++h) worst = std::max(worst, std::abs(own.g[h]) / own.rounding[h]);
  return worst;
}

// M^-1 W mu of all touched blocks.
const double* velocity_of(const System& system, Workspace& work) {
  ProjectionWorkspace& own = work.projection;
  double* v = own.velocity.data();
  for (const std::uint32_t b : own.blocks) {
    const BlockInfo& block = system.blocks()[b];
    std::fill_n(v + block.first_u, block.n_u, 0.0);
  }
  for (std::size_t n = 0; n < system.position_contacts().size(); ++n) {
    const ContactInfo& contact = position_contact(system, n);
    const double* X = work.X_of(contact);
    const double* mu = own.mu.data() + own.first_position[n];
    for (std::uint32_t b = 0; b < contact.n_blocks; ++b) {
      const BlockInfo& block = system.blocks()[contact.blocks[b]];
      for (std::uint32_t h = 0; h < contact.type->n_position; ++h) {
        const double* x = X + std::size_t{h} * block.n_u;
        for (std::uint32_t k = 0; k < block.n_u; ++k) v[block.first_u + k] += x[k] * mu[h];
      }
      X += std::size_t{block.n_u} * contact.type->n_rows;
    }
  }
  return v;
}

// q <- q + F(q_from) M^-1 W mu, mu = -G^-1 g.
void correct(const System& system, Workspace& work, double t, const double* q_from, double* q) {
  ProjectionWorkspace& own = work.projection;
  for (std::size_t h = 0; h < own.g.size(); ++h) own.mu[h] = -own.g[h];
  own.G.solve(own.mu.data());
  const double* v = velocity_of(system, work);
  nsm_view view = view_at(system, work.shared.data(), t);
  for (const std::uint32_t b : own.blocks) {
    const BlockInfo& block = system.blocks()[b];
    const double* rate = v + block.first_u;
    if (block.type->identity_kinematics == 0) {
      look_at(view, system, block, q_from, v);
      block.type->kinematics(&view, own.q_rate.data());
      rate = own.q_rate.data();
    }
    for (std::uint32_t k = 0; k < block.n_q; ++k) q[block.first_q + k] += rate[k];
  }
  normalise(system, q);
}

// W^T u + chi into mu, or W^T u alone; the largest of them.
double evaluate_rates(const System& system, Workspace& work, const double* u, bool with_chi = true) {
  ProjectionWorkspace& own = work.projection;
  double largest = 0;
  for (std::size_t n = 0; n < system.position_contacts().size(); ++n) {
    const ContactInfo& contact = position_contact(system, n);
    const DirectionLayout& layout = system.layout(contact);
    const double* directions = work.directions_of(contact);
    for (std::uint32_t h = 0; h < contact.type->n_position; ++h) {
      double gamma = with_chi ? directions[layout.chi + h] : 0;
      for (std::uint32_t b = 0; b < contact.n_blocks; ++b) {
        const BlockInfo& block = system.blocks()[contact.blocks[b]];
        const double* w = directions + layout.W[b] + std::size_t{h} * block.n_u;
        for (std::uint32_t k = 0; k < block.n_u; ++k) gamma += w[k] * u[block.first_u + k];
      }
      own.mu[own.first_position[n] + h] = gamma;
      largest = std::max(largest, std::abs(gamma));
    }
  }
  return largest;
}

// u <- u + M^-1 W G^-1 mu
void push(const System& system, Workspace& work, double* u) {
  ProjectionWorkspace& own = work.projection;
  own.G.solve(own.mu.data());
  const double* v = velocity_of(system, work);
  for (const std::uint32_t b : own.blocks) {
    const BlockInfo& block = system.blocks()[b];
    for (std::uint32_t k = 0; k < block.n_u; ++k) u[block.first_u + k] += v[block.first_u + k];
  }
}

PositionReport report_of(const System& system, const ProjectionWorkspace& own) {
  PositionReport report;
  for (std::size_t n = 0; n < system.position_contacts().size(); ++n) {
    for (std::uint32_t h = 0; h < position_contact(system, n).type->n_position; ++h) {
      const double error = std::abs(own.g[own.first_position[n] + h]);
      if (error <= report.error && report.contact != NSM_NONE) continue;
      report.error = error;
      report.contact = system.position_contacts()[n];
    }
  }
  return report;
}

}  // namespace

void factor_constraints(const System& system, Workspace& work) {
  ProjectionWorkspace& own = work.projection;
  for (const ProjectionWorkspace::Pair& pair : own.pairs) {
    const ContactInfo& rows = position_contact(system, pair.i);
    const ContactInfo& columns = position_contact(system, pair.j);
    const std::uint32_t n_rows = rows.type->n_position, n_columns = columns.type->n_position;
    const DirectionLayout& layout = system.layout(rows);
    const double* W = work.directions_of(rows);
    double* part = own.part.data();
    std::fill_n(part, std::size_t{n_rows} * n_columns, 0.0);
    const double* X = work.X_of(columns);
    for (std::uint32_t b = 0; b < columns.n_blocks; ++b) {
      const std::uint32_t n_u = system.blocks()[columns.blocks[b]].n_u;
      for (std::uint32_t a = 0; a < rows.n_blocks; ++a) {
        if (rows.blocks[a] != columns.blocks[b]) continue;
        const double* w = W + layout.W[a];
        for (std::uint32_t h = 0; h < n_rows; ++h, w += n_u) {
          const double* x = X;
          for (std::uint32_t m = 0; m < n_columns; ++m, x += n_u) {
            double sum = 0;
            for (std::uint32_t k = 0; k < n_u; ++k) sum += w[k] * x[k];
            part[h * n_columns + m] += sum;
          }
        }
      }
      X += std::size_t{n_u} * columns.type->n_rows;
    }
    std::size_t entry = pair.first_entry;
    for (std::uint32_t h = 0; h < n_rows; ++h) {
      const std::uint32_t end = pair.i == pair.j ? h + 1 : n_columns;
      for (std::uint32_t m = 0; m < end; ++m) own.G.value(entry++) = part[h * n_columns + m];
    }
  }
  own.G.factor(drop);
}

Trouble evaluate_constraints(const System& system, Workspace& work, double t, const double* q, const double* u) {
  if (const Trouble trouble = evaluate_masses(system, work, t, q, u, work.projection.blocks)) return trouble;
  evaluate_directions(system, work, t, q, u, system.position_contacts());
  factor_constraints(system, work);
  return {};
}

PositionReport project_positions(const System& system, Workspace& work, double t, const double* q_from, double* q,
                                 const double* u) {
  ProjectionWorkspace& own = work.projection;
  if (own.g.empty()) return {};
  if (const Trouble trouble = evaluate_positions(system, work, t, q, u)) return {trouble};
  estimate_rounding(system, work, q);
  PositionReport before = report_of(system, own);
  before.moved_from = before.error;
  double error = rounding_units(own);
  if (error <= 1) return before;
  int round = 0;
  while (round < max_rounds && error > 1) {
    ++round;
    std::copy_n(q, system.n_q(), own.q_kept.data());
    std::copy(own.g.begin(), own.g.end(), own.g_kept.begin());
    correct(system, work, t, q_from, q);
    const Trouble trouble = evaluate_positions(system, work, t, q, u);
    const double now = trouble ? std::numeric_limits<double>::infinity() : rounding_units(own);
    if (now >= error) {
      std::copy_n(own.q_kept.data(), system.n_q(), q);
      std::copy(own.g_kept.begin(), own.g_kept.end(), own.g.begin());
      break;
    }
    const bool stuck = now > 0.9 * error;
    error = now;
    if (stuck) break;
  }
  PositionReport report = report_of(system, own);
  report.moved_from = before.error;
  report.rounds = round;
  return report;
}

std::vector<std::uint32_t> find_contradiction(const System& system, Workspace& work, double t, double* q,
                                              const double* u) {
  ProjectionWorkspace& own = work.projection;
  constexpr int most_restarts = 20;
  constexpr double held = 1e-6 / (8 * std::numeric_limits<double>::epsilon());  // of lengths, in units of rounding
  // A start that is far off may take more rounds than a step does, with directions where it has come to.
  double error = rounding_units(own);
  for (int n = 0; n < most_restarts && error > held; ++n) {
    if (evaluate_constraints(system, work, t, q, u)) return {};
    if (project_positions(system, work, t, q, q, u).trouble) return {};
    const double now = rounding_units(own);
    if (!(now < 0.99 * error)) break;
    error = now;
  }
  if (!(error > held) || evaluate_constraints(system, work, t, q, u)) return {};
  // Those that do not hold, and those whose rows theirs are combinations of: G c = G e_h for a row h.
  std::vector<std::uint32_t> found;
  std::vector<double> g = own.g;
  for (std::size_t n = 0; n < system.position_contacts().size(); ++n) {
    for (std::uint32_t h = 0; h < position_contact(system, n).type->n_position; ++h) {
      const std::size_t row = own.first_position[n] + h;
      if (!(std::abs(g[row]) > held * own.rounding[row])) continue;
      found.push_back(system.position_contacts()[n]);
      std::fill(own.mu.begin(), own.mu.end(), 0.0);
      own.mu[row] = 1;
      evaluate_rates(system, work, velocity_of(system, work), false);
      own.G.solve(own.mu.data());
      for (std::size_t m = 0; m < system.position_contacts().size(); ++m) {
        for (std::uint32_t k = 0; k < position_contact(system, m).type->n_position; ++k) {
          if (std::abs(own.mu[own.first_position[m] + k]) > 1e-6) found.push_back(system.position_contacts()[m]);
        }
      }
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

double project_velocities(const System& system, Workspace& work, double* u) {
  ProjectionWorkspace& own = work.projection;
  const double error = evaluate_rates(system, work, u);
  for (std::size_t h = 0; h < own.mu.size(); ++h) own.mu[h] = -own.mu[h];
  std::fill(own.rate.begin(), own.rate.end(), 0.0);
  std::fill(own.rate_before.begin(), own.rate_before.end(), 0.0);
  push(system, work, u);
  return error;
}

void settle_velocities(const System& system, Workspace& work, double* u) {
  ProjectionWorkspace& own = work.projection;
  evaluate_rates(system, work, u);
  for (std::size_t h = 0; h < own.mu.size(); ++h) {
    const double swing = (own.mu[h] - 2 * own.rate[h] + own.rate_before[h]) / 4;
    own.rate_before[h] = own.rate[h];
    own.rate[h] = own.mu[h] - swing;
    own.mu[h] = -swing;
  }
  push(system, work, u);
}

void solve_constraints(const System& system, Workspace& work) {
  ProjectionWorkspace& own = work.projection;
  ContactProblem& problem = work.problem;
  // Constraints are always closed: their rows stand in the problem in the order of position_contacts().
  const auto each_row = [&](auto&& visit) {
    std::size_t n = 0;
    for (const ContactRows& rows : problem.contacts) {
      const std::uint32_t n_position = system.contacts()[rows.contact].type->n_position;
      for (std::uint32_t h = 0; h < n_position; ++h) visit(rows, h, own.mu[n++]);
    }
  };
  problem.look_at(problem.Lambda.data());
  each_row(
      [&](const ContactRows& rows, std::uint32_t h, double& mu) { mu = -problem.xi(rows, h, problem.Lambda.data()); });
  own.G.solve(own.mu.data());
  each_row([&](const ContactRows& rows, std::uint32_t h, double mu) { problem.Lambda[rows.first_row + h] += mu; });
}

}  // namespace nsmc::rt
