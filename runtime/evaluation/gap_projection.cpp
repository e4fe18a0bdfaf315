// From gaps to corrections, see gap_projection.hpp.
#include "runtime/evaluation/gap_projection.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/evaluation/projection.hpp"
#include "runtime/state.hpp"
#include "runtime/view.hpp"

namespace nsmc::rt {

namespace {

constexpr double slow = 1e-3;  // of the velocity that a percussion makes
constexpr int most_sweeps = 50;
constexpr int most_corrections = 3;

}  // namespace

void GapProjection::make_room(const System& system) {
  const std::size_t n = system.contacts().size();
  plain_.clear();
  for (std::uint32_t i = 0; i < n; ++i) {
    if (has_plain_gap(system.contacts()[i])) plain_.push_back(i);
  }
  gap_.assign(n, 0);
  rate_.assign(n, 0);
  arguments_.assign(system.n_arguments(), 0);
  rows_.reserve(system.n_rows() + system.n_positions());
  touched_.reserve(n);
}

void GapProjection::renumber(const System& system, const Renumbering& contacts) {
  contacts.by_contact(sign_);
  make_room(system);
}

GapProjection::GapProjection(const System& system) {
  const std::size_t n = system.contacts().size();
  make_room(system);
  sign_.assign(n, 0);
  no_force_.assign(system.max_contact_rows(), 0);
  std::size_t positions = 1;
  for (const std::uint32_t i : system.position_contacts())
    positions = std::max<std::size_t>(positions, system.contacts()[i].type->n_position);
  positions_.assign(positions, 0);
  v_.assign(system.n_u(), 0);
  q_rate_.assign(system.n_q(), 0);
}

Trouble GapProjection::evaluate(const System& system, Workspace& work, double t, const double* q, const double* u,
                                std::span<const std::uint32_t> contacts, bool rates) {
  if (rates || !work.shared.empty()) {
    if (const Trouble trouble = evaluate_dynamics(system, work, t, q, u)) return trouble;
  }
  nsm_view view = view_at(system, work.shared.data(), t);
  for (const std::uint32_t i : contacts) {
    const ContactInfo& contact = system.contacts()[i];
    look_at(view, system, contact, q, u);
    contact.type->gap(&view, &gap_[i]);
    if (!std::isfinite(gap_[i])) return {StepStatus::not_finite, NSM_NONE, i};
  }
  if (!rates) return {};
  evaluate_directions(system, work, t, q, u, contacts);
  for (const std::uint32_t i : contacts) {
    const ContactInfo& contact = system.contacts()[i];
    const nsm_contact_class& type = *contact.type;
    const double* directions = work.directions_of(contact);
    if (sign_[i] == 0) {
      // The normal row is the rate of the gap, or minus it: a gap opens towards the finite end of the set.
      const double* a = directions + system.layout(contact).a;
      if (type.affine == 0) {
        look_at(view, system, contact, q, u);
        view.lambda = no_force_.data();
        type.arguments(&view, arguments_.data());
        a = arguments_.data();
      }
      sign_[i] = 1;
      for (std::uint32_t j = 0; j < type.n_sets; ++j) {
        const nsm_set& set = type.sets[j];
        if (type.normal < set.first_row || type.normal >= set.first_row + set.dim) continue;
        if (set.kind == NSM_SET_INTERVAL && std::isinf(a[set.first_argument + 1])) sign_[i] = -1;
      }
    }
    rate_[i] = sign_[i] * (row_velocity(system, work, contact, type.normal, u) +
                           directions[system.layout(contact).chi + type.normal]);
  }
  return {};
}

double GapProjection::pressure(const System& system, const std::vector<double>& Lambda, std::uint32_t i) const {
  const ContactInfo& contact = system.contacts()[i];
  const double percussion = Lambda[contact.first_row + contact.type->normal];
  return sign_[i] == 0 ? std::abs(percussion) : sign_[i] * percussion;
}

double GapProjection::mobility(const System& system, const Workspace& work, std::uint32_t i, std::uint32_t row) const {
  const ContactInfo& contact = system.contacts()[i];
  const double* X = work.X_of(contact);
  const double* directions = work.directions_of(contact);
  double sum = 0;
  for (std::uint32_t b = 0; b < contact.n_blocks; ++b) {
    const BlockInfo& block = system.blocks()[contact.blocks[b]];
    const double* x = X + std::size_t{row} * block.n_u;
    const double* v = directions + system.layout(contact).V[b] + std::size_t{row} * block.n_u;
    for (std::uint32_t k = 0; k < block.n_u; ++k) sum += v[k] * x[k];
    X += std::size_t{block.n_u} * contact.type->n_rows;
  }
  return std::max(sum, 0.0);
}

void GapProjection::find_sides(const System& system, const Workspace& work, Row& row) {
  const ContactInfo& contact = system.contacts()[row.contact];
  const DirectionLayout& layout = system.layout(contact);
  const double *directions = work.directions_of(contact), *X = work.X_of(contact);
  row.n_sides = contact.n_blocks;
  for (std::uint32_t b = 0; b < contact.n_blocks; ++b) {
    const BlockInfo& block = system.blocks()[contact.blocks[b]];
    const std::size_t first = std::size_t{row.row} * block.n_u;
    row.sides[b] = {directions + layout.V[b] + first, X + first, block.first_u, block.n_u};
    X += std::size_t{block.n_u} * contact.type->n_rows;
  }
}

// W^T v
double GapProjection::row_rate(const Row& row) const {
  double sum = 0;
  for (std::uint32_t b = 0; b < row.n_sides; ++b) {
    const Side& side = row.sides[b];
    for (std::uint32_t k = 0; k < side.n_u; ++k) sum += side.V[k] * v_[side.first_u + k];
  }
  return row.sign * sum;
}

// v += M^-1 W mu
void GapProjection::push(const Row& row, double mu) {
  for (std::uint32_t b = 0; b < row.n_sides; ++b) {
    const Side& side = row.sides[b];
    for (std::uint32_t k = 0; k < side.n_u; ++k) v_[side.first_u + k] += row.sign * mu * side.X[k];
  }
}

// Velocities are compared by the energy that they have in their rows, gamma^2/G. That of the gap is 0 but for the half
// step by which W lags behind; a row whose velocity is of this size sticks. A contact that does not move needs not be
// held: its corrections are small, and rows that depend on each other would keep them from converging.
void GapProjection::hold_sticking(const System& system, const Workspace& work, const double* u, const Task& task,
                                  std::uint32_t i) {
  const ContactInfo& contact = system.contacts()[i];
  const std::uint32_t normal = contact.type->normal;
  const double G_N = mobility(system, work, i);
  const double made = G_N * std::abs(task.Lambda[contact.first_row + normal]);
  if (!(G_N > 0) || std::abs(rate_[i]) <= slow * made) return;
  const double still = 10 * std::abs(rate_[i]) / std::sqrt(G_N);
  for (std::uint32_t row = 0; row < contact.type->n_rows; ++row) {
    if (row == normal) continue;
    const double rate =
        row_velocity(system, work, contact, row, u) + work.directions_of(contact)[system.layout(contact).chi + row];
    const double G = mobility(system, work, i, row);
    if (G > 0 && std::abs(rate) <= still * std::sqrt(G))
      rows_.push_back({i, row, 1, 0, task.tolerance[i], 0, 0, false});
  }
}

// The rows with their errors; false if all are within their tolerance.
bool GapProjection::find_errors(const System& system, Workspace& work, double t, const double* q, const double* u,
                                const Task& task) {
  rows_.clear();
  bool worth = false;
  const auto add = [&](std::uint32_t i, bool one_way) {
    const double error = gap_[i] - task.level[i];
    rows_.push_back({i, system.contacts()[i].type->normal, sign_[i], error, task.tolerance[i], 0, 0, one_way});
    worth = worth || (one_way ? -error : std::abs(error)) > task.tolerance[i];
  };
  for (const std::uint32_t i : task.contacts) {
    add(i, !task.both_ways);
    if (task.Lambda != nullptr) hold_sticking(system, work, u, task, i);
  }
  for (const std::uint32_t i : task.bystanders) add(i, true);
  if (!worth) return false;
  const double tolerance = rows_.front().tolerance;
  nsm_view view = view_at(system, work.shared.data(), t);
  for (const std::uint32_t i : system.position_contacts()) {
    const ContactInfo& contact = system.contacts()[i];
    look_at(view, system, contact, q, u);
    contact.type->position(&view, positions_.data());
    for (std::uint32_t h = 0; h < contact.type->n_position; ++h)
      rows_.push_back({i, h, 1, positions_[h], tolerance, 0, 0, false});
  }
  return true;
}

// False: positions are better left as they are. Sweeps end early where masses differ by orders of magnitude; what they
// have found so far may push a light body out of one contact and into another.
bool GapProjection::sweep(const System& system, const Workspace& work) {
  std::fill(v_.begin(), v_.end(), 0.0);
  for (Row& row : rows_) {
    find_sides(system, work, row);
    push(row, 1);
    row.diagonal = row_rate(row);
    push(row, -1);
  }
  std::fill(v_.begin(), v_.end(), 0.0);  // without what rounding has left
  for (int n = 0; n < most_sweeps; ++n) {
    bool done = true;
    for (Row& row : rows_) {
      if (!(row.diagonal > 0)) continue;
      double mu = row.mu - (row.error + row_rate(row)) / row.diagonal;
      if (row.one_way) mu = std::max(mu, 0.0);
      const double change = mu - row.mu;
      if (change == 0) continue;
      push(row, change);
      row.mu = mu;
      done = done && std::abs(change) * row.diagonal <= 0.01 * row.tolerance;
    }
    if (done) return true;
  }
  double before = 0, after = 0;
  for (const Row& row : rows_) {
    const auto off = [&](double error) { return row.one_way ? -error : std::abs(error); };
    before = std::max(before, off(row.error));
    after = std::max(after, off(row.error + row_rate(row)));
  }
  return after < 0.9 * before;
}

Trouble GapProjection::project(const System& system, Workspace& work, double t, double* q, const double* u,
                               const Task& task) {
  touched_.assign(task.contacts.begin(), task.contacts.end());
  touched_.insert(touched_.end(), task.bystanders.begin(), task.bystanders.end());
  for (int round = 0; round < most_corrections; ++round) {
    if (const Trouble trouble = evaluate(system, work, t, q, u, touched_, true)) return trouble;
    if (!find_errors(system, work, t, q, u, task)) return {};
    if (system.n_positions() > 0) evaluate_directions(system, work, t, q, u, system.position_contacts());
    if (!sweep(system, work)) return {};
    evaluate_displacement(system, work, t, q, v_.data(), q_rate_.data());
    for (std::uint32_t k = 0; k < system.n_q(); ++k) q[k] += q_rate_[k];
    normalise(system, q);
  }
  return {};
}

}  // namespace nsmc::rt
