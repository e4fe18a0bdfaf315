// When contacts take off, in steps by accuracy. The force of a contact that takes off goes to zero without a jump, and
// where this is in the last half substep, or in the first one, percussions of the levels do not tell: the contact is
// pressed in all of them, or in none. The line through its last two percussions, which are forces in the middle of
// substeps, tells when the force is gone; the step ends there.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "runtime/saved_run.hpp"

namespace nsmc::rt {

class TakeOffs {
 public:
  explicit TakeOffs(std::size_t n_contacts);

  // Before the percussions of the next substep are set.
  void next() { before_.swap(now_); }
  double& percussion(std::uint32_t contact) { return now_[contact]; }

  // By contact: G of the normal row, and what its velocity may be off by.
  struct Scales {
    const double *mobility, *allowed;
  };
  // The part of the step H up to the first of these contacts that takes off in the last half substep dt; 1 if none
  // does.
  double at_end(std::span<const std::uint32_t> contacts, const Scales& scales, double dt, double H) const;
  // Of these contacts, which carried a force at the end of the last step and carry none from the beginning of this one:
  // the part of the step H up to the first that has not taken off before; 1 if none.
  double at_start(std::span<const std::uint32_t> contacts, const Scales& scales, double H) const;

  // The step is taken, by substeps dt: the next one follows on it, or not, behind an impact.
  void keep(std::span<const std::uint32_t> contacts, double dt);
  void forget();

  void remember(Memory& memory) { memory(rest_, slope_); }

 private:
  std::vector<double> now_, before_;  // by contact: percussions of this substep, and of the one before
  std::vector<double> rest_, slope_;  // by contact: the time that its force has left, by which slope it falls
};

}  // namespace nsmc::rt
