#include "runtime/methods/event/conditions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/sets/exposed_face.hpp"
#include "runtime/view.hpp"

namespace nsmc::rt::event {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double tiny = 1e-300;

double signed_value(double value, bool broken) { return broken ? std::min(value, -tiny) : std::max(value, tiny); }

// The condition on a velocity that has to stay positive and may begin with 0 if it grows.
double stays_positive(double velocity, double rate, double speed) {
  const double v = speed > 0 ? velocity / speed : velocity;
  return signed_value(v, v < -zero_velocity || (v <= 0 && rate < 0));
}

double hold_margin(Accelerations& at, const ContactRows& rows, const Unit& unit, const double* own) {
  const ConvexSet set = at.set_of(rows, unit, own);
  const double alpha = set.alpha(), scale = at.force_scale(rows, unit);
  double x[max_shifted_dim], size = 0;
  for (std::uint32_t k = 0; k < unit.dim; ++k) {
    x[k] = -alpha * own[unit.row + k];
    size = std::max(size, std::abs(x[k]));
  }
  if (set.set->kind == NSM_SET_INTERVAL) {
    const double low = exposed_end(set, unit.row_in_set, false), high = exposed_end(set, unit.row_in_set, true);
    const double margin = std::min(x[0] - low, high - x[0]);
    return margin == infinity ? 1 : margin / (scale > 0 ? scale : 1);
  }
  if (size <= leaves_set * scale) return tiny;  // no force and next to no set
  const double gauge = set.gauge(x);
  return std::isfinite(gauge) ? 1 - gauge : -1;
}

// The condition on a velocity that moves along n0 and ends where nothing is left of it.
double goes_on(double length, double product, double forward, double forward_rate, double speed) {
  length /= speed > 0 ? speed : 1;
  if (forward > 0) return signed_value(length - end_of_slip, length <= end_of_slip && product < 0);
  // Just begun, and velocities are rounding still; or turned back.
  return signed_value(-length, length > zero_velocity || forward_rate < 0);
}

// The velocity stays on its side of a ridge.
double ridge_condition(const Ridges& ridges, const Unit& unit, const double* velocity, const double* rate) {
  if (!ridges.near) return 1;
  const FlatFace& face = ridges.ridge;
  double square = 0, product = 0, forward = 0, forward_rate = 0;
  for (std::uint32_t j = 0; j < face.k; ++j) {
    const double along = face.along(velocity, j), along_rate = face.along(rate, j), side = face.along(ridges.side, j);
    square += along * along;
    product += along * along_rate;
    forward += along * side;
    forward_rate += along_rate * side;
  }
  if (face.k - (unit.mode == Mode::edge ? ridges.held.k : 0) == 1)
    return stays_positive(forward, forward_rate, unit.speed);
  return goes_on(std::sqrt(square), product, forward, forward_rate, unit.speed);
}

double slip_condition(Accelerations& at, const ContactRows& rows, const Unit& unit, const double* n0,
                      const Ridges& ridges, const double* own) {
  double velocity[max_shifted_dim], rate[max_shifted_dim];
  double forward = 0, forward_rate = 0, square = 0, product = 0;
  for (std::uint32_t k = 0; k < unit.dim; ++k) {
    const std::uint32_t row = rows.first_row + unit.row + k;
    rate[k] = at.xi_rate(rows, unit.row + k);
    velocity[k] = at.xi(row);
    if (at.is_compliant(row)) velocity[k] = rate[k], rate[k] = 0;  // its row is one of velocities
    forward += n0[k] * velocity[k];
    forward_rate += n0[k] * rate[k];
    square += velocity[k] * velocity[k];
    product += velocity[k] * rate[k];
  }
  const ConvexSet set = at.set_of(rows, unit, own);
  if (set.set->kind == NSM_SET_INTERVAL) return stays_positive(forward, forward_rate, unit.speed);
  double in_corner = 1;
  if (at.has_edges(rows, unit)) {
    for (const auto& margin : at.corner_margins(rows, unit, own, velocity, rate))
      in_corner = std::min(in_corner, stays_positive(margin.velocity, margin.rate, unit.speed));
    if (set.set->kind == NSM_SET_POLYGON) return in_corner;
    if (in_corner > 0 && forward > 0 && at.bend_attracts(rows, unit, own, velocity)) return -1;
  }
  in_corner = std::min(in_corner, ridge_condition(ridges, unit, velocity, rate));
  return std::min(in_corner, goes_on(std::sqrt(square), product, forward, forward_rate, unit.speed));
}

double edge_condition(Accelerations& at, const ContactRows& rows, const Unit& unit, const double* own) {
  const Accelerations::Edge edge = at.edge_of(rows, unit, own);
  const double n[2] = {edge.along[1], -edge.along[0]};
  const std::uint32_t row = rows.first_row + unit.row;
  const double place = at.place_on_edge(rows, unit, own);
  const double velocity = n[0] * at.xi(row) + n[1] * at.xi(row + 1);
  const double rate = n[0] * at.xi_rate(rows, unit.row) + n[1] * at.xi_rate(rows, unit.row + 1);
  return std::min(std::min(place, 1 - place) + leaves_set, stays_positive(velocity, rate, unit.speed));
}

double face_condition(Accelerations& at, const ContactRows& rows, const Unit& unit, const double* n0,
                      const Ridges& ridges, const double* own) {
  double velocity[max_shifted_dim], rate[max_shifted_dim];
  double forward = 0, forward_rate = 0, square = 0, product = 0;
  for (std::uint32_t h = 0; h < unit.dim; ++h) {
    velocity[h] = at.xi(rows.first_row + unit.row + h);
    rate[h] = at.xi_rate(rows, unit.row + h);
    forward += n0[h] * velocity[h];
    forward_rate += n0[h] * rate[h];
    square += velocity[h] * velocity[h];
    product += velocity[h] * rate[h];
  }
  const double inside = 1 - at.gauge_on_face(rows, unit, own) + leaves_set;
  const bool one_normal = ridges.held.k + 1 == ridges.held.n;
  const double moves = one_normal ? stays_positive(forward, forward_rate, unit.speed)
                                  : goes_on(std::sqrt(square), product, forward, forward_rate, unit.speed);
  return std::min({inside, moves, ridge_condition(ridges, unit, velocity, rate)});
}

}  // namespace

static bool any_negative(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return value < 0; });
}

bool Conditions::contact_broken() const { return any_negative(contact); }
bool Conditions::broken() const { return any_negative(unit) || any_negative(contact); }

bool evaluate_units(std::vector<double>& values, Accelerations& at, const System& system, const ContactModes& modes) {
  std::fill(values.begin(), values.end(), 1.0);
  bool forces_hold = true;
  for (const ContactRows& rows : at.problem().contacts) {
    const double* own = at.problem().Lambda.data() + rows.first_row;
    const double* n0 = modes.direction.data() + system.contacts()[rows.contact].first_row;
    for (std::uint32_t k = modes.first_unit[rows.contact]; k < modes.first_unit[rows.contact + 1]; ++k) {
      const Unit& unit = modes.units[k];
      double& value = values[k];
      switch (unit.mode) {
        case Mode::hold:
          value = hold_margin(at, rows, unit, own) + leaves_set;
          forces_hold = forces_hold && value >= 0;
          break;
        case Mode::slip: value = slip_condition(at, rows, unit, n0 + unit.row, modes.ridges[k], own); break;
        case Mode::edge:
          value = unit.dim == 2 ? edge_condition(at, rows, unit, own)
                                : face_condition(at, rows, unit, n0 + unit.row, modes.ridges[k], own);
          break;
      }
      if (std::isnan(value)) value = -1;
    }
  }
  return forces_hold;
}

Trouble evaluate(Conditions& conditions, const Conditions* before, Accelerations& at, const System& system,
                 Workspace& work, ContactModes& modes, double t, const double* q, const double* u,
                 const SolverOptions& options) {
  if (!evaluate_units(conditions.unit, at, system, modes) && !modes.determinate && at.can_hold(options)) {
    // These forces have left their sets, but others, which are as good, have not.
    for (std::size_t k = 0; k < modes.units.size(); ++k) {
      if (modes.units[k].mode == Mode::hold) conditions.unit[k] = std::max(conditions.unit[k], tiny);
    }
  }
  return evaluate_contacts(conditions, before, system, work, modes, t, q, u);
}

Trouble evaluate_contacts(Conditions& conditions, const Conditions* before, const System& system, Workspace& work,
                          const ContactModes& modes, double t, const double* q, const double* u) {
  std::fill(conditions.contact.begin(), conditions.contact.end(), 1.0);
  nsm_view view = view_at(system, work.shared.data(), t);
  for (std::uint32_t i = 0; i < modes.n_contacts(); ++i) {
    const ContactInfo& contact = system.contacts()[i];
    if (contact.type->gap == nullptr) continue;
    const bool held = normal_unit(system, modes, i) != NSM_NONE;
    look_at(view, system, contact, q, u);
    double g = 0;
    contact.type->gap(&view, &g);
    if (std::isnan(g)) return {StepStatus::not_finite, NSM_NONE, i};
    conditions.gap[i] = g;
    if (modes.closed[i] != 0 && held) {
      const double left = before_end_of_face(system, work, modes, i, g, q, u);
      conditions.contact[i] = signed_value(left, left < 0);
      continue;
    }
    if (modes.closed[i] != 0) {
      conditions.contact[i] = g > 0 ? -g : tiny;
      continue;
    }
    if (!held) {
      conditions.contact[i] = signed_value(g, g <= 0);
      continue;
    }
    const std::uint32_t which[1] = {i};
    evaluate_directions(system, work, t, q, u, which);
    const DirectionLayout& layout = system.layout(contact);
    const double* directions = work.directions_of(contact);
    double rate = directions[layout.chi + contact.type->normal];
    for (std::uint32_t b = 0; b < contact.n_blocks; ++b) {
      const BlockInfo& block = system.blocks()[contact.blocks[b]];
      const double* v = directions + layout.V[b] + std::size_t{contact.type->normal} * block.n_u;
      for (std::uint32_t k = 0; k < block.n_u; ++k) rate += v[k] * u[block.first_u + k];
    }
    rate *= modes.opening_sign[i];
    conditions.rate[i] = std::isnan(rate) ? 0 : rate;
    // A gap that was clearly open and is no more has closed, and so has one that is not open and closes on.
    const bool was_open = before != nullptr && before->gap[i] > 0;
    conditions.contact[i] = signed_value(g, g <= 0 && (was_open || conditions.rate[i] < 0));
  }
  return {};
}

}  // namespace nsmc::rt::event
