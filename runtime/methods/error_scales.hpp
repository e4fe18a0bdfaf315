// What errors of coordinates and velocities are measured by, in steps by accuracy: each by the largest value that it
// has had so far, with a floor from the kinetic energy of the whole system for velocities, and from the other
// coordinates of its block for coordinates.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/evaluation/workspace.hpp"
#include "runtime/saved_run.hpp"
#include "runtime/state.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

class ErrorScales {
 public:
  ErrorScales(const System& system, double accuracy);

  // The masses and accelerations of the state have just been evaluated. grid: a step of the run.
  void follow(const System& system, Workspace& work, const State& state, double grid);

  // The largest error of q, then u, in units of what is allowed.
  double distance(const std::vector<double>& a, const std::vector<double>& b) const;

  double of(std::size_t k) const { return allowed_[k]; }
  const double* of_velocities() const { return allowed_.data() + n_q_; }
  double kinetic() const { return kinetic_; }
  std::size_t size() const { return allowed_.size(); }

  void remember(Memory& memory) { memory(kinetic_, largest_); }

 private:
  double accuracy_;
  std::size_t n_q_;
  double kinetic_ = 0;           // the largest kinetic energy so far
  std::vector<double> largest_;  // of q, then of u: so far
  std::vector<double> allowed_;  // errors of them
};

}  // namespace nsmc::rt
