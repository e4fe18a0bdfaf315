// What has to hold for the modes to go on, as one number for every unit and for every contact: positive while all is
// well, negative once the condition is broken. Events are the zeros of these numbers.
//
//   closed contact, hold    the force stays in its set: normal forces push, friction is below its limit
//   slip                    the velocity keeps exposing the same point: it does not come to an end, nor turn to another
//                           end or corner of the set
//   edge                    the force stays on the edge, the velocity keeps its sign
//   open contact            the gap is positive, or opens
//   closed, nothing holds   the gap is not positive
//   closed contact          its gap is what rounding makes of 0; it jumps or grows where the end of a face is passed
#pragma once

#include <vector>

#include "runtime/methods/event/accelerations.hpp"

namespace nsmc::rt::event {

// By how much, relative to set or size, a force must have left its set: the inclusions then tell stick from slip.
inline constexpr double leaves_set = 1e-10;

struct Conditions {
  explicit Conditions(const ContactModes& modes)
      : unit(modes.units.size(), 1),
        contact(modes.n_contacts(), 1),
        unit_rate(modes.units.size(), 0),
        gap(modes.n_contacts(), 0),
        rate(gap) {}

  void remember(Memory& memory) { memory(unit, contact, unit_rate, gap, rate); }

  bool broken() const;
  bool contact_broken() const;

  std::vector<double> unit, contact;
  std::vector<double> unit_rate;  // d/dt of `unit`, where it was asked for
  std::vector<double> gap, rate;  // of open contacts: the gap and its rate
};

// Those of the units alone, at the state that `at` has looked at and solved. False if a force is not in its set.
bool evaluate_units(std::vector<double>& values, Accelerations& at, const System& system, const ContactModes& modes);

// Those of the contacts alone, at the state that `at` has looked at; see below.
Trouble evaluate_contacts(Conditions& conditions, const Conditions* before, const System& system, Workspace& work,
                          const ContactModes& modes, double t, const double* q, const double* u);

// At the state that `at` has looked at and solved. `before`: at the beginning of the step, null: this is the beginning.
// Trouble: a gap is not a number.
Trouble evaluate(Conditions& conditions, const Conditions* before, Accelerations& at, const System& system,
                 Workspace& work, ContactModes& modes, double t, const double* q, const double* u,
                 const SolverOptions& options);

}  // namespace nsmc::rt::event
