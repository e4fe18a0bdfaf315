#include "runtime/methods/acceleration_jumps.hpp"

#include <algorithm>
#include <cmath>

namespace nsmc::rt {

namespace {

// Accelerations jump where they change so many times faster than elsewhere.
constexpr double jump_ratio = 4;

}  // namespace

AccelerationJumps::AccelerationJumps(std::size_t n_u) : before_(n_u, 0), last_(n_u, 0), second_last_(n_u, 0) {}

void AccelerationJumps::follow(const std::vector<double>& u_before, const std::vector<double>& u, const double* allowed,
                               double dt, int s) {
  if (s == 0) {
    changes_ = 0;
    last_ = before_;
  }
  double change = 0, both = 0;
  for (std::size_t k = 0; k < u.size(); ++k) {
    const double now = (u[k] - u_before[k]) / dt;
    change = std::max(change, std::abs(now - last_[k]) / allowed[k]);
    both = std::max(both, std::abs(now - second_last_[k]) / allowed[k]);
    second_last_[k] = last_[k];
    last_[k] = now;
  }
  if (s == 0 && !known_) return;
  const auto at = static_cast<std::size_t>(changes_++);
  change_[at] = change;
  both_[at] = at > 0 ? both : 0;
  rate_[at] = change / (s == 0 ? (dt + dt_before_) / 2 : dt);
}

// A jump within a substep is shared by two changes, which add up; those of a velocity that is put right take each other
// back.
double AccelerationJumps::jump(double H) const {
  const auto n = static_cast<std::size_t>(changes_);
  if (n < 2) return 0;
  const auto fastest_but = [&](std::size_t first, std::size_t last) {
    double fastest = 0;
    for (std::size_t k = 0; k < n; ++k) {
      if (k < first || k > last) fastest = std::max(fastest, rate_[k]);
    }
    return fastest;
  };
  for (std::size_t k = 0; k < n; ++k) {
    if (rate_[k] > jump_ratio * fastest_but(k, k)) return change_[k] * H;
    if (k == 0 || n < 3) continue;
    if (both_[k] * rate_[k] > jump_ratio * fastest_but(k - 1, k) * change_[k]) return both_[k] * H;
  }
  return 0;
}

void AccelerationJumps::keep(double dt) {
  known_ = true;
  before_ = last_;
  dt_before_ = dt;
}

}  // namespace nsmc::rt
