// Switching points that no comparison of levels sees: those at the very beginning or the very end of a step, where the
// results of all levels are what they would be if it were exactly there. As where dry friction turns round, or a motion
// stops. But accelerations jump there, by more than they change elsewhere.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "runtime/methods/extrapolation.hpp"
#include "runtime/saved_run.hpp"

namespace nsmc::rt {

class AccelerationJumps {
 public:
  explicit AccelerationJumps(std::size_t n_u);

  // Of substep s of a level, from u_before to u within dt; allowed: the errors of velocities.
  void follow(const std::vector<double>& u_before, const std::vector<double>& u, const double* allowed, double dt,
              int s);

  // What a jump in the last level may mean over a step H, in units of what is allowed; 0: none.
  double jump(double H) const;

  // Accelerations of the last substep but one.
  const std::vector<double>& before_last() const { return second_last_; }

  // The step is taken: the next one follows on it, or not, behind an impact.
  void keep(double dt);
  void forget() { known_ = false; }

  void remember(Memory& memory) { memory(known_, before_, dt_before_); }

 private:
  bool known_ = false;          // since the last impact:
  std::vector<double> before_;  // over the last step of the scheme,
  double dt_before_ = 0;        // and its length
  std::vector<double> last_, second_last_;
  int changes_ = 0;  // from the step before to the first substep, and from substep to substep: so many, and of each
  std::array<double, max_levels> change_{}, both_{}, rate_{};  // its size, that with the one before it, its speed
};

}  // namespace nsmc::rt
