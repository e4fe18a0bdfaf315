// Faces of sets by functions in three to six dimensions: F(v) = argmax { v . x : x in K } where it is more than a
// point.
//
// Seen from the velocities, F is the gradient of the support function Phi, and where it jumps Phi has a ridge. If it
// jumps by e = F+ - F-, then e . v = 0 on the ridge, since both points reach equally far: the face is perpendicular to
// v, and the ridge is where
//     Phi+(v) - Phi-(v) = F+ . v - F- . v = 0,       with the gradient F+ - F- = e.
// A face of dimension k has k independent jumps e_1 ... e_k, which span its tangents, and its ridge has n - k
// dimensions: the lid of a cylinder belongs to one normal, a line of its mantle to a plane of normals, which is all
// that the direction of v may turn in. On a cone tangents turn with v.
//
// The width of F(v) in the direction d is the jump d . (F(v + 0 d) - F(v - 0 d)). It is a seminorm which vanishes
// exactly on what is perpendicular to the face: n - 1 directions, each perpendicular to v and to the jumps before,
// find them all.
#pragma once

#include <cstdint>

#include "runtime/sets/convex_set.hpp"

namespace nsmc::rt {

struct FlatFace {
  static constexpr std::uint32_t max_dim = HomogeneousFunction::max_dim;

  std::uint32_t n = 0, k = 0;           // dimensions of the set and of its face
  double size = 0;                      // of the set, as far as seen
  double normal[max_dim] = {};          // a unit vector that exposes the face
  double basis[max_dim][max_dim] = {};  // orthonormal: the first k vectors along the face, the others across
  double inner[max_dim] = {};           // a point inside

  template <class Memory>  // runtime/saved_run.hpp
  void remember(Memory& memory) {
    memory(n, k, size, normal, basis, inner);
  }

  double along(const double* v, std::uint32_t j) const {
    double sum = 0;
    for (std::uint32_t h = 0; h < n; ++h) sum += basis[j][h] * v[h];
    return sum;
  }
};

// All of the following are about the set as if its size were 1 and its centre 0, but for gauge and prox.

// Whether the set is one that may have such faces.
bool may_have_flat_faces(const nsm_set& set);

// The face that v exposes, also if v is off its ridge by up to `tolerance`; if there are several, the one of the most
// dimensions. False: v exposes a point. A face counts if it is longer than 1e-6 of the set.
bool find_flat_face(const ConvexSet& set, const double* v, double tolerance, FlatFace& face);

// The same face for another velocity, which may be off the ridge. False if it is not found. No memory is allocated.
bool follow_flat_face(const ConvexSet& set, const double* v, FlatFace& face);

// Whether, on the way from its normal to the direction v along its ridge, the face ends or its border jumps: the ridge
// of a face of more dimensions. `where`: the direction there.
bool flat_face_breaks(const ConvexSet& set, const FlatFace& face, const double* v, double* where);

// The face of a set with its size s, without its centre: Minkowski's functional around the inner point, for a point
// that counts by its components along the face; the nearest point.
double flat_face_gauge(const ConvexSet& set, const FlatFace& face, const double* x);
void flat_face_prox(const ConvexSet& set, const FlatFace& face, double* z);

// For ConvexSet.
struct FaceSet {
  nsm_set set;  // of the kind NSM_SET_FACE, otherwise as `of`; first, since this is what a ConvexSet points to
  nsm_set of;
  FlatFace face;
};

}  // namespace nsmc::rt
