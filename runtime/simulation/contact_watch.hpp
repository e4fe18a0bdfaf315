// Looks at the gaps of a run every now and then: how deep contacts are, whether the energy rises, and, with
// `stabilises`, puts positions of lasting contacts that have sunk back to where they closed (gap_projection.hpp).
//
// It looks after every 256th step, whatever does the steps: so a step in registers, in lanes or compiled with the model
// has nothing to do with it, and all of them have the same numbers.
//
// What lasts is closed, carries a force, and does not move: its velocity is a thousandth of what its percussion makes
// or less. A contact that starts below zero keeps this level until it opens, as in event-driven integration. Otherwise
// a contact that is deeper than 1e-10 of the coordinates of its bodies is moved to half of that.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/evaluation/gap_projection.hpp"
#include "runtime/saved_run.hpp"
#include "runtime/state.hpp"

namespace nsmc::rt {

class ContactWatch {
 public:
  static constexpr std::uint64_t interval = 256;

  ContactWatch(const System& system, bool looks, bool stabilises);

  bool looks() const { return looks_; }
  bool looks_after(std::uint64_t step) const { return looks_ && step % interval == 0; }

  void begin(const System& system, Workspace& work, const State& state);
  void look(const System& system, Workspace& work, State& state, double energy);

  // The same at the end of a run, which changes nothing any more.
  void look_last(const System& system, Workspace& work, const State& state, double energy);

  // The deepest gap that was seen, where and when; how often positions were corrected; by how much the energy was above
  // its lowest value before.
  double deepest = 0, deepest_time = 0;
  std::uint32_t deepest_contact = NSM_NONE;
  std::uint64_t corrections = 0;
  double energy_lowest = 0, energy_rise = 0;

  void remember(Memory& memory) {
    memory(level_, deepest, deepest_time, deepest_contact, corrections, energy_lowest, energy_rise, began_);
  }

 private:
  // Whether gaps could be found; in gaps_.
  bool watch(const System& system, Workspace& work, const State& state, double energy);

  bool looks_, stabilises_, began_ = false;
  GapProjection gaps_;
  std::vector<double> level_, target_, tolerance_;
  std::vector<std::uint32_t> lasting_;
};

}  // namespace nsmc::rt
