// A convex solid at its place: the corners of a polytope and all points within a radius of it. With one corner it is a
// ball, with two a capsule, with more a polyhedron; the radius of polyhedra is 0 as a rule.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/collision/vector.hpp"

namespace nsmc::rt::collision {

inline constexpr int most_corners = 256;
inline constexpr int most_faces = 2 * most_corners - 4;

// What does not move: all as numbers in one row, so that a compiled model can hold it as a constant.
//   n_corners, n_faces, n_edges, then
//   x, y, z of each corner in the frame of the solid,
//   x, y, z of each outer normal,
//   where the cycle of each face begins, and the end of the last one,
//   the cycles: corners, counter-clockwise seen from outside,
//   of each edge: its corners, and the faces to both sides (-1, -1 of a segment).
class Hull {
 public:
  explicit Hull(const double* data) : data_(data) {}

  int n_corners() const { return static_cast<int>(data_[0]); }
  int n_faces() const { return static_cast<int>(data_[1]); }
  int n_edges() const { return static_cast<int>(data_[2]); }
  Vec corner(int i) const { return vector(corners() + 3 * i); }
  Vec normal(int f) const { return vector(normals() + 3 * f); }
  int face_begin(int f) const { return static_cast<int>(firsts()[f]); }
  int face_size(int f) const { return face_begin(f + 1) - face_begin(f); }
  int cycle(int f, int k) const { return static_cast<int>(cycles()[face_begin(f) + k]); }
  int edge(int e, int k) const { return static_cast<int>(edges()[4 * e + k]); }
  int size() const { return static_cast<int>(edges() - data_) + 4 * n_edges(); }  // of the row

 private:
  static Vec vector(const double* at) { return {at[0], at[1], at[2]}; }
  const double* corners() const { return data_ + 3; }
  const double* normals() const { return corners() + 3 * n_corners(); }
  const double* firsts() const { return normals() + 3 * n_faces(); }
  const double* cycles() const { return firsts() + n_faces() + 1; }
  const double* edges() const { return cycles() + face_begin(n_faces()); }

  const double* data_;
};

// The row of numbers of a box with these half sizes, of a segment along z, of a point.
inline constexpr int box_numbers = 3 + 24 + 18 + 7 + 24 + 48;
void write_box(Vec half, double* data);
inline constexpr int segment_numbers = 3 + 6 + 1 + 4;
void write_segment(double half_length, double* data);
inline constexpr int point_numbers = 3 + 3 + 1;
void write_point(double* data);
// Of a polyhedron from its corners and its faces, cycles of corners counter-clockwise seen from outside.
std::vector<double> hull_of_faces(std::span<const Vec> corners, std::span<const std::vector<int>> faces);

// A hull in the world, seen from `origin`: differences of large coordinates are taken once.
struct Placed {
  Placed(const double* hull, double radius, Vec centre, const Frame& frame, Vec origin);

  Vec support(Vec n) const { return corners[lowest(-n)]; }
  int lowest(Vec n) const;  // the corner with the smallest n . x; the first of equals

  Hull hull;
  double radius;
  double size;  // the farthest corner from the centre
  Vec centre;
  Vec corners[most_corners];
  Vec normals[most_faces];
  double offsets[most_faces];  // n . x on the face
};

}  // namespace nsmc::rt::collision
