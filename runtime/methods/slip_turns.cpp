#include "runtime/methods/slip_turns.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/evaluation/evaluation.hpp"

namespace nsmc::rt {

SlipTurns::SlipTurns(const System& system, double accuracy) : accuracy_(accuracy) {
  for (std::uint32_t i = 0; i < system.contacts().size(); ++i) {
    const nsm_contact_class& type = *system.contacts()[i].type;
    const std::size_t known = rows_.size();
    for (std::uint32_t j = 0; j < type.n_sets; ++j) {
      const nsm_set& set = type.sets[j];
      if (set.kind != NSM_SET_INTERVAL && set.dim != 1) continue;
      for (std::uint32_t h = set.first_row; h < set.first_row + set.dim; ++h) {
        if (h >= type.n_position && h != type.normal) rows_.push_back({i, h});
      }
    }
    if (rows_.size() > known) contacts_.push_back(i);
  }
  for (std::vector<double>* by_row : {&largest_, &before_, &allowed_}) by_row->assign(rows_.size(), 0);
}

double SlipTurns::velocity(const System& system, const Workspace& work, const Row& row, const double* u) const {
  const ContactInfo& contact = system.contacts()[row.contact];
  return row_velocity(system, work, contact, row.row, u) +
         work.directions_of(contact)[system.layout(contact).chi + row.row];
}

void SlipTurns::look(const System& system, Workspace& work, const GapProjection& gaps, const State& state,
                     double kinetic) {
  evaluate_directions(system, work, state.t, state.q.data(), state.u.data(), contacts_);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    before_[k] = velocity(system, work, rows_[k], state.u.data());
    largest_[k] = std::max(largest_[k], std::abs(before_[k]));
    const double by_energy = std::sqrt(2 * kinetic * gaps.mobility(system, work, rows_[k].contact, rows_[k].row));
    allowed_[k] = accuracy_ * std::max(largest_[k], 0.01 * by_energy);
  }
}

double SlipTurns::first(const System& system, Workspace& work, const State& state, double t,
                        const std::vector<std::uint8_t>& closed, double H, const Last& last) {
  if (rows_.empty()) return 1;
  const double *q = state.q.data(), *u = state.u.data();
  if (evaluate_dynamics(system, work, t, q, u)) return 1;
  evaluate_directions(system, work, t, q, u, contacts_);
  double first = 1;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const ContactInfo& contact = system.contacts()[rows_[k].contact];
    if (contact.type->gap != nullptr && closed[rows_[k].contact] == 0) continue;
    const double before = before_[k], after = velocity(system, work, rows_[k], u);
    if (std::abs(before) <= allowed_[k]) continue;
    if (std::abs(after) > allowed_[k]) {
      if (before * after < 0) first = std::min(first, before / (before - after));
      continue;
    }
    const double slip = velocity(system, work, rows_[k], last.u);
    const double rate = row_velocity(system, work, contact, rows_[k].row, last.acceleration);
    const double late = slip * rate < 0 ? last.dt + slip / rate : 0;
    if (late * std::abs(rate) > allowed_[k]) first = std::min(first, 1 - late / H);
  }
  return first;
}

}  // namespace nsmc::rt
