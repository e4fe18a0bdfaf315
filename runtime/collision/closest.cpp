#include "runtime/collision/closest.hpp"

#include <limits>

namespace nsmc::rt::collision {

namespace {

struct Corner {
  Vec w;  // a - b
  int a, b;
};

struct Simplex {
  Corner corner[4];
  double weight[4];
  int n = 0;
};

// The point of a simplex with the given corners that is closest to the origin, if it is in its interior: the weights
// by Cramer's rule from the matrix of products of its edges.
bool inner_weights(const Vec* w, int n, double* weight) {
  if (n == 1) {
    weight[0] = 1;
    return true;
  }
  const Vec e1 = w[1] - w[0];
  const double g11 = dot(e1, e1), r1 = -dot(e1, w[0]);
  if (n == 2) {
    if (!(g11 > 0)) return false;
    weight[1] = r1 / g11;
    weight[0] = 1 - weight[1];
    return weight[0] > 0 && weight[1] > 0;
  }
  const Vec e2 = w[2] - w[0];
  if (n == 3) {
    // With the normal of the triangle, whose length is exact to rounding where the determinant of products is not.
    const Vec normal = cross(e1, e2);
    const double area = dot(normal, normal);
    if (!(area > 1e-28 * g11 * dot(e2, e2))) return false;
    weight[1] = dot(normal, cross(-w[0], e2)) / area;
    weight[2] = dot(normal, cross(e1, -w[0])) / area;
    weight[0] = dot(normal, cross(w[1], w[2])) / area;
    return weight[0] > 0 && weight[1] > 0 && weight[2] > 0;
  }
  const Vec e3 = w[3] - w[0];
  const double volume = dot(e1, cross(e2, e3));
  if (!(volume * volume > 1e-28 * g11 * dot(e2, e2) * dot(e3, e3))) return false;
  weight[1] = dot(-w[0], cross(e2, e3)) / volume;
  weight[2] = dot(e1, cross(-w[0], e3)) / volume;
  weight[3] = dot(e1, cross(e2, -w[0])) / volume;
  weight[0] = 1 - weight[1] - weight[2] - weight[3];
  return weight[0] > 0 && weight[1] > 0 && weight[2] > 0 && weight[3] > 0;
}

Vec point_of(const Simplex& s) {
  Vec v{0, 0, 0};
  for (int i = 0; i < s.n; ++i) v = v + s.weight[i] * s.corner[i].w;
  return v;
}

// The smallest part of the simplex that has the point closest to the origin in its interior: of all 15 parts, the one
// whose point is closest.
Simplex nearest_part(const Simplex& s) {
  Simplex best;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned part = 1; part < 1u << s.n; ++part) {
    Simplex candidate;
    Vec w[4];
    for (int i = 0; i < s.n; ++i) {
      if ((part >> i & 1) == 0) continue;
      w[candidate.n] = s.corner[i].w;
      candidate.corner[candidate.n++] = s.corner[i];
    }
    if (!inner_weights(w, candidate.n, candidate.weight)) continue;
    if (candidate.n == 4) return candidate;  // the origin is inside
    const Vec v = point_of(candidate);
    const double square = dot(v, v);
    if (square < least) {
      least = square;
      best = candidate;
    }
  }
  return best;
}

}  // namespace

Closest closest_points(const Placed& a, const Placed& b) {
  const auto corner = [&](int i, int j) { return Corner{a.corners[i] - b.corners[j], i, j}; };
  Simplex s;
  s.corner[0] = corner(a.lowest(a.centre - b.centre), b.lowest(b.centre - a.centre));
  s.weight[0] = 1;
  s.n = 1;
  Vec v = s.corner[0].w;
  const double rounding = 1e-15 * (a.size + b.size);
  const auto result = [&] {
    Closest found{norm(v), {0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < s.n; ++i) {
      found.on_a = found.on_a + s.weight[i] * a.corners[s.corner[i].a];
      found.on_b = found.on_b + s.weight[i] * b.corners[s.corner[i].b];
    }
    if (found.distance <= rounding) found.distance = 0;
    return found;
  };
  for (int turn = 0; turn < 4 * most_corners; ++turn) {
    const double square = dot(v, v);
    if (square <= rounding * rounding) break;
    const Corner next = corner(a.lowest(v), b.lowest(-v));
    bool known = false;
    for (int i = 0; i < s.n; ++i) known = known || (s.corner[i].a == next.a && s.corner[i].b == next.b);
    // v . w is the distance of a plane that separates, times |v|: nothing can be closer.
    if (known || square - dot(v, next.w) <= 1e-15 * square) break;
    Simplex larger = s;
    larger.corner[larger.n++] = next;
    larger = nearest_part(larger);
    if (larger.n == 4) return {0, {0, 0, 0}, {0, 0, 0}};
    const Vec closer = point_of(larger);
    if (!(dot(closer, closer) < square)) break;  // by rounding
    s = larger;
    v = closer;
  }
  return result();
}

}  // namespace nsmc::rt::collision
