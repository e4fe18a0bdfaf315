// Vectors and frames of three dimensions, small and plain.
#pragma once

#include <cmath>

namespace nsmc::rt::collision {

struct Vec {
  double x, y, z;

  double operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  friend Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec operator-(Vec a) { return {-a.x, -a.y, -a.z}; }
  friend Vec operator*(double s, Vec a) { return {s * a.x, s * a.y, s * a.z}; }
};

inline double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec cross(Vec a, Vec b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double norm(Vec a) { return std::sqrt(dot(a, a)); }
inline Vec unit(Vec a) { return 1 / norm(a) * a; }

// A unit vector across n, of length one.
inline Vec across(Vec n) { return unit(std::abs(n.x) > 0.9 ? Vec{0, 1, 0} - n.y * n : Vec{1, 0, 0} - n.x * n); }

// Columns: the axes of a body in the world.
struct Frame {
  Vec x, y, z;

  Vec operator*(Vec v) const { return v.x * x + v.y * y + v.z * z; }
  Vec into(Vec v) const { return {dot(x, v), dot(y, v), dot(z, v)}; }  // of a vector of the world
};

}  // namespace nsmc::rt::collision
