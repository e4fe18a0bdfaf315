#include "runtime/methods/take_offs.hpp"

#include <algorithm>
#include <cmath>

namespace nsmc::rt {

TakeOffs::TakeOffs(std::size_t n_contacts)
    : now_(n_contacts, 0), before_(n_contacts, 0), rest_(n_contacts, 0), slope_(n_contacts, 0) {}

// A contact that is held too long is as much too slow.
double TakeOffs::at_end(std::span<const std::uint32_t> contacts, const Scales& scales, double dt, double H) const {
  double first = 1;
  for (const std::uint32_t i : contacts) {
    const double fall = before_[i] - now_[i];                 // in a substep
    const double late = fall > 0 ? 0.5 - now_[i] / fall : 0;  // in substeps
    if (!(late > 0)) continue;
    const double slowed = scales.mobility[i] * fall * late * late / 2;
    // Up to where it would be a quarter of what is allowed: the next step begins behind the take-off.
    if (slowed > scales.allowed[i])
      first = std::min(first, 1 - late * dt * (1 - 0.5 * std::sqrt(scales.allowed[i] / slowed)) / H);
  }
  return first;
}

// A contact that is let go too early misses what is left of its force. A mean force that is none says that it is gone
// in the first half.
double TakeOffs::at_start(std::span<const std::uint32_t> contacts, const Scales& scales, double H) const {
  double first = 1;
  for (const std::uint32_t i : contacts) {
    const double rest = std::min(rest_[i], H / 2);
    if (rest > 0 && scales.mobility[i] * slope_[i] * rest * rest / 2 > scales.allowed[i])
      first = std::min(first, rest / H);
  }
  return first;
}

void TakeOffs::keep(std::span<const std::uint32_t> contacts, double dt) {
  forget();
  for (const std::uint32_t i : contacts) {
    const double fall = before_[i] - now_[i];
    if (!(fall > 0)) continue;
    rest_[i] = std::max(now_[i] / fall - 0.5, 0.0) * dt;
    slope_[i] = fall / (dt * dt);
  }
}

void TakeOffs::forget() {
  std::fill(rest_.begin(), rest_.end(), 0.0);
  std::fill(slope_.begin(), slope_.end(), 0.0);
}

}  // namespace nsmc::rt
