#include "runtime/methods/error_scales.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/evaluation/evaluation.hpp"

namespace nsmc::rt {

namespace {

// Floors of scales: of a velocity, relative to what all of the kinetic energy would give it; of a coordinate, relative
// to the others of its block. What is below is rounding and noise rather than motion.
constexpr double velocity_floor = 1e-3, coordinate_floor = 1e-4;

}  // namespace

ErrorScales::ErrorScales(const System& system, double accuracy)
    : accuracy_(accuracy),
      n_q_(system.n_q()),
      largest_(std::size_t{system.n_q()} + system.n_u(), 0),
      allowed_(largest_) {}

// The largest of everything so far. The masses and accelerations of the state have just been evaluated.
void ErrorScales::follow(const System& system, Workspace& work, const State& state, double grid) {
  const std::uint32_t n_q = system.n_q();
  const auto mass = [&](const BlockInfo& block, std::uint32_t k) {
    const bool diagonal = block.type->mass_structure == NSM_MASS_DIAGONAL;
    return work.dynamics[block.first_dynamics + (diagonal ? k : std::size_t{k} * (block.n_u + 1))];
  };
  evaluate_kinematics(system, work, state.t, state.q.data(), state.u.data(), work.q_rate.data());
  double kinetic = 0;
  for (const BlockInfo& block : system.blocks()) {
    for (std::uint32_t k = 0; k < block.n_q; ++k) {
      const std::uint32_t at = block.first_q + k;
      largest_[at] = std::max({largest_[at], std::abs(state.q[at]), grid * std::abs(work.q_rate[at])});
    }
    for (std::uint32_t k = 0; k < block.n_u; ++k) {
      const std::uint32_t at = block.first_u + k;
      const double gained = grid * std::abs(work.free_acceleration[at]);
      largest_[n_q + at] = std::max({largest_[n_q + at], std::abs(state.u[at]), gained});
      kinetic += mass(block, k) / 2 * std::max(state.u[at] * state.u[at], gained * gained);
    }
  }
  for (std::uint32_t at = system.first_z(); at < n_q; ++at) {
    largest_[at] = std::max({largest_[at], std::abs(state.q[at]), grid * std::abs(work.q_rate[at])});
    // Nothing is known of one that was never more than 0.
    allowed_[at] = largest_[at] > 0 ? accuracy_ * largest_[at] : std::numeric_limits<double>::infinity();
  }
  kinetic_ = std::max(kinetic_, kinetic);
  for (const BlockInfo& block : system.blocks()) {
    const std::uint32_t quaternion = block.type->quaternion;
    const auto is_quaternion = [&](std::uint32_t k) {
      return quaternion != NSM_NONE && k >= quaternion && k < quaternion + 4;
    };
    double largest = 0;
    for (std::uint32_t k = 0; k < block.n_q; ++k) {
      if (!is_quaternion(k)) largest = std::max(largest, largest_[block.first_q + k]);
    }
    double fastest = 0;
    for (std::uint32_t k = 0; k < block.n_u; ++k) {
      const std::uint32_t at = n_q + block.first_u + k;
      const double m = mass(block, k);
      const double by_energy = m > 0 ? std::sqrt(2 * kinetic_ / m) : 0;
      allowed_[at] = accuracy_ * std::max(largest_[at], velocity_floor * by_energy);
      fastest = std::max(fastest, allowed_[at]);
    }
    // A coordinate that is near 0 is as good as its velocity makes it over a step of the grid.
    const bool by_index = block.type->identity_kinematics != 0 || quaternion != NSM_NONE;
    for (std::uint32_t k = 0; k < block.n_q; ++k) {
      const std::uint32_t at = block.first_q + k;
      const double moved = grid * (by_index && k < block.n_u ? allowed_[n_q + block.first_u + k] : fastest);
      allowed_[at] = is_quaternion(k) ? accuracy_
                                      : std::max(accuracy_ * std::max(largest_[at], coordinate_floor * largest), moved);
    }
  }
}

// In units of what is allowed, over coordinates and velocities.
double ErrorScales::distance(const std::vector<double>& a, const std::vector<double>& b) const {
  double largest = 0;
  for (std::size_t k = 0; k < allowed_.size(); ++k) {
    const double d = std::abs(a[k] - b[k]);
    if (d == 0) continue;
    const double ratio = d / allowed_[k];
    if (!(ratio <= largest)) largest = ratio;
  }
  return std::isfinite(largest) ? largest : 1e300;
}

}  // namespace nsmc::rt
