#include "runtime/simulation/contact_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nsmc::rt {

namespace {

constexpr double depth = 1e-10;  // of the coordinates
constexpr double slow = 1e-3;    // of the velocity that a percussion makes

// The largest coordinate of the bodies of a contact; quaternions have no length.
double extent(const System& system, const ContactInfo& contact, const double* q) {
  double largest = 0;
  for (std::uint32_t b = 0; b < contact.n_blocks; ++b) {
    const BlockInfo& block = system.blocks()[contact.blocks[b]];
    const std::uint32_t quaternion = block.type->quaternion;
    for (std::uint32_t k = 0; k < block.n_q; ++k) {
      if (quaternion != NSM_NONE && k >= quaternion && k < quaternion + 4) continue;
      largest = std::max(largest, std::abs(q[block.first_q + k]));
    }
  }
  return largest;
}

}  // namespace

ContactWatch::ContactWatch(const System& system, bool looks, bool stabilises)
    : looks_(looks), stabilises_(looks && stabilises), gaps_(system) {
  for (std::vector<double>* by_contact : {&level_, &target_, &tolerance_})
    by_contact->assign(system.contacts().size(), 0);
  lasting_.reserve(system.contacts().size());
}

void ContactWatch::begin(const System& system, Workspace& work, const State& state) {
  if (!looks_) return;
  // Trouble is left to the first step to meet and to report.
  if (gaps_.evaluate(system, work, state.t, state.q.data(), state.u.data(), gaps_.contacts(), false)) return;
  for (const std::uint32_t i : gaps_.contacts()) level_[i] = std::min(gaps_.gap()[i], 0.0);
}

bool ContactWatch::watch(const System& system, Workspace& work, const State& state, double energy) {
  if (!began_) energy_lowest = energy;
  began_ = true;
  energy_rise = std::max(energy_rise, energy - energy_lowest);
  energy_lowest = std::min(energy_lowest, energy);
  if (gaps_.evaluate(system, work, state.t, state.q.data(), state.u.data(), gaps_.contacts(), false)) return false;
  for (const std::uint32_t i : gaps_.contacts()) {
    const double gap = gaps_.gap()[i];
    if (gap > 0) level_[i] = 0;
    if (-gap > deepest) {
      deepest = -gap;
      deepest_time = state.t;
      deepest_contact = i;
    }
  }
  return true;
}

void ContactWatch::look_last(const System& system, Workspace& work, const State& state, double energy) {
  if (looks_) watch(system, work, state, energy);
}

void ContactWatch::look(const System& system, Workspace& work, State& state, double energy) {
  if (!watch(system, work, state, energy)) return;
  const double* q = state.q.data();
  lasting_.clear();
  bool sunk = false;
  for (const std::uint32_t i : gaps_.contacts()) {
    const double gap = gaps_.gap()[i];
    if (!stabilises_ || state.closed[i] == 0 || gaps_.pressure(system, state.Lambda, i) == 0) continue;
    const double size = std::max(extent(system, system.contacts()[i], q), std::abs(gap));
    tolerance_[i] = depth / 2 * size + 8 * std::numeric_limits<double>::epsilon() * size;
    target_[i] = level_[i] - tolerance_[i];
    lasting_.push_back(i);
    sunk = sunk || gap < target_[i] - tolerance_[i];
  }
  if (!sunk) return;
  if (gaps_.evaluate(system, work, state.t, q, state.u.data(), lasting_, true)) return;
  std::erase_if(lasting_, [&](std::uint32_t i) {
    const double made = gaps_.mobility(system, work, i) * std::abs(gaps_.pressure(system, state.Lambda, i));
    return !(std::abs(gaps_.rate()[i]) <= slow * made);
  });
  const auto is_sunk = [&](std::uint32_t i) { return gaps_.gap()[i] < target_[i] - tolerance_[i]; };
  if (std::none_of(lasting_.begin(), lasting_.end(), is_sunk)) return;
  const GapProjection::Task task{lasting_, target_.data(), tolerance_.data(), false};
  if (!gaps_.project(system, work, state.t, state.q.data(), state.u.data(), task)) ++corrections;
}

}  // namespace nsmc::rt
