// Newton's method on the constraints, see projection.hpp.
#include "runtime/integrators/projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/view.hpp"

namespace nsmc::rt {

namespace {

constexpr int max_rounds = 5;
// Pivots of redundant rows come out as rounding errors, 1e-15 or so of the diagonal; those of long chains, different
// masses and awkward positions are far larger.
constexpr double drop = 1e-12;

const ContactInfo& position_contact(const System& system, std::size_t n) {
  return system.contacts()[system.position_contacts()[n]];
}

// g of all constraints; trouble if one of them is not finite.
Trouble evaluate_positions(const System& system, Workspace& work, double t, const double* q, const double* u) {
  nsm_view view = view_at(system, work.shared.data(), t);
  ProjectionWorkspace& own = work.projection;
  for (std::size_t n = 0; n < system.position_contacts().size(); ++n) {
    const ContactInfo& contact = position_contact(system, n);
    look_at(view, system, contact, q, u);
    double* g = own.g.data() + own.first_position[n];
    contact.type->position(&view, g);
    for (std::uint32_t h = 0; h < contact.type->n_position; ++h) {
      if (!std::isfinite(g[h])) return {StepStatus::not_finite, nobody, system.position_contacts()[n]};
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
    const double* directions = work.directions.data() + contact.first_direction;
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

void factor_G(const System& system, Workspace& work) {
  ProjectionWorkspace& own = work.projection;
  for (const ProjectionWorkspace::Pair& pair : own.pairs) {
    const ContactInfo& rows = position_contact(system, pair.i);
    const ContactInfo& columns = position_contact(system, pair.j);
    const std::uint32_t n_rows = rows.type->n_position, n_columns = columns.type->n_position;
    const DirectionLayout& layout = system.layout(rows);
    const double* W = work.directions.data() + rows.first_direction;
    double* part = own.part.data();
    std::fill_n(part, std::size_t{n_rows} * n_columns, 0.0);
    const double* X = work.X.data() + columns.first_X;
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

// q <- q + F(q) M^-1 W mu, mu = -G^-1 g.
void correct(const System& system, Workspace& work, double t, double* q) {
  ProjectionWorkspace& own = work.projection;
  for (std::size_t h = 0; h < own.g.size(); ++h) own.mu[h] = -own.g[h];
  own.G.solve(own.mu.data());
  double* v = own.velocity.data();
  for (const std::uint32_t b : own.blocks) {
    const BlockInfo& block = system.blocks()[b];
    std::fill_n(v + block.first_u, block.n_u, 0.0);
  }
  for (std::size_t n = 0; n < system.position_contacts().size(); ++n) {
    const ContactInfo& contact = position_contact(system, n);
    const double* X = work.X.data() + contact.first_X;
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
  nsm_view view = view_at(system, work.shared.data(), t);
  for (const std::uint32_t b : own.blocks) {
    const BlockInfo& block = system.blocks()[b];
    const double* rate = v + block.first_u;
    if (block.type->identity_kinematics == 0) {
      look_at(view, block, q, v);
      block.type->kinematics(&view, own.q_rate.data());
      rate = own.q_rate.data();
    }
    for (std::uint32_t k = 0; k < block.n_q; ++k) q[block.first_q + k] += rate[k];
  }
  normalise(system, q);
}

PositionReport report_of(const System& system, const ProjectionWorkspace& own, int rounds) {
  PositionReport report;
  report.rounds = rounds;
  for (std::size_t n = 0; n < system.position_contacts().size(); ++n) {
    for (std::uint32_t h = 0; h < position_contact(system, n).type->n_position; ++h) {
      const double error = std::abs(own.g[own.first_position[n] + h]);
      if (error <= report.error && report.contact != nobody) continue;
      report.error = error;
      report.contact = system.position_contacts()[n];
    }
  }
  return report;
}

}  // namespace

PositionReport project_positions(const System& system, Workspace& work, double t, double* q, const double* u) {
  ProjectionWorkspace& own = work.projection;
  if (own.g.empty()) return {};
  if (const Trouble trouble = evaluate_masses(system, work, t, q, u, own.blocks)) return {trouble};
  if (const Trouble trouble = evaluate_positions(system, work, t, q, u)) return {trouble};
  evaluate_directions(system, work, t, q, u, system.position_contacts());
  estimate_rounding(system, work, q);
  double error = rounding_units(own);
  if (error <= 1) return report_of(system, own, 0);
  factor_G(system, work);
  int round = 0;
  while (round < max_rounds && error > 1) {
    ++round;
    std::copy_n(q, system.n_q(), own.q_before.data());
    correct(system, work, t, q);
    Trouble trouble = evaluate_masses(system, work, t, q, u, own.blocks);
    if (!trouble) trouble = evaluate_positions(system, work, t, q, u);
    const double now = trouble ? std::numeric_limits<double>::infinity() : rounding_units(own);
    if (now >= error) {
      std::copy_n(own.q_before.data(), system.n_q(), q);
      return measure_positions(system, work, t, q, u);
    }
    const bool stuck = now > error / 2;
    error = now;
    if (stuck) break;
  }
  return report_of(system, own, round);
}

PositionReport measure_positions(const System& system, Workspace& work, double t, const double* q, const double* u) {
  ProjectionWorkspace& own = work.projection;
  if (own.g.empty()) return {};
  if (const Trouble trouble = evaluate_masses(system, work, t, q, u, own.blocks)) return {trouble};
  if (const Trouble trouble = evaluate_positions(system, work, t, q, u)) return {trouble};
  return report_of(system, own, 0);
}

}  // namespace nsmc::rt
