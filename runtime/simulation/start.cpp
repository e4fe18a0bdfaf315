#include "runtime/simulation/start.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/evaluation/evaluation.hpp"
#include "runtime/evaluation/gap_slack.hpp"
#include "runtime/evaluation/projection.hpp"
#include "runtime/output/observation.hpp"
#include "runtime/view.hpp"

namespace nsmc::rt {

namespace {

// A part of a size: what is moved or overlaps by less is a matter of the digits that were written.
constexpr double worth_telling = 1e-4;

struct Moved {
  std::uint32_t which = NSM_NONE;  // the most, of its size
  double share = 0, before = 0, after = 0;
  std::uint64_t count = 0;
};

// Which components of x were moved. A component is as large as the largest one of its block; those of a quaternion
// as 1.
Moved find_moved(const System& system, const std::vector<double>& before, const std::vector<double>& after, bool of_q) {
  Moved moved;
  for (const BlockInfo& block : system.blocks()) {
    const std::uint32_t first = of_q ? block.first_q : block.first_u, n = of_q ? block.n_q : block.n_u;
    const std::uint32_t quaternion = of_q ? block.type->quaternion : NSM_NONE;
    const auto in_quaternion = [&](std::uint32_t k) {
      return quaternion != NSM_NONE && k >= quaternion && k < quaternion + 4;
    };
    double size = 0;
    for (std::uint32_t k = 0; k < n; ++k) {
      if (!in_quaternion(k)) size = std::max({size, std::abs(before[first + k]), std::abs(after[first + k])});
    }
    for (std::uint32_t k = 0; k < n; ++k) {
      const double by = std::abs(after[first + k] - before[first + k]);
      const double scale = in_quaternion(k) ? 1 : size;
      if (!(by > worth_telling * scale)) continue;
      ++moved.count;
      if (by / scale <= moved.share) continue;
      moved.which = first + k;
      moved.share = by / scale;
      moved.before = before[first + k];
      moved.after = after[first + k];
    }
  }
  return moved;
}

// look(contact, gap, size of its coordinates), for every contact with a gap. (Gaps may read what `dynamics` leaves.)
template <class Look>
void look_at_gaps(const System& system, Workspace& work, const State& state, Look&& look) {
  if (evaluate_dynamics(system, work, state.t, state.q.data(), state.u.data())) return;
  nsm_view view = view_at(system, work.shared.data(), state.t);
  for (std::uint32_t i = 0; i < system.contacts().size(); ++i) {
    const ContactInfo& contact = system.contacts()[i];
    if (contact.type->gap == nullptr) continue;
    look_at(view, system, contact, state.q.data(), state.u.data());
    double g = 0;
    contact.type->gap(&view, &g);
    look(i, g, coordinate_size(system, contact, state.q.data()));
  }
}

}  // namespace

StartErrors make_consistent(const System& system, Workspace& work, State& state, Warnings& warnings) {
  StartErrors errors;
  look_at_gaps(system, work, state, [&](std::uint32_t i, double g, double size) {
    // A compliant contact rests where its gap is negative.
    if (system.contacts()[i].type->compliant != 0 || system.contacts()[i].type->active != nullptr) return;
    if (-g > worth_telling * size) warnings.add(WarningKind::overlap, state.t, -g, 1, i);
  });
  if (system.n_positions() == 0) return errors;
  double *q = state.q.data(), *u = state.u.data();
  if (evaluate_constraints(system, work, state.t, q, u)) return errors;
  const std::vector<double> q_given = state.q, u_given = state.u;
  const PositionReport projected = project_positions(system, work, state.t, q, q, u);
  errors.position = projected.moved_from;
  if (!projected.trouble) {
    errors.contradictory = find_contradiction(system, work, state.t, q, u);
    if (!errors.contradictory.empty()) return errors;
  }
  const Moved positions = find_moved(system, q_given, state.q, true);
  if (positions.count > 0)
    warnings.add(WarningKind::start_moved, state.t, positions.after, 1, positions.which, positions.before,
                 positions.count);
  if (evaluate_constraints(system, work, state.t, q, u)) return errors;
  const Observation observation(system, RowParts::none());
  const double energy = observation.energy(state, work);
  errors.velocity = project_velocities(system, work, u);
  const Moved velocities = find_moved(system, u_given, state.u, false);
  if (velocities.count > 0)
    warnings.add(WarningKind::velocities_moved, state.t, velocities.after, energy - observation.energy(state, work),
                 velocities.which, velocities.before, velocities.count);
  return errors;
}

void close_touching(const System& system, Workspace& work, const State& state) {
  look_at_gaps(system, work, state, [&](std::uint32_t i, double g, double size) {
    const double rounding = gap_slack::coordinate_error * size;
    if (g > 0 && g <= rounding) work.gap_slack[i] = rounding;
  });
}

}  // namespace nsmc::rt
