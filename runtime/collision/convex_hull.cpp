#include "runtime/collision/convex_hull.hpp"

#include <algorithm>
#include <set>

namespace nsmc::rt::collision {

namespace {

// The corners of a convex polygon among points of a plane across n, counter-clockwise seen against n.
std::vector<int> corners_of_face(std::span<const Vec> points, const std::vector<int>& on_face, Vec n, double margin) {
  // The walk around: from one corner to the point that has all others on its left, and of several in line the farthest.
  const Vec e = across(n);
  int start = on_face[0];
  for (const int i : on_face) {
    const double ahead = dot(e, points[static_cast<std::size_t>(i)] - points[static_cast<std::size_t>(start)]);
    if (ahead > margin) start = i;
    const double beside =
        dot(cross(n, e), points[static_cast<std::size_t>(i)] - points[static_cast<std::size_t>(start)]);
    if (std::abs(ahead) <= margin && beside > margin) start = i;
  }
  std::vector<int> cycle;
  int at = start;
  do {
    cycle.push_back(at);
    const Vec from = points[static_cast<std::size_t>(at)];
    int next = -1;
    Vec way{0, 0, 0};
    for (const int i : on_face) {
      const Vec d = points[static_cast<std::size_t>(i)] - from;
      if (norm(d) <= margin) continue;
      const double turn = next < 0 ? -1 : dot(n, cross(way, d)) / norm(way);
      if (next < 0 || turn < -margin || (turn <= margin && norm(d) > norm(way))) {
        next = i;
        way = d;
      }
    }
    at = next;
  } while (at >= 0 && at != start && cycle.size() <= on_face.size());
  return cycle;
}

}  // namespace

// A plane through three points is a face if all others are below it. Points are few, and of most planes the first few
// tell that they are none.
std::vector<double> convex_hull(std::span<const Vec> given) {
  if (given.size() < 4 || given.size() > most_corners) return {};
  double size = 0;
  for (const Vec p : given) size = std::max(size, norm(p - given[0]));
  const double margin = 1e-9 * size;
  std::vector<Vec> points;
  for (const Vec p : given) {
    const bool known = std::any_of(points.begin(), points.end(), [&](Vec q) { return norm(p - q) <= margin; });
    if (!known) points.push_back(p);
  }
  const std::size_t n = points.size();
  std::set<std::vector<int>> seen;
  std::vector<std::vector<int>> faces;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      for (std::size_t k = j + 1; k < n; ++k) {
        Vec normal = cross(points[j] - points[i], points[k] - points[i]);
        if (norm(normal) <= margin * size) continue;
        normal = unit(normal);
        bool above = false, below = false;
        std::vector<int> on_face;
        for (std::size_t l = 0; l < n && !(above && below); ++l) {
          const double height = dot(normal, points[l] - points[i]);
          above = above || height > margin;
          below = below || height < -margin;
          if (std::abs(height) <= margin) on_face.push_back(static_cast<int>(l));
        }
        if (above && below) continue;
        if (!above && !below) return {};  // all in one plane
        if (!seen.insert(on_face).second) continue;
        faces.push_back(corners_of_face(points, on_face, above ? -normal : normal, margin));
      }
    }
  }
  std::vector<int> number(n, -1);
  std::vector<Vec> corners;
  for (std::vector<int>& face : faces) {
    for (int& corner : face) {
      int& known = number[static_cast<std::size_t>(corner)];
      if (known < 0) {
        known = static_cast<int>(corners.size());
        corners.push_back(points[static_cast<std::size_t>(corner)]);
      }
      corner = known;
    }
  }
  if (corners.size() < 4) return {};
  return hull_of_faces(corners, faces);
}

}  // namespace nsmc::rt::collision
