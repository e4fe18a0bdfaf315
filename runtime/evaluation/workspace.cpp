// One place for every allocation of a run.
#include "runtime/evaluation/workspace.hpp"

#include <algorithm>

namespace nsmc::rt {

Workspace::Workspace(const System& system) : projection(system) {
  const std::size_t n_blocks = system.blocks().size(), n_contacts = system.contacts().size();
  shared.assign(system.model().n_shared, 0);
  dynamics.assign(system.n_dynamics(), 0);
  factor.assign(system.n_factor(), 0);
  mass_is_known.assign(n_blocks, 0);
  free_acceleration.assign(system.n_u(), 0);
  element_force.assign(system.elements().empty() ? 0 : 2 * std::size_t{system.max_block_u()}, 0);
  gap_slack.assign(n_contacts, 0);

  n_fixed = system.n_fixed();
  for (const ContactInfo& contact : system.contacts().first(n_fixed)) {
    places.push_back(fixed_end);
    fixed_end.direction += system.layout(contact).size;
    fixed_end.X += system.n_X(contact);
  }
  end = fixed_end;
  directions.assign(end.direction, 0);
  X.assign(end.X, 0);

  problem.z.assign(system.max_set_dim(), 0);
  problem.force.assign(system.max_contact_rows(), 0);
  problem.trial.assign(system.max_contact_rows(), 0);
  block_first.assign(n_blocks + 1, 0);
  q_mid.assign(system.n_q(), 0);
  q_end.assign(system.n_q(), 0);
  u_end.assign(system.n_u(), 0);
  q_rate.assign(system.n_q(), 0);
  if (system.n_z() > 0) {
    signal_forces.assign(system.n_fixed_rows() + 1, 0);
    signal_u.assign(system.n_u(), 0);
  }
  hatted.assign(system.max_contact_rows(), 0);
  make_room(system);
  prepare(system);
}

// For so many contacts as there are.
void Workspace::make_room(const System& system) {
  const std::size_t n_contacts = system.contacts().size(), n_rows = system.n_rows();
  closed.reserve(n_contacts);
  built_for.reserve(n_contacts);
  gap.assign(n_contacts, 0);
  zeta.assign(n_rows, 0);
  places.resize(n_contacts, nowhere);
  block_contacts.assign(2 * n_contacts, 0);

  constexpr std::size_t most_values = std::size_t{1} << 22;
  problem.contacts.reserve(n_contacts);
  problem.sets.reserve(system.n_sets());
  // A contact has at most one run per neighbour, and at most as many as half the contacts.
  problem.runs.reserve(std::min(n_contacts * (n_contacts / 2 + 1), std::max<std::size_t>(4 * n_contacts, 4096)));
  problem.G.reserve(std::min(system.max_G_values(), most_values));
  problem.c.reserve(n_rows);
  problem.c_magnitude.reserve(n_rows);
  problem.Lambda.reserve(n_rows);
  problem.row_scale.reserve(n_rows);
  problem.row_unit.reserve(n_rows);
  problem.next.assign(n_rows, 0);
  problem.change.assign(n_rows, 0);
  problem.uzawa.resize(n_rows, system.n_sets());
  problem.arguments.assign(system.n_arguments(), 0);
  if (system.n_z() > 0) signal_Lambda.assign(n_rows, 0);
}

void Workspace::renumber(const System& system, const Renumbering& contacts) {
  contacts.by_contact(gap_slack);
  forget_places();
  places.resize(n_fixed);
  make_room(system);
  closed.clear();
  forget_problem();  // its contacts have other numbers
}

void Workspace::forget_problem() {
  built_for.clear();
  problem.contacts.clear();
  problem.runs.clear();
  problem.sets.clear();
  for (std::vector<double>* rows : {&problem.G, &problem.c, &problem.c_magnitude, &problem.Lambda}) rows->clear();
}

void Workspace::forget_places() {
  if (places.size() == n_fixed) return;
  std::fill(places.begin() + n_fixed, places.end(), nowhere);
  end = fixed_end;
}

void Workspace::make_places(const System& system, std::span<const std::uint32_t> contacts) {
  if (places.size() == n_fixed) return;
  for (const std::uint32_t i : contacts) {
    if (places[i].direction != nowhere.direction) continue;
    const ContactInfo& contact = system.contacts()[i];
    places[i] = end;
    end.direction += system.layout(contact).size;
    end.X += system.n_X(contact);
  }
  if (end.direction > directions.size()) {
    directions.resize(end.direction);
    forget_problem();  // it points into them
  }
  if (end.X > X.size()) X.resize(end.X);
}

void Workspace::prepare(const System& system) {
  std::fill(mass_is_known.begin(), mass_is_known.end(), std::uint8_t{0});
  if (system.model().prepare == nullptr) return;
  nsm_view view{};
  view.p = system.parameters();
  view.shared = shared.data();
  system.model().prepare(&view, nullptr);
}

}  // namespace nsmc::rt
