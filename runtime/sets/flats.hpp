// Flats of a set in the plane that is given by a function: normals whose exposed face is more than a point. As the
// direction turns, the exposed point runs along the boundary, all round in one turn; over a flat it jumps.
//
// A boundary like |x|^s, s > 2, is so flat at one point that the exposed point moves like a root of the angle, and ever
// faster near it: a bend. It counts as a flat with a width in angles, beyond which exposed points move at a moderate
// rate.
#pragma once

#include <atomic>
#include <vector>

#include "runtime/sets/convex_set.hpp"

namespace nsmc::rt {

// Directions that differ by less than this (rad) are one.
inline constexpr double flat_angle = 1e-12;

struct Flat {
  double normal;  // its angle
  double half;    // half its width: flat_angle for a flat proper, more for a bend

  template <class Memory>  // runtime/saved_run.hpp
  void remember(Memory& memory) {
    memory(normal, half);
  }
};

// Whether the set is one that may have flats: by a function, in the plane.
bool may_have_flats(const nsm_set& set);

// All flats by their angles, ascending, in (-pi, pi]. A flat counts if the exposed point moves by 1e-5 of the size of
// the set within 2e-9 rad; outside of its width it moves by at most 1e4 of the size per rad. Flats that are shorter
// than about a thousandth of the set may be missed. False if the set is not well defined (empty, not finite), or once
// `stop` is set: thousands of exposed points take seconds where each of them is a search of its own.
bool find_flats(const ConvexSet& set, std::vector<Flat>& flats, const std::atomic<bool>* stop = nullptr);

// The point exposed by the direction with this angle.
void exposed_at(const ConvexSet& set, double angle, double* x);

}  // namespace nsmc::rt
