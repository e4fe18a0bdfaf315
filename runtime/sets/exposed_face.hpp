// The face of a convex set that a velocity exposes: F(xi) = argmax { xi . x : x in K }. It is the normal cone read the
// other way round, xi in N_K(x) <=> x in F(xi), and tells the force -lambda of a contact that slips with xi.
//
// Strictly convex sets have points for faces. A polygon has corners and edges; an interval its ends (a box is handled
// row by row). On a flat of a set by a function one point of it is returned; flats in the plane: flats.hpp, in more
// dimensions: flat_face.hpp.
#pragma once

#include <cstdint>

#include "runtime/sets/convex_set.hpp"

namespace nsmc::rt {

// The exposed point, for xi != 0. Lengths enter linearly where the set has but one (ball, gauge, support, contensou),
// also if it is negative: the smooth continuation of a friction force past the moment at which its normal force ends.
// Not for intervals.
void exposed_point(const ConvexSet& set, const double* xi, double* x);

// The exposed point of a set by a function, as if its size were 1 and its centre 0.
void exposed_unit_point(const ConvexSet& set, const double* xi, double* x);

// Whether a gauge of three or more dimensions has kinks, as far as some directions tell: exposed points take a hundred
// times longer then.
bool has_kinks(const ConvexSet& set);

// The end of an interval that a velocity of this sign exposes, for component `row` of a set of several rows.
double exposed_end(const ConvexSet& set, std::uint32_t row, bool upper);

// Corners of a polygon: which one xi exposes, and where it is.
std::uint32_t exposed_corner(const ConvexSet& set, const double* xi);
void corner_of(const ConvexSet& set, std::uint32_t corner, double* x);

}  // namespace nsmc::rt
