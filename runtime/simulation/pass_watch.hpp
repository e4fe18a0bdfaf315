// Contacts that are passed within a step: a gap that was open before and after a step, and not in between, so that
// time-stepping, which looks once in a step, saw nothing. This can happen where a gap has a minimum along a path, as
// that of a thin wall or a small ball; a gap that falls on behind a plane is seen in the next step at the latest. Only
// what is thin for the step counts: a corner that dips in and out as it turns, in many steps, is no news.
//
// Contacts of families are not watched: nobody knows which of them were near each other within a step.
//
// A contact is looked at as often as it could be reached: in every step if that is a matter of a few, else seldom.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/evaluation/workspace.hpp"
#include "runtime/saved_run.hpp"
#include "runtime/simulation/warnings.hpp"
#include "runtime/state.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

class PassWatch {
 public:
  // passable: by contact class, whether its gap can have a minimum along a path; none if there are fewer.
  PassWatch(const System& system, const std::vector<std::uint8_t>& passable);

  // So many steps after `step` may be taken at once.
  std::uint64_t idle_after(std::uint64_t step) const;

  // After step number `step` of length dt, which has led to the state. Writes over the evaluation in `work`.
  void look(const System& system, Workspace& work, const State& state, std::uint64_t step, double dt,
            Warnings& warnings);

  void remember(Memory& memory) { memory(gap_, change_, seen_, wake_, q_before_, u_before_, step_before_); }

 private:
  double gap_at(const System& system, Workspace& work, const State& state, std::uint32_t contact,
                const double* q) const;
  void search_path(const System& system, Workspace& work, const State& state, double dt, std::size_t k, double g,
                   Warnings& warnings);
  bool was_at_kink(const System& system, Workspace& work, const State& state, std::size_t k, double g);

  std::vector<std::uint32_t> contacts_;      // that can be passed
  std::vector<double> gap_, change_;         // when they were seen last, and how much the gap changed in a step then
  std::vector<std::uint64_t> seen_, wake_;   // the step of it, and when they are looked at again
  std::vector<double> q_before_, u_before_;  // after step_before_
  std::vector<double> q_between_, u_change_, q_rate_;
  std::uint64_t step_before_ = 0;
};

}  // namespace nsmc::rt
