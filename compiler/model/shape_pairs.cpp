// How each pair of shapes touches: functions of models/std/bodies.nsm on the measures of the two.
#include "compiler/model/shape_pairs.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "compiler/model/placed_shape.hpp"
#include "runtime/collision/solid.hpp"

namespace nsmc {
namespace {

using Point = std::vector<NodeId>;

// ------------------------------------------------------------------------------------------- balls: spheres, circles

Result ball_on_plane(PlacedShape& a, PlacedShape& b, const Point&) {
  const NodeId n = b.normal();
  return a.library(a.dim() == 2 ? "circle_line" : "sphere_plane", {a.centre, a.radius(), b.centre, n});
}

Result ball_on_ball(PlacedShape& a, PlacedShape& b, const Point&) {
  return a.library(a.dim() == 2 ? "circle_circle" : "sphere_sphere", {a.centre, a.radius(), b.centre, b.radius()});
}

Result ball_on_box(PlacedShape& a, PlacedShape& b, const Point&) {
  return a.library("sphere_box", {a.centre, a.radius(), b.centre, b.frame, b.half_size()});
}

Result ball_on_capsule(PlacedShape& a, PlacedShape& b, const Point&) {
  return a.library("sphere_capsule", {a.centre, a.radius(), b.centre, b.axis(), b.radius(), b.half_length()});
}

Result ball_on_cylinder(PlacedShape& a, PlacedShape& b, const Point&) {
  return a.library("sphere_cylinder", {a.centre, a.radius(), b.centre, b.axis(), b.radius(), b.half_length()});
}

// ------------------------------------------------------------------------------------------------- solids on a plane

Result box_on_plane(PlacedShape& a, PlacedShape& b, const Point& corner) {
  const NodeId n = b.normal();
  return a.library("box_plane", {a.centre, a.frame, a.half_size(), a.stack(corner), b.centre, n});
}

ContactPoints box_corners(const ShapeInfo&, const ShapeInfo&) {  // the signs of the coordinates
  ContactPoints points;
  for (int k = 0; k < 8; ++k) points.push_back({k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0});
  return points;
}

Result capsule_on_plane(PlacedShape& a, PlacedShape& b, const Point& end) {
  const NodeId n = b.normal();
  return a.library("capsule_plane", {a.centre, a.axis(), a.radius(), a.half_length(), end[0], b.centre, n});
}

ContactPoints capsule_ends(const ShapeInfo&, const ShapeInfo&) { return {{-1}, {1}}; }  // against and along the axis

Result cylinder_on_plane(PlacedShape& a, PlacedShape& b, const Point& point) {
  const NodeId n = b.normal();
  const NodeId along = a.axis();
  const NodeId e = a.across(along);
  return a.library("cylinder_plane",
                   {a.centre, along, e, a.radius(), a.half_length(), point[0], point[1], b.centre, n});
}

ContactPoints cylinder_rims(const ShapeInfo&, const ShapeInfo&) {  // the end, and which point of its rim
  return {{-1, 0}, {-1, 1}, {-1, 2}, {1, 0}, {1, 1}, {1, 2}};
}

Result disc_on_plane(PlacedShape& a, PlacedShape& b, const Point& point) {
  const NodeId n = b.normal();
  const NodeId along = a.axis();
  const NodeId e = a.across(along);
  return a.library("disc_plane", {a.centre, along, e, a.radius(), point[0], b.centre, n});
}

ContactPoints disc_rim(const ShapeInfo&, const ShapeInfo&) { return {{0}, {1}, {2}}; }

Result ellipsoid_on_plane(PlacedShape& a, PlacedShape& b, const Point&) {
  const NodeId n = b.normal();
  return a.library("ellipsoid_plane", {a.centre, a.frame, a.semi_axes(), b.centre, n});
}

// --------------------------------------------------------------------------------- solids on solids, found by a search

Result solid_on_solid(PlacedShape& a, PlacedShape& b, const Point& point) {
  return a.touch(b, point.empty() ? a.number(1) : point[0]);
}

int largest_face(const ShapeInfo& polyhedron) {
  const rt::collision::Hull hull(polyhedron.hull.data());
  int most = 0;
  for (int f = 0; f < hull.n_faces(); ++f) most = std::max(most, hull.face_size(f));
  return most;
}

// As many as the two can have at once (runtime/collision/touch.hpp).
ContactPoints points_of_solids(const ShapeInfo& a, const ShapeInfo& b) {
  const int capsules = (a.kind == ShapeKind::capsule ? 1 : 0) + (b.kind == ShapeKind::capsule ? 1 : 0);
  const int most = b.kind == ShapeKind::plane ? std::min(8, largest_face(a))
                   : capsules == 2            ? 5
                   : capsules == 1            ? 2
                                              : 8;
  ContactPoints points;
  for (int k = 1; k <= most; ++k) points.push_back({static_cast<double>(k)});
  return points;
}

// ---------------------------------------------------------------------------------------------- polygons in the plane

// A ball against the nearest edge of a polygon.
NodeId ball_in_polygon(PlacedShape& s, NodeId centre, NodeId radius, const std::vector<NodeId>& corners) {
  NodeId found = s.library("point_segment", {centre, corners[0], corners[1]});
  for (std::size_t k = 1; k < corners.size(); ++k) {
    const NodeId edge = s.library("point_segment", {centre, corners[k], corners[(k + 1) % corners.size()]});
    found = s.library("nearer", {found, edge});
  }
  return s.library("circle_found", {centre, radius, found});
}

Result ball_on_polygon(PlacedShape& a, PlacedShape& b, const Point&) {
  const std::vector<NodeId> corners = b.corners();
  if (b.failed()) return std::nullopt;
  return ball_in_polygon(a, a.centre, a.radius(), corners);
}

Result polygon_on_plane(PlacedShape& a, PlacedShape& b, const Point& corner) {
  const NodeId n = b.normal();
  const std::vector<NodeId> corners = a.corners();
  if (a.failed() || b.failed()) return std::nullopt;
  return a.library("point_line", {a.choose(corners, corner[0]), b.centre, n});
}

ContactPoints polygon_corners(const ShapeInfo& a, const ShapeInfo&) {
  ContactPoints points;
  for (std::size_t k = 1; k <= corner_count(a); ++k) points.push_back({static_cast<double>(k)});
  return points;
}

std::vector<NodeId> faces_of(PlacedShape& s, const std::vector<NodeId>& corners) {
  std::vector<NodeId> faces;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    faces.push_back(s.library("face_between", {corners[k], corners[(k + 1) % corners.size()]}));
  }
  return faces;
}

// The face with the largest separation from the corners of the other polygon, with it.
NodeId leading_face(PlacedShape& s, const std::vector<NodeId>& faces, const std::vector<NodeId>& others) {
  std::vector<NodeId> separated;
  for (const NodeId face : faces) {
    NodeId lowest = s.library("height_over", {face, others[0]});
    for (std::size_t k = 1; k < others.size(); ++k) {
      lowest = s.library("lower", {lowest, s.library("height_over", {face, others[k]})});
    }
    separated.push_back(s.library("separated", {lowest, face}));
  }
  NodeId found = separated[0];
  for (std::size_t k = 1; k < separated.size(); ++k) found = s.library("leading", {found, separated[k]});
  return found;
}

NodeId facing(PlacedShape& s, const std::vector<NodeId>& faces, NodeId lead) {
  NodeId found = faces[0];
  for (std::size_t k = 1; k < faces.size(); ++k) found = s.library("facing", {found, faces[k], lead});
  return found;
}

// The corners of each against the face of the other that was chosen by all corners together.
Result polygon_on_polygon(PlacedShape& a, PlacedShape& b, const Point& corner) {
  const std::vector<NodeId> of_a = a.corners();
  const std::vector<NodeId> of_b = b.corners();
  if (a.failed() || b.failed()) return std::nullopt;
  const std::vector<NodeId> faces_a = faces_of(a, of_a);
  const std::vector<NodeId> faces_b = faces_of(a, of_b);
  const NodeId lead_a = leading_face(a, faces_a, of_b);
  const NodeId lead_b = leading_face(a, faces_b, of_a);
  const NodeId face_a = a.library("first_face", {lead_a, lead_b, facing(a, faces_a, lead_b)});
  const NodeId face_b = a.library("second_face", {lead_a, lead_b, facing(a, faces_b, lead_a)});
  const NodeId p = a.choose({a.choose(of_a, corner[1]), a.choose(of_b, corner[1])}, corner[0]);
  const NodeId own = a.choose({face_a, face_b}, corner[0]);
  const NodeId other = a.choose({face_b, face_a}, corner[0]);
  const NodeId pair = a.library("corner_face", {p, own, other, corner[0]});
  return a.choose({pair, a.library("pair_swapped2", {pair})}, corner[0]);
}

ContactPoints corners_of_both(const ShapeInfo& a, const ShapeInfo& b) {  // whose corner, and which
  ContactPoints points;
  for (std::size_t k = 1; k <= corner_count(a); ++k) points.push_back({1, static_cast<double>(k)});
  for (std::size_t k = 1; k <= corner_count(b); ++k) points.push_back({2, static_cast<double>(k)});
  return points;
}

}  // namespace

std::span<const ShapePairRow> shape_pairs() {
  using enum ShapeKind;
  static const std::vector<ShapePairRow> kPairs{
      {3, {sphere, point}, {plane}, ball_on_plane},
      {3, {sphere, point}, {sphere, point}, ball_on_ball},
      {3, {sphere, point}, {box}, ball_on_box},
      {3, {sphere, point}, {capsule}, ball_on_capsule},
      {3, {sphere, point}, {cylinder}, ball_on_cylinder},
      {3, {box}, {plane}, box_on_plane, box_corners},
      {3, {capsule}, {plane}, capsule_on_plane, capsule_ends},
      {3, {cylinder}, {plane}, cylinder_on_plane, cylinder_rims},
      {3, {disc}, {plane}, disc_on_plane, disc_rim},
      {3, {ellipsoid}, {plane}, ellipsoid_on_plane},
      {3, {sphere, point}, {polyhedron}, solid_on_solid},
      {3, {polyhedron}, {plane}, solid_on_solid, points_of_solids},
      {3, {box, capsule, polyhedron}, {box, capsule, polyhedron}, solid_on_solid, points_of_solids},
      {2, {circle, point}, {plane}, ball_on_plane},
      {2, {circle, point}, {circle, point}, ball_on_ball},
      {2, {circle, point}, {polygon, box}, ball_on_polygon},
      {2, {polygon, box}, {plane}, polygon_on_plane, polygon_corners},
      {2, {polygon, box}, {polygon, box}, polygon_on_polygon, corners_of_both},
  };
  return kPairs;
}

const ShapePairRow* find_pair(ShapeKind a, ShapeKind b, std::uint32_t dim) {
  const auto has = [](const std::vector<ShapeKind>& kinds, ShapeKind kind) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  };
  for (const ShapePairRow& row : shape_pairs()) {
    if (row.dim == dim && has(row.first, a) && has(row.second, b)) return &row;
  }
  return nullptr;
}

std::vector<PairGroup> pair_groups() {
  std::vector<PairGroup> groups;
  for (const std::uint32_t dim : {3U, 2U}) {
    std::vector<ShapeKind> firsts;  // in the order of the rows
    for (const ShapePairRow& row : shape_pairs()) {
      for (const ShapeKind kind : row.first) {
        const bool known = std::find(firsts.begin(), firsts.end(), kind) != firsts.end();
        if (row.dim == dim && !known) firsts.push_back(kind);
      }
    }
    for (const ShapeKind first : firsts) {
      std::vector<std::string> seconds;
      for (const ShapePairRow& row : shape_pairs()) {
        for (const ShapeKind second : row.second) {
          if (find_pair(first, second, dim) == &row) seconds.emplace_back(name_of(second));
        }
      }
      const auto same = std::find_if(groups.begin(), groups.end(), [&](const PairGroup& group) {
        return group.dim == dim && group.second == seconds;
      });
      if (same != groups.end()) {
        same->first.emplace_back(name_of(first));
      } else {
        groups.push_back({dim, {name_of(first)}, std::move(seconds)});
      }
    }
  }
  return groups;
}

std::string supported_pairs() {
  const auto either = [](const std::vector<std::string>& names) {  // "a, b or c"
    std::string text = names.front();
    for (std::size_t i = 1; i < names.size(); ++i) text += (i + 1 < names.size() ? ", " : " or ") + names[i];
    return text;
  };
  std::string text;
  std::uint32_t dim = 0;
  for (const PairGroup& group : pair_groups()) {
    text += text.empty() ? "" : "; ";
    if (group.dim != dim) text += group.dim == 3 ? "in space: " : "in the plane: ";
    dim = group.dim;
    text += fmt::format("{} on {}", either(group.first), joined(group.second));
  }
  return text;
}

}  // namespace nsmc
