// Evaluation of the problem, and what sets and velocities say about single units.
#include "runtime/methods/event/accelerations.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/sets/exposed_face.hpp"
#include "runtime/solvers/set_extents.hpp"
#include "runtime/view.hpp"

namespace nsmc::rt::event {

namespace {

// A diagonal of G against the largest one seen: smaller or larger ones are those of a singular moment.
constexpr double least_usual = 1e-4, most_usual = 4;
constexpr double moment_share = 1e-3;      // of the velocity that a rate makes in a moment: what counts as its speed
constexpr double length_rounding = 1e-15;  // of tau, the length that a scaled law asks for

}  // namespace

Accelerations::Accelerations(const System& system, Workspace& work, ContactModes& modes)
    : system_(system), work_(work), modes_(modes) {
  const std::size_t n = system.max_contact_rows();
  xi_.reserve(system.n_rows());
  compliant_.reserve(system.n_rows());
  zeta_.assign(n, 0);
  zeros_.assign(system.n_u(), 0);
  own_.assign(n, 0);
  shifted_.assign(n, 0);
  point_.assign(n, 0);
  other_.assign(n, 0);
}

Trouble Accelerations::look(double t, const double* q, const double* u) {
  ++evaluations;
  t_ = t;
  if (const Trouble trouble = evaluate_dynamics(system_, work_, t, q, u)) return trouble;
  work_.closed.clear();
  for (std::uint32_t i = 0; i < modes_.n_contacts(); ++i) {
    if (modes_.closed[i] != 0) work_.closed.push_back(i);
  }
  evaluate_directions(system_, work_, t, q, u, work_.closed);
  assemble(system_, work_, 1, t, q, u, modes_.lambda.data(), Velocities::end);
  ContactProblem& problem = work_.problem;
  xi_.assign(problem.n_rows(), 0);
  xi_size_.assign(problem.n_rows(), 0);
  compliant_.assign(problem.n_rows(), 0);
  nsm_view view = view_at(system_, work_.shared.data(), t);
  const double* y = work_.free_acceleration.data();
  for (const ContactRows& rows : problem.contacts) {
    const ContactInfo& contact = system_.contacts()[rows.contact];
    const DirectionLayout& layout = system_.layout(contact);
    const double* directions = work_.directions_of(contact);
    look_at(view, system_, contact, q, u);
    contact.type->zeta(&view, zeta_.data());
    for (std::uint32_t h = 0; h < rows.n_rows; ++h) {
      double velocity = directions[layout.chi + h], size = std::abs(velocity);
      double rate = zeta_[h], rate_size = std::abs(rate);
      for (std::uint32_t b = 0; b < contact.n_blocks; ++b) {
        const BlockInfo& block = system_.blocks()[contact.blocks[b]];
        const double* v = directions + layout.V[b] + std::size_t{h} * block.n_u;
        for (std::uint32_t k = 0; k < block.n_u; ++k) {
          velocity += v[k] * u[block.first_u + k];
          size += std::abs(v[k] * u[block.first_u + k]);
          rate += v[k] * y[block.first_u + k];
          rate_size += std::abs(v[k] * y[block.first_u + k]);
        }
      }
      if (!std::isfinite(velocity) || !std::isfinite(rate)) return {StepStatus::not_finite, NSM_NONE, rows.contact};
      const std::uint32_t row = rows.first_row + h;
      xi_[row] = velocity;
      xi_size_[row] = size;
      problem.c[row] = rate;
      problem.c_magnitude[row] = rate_size;
      if (contact.type->compliant == 0) continue;
      const double* C = directions + layout.C + std::size_t{h} * rows.n_rows;
      if (std::all_of(C, C + rows.n_rows, [](double value) { return value == 0; })) continue;
      compliant_[row] = 1;
      problem.c[row] = velocity;
      problem.c_magnitude[row] = size;
      double* g = problem.G.data() + rows.first_value + std::size_t{h} * rows.width;
      std::fill_n(g, rows.width, 0.0);
      std::copy_n(C, rows.n_rows, g + rows.own);
    }
  }
  problem.finish();
  if (drop_rows_without_leverage()) problem.finish();
  return {};
}

// What is next to nothing against what it was is rounding, and must not set the scale for the others.
bool Accelerations::drop_rows_without_leverage() {
  ContactProblem& problem = work_.problem;
  bool dropped = false;
  for (const ContactRows& rows : problem.contacts) {
    for (std::uint32_t k = modes_.first_unit[rows.contact]; k < modes_.first_unit[rows.contact + 1]; ++k) {
      const Unit& unit = modes_.units[k];
      if (has_leverage(rows, unit) || unit.D <= 0) continue;
      dropped = true;
      for (std::uint32_t h = 0; h < unit.dim; ++h)
        std::fill_n(problem.G.data() + rows.first_value + std::size_t{unit.row + h} * rows.width, rows.width, 0.0);
    }
  }
  return dropped;
}

// The largest rate in the norm of natural_residual.hpp, of units with their usual leverage. About the dead centre of
// its crank it would take forces beyond all measure to hold a slider: it must not say what is nothing for the others.
// If the motion begins there, leverage is known to be small by its growth only.
double Accelerations::usual_rate() const {
  const ContactProblem& problem = work_.problem;
  double most = 0;
  for (const ContactRows& rows : problem.contacts) {
    for (std::uint32_t k = modes_.first_unit[rows.contact]; k < modes_.first_unit[rows.contact + 1]; ++k) {
      const Unit& unit = modes_.units[k];
      const double D = problem.sets[rows.first_set + unit.set].D;
      const bool is_new = unit.D < 0, usual = D >= least_usual * unit.D && D <= most_usual * unit.D;
      if (!(D > 0) || !(is_new || usual)) continue;
      for (std::uint32_t h = 0; h < unit.dim; ++h)
        most = std::max(most, problem.c_magnitude[rows.first_row + unit.row + h] / std::sqrt(D));
    }
  }
  return most;
}

void Accelerations::note_sizes(double moment) {
  const double usual = usual_rate();
  for (const ContactRows& rows : work_.problem.contacts) {
    for (std::uint32_t k = modes_.first_unit[rows.contact]; k < modes_.first_unit[rows.contact + 1]; ++k) {
      Unit& unit = modes_.units[k];
      // What the accelerations make of a rest in a moment is no velocity: else rounding would have a direction.
      unit.speed = std::max(unit.speed, moment_share * moment * rate_scale(rows, unit, usual));
      unit.D = std::max(unit.D, work_.problem.sets[rows.first_set + unit.set].D);
      for (std::uint32_t h = 0; h < unit.dim; ++h)
        unit.speed = std::max(unit.speed, xi_size_[rows.first_row + unit.row + h]);
    }
  }
}

void Accelerations::accelerate(double* u_rate) const { apply_percussions(system_, work_, 1, zeros_.data(), u_rate); }

ConvexSet Accelerations::set_of(const ContactRows& rows, const Unit& unit, const double* own) {
  const nsm_set& set = system_.contacts()[rows.contact].type->sets[unit.set];
  work_.problem.update_arguments_at(rows, set, own);
  return {&set, work_.problem.arguments.data() + rows.first_argument};
}

double Accelerations::xi_of(const ContactRows& rows, std::uint32_t local, const double* own) const {
  const std::uint32_t row = rows.first_row + local;
  if (compliant_[row] == 0) return xi_[row];
  double sum = work_.problem.c[row];
  const double* g = work_.problem.G.data() + rows.first_value + std::size_t{local} * rows.width + rows.own;
  for (std::uint32_t k = 0; k < rows.n_rows; ++k) sum += g[k] * own[k];
  return sum;
}

double Accelerations::force_scale(const ContactRows& rows, const Unit& unit) const {
  const double D = work_.problem.sets[rows.first_set + unit.set].D;
  return D > 0 ? rate_scale(rows, unit) / D : 0;
}

double Accelerations::rate_scale(const ContactRows& rows, const Unit& unit) const {
  return rate_scale(rows, unit, work_.problem.c_scale);
}

double Accelerations::rate_scale(const ContactRows& rows, const Unit& unit, double others) const {
  // Its own terms, those of its force, and what the others have in the norm of natural_residual.hpp: a unit that
  // nothing pushes sees their rounding.
  const ContactProblem& problem = work_.problem;
  const double D = problem.sets[rows.first_set + unit.set].D;
  double size = std::sqrt(D) * others;
  for (std::uint32_t k = 0; k < unit.dim; ++k) {
    const std::uint32_t row = rows.first_row + unit.row + k;
    size = std::max({size, problem.c_magnitude[row], D * std::abs(problem.Lambda[row])});
  }
  return size;
}

void Accelerations::slip_point(const ContactRows& rows, const Unit& unit, const double* own, double* x) {
  const double* n0 = modes_.direction.data() + system_.contacts()[rows.contact].first_row + unit.row;
  const ConvexSet set = set_of(rows, unit, own);
  // As a contact opens, its normal force goes through 0, and the set goes on smoothly, so that the moment can be found.
  // An extent that is negative while the contact is pressed together counts as 0: disc(mu*(N - N0)) below N0.
  const nsm_contact_class& type = *system_.contacts()[rows.contact].type;
  const bool pressed = type.gap == nullptr || type.normal >= type.n_rows || own[type.normal] > 0;
  if (pressed && least_extent(*set.set, set.own()) < 0) {
    const bool interval = set.set->kind == NSM_SET_INTERVAL;
    for (std::uint32_t k = 0; k < unit.dim; ++k) {
      x[k] = interval ? Interval{set.own()[0], set.own()[1]}.middle() : 0;
      if (set.centre() != nullptr) x[k] += set.centre()[unit.row_in_set + k];
    }
    return;
  }
  if (set.set->kind == NSM_SET_INTERVAL) {
    x[0] = exposed_end(set, unit.row_in_set, n0[0] > 0);
  } else if (set.set->kind == NSM_SET_POLYGON) {
    corner_of(set, unit.corner, x);
  } else {
    // Beyond the end of slip the velocity points back. The force goes on as before, so that the motion up to the end
    // can be found in one smooth piece.
    double velocity[max_shifted_dim], forward = 0, size = 0;
    for (std::uint32_t k = 0; k < unit.dim; ++k) {
      velocity[k] = xi_of(rows, unit.row + k, own);
      forward += velocity[k] * n0[k];
      size = std::max(size, std::abs(velocity[k]));
    }
    const bool as_before = !(forward > 0) || size <= no_velocity * unit.speed;
    double direction[max_shifted_dim];
    direction_in_arc(unit, n0, as_before ? n0 : velocity, direction);
    exposed_point(set, direction, x);
  }
  if (set.set->scaled == 0) return;
  // xi in N_K(-alpha lambda): -lambda = tau x with tau alpha(-tau x) = 1; 1/alpha is nearly linear in tau [Walker
  // 2017].
  std::copy_n(own, rows.n_rows, other_.data());
  const auto inverse_alpha = [&](double tau) {
    for (std::uint32_t k = 0; k < unit.dim; ++k) other_[unit.row + k] = -tau * x[k];
    return 1 / set_of(rows, unit, other_.data()).alpha();
  };
  double tau = 1, before = 2, f = inverse_alpha(1) - 1, f_before = inverse_alpha(2) - 2;
  for (int round = 0; round < 40 && f != f_before; ++round) {
    const double next = tau - f * (tau - before) / (f - f_before);
    if (!(next > 0) || !std::isfinite(next)) break;
    before = tau, f_before = f;
    tau = next;
    f = inverse_alpha(tau) - tau;
    if (std::abs(tau - before) <= length_rounding * tau) break;
  }
  for (std::uint32_t k = 0; k < unit.dim; ++k) x[k] *= tau;
}

}  // namespace nsmc::rt::event
