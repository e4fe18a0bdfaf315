// Looks at the gaps of a run every now and then: how deep contacts are, whether the energy rises, and, with
// `stabilises`, puts positions of lasting contacts that have sunk back to where they closed (gap_projection.hpp).
//
// It looks between steps, whatever does them: so a step in registers, in lanes or compiled with the model has nothing
// to do with it, and all of them have the same numbers. When it looks next follows from what it saw: every 256th step
// if nothing touches, more often the more a contact sinks between two looks.
//
// What lasts was closed and carried a force in four steps one after another, so that it was not hit in the last of
// them. A contact that starts below zero keeps this level until it opens, as in event-driven integration. Otherwise a
// contact that is deeper than 1e-10 of the largest coordinate of its bodies so far is moved to half of that;
// 1e-5 if it moves, which leaves room to a gap that drifts upwards: one that is 0 would open and close in turns.
// No other contact gets deeper by it: in a pile that lands, bodies that have just been hit lie on those that are
// lifted.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "runtime/evaluation/gap_projection.hpp"
#include "runtime/saved_run.hpp"
#include "runtime/state.hpp"

namespace nsmc::rt {

class ContactWatch {
 public:
  ContactWatch(const System& system, bool looks, bool stabilises);

  // Candidates have come and gone.
  void renumber(const System& system, const Renumbering& contacts);
  // Those of which it knows something.
  void add_contacts(std::vector<std::uint32_t>& known) const;

  bool looks() const { return looks_; }
  // The step after which it looks next.
  std::uint64_t next() const { return looks_ ? next_ : std::numeric_limits<std::uint64_t>::max(); }

  void begin(const System& system, Workspace& work, const State& state);
  void look(const System& system, Workspace& work, State& state, double energy, std::uint64_t step);

  // The last look has moved bodies further than the search of contacts had looked, and put them back: to be searched
  // anew, and corrected again.
  bool went_beyond() const { return beyond_; }
  void correct_again(const System& system, Workspace& work, State& state);

  // Contacts that the last look has lifted, each with its share of the work that this was: force times way.
  struct Lift {
    std::uint32_t contact;
    double share;
  };
  const std::vector<Lift>& lifts() const { return lifts_; }

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
    memory(next_, pace_, last_, waited_, seen_, extent_);
  }

 private:
  // Whether gaps could be found; in gaps_.
  bool watch(const System& system, Workspace& work, const State& state, double energy);
  // Finds lasting_ and how far they have sunk, in units of what is tolerable between looks; whether one that does not
  // last yet has sunk.
  struct Sunk {
    bool some = false, unsure = false, touching = false;
    double most = 0;
  };
  Sunk find_sunk(const System& system, const State& state, std::uint64_t step);

  double extent_of(const ContactInfo& contact) const;  // of its blocks
  void correct(const System& system, Workspace& work, State& state);
  bool lie_on_each_other(const ContactInfo& contact) const;
  int find_bystanders(const System& system);

  bool looks_, stabilises_, began_ = false, beyond_ = false;
  GapProjection gaps_;
  std::vector<double> level_, target_, tolerance_, gap_before_, q_before_;
  std::vector<double> extent_;  // of each block, its largest coordinate so far: where it rests that may be 0
  std::vector<std::uint32_t> lasting_, bystanders_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> lying_;  // the bodies of contacts that last
  std::vector<Lift> lifts_;
  std::uint64_t next_ = shortest_pace, pace_ = shortest_pace, last_ = 0;  // in steps
  std::uint64_t waited_ = 0;        // steps, until it shows whether what is deep lasts
  std::vector<std::uint8_t> seen_;  // by contact: how often in a row it was closed and carried a force

  static constexpr std::uint64_t shortest_pace = 4, longest_pace = 256, longest_pace_touching = 16;
};

}  // namespace nsmc::rt
