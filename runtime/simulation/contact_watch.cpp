#include "runtime/simulation/contact_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/evaluation/contact_search.hpp"

namespace nsmc::rt {

namespace {

constexpr double depth = 1e-10;     // of the coordinates
constexpr double tolerable = 1e-5;  // likewise, of a contact that moves
constexpr double slow = 1e-3;       // of the velocity that a percussion makes: it does not move
constexpr std::uint8_t lasts = 4;   // steps one after another
// A contact that lasted at the last look has not been let go since, if that was not longer ago.
constexpr std::uint64_t recently = 16;
constexpr int most_searches = 6;  // of finding bystanders

// The largest coordinate of a body; quaternions have no length.
double extent(const BlockInfo& block, const double* q) {
  double largest = 0;
  const std::uint32_t quaternion = block.type->quaternion;
  for (std::uint32_t k = 0; k < block.n_q; ++k) {
    if (quaternion != NSM_NONE && k >= quaternion && k < quaternion + 4) continue;
    largest = std::max(largest, std::abs(q[block.first_q + k]));
  }
  return largest;
}

// In either order.
std::pair<std::uint32_t, std::uint32_t> bodies_of(const ContactInfo& contact) {
  const std::uint32_t first = contact.blocks[0], second = contact.n_blocks == 2 ? contact.blocks[1] : NSM_NONE;
  return {std::min(first, second), std::max(first, second)};
}

}  // namespace

ContactWatch::ContactWatch(const System& system, bool looks, bool stabilises)
    : looks_(looks), stabilises_(looks && stabilises), gaps_(system) {
  for (std::vector<double>* by_contact : {&level_, &target_, &tolerance_})
    by_contact->assign(system.contacts().size(), 0);
  extent_.assign(system.blocks().size(), 0);
  seen_.assign(system.contacts().size(), 0);
  gap_before_ = target_;
  q_before_.assign(system.n_q(), 0);
  lasting_.reserve(system.contacts().size());
  bystanders_.reserve(system.contacts().size());
  lying_.reserve(system.contacts().size());
  lifts_.reserve(system.contacts().size());
}

void ContactWatch::renumber(const System& system, const Renumbering& contacts) {
  gaps_.renumber(system, contacts);
  for (std::uint32_t& contact : lasting_) contacts.number(contact);
  for (std::vector<double>* by_contact : {&level_, &target_, &tolerance_, &gap_before_})
    contacts.by_contact(*by_contact);
  contacts.by_contact(seen_);
  contacts.number(deepest_contact);
}

double ContactWatch::extent_of(const ContactInfo& contact) const {
  double largest = 0;
  for (std::uint32_t b = 0; b < contact.n_blocks; ++b) largest = std::max(largest, extent_[contact.blocks[b]]);
  return largest;
}

void ContactWatch::add_contacts(std::vector<std::uint32_t>& known) const {
  known.push_back(deepest_contact);
  for (std::uint32_t i = 0; i < seen_.size(); ++i) {
    if (seen_[i] != 0 || level_[i] != 0) known.push_back(i);
  }
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
  for (std::size_t b = 0; b < extent_.size(); ++b)
    extent_[b] = std::max(extent_[b], extent(system.blocks()[b], state.q.data()));
  for (const std::uint32_t i : gaps_.contacts()) {
    const double gap = gaps_.gap()[i];
    if (gap > 0) level_[i] = 0;
    if (system.contacts()[i].type->active != nullptr && state.closed[i] == 0) continue;  // switched off perhaps
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

ContactWatch::Sunk ContactWatch::find_sunk(const System& system, const State& state, std::uint64_t step) {
  const std::uint64_t since = step - last_;
  Sunk sunk;
  lasting_.clear();
  for (const std::uint32_t i : gaps_.contacts()) {
    if (state.closed[i] == 0 || gaps_.pressure(system, state.Lambda, i) == 0) {
      seen_[i] = 0;
      continue;
    }
    sunk.touching = true;
    const bool goes_on = since == 1 || (seen_[i] == lasts && since <= recently);
    seen_[i] = goes_on ? static_cast<std::uint8_t>(std::min(seen_[i] + 1, int{lasts})) : 1;
    const double gap = gaps_.gap()[i];
    const double size = std::max(extent_of(system.contacts()[i]), std::abs(gap));
    tolerance_[i] = depth / 2 * size + 8 * std::numeric_limits<double>::epsilon() * size;
    target_[i] = level_[i] - tolerance_[i];
    const bool deep = gap < target_[i] - tolerance_[i];
    if (seen_[i] == lasts) {
      lasting_.push_back(i);
      sunk.some = sunk.some || deep;
      sunk.most = std::max(sunk.most, (target_[i] - gap) / (tolerable * size));
    } else {
      sunk.unsure = sunk.unsure || deep;
    }
  }
  return sunk;
}

void ContactWatch::correct(const System& system, Workspace& work, State& state) {
  beyond_ = false;
  const double* q = state.q.data();
  if (gaps_.evaluate(system, work, state.t, q, state.u.data(), lasting_, true)) return;
  bool some = false;
  for (const std::uint32_t i : lasting_) {
    const double made = gaps_.mobility(system, work, i) * std::abs(gaps_.pressure(system, state.Lambda, i));
    if (!(std::abs(gaps_.rate()[i]) <= slow * made)) {
      tolerance_[i] = tolerable / 2 * std::max(extent_of(system.contacts()[i]), std::abs(gaps_.gap()[i]));
      target_[i] = level_[i] - tolerance_[i];
    }
    some = some || gaps_.gap()[i] < target_[i] - tolerance_[i];
  }
  if (!some) return;
  for (const std::uint32_t i : lasting_) lifts_.push_back({i, gaps_.gap()[i]});
  gap_before_ = gaps_.gap();
  q_before_ = state.q;
  bystanders_.clear();
  lying_.clear();
  for (const std::uint32_t i : lasting_) lying_.push_back(bodies_of(system.contacts()[i]));
  std::sort(lying_.begin(), lying_.end());
  for (int round = 0, found = 1; found > 0; ++round) {
    const GapProjection::Task task{lasting_,          bystanders_, target_.data(),
                                   tolerance_.data(), false,       state.Lambda.data()};
    state.q = q_before_;
    beyond_ = false;
    if (round == most_searches || gaps_.project(system, work, state.t, state.q.data(), state.u.data(), task) ||
        gaps_.evaluate(system, work, state.t, state.q.data(), state.u.data(), gaps_.contacts(), false)) {
      state.q = q_before_;
      lifts_.clear();
      return;
    }
    if (work.search != nullptr && !work.search->covers(system, work, state.t, state.q.data())) {
      beyond_ = true;
      state.q = q_before_;
      lifts_.clear();
      return;
    }
    found = find_bystanders(system);
  }
  ++corrections;
  double sum = 0;
  for (Lift& lift : lifts_) {
    const double way = gaps_.gap()[lift.contact] - lift.share;
    lift.share = std::max(way, 0.0) * std::abs(gaps_.pressure(system, state.Lambda, lift.contact));
    sum += lift.share;
  }
  for (Lift& lift : lifts_) lift.share = sum > 0 ? lift.share / sum : 0;
}

void ContactWatch::correct_again(const System& system, Workspace& work, State& state) {
  beyond_ = false;
  // There are other contacts now, whose gaps before the correction nobody has seen.
  if (gaps_.evaluate(system, work, state.t, state.q.data(), state.u.data(), gaps_.contacts(), false)) return;
  correct(system, work, state);
}

// Whether the bodies of a contact have another one that lasts.
bool ContactWatch::lie_on_each_other(const ContactInfo& contact) const {
  return std::binary_search(lying_.begin(), lying_.end(), bodies_of(contact));
}

// Contacts that do not last and have become deeper; how many of them were not known. Bodies that lie on each other by a
// contact that lasts may turn about it.
int ContactWatch::find_bystanders(const System& system) {
  const std::size_t known = bystanders_.size();
  for (const std::uint32_t i : gaps_.contacts()) {
    const double level = std::min(gap_before_[i], 0.0), gap = gaps_.gap()[i];
    if (gap >= level || seen_[i] == lasts || lie_on_each_other(system.contacts()[i])) continue;
    if (std::find(bystanders_.begin(), bystanders_.end(), i) != bystanders_.end()) continue;
    tolerance_[i] = depth / 2 * std::max(extent_of(system.contacts()[i]), std::abs(gap));
    target_[i] = level - tolerance_[i];
    if (gap < target_[i] - tolerance_[i]) bystanders_.push_back(i);
  }
  return static_cast<int>(bystanders_.size() - known);
}

void ContactWatch::look(const System& system, Workspace& work, State& state, double energy, std::uint64_t step) {
  lifts_.clear();
  next_ = step + longest_pace;
  if (!watch(system, work, state, energy) || !stabilises_) return;
  const Sunk sunk = find_sunk(system, state, step);
  last_ = step;
  if (sunk.some) {
    correct(system, work, state);
  }
  if (sunk.most > 1) {
    pace_ = std::max(shortest_pace, pace_ / 2);
  } else if (sunk.most < 0.25) {
    pace_ = std::min(2 * pace_, sunk.touching ? longest_pace_touching : longest_pace);
  }
  // Whether what is deep lasts shows in the next steps; what rattles is left alone.
  const bool waits = sunk.unsure && waited_ < lasts;
  waited_ = waits ? waited_ + 1 : 0;
  next_ = step + (waits ? 1 : pace_);
}

}  // namespace nsmc::rt
