// The kernels behind a row.
#include "runtime/output/observation.hpp"

#include <algorithm>
#include <limits>

#include "runtime/evaluation/evaluation.hpp"
#include "runtime/evaluation/work_account.hpp"
#include "runtime/view.hpp"

namespace nsmc::rt {

RowParts parts_of(const System& system, std::span<const std::size_t> columns) {
  const ColumnLayout& layout = system.columns();
  RowParts parts = RowParts::none();
  for (const std::size_t k : columns) {
    if (k >= layout.work) {
      parts.work = true;
    } else if (k < layout.contacts) {
      parts.state = true;
    } else if (k < layout.energy) {
      parts.contacts = true;
    } else if (k >= layout.outputs) {
      parts.outputs = true;
    } else if (k >= layout.observed) {
      parts.observed = true;
    }
  }
  return parts;
}

Observation::Observation(const System& system, const RowParts& parts)
    : system_(&system),
      parts_(parts),
      row_(system.n_columns(), std::numeric_limits<double>::quiet_NaN()),
      forces_(system.n_fixed_rows() + 1) {
  const std::span<const ContactInfo> contacts = system.contacts().first(system.n_fixed());
  const std::span<const OutputInfo> outputs = system.outputs();
  needs_forces_ = parts.contacts || (parts.observed && system.model().n_observed > 0) ||
                  (parts.outputs && std::any_of(outputs.begin(), outputs.end(),
                                                [](const OutputInfo& output) { return output.contact != NSM_NONE; }));
  needs_dynamics_ =
      parts.contacts && system.model().n_shared > 0 &&
      std::any_of(contacts.begin(), contacts.end(), [](const ContactInfo& c) { return c.n_geometry > 0; });
}

double Observation::energy(const State& state, Workspace& work) const {
  const double *q = state.q.data(), *u = state.u.data();
  nsm_view view = view_at(*system_, work.shared.data(), state.t);
  double sum = 0, value = 0;
  for (const BlockInfo& block : system_->blocks()) {
    if (block.type->energy == nullptr) continue;
    look_at(view, *system_, block, q, u);
    block.type->energy(&view, &value);
    sum += value;
  }
  for (const ElementInfo& element : system_->elements()) {
    if (element.type->energy == nullptr) continue;
    look_at(view, *system_, element, q, u);
    element.type->energy(&view, &value);
    sum += value;
  }
  return sum;
}

void Observation::find_forces(const State& state, Workspace& work) {
  user_forces(*system_, work, state.t, state.q.data(), state.u.data(), state.Lambda.data(), state.dt, forces_.data());
}

void Observation::write_contacts(const State& state, Workspace& work) {
  const double *q = state.q.data(), *u = state.u.data();
  nsm_view view = view_at(*system_, work.shared.data(), state.t);
  if (needs_dynamics_) {
    for (const BlockInfo& block : system_->blocks()) {
      look_at(view, *system_, block, q, u);
      block.type->dynamics(&view, work.dynamics.data() + block.first_dynamics);
    }
  }
  for (const ContactInfo& contact : system_->contacts().first(system_->n_fixed())) {
    double* out = row_.data() + contact.first_column;
    if (contact.n_geometry > 0) {
      look_at(view, *system_, contact, q, u);
      (contact.type->gap != nullptr ? contact.type->gap : contact.type->position)(&view, out);
    }
    std::copy_n(forces_.data() + contact.first_row, contact.type->n_rows, out + contact.n_geometry);
  }
}

void Observation::write_outputs(const State& state, Workspace& work) {
  for (const OutputInfo& output : system_->outputs()) {
    if (output.type->n_values == 0) continue;
    nsm_view view = view_at(*system_, work.shared.data(), state.t);
    look_at(view, *system_, output, state.q.data(), state.u.data());
    if (output.contact != NSM_NONE) view.lambda = forces_.data() + system_->contacts()[output.contact].first_row;
    output.type->value(&view, row_.data() + output.first_column);
  }
}

std::span<const double> Observation::row(const State& state, Workspace& work) {
  const ColumnLayout& columns = system_->columns();
  if (parts_.state) {
    std::copy(state.q.begin(), state.q.end(), row_.begin() + columns.q);
    std::copy(state.u.begin(), state.u.end(), row_.begin() + columns.u);
  }
  if (needs_forces_) find_forces(state, work);
  if (parts_.contacts) write_contacts(state, work);
  row_[columns.energy] = energy(state, work);
  if (parts_.observed && system_->model().n_observed > 0) {
    nsm_view view = view_at(*system_, work.shared.data(), state.t);
    look_at_all(view, *system_, state.q.data(), state.u.data());
    forces_.back() = row_[columns.energy];
    view.lambda = forces_.data();
    system_->model().observe(&view, row_.data() + columns.observed);
  }
  if (parts_.outputs) write_outputs(state, work);
  if (parts_.work && work.account != nullptr)
    work.account->write(*system_, row_[columns.energy], std::span(row_).subspan(columns.work));
  return row_;
}

}  // namespace nsmc::rt
