// What the contacts do during a smooth phase of event-driven integration: which are closed, and what the force of each
// part of them does. A *unit* is the smallest part of a contact with a mode of its own: a set, or one row of an
// interval (a box moves row by row).
//
//   hold   the velocity xi of the unit is and stays 0, its force is whatever this takes: a closed unilateral
//          contact, stick, a bilateral constraint
//   slip   the force is the point of the set that the velocity exposes (runtime/sets/exposed_face.hpp)
//   edge   polygons, and sets by functions with flats: the velocity is normal to an edge or face and stays so, and the
//          force is a point of it
//
// For laws with compliance, xi = gamma + C lambda in N_K(-lambda), the same holds for xi, which is then an equation for
// lambda at given velocities.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/evaluation/workspace.hpp"
#include "runtime/saved_run.hpp"
#include "runtime/sets/flat_face.hpp"
#include "runtime/sets/flats.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt::event {

enum class Mode : std::uint8_t { hold, slip, edge };

struct Unit {
  std::uint32_t contact = 0;     // its index in the model
  std::uint32_t set = 0;         // of the contact's sets
  std::uint32_t row = 0;         // first row in the contact
  std::uint32_t dim = 1;         // rows
  std::uint32_t row_in_set = 0;  // intervals: which of its rows
  Mode mode = Mode::hold;
  std::uint32_t index = 0;  // among all units
  // The corner of slip, the first corner of an edge; of sets with flats in the plane, arcs between them; in more
  // dimensions, how many ridges were crossed.
  std::uint32_t corner = 0;
  double speed = 0;  // the largest terms of its velocity that were seen: what its zero is measured by
  double D = -1;     // the largest D = max_h sum_k |G_hk| that was seen, likewise; -1: none

  void remember(Memory& memory) { memory(mode, corner, speed, D); }  // the rest is the model's
};

// The flats of a set by a function, and the arguments that they were found for. Flat k joins arc k, from flat k - 1 to
// flat k, to arc k + 1, as an edge of a polygon joins corners.
struct Flats {
  std::vector<Flat> all;
  std::vector<double> shape;
  double found_at = 0;  // t

  void remember(Memory& memory) {
    memory.sized(all);
    memory.sized(shape);
    memory(found_at);
  }
};

// Sets by functions in three and more dimensions (runtime/sets/flat_face.hpp).
struct Ridges {
  FlatFace held;  // of an edge: the face at `direction`
  // A ridge that the velocity comes from or may reach, and a unit vector along its face to the side where the velocity
  // is. Beyond it the force goes on as on this side.
  bool near = false;
  FlatFace ridge;
  double side[FlatFace::max_dim] = {};
  // The face at a velocity that was asked for last.
  bool asked = false;
  bool lost = false;  // there is none
  double asked_for[FlatFace::max_dim] = {};
  FlatFace answer;

  void remember(Memory& memory) { memory(held, near, ridge, side, asked, lost, asked_for, answer); }
};

struct ContactModes {
  explicit ContactModes(const System& system);

  std::uint32_t n_contacts() const { return static_cast<std::uint32_t>(closed.size()); }

  void remember(Memory& memory) {
    memory(units, flats, ridges, closed, direction, lambda, gap_level, opening_sign, determinate);
  }

  std::vector<Unit> units;
  std::vector<Flats> flats;               // by unit
  std::vector<Ridges> ridges;             // by unit
  std::vector<std::uint32_t> first_unit;  // by contact, and one more
  std::vector<std::uint8_t> closed;       // by contact
  std::vector<double> direction;          // by row of the System: slip, a unit vector along the velocity
  std::vector<double> lambda;             // by row of the System: where a search for forces starts
  std::vector<double> gap_level;          // by contact: the gap that a closed contact keeps, 0 but for bad initial data
  std::vector<double> opening_sign;       // by contact: the normal row is this times the rate of the gap
  bool determinate = true;                // the modes determine every force
  // What integration may leave of the gap (relative to the coordinates, and absolute) and of the velocity of a closed
  // contact (relative to its largest). By the options of the run, not remembered.
  double gap_part = 1e-7, gap_error = 1e-9, velocity_part = 1e-6;
};

// How far a closed contact is from the end of the face that it touches: negative where it has passed it. No force tells
// of this end, but the gap grows there, or the normal is another one and the velocity along it not 0 at once: by more
// than integration leaves of either. g: its gap. Its directions are those of the state.
double before_end_of_face(const System& system, const Workspace& work, const ContactModes& modes, std::uint32_t contact,
                          double g, const double* q, const double* u);

// The unit that holds a gap, or NSM_NONE: nothing keeps the gap, and the contact is closed while it is not positive.
std::uint32_t normal_unit(const System& system, const ContactModes& modes, std::uint32_t contact);

}  // namespace nsmc::rt::event
