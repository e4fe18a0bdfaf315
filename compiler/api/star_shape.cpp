#include "compiler/api/star_shape.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "compiler/api/set_boundary.hpp"
#include "nsmc/errors.hpp"
#include "nsmc/scene.hpp"

namespace nsmc {
namespace {

using Vertex = std::vector<double>;

// Directions, and which of them are beside each other.
struct Mesh {
  std::vector<Vertex> directions;
  std::vector<std::vector<std::size_t>> neighbours;
  double spacing;  // at most
};

constexpr int kFine = 2;

Mesh ring() {
  Mesh mesh{boundary_directions(2, kFine), {}, 0};
  const std::size_t n = mesh.directions.size();
  mesh.spacing = 7.0 / static_cast<double>(n);
  for (std::size_t k = 0; k < n; ++k) mesh.neighbours.push_back({(k + 1) % n, (k + n - 1) % n});
  return mesh;
}

Mesh ball() {
  Mesh mesh{boundary_directions(3, kFine), {}, 0.15};
  mesh.neighbours.resize(mesh.directions.size());
  for (const std::array<std::uint32_t, 3>& corners : set_triangles(kFine)) {
    for (const std::uint32_t a : corners) {
      for (const std::uint32_t b : corners) {
        if (a != b) mesh.neighbours[a].push_back(b);
      }
    }
  }
  return mesh;
}

const Mesh& mesh_of(std::size_t dim) {
  static const Mesh meshes[] = {ring(), ball()};
  return meshes[dim - 2];
}

// Two directions at right angles to d, or one in the plane.
std::vector<Vertex> tangents(const Vertex& d) {
  if (d.size() == 2) return {{-d[1], d[0]}};
  std::size_t least = 0;
  for (std::size_t i = 1; i < 3; ++i) {
    if (std::abs(d[i]) < std::abs(d[least])) least = i;
  }
  Vertex a(3, 0.0);
  a[least] = 1;
  for (std::size_t i = 0; i < 3; ++i) a[i] -= d[least] * d[i];
  const double length = std::hypot(a[0], a[1], a[2]);
  for (double& x : a) x /= length;
  return {a, {d[1] * a[2] - d[2] * a[1], d[2] * a[0] - d[0] * a[2], d[0] * a[1] - d[1] * a[0]}};
}

double distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

std::string text_of(std::span<const double> x) {
  std::string out;
  for (const double value : x) out += fmt::format("{}{:.6g}", out.empty() ? "(" : ", ", value);
  return out + ")";
}

}  // namespace

std::vector<double> StarShape::boundary_point(std::span<const double> direction) const {
  const double k = gauge_(direction);
  Vertex point(direction.begin(), direction.end());
  for (double& x : point) x /= k;
  return point;
}

std::vector<StarShape::Candidate> StarShape::minima(const std::function<double(std::span<const double>)>& f) const {
  const Mesh& mesh = mesh_of(dim_);
  std::vector<double> values;
  for (const Vertex& d : mesh.directions) values.push_back(f(boundary_point(d)));
  std::vector<Candidate> found;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::vector<std::size_t>& around = mesh.neighbours[k];
    if (std::any_of(around.begin(), around.end(), [&](std::size_t other) { return values[other] < values[k]; }))
      continue;
    Vertex direction = mesh.directions[k];
    double best = values[k];
    // A step that leads down is taken, and one half as long if there is none.
    for (double step = mesh.spacing; step > 1e-9;) {
      bool better = false;
      for (const Vertex& tangent : tangents(direction)) {
        for (const double sign : {1.0, -1.0}) {
          Vertex next = direction;
          for (std::size_t i = 0; i < dim_; ++i) next[i] += sign * step * tangent[i];
          const double length = distance(next, Vertex(dim_, 0.0));
          for (double& x : next) x /= length;
          const double value = f(boundary_point(next));
          if (!(value < best)) continue;
          best = value;
          direction = std::move(next);
          better = true;
          break;
        }
        if (better) break;
      }
      if (!better) step /= 2;
    }
    found.push_back({best, boundary_point(direction)});
  }
  std::sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) { return a.value < b.value; });
  return found;
}

void StarShape::nearest(std::span<double> z) const {
  if (gauge_(z) <= 1) return;
  const std::vector<Candidate> all = minima([&](std::span<const double> x) { return distance(z, x); });
  if (all.empty()) throw SettingError("x", "no point of the set is nearest to " + text_of(z) + ": is it finite?");
  const Candidate& first = all.front();
  const double size = distance(first.point, Vertex(dim_, 0.0));
  for (const Candidate& other : all) {
    if (other.value - first.value > 1e-9 * (size + first.value)) break;
    if (distance(other.point, first.point) > 1e-5 * size) {
      throw SettingError("x",
                         fmt::format("the nearest point to {} is not unique: {} and {} are equally near, as happens "
                                     "where a set is not convex",
                                     text_of(z), text_of(first.point), text_of(other.point)));
    }
  }
  std::copy(first.point.begin(), first.point.end(), z.begin());
}

double StarShape::support(std::span<const double> v) const {
  const std::vector<Candidate> all = minima([&](std::span<const double> x) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum -= v[i] * x[i];
    return sum;
  });
  return all.empty() ? std::nan("") : -all.front().value;
}

std::vector<std::vector<double>> StarShape::boundary(int detail) const {
  std::vector<Vertex> points;
  for (const Vertex& direction : boundary_directions(dim_, detail)) points.push_back(boundary_point(direction));
  return points;
}

}  // namespace nsmc
