#include "runtime/collision/solid.hpp"

#include <algorithm>
#include <map>

namespace nsmc::rt::collision {

namespace {

// Corner k of a box has the signs of the bits of k. Faces -x, +x, -y, +y, -z, +z.
constexpr int kBoxFaces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
constexpr int kBoxEdges[12][4] = {{0, 1, 2, 4}, {2, 3, 3, 4}, {4, 5, 2, 5}, {6, 7, 3, 5}, {0, 2, 0, 4}, {1, 3, 1, 4},
                                  {4, 6, 0, 5}, {5, 7, 1, 5}, {0, 4, 0, 2}, {1, 5, 1, 2}, {2, 6, 0, 3}, {3, 7, 1, 3}};

double* write_vector(double* at, Vec v) {
  *at++ = v.x;
  *at++ = v.y;
  *at++ = v.z;
  return at;
}

}  // namespace

void write_box(Vec half, double* at) {
  for (const double n : {8.0, 6.0, 12.0}) *at++ = n;
  for (int k = 0; k < 8; ++k) {
    at = write_vector(at, {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
  }
  for (int f = 0; f < 6; ++f) {
    const double s = f & 1 ? 1 : -1;
    at = write_vector(at, {f / 2 == 0 ? s : 0, f / 2 == 1 ? s : 0, f / 2 == 2 ? s : 0});
  }
  for (int f = 0; f <= 6; ++f) *at++ = 4 * f;
  for (const auto& face : kBoxFaces) at = std::copy(std::begin(face), std::end(face), at);
  for (const auto& edge : kBoxEdges) at = std::copy(std::begin(edge), std::end(edge), at);
}

void write_segment(double half_length, double* at) {
  for (const double n : {2.0, 0.0, 1.0}) *at++ = n;
  at = write_vector(at, {0, 0, -half_length});
  at = write_vector(at, {0, 0, half_length});
  for (const double n : {0.0, 0.0, 1.0, -1.0, -1.0}) *at++ = n;
}

void write_point(double* at) {
  for (const double n : {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}) *at++ = n;
}

std::vector<double> hull_of_faces(std::span<const Vec> corners, std::span<const std::vector<int>> faces) {
  std::map<std::pair<int, int>, std::array<int, 2>> edges;  // by corners, ascending: the faces to both sides
  for (int f = 0; f < static_cast<int>(faces.size()); ++f) {
    const std::vector<int>& face = faces[static_cast<std::size_t>(f)];
    for (std::size_t k = 0; k < face.size(); ++k) {
      const int a = face[k], b = face[(k + 1) % face.size()];
      const auto [edge, first] = edges.try_emplace(std::minmax(a, b), std::array<int, 2>{f, f});
      if (!first) edge->second[1] = f;
    }
  }
  std::vector<double> row{static_cast<double>(corners.size()), static_cast<double>(faces.size()),
                          static_cast<double>(edges.size())};
  const auto add = [&](Vec v) { row.insert(row.end(), {v.x, v.y, v.z}); };
  for (const Vec& v : corners) add(v);
  for (const std::vector<int>& face : faces) {
    Vec n{0, 0, 0};  // twice the vector of the area
    const Vec origin = corners[static_cast<std::size_t>(face[0])];
    for (std::size_t k = 1; k + 1 < face.size(); ++k) {
      n = n + cross(corners[static_cast<std::size_t>(face[k])] - origin,
                    corners[static_cast<std::size_t>(face[k + 1])] - origin);
    }
    add(unit(n));
  }
  double first = 0;
  for (const std::vector<int>& face : faces) {
    row.push_back(first);
    first += static_cast<double>(face.size());
  }
  row.push_back(first);
  for (const std::vector<int>& face : faces) row.insert(row.end(), face.begin(), face.end());
  for (const auto& [ends, sides] : edges) {
    for (const int i : {ends.first, ends.second, sides[0], sides[1]}) row.push_back(i);
  }
  return row;
}

Placed::Placed(const double* data, double r, Vec middle, const Frame& frame, Vec origin)
    : hull(data), radius(r), size(0), centre(middle - origin) {
  for (int i = 0; i < hull.n_corners(); ++i) {
    const Vec turned = frame * hull.corner(i);
    size = std::max(size, dot(turned, turned));
    corners[i] = centre + turned;
  }
  size = std::sqrt(size);
  for (int f = 0; f < hull.n_faces(); ++f) {
    normals[f] = frame * hull.normal(f);
    offsets[f] = dot(normals[f], corners[hull.cycle(f, 0)]);
  }
}

int Placed::lowest(Vec n) const {
  int best = 0;
  double height = dot(n, corners[0]);
  for (int i = 1; i < hull.n_corners(); ++i) {
    const double h = dot(n, corners[i]);
    if (h < height) {
      height = h;
      best = i;
    }
  }
  return best;
}

}  // namespace nsmc::rt::collision
