#include "runtime/methods/event/contact_modes.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/evaluation/evaluation.hpp"

namespace nsmc::rt::event {

ContactModes::ContactModes(const System& system)
    : closed(system.contacts().size(), 0),
      direction(system.n_rows(), 0),
      lambda(system.n_rows(), 0),
      gap_level(system.contacts().size(), 0),
      opening_sign(system.contacts().size(), 1) {
  first_unit.push_back(0);
  for (std::uint32_t i = 0; i < system.contacts().size(); ++i) {
    const nsm_contact_class& type = *system.contacts()[i].type;
    for (std::uint32_t j = 0; j < type.n_sets; ++j) {
      const nsm_set& set = type.sets[j];
      const bool by_rows = set.kind == NSM_SET_INTERVAL;
      for (std::uint32_t k = 0; k < (by_rows ? set.dim : 1); ++k) {
        Unit unit;
        unit.contact = i;
        unit.set = j;
        unit.row = set.first_row + k;
        unit.dim = by_rows ? 1 : set.dim;
        unit.row_in_set = k;
        unit.index = static_cast<std::uint32_t>(units.size());
        units.push_back(unit);
      }
    }
    first_unit.push_back(static_cast<std::uint32_t>(units.size()));
  }
  flats.resize(units.size());
  ridges.resize(units.size());
}

double before_end_of_face(const System& system, const Workspace& work, const ContactModes& modes, std::uint32_t contact,
                          double g, const double* q, const double* u) {
  const ContactInfo& info = system.contacts()[contact];
  const double most = modes.gap_part * coordinate_size(system, info, q) + modes.gap_error;
  double fastest = 0;
  for (std::uint32_t k = modes.first_unit[contact]; k < modes.first_unit[contact + 1]; ++k)
    fastest = std::max(fastest, modes.units[k].speed);
  fastest *= modes.velocity_part;
  const double speed = std::abs(row_velocity(system, work, info, info.type->normal, u) +
                                work.directions_of(info)[system.layout(info).chi + info.type->normal]);
  return std::min(1 - (g - modes.gap_level[contact]) / most, fastest > 0 ? 1 - speed / fastest : 1.0);
}

std::uint32_t normal_unit(const System& system, const ContactModes& modes, std::uint32_t contact) {
  const nsm_contact_class& type = *system.contacts()[contact].type;
  if (type.gap == nullptr || type.normal >= type.n_rows) return NSM_NONE;
  for (std::uint32_t k = modes.first_unit[contact]; k < modes.first_unit[contact + 1]; ++k) {
    if (modes.units[k].row == type.normal) return k;
  }
  return NSM_NONE;
}

}  // namespace nsmc::rt::event
