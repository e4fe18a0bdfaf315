#include "runtime/evaluation/work_account.hpp"

#include <algorithm>
#include <numeric>

#include "runtime/view.hpp"

namespace nsmc::rt {

namespace {

// What the kernel `work` writes.
struct Powers {
  double supplied = 0, damped = 0, moved = 0, by_time = 0;
};

// The powers of all blocks and elements together.
Powers powers_at(const System& system, Workspace& work, double t, const double* q, const double* u) {
  nsm_view view = view_at(system, work.shared.data(), t);
  Powers sum;
  double out[4];
  const auto add = [&] {
    sum.supplied += out[0];
    sum.damped += out[1];
    sum.moved += out[2];
    sum.by_time += out[3];
  };
  for (const BlockInfo& block : system.blocks()) {
    if (block.type->work == nullptr) continue;
    look_at(view, system, block, q, u);
    block.type->work(&view, out);
    add();
  }
  for (const ElementInfo& element : system.elements()) {
    if (element.type->work == nullptr) continue;
    look_at(view, system, element, q, u);
    element.type->work(&view, out);
    add();
  }
  return sum;
}

}  // namespace

WorkAccount::WorkAccount(const System& system, Workspace& work, const State& state, double energy)
    : energy_first_(energy), mean_(system.n_u(), 0) {
  total_.dissipated.assign(system.n_work_rows(), 0);
  step_ = total_;
  moved_ = moved_energy(system, work, state);
}

double WorkAccount::moved_energy(const System& system, Workspace& work, const State& state) const {
  return powers_at(system, work, state.t, state.q.data(), state.u.data()).moved;
}

void WorkAccount::add_percussions(const System& system, Workspace& work, std::span<const double> percussions,
                                  const double* u, double part) {
  for (const ContactRows& rows : work.problem.contacts) {
    const ContactInfo& contact = system.contacts()[rows.contact];
    const std::uint32_t work_row = system.work_row(contact);
    const double* chi = work.directions_of(contact) + system.layout(contact).chi;
    for (std::uint32_t h = 0; h < rows.n_rows; ++h) {
      const double Lambda = part * percussions[rows.first_row + h];
      if (Lambda == 0) continue;
      const double moving = contact.type->mapped != 0 ? 0 : chi[h];
      step_.supplied -= Lambda * moving;
      if (h < contact.type->n_position) continue;
      step_.dissipated[work_row + h] -= Lambda * (force_velocity(system, work, contact, h, u) + moving);
    }
  }
}

void WorkAccount::add_percussions(const System& system, Workspace& work, const double* before, const double* after) {
  for (std::size_t k = 0; k < mean_.size(); ++k) mean_[k] = (before[k] + after[k]) / 2;
  add_percussions(system, work, work.problem.Lambda, mean_.data());
}

void WorkAccount::add_smooth(const System& system, Workspace& work, double t, const double* q, const double* u,
                             double duration) {
  const Powers power = powers_at(system, work, t, q, u);
  step_.supplied += duration * (power.supplied + power.by_time);
  step_.damped += duration * power.damped;
}

void WorkAccount::add_midpoint(const System& system, Workspace& work, double dt, double t, const double* q,
                               const double* before, const double* after) {
  add_percussions(system, work, before, after);
  add_smooth(system, work, t, q, mean_.data(), dt);
}

void WorkAccount::begin_step() {
  std::fill(step_.dissipated.begin(), step_.dissipated.end(), 0.0);
  step_.damped = step_.supplied = 0;
}

void WorkAccount::keep_step(const System& system, Workspace& work, const State& state) {
  for (std::size_t row = 0; row < step_.dissipated.size(); ++row) total_.dissipated[row] += step_.dissipated[row];
  const double moved = moved_energy(system, work, state);
  total_.damped += step_.damped;
  total_.supplied += step_.supplied + (moved - moved_);
  moved_ = moved;
  begin_step();
}

void WorkAccount::go_on_with(const System& system, Workspace& work, const State& state, double energy_before,
                             double energy_now) {
  total_.supplied += energy_now - energy_before;
  moved_ = moved_energy(system, work, state);
}

void WorkAccount::give_back(const System& system, const ContactInfo& contact, double energy) {
  total_.dissipated[system.work_row(contact) + contact.type->normal] -= energy;
}

double* WorkAccount::write(const nsm_contact_class& type, std::uint32_t first_row, double* columns) const {
  const double* rows = total_.dissipated.data() + first_row;
  *columns++ = std::accumulate(rows, rows + type.n_rows, 0.0);
  for (std::uint32_t law = 0; law < type.n_laws && type.n_laws > 1; ++law) {
    const std::uint32_t end = law + 1 < type.n_laws ? type.laws[law + 1] : type.n_rows;
    *columns++ = std::accumulate(rows + type.laws[law], rows + end, 0.0);
  }
  return columns;
}

double WorkAccount::dissipated() const {
  return std::accumulate(total_.dissipated.begin(), total_.dissipated.end(), 0.0);
}

double WorkAccount::rest(double energy) const {
  return energy - energy_first_ + dissipated() + total_.damped - total_.supplied;
}

void WorkAccount::write(const System& system, double energy, std::span<double> columns) const {
  double* out = columns.data();
  for (const ContactInfo& contact : system.contacts().first(system.n_fixed()))
    out = write(*contact.type, contact.first_row, out);
  for (std::uint32_t f = 0; f < system.families().size(); ++f) {
    const nsm_contact_class& type = system.model().contact_classes[system.families()[f].contact_class];
    out = write(type, system.family_work_row(f), out);
  }
  *out++ = total_.damped;
  *out++ = total_.supplied;
  *out++ = rest(energy);
}

}  // namespace nsmc::rt
