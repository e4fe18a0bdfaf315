#include "compiler/model/placed_shape.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "compiler/model/calls.hpp"
#include "compiler/model/expressions.hpp"
#include "compiler/support/internal_check.hpp"
#include "runtime/collision/kernel.hpp"
#include "runtime/collision/solid.hpp"

namespace nsmc {

namespace {

// The smallest distance of a face from the corner that is farthest from it.
double thickness(const rt::collision::Hull& hull) {
  double thinnest = std::numeric_limits<double>::infinity();
  for (int f = 0; f < hull.n_faces(); ++f) {
    double farthest = 0;
    for (int k = 0; k < hull.n_corners(); ++k)
      farthest = std::max(farthest, dot(hull.normal(f), hull.corner(hull.cycle(f, 0)) - hull.corner(k)));
    thinnest = std::min(thinnest, farthest);
  }
  return thinnest;
}

}  // namespace

std::size_t corner_count(const ShapeInfo& shape) {
  return shape.kind == ShapeKind::box ? 4 : shape.declaration->call.args.size();
}

PlacedShape::PlacedShape(Core& core, Shapes& shapes, Expressions& expressions, Calls& calls, Arguments& arguments,
                         const ShapeInfo& shape, At at, Span span)
    : Part(core),
      expressions_(expressions),
      calls_(calls),
      arguments_(arguments),
      shape_(shape),
      span_(span),
      scope_(shapes.shape_scope(shape, at)) {
  shapes.shape_pose(shape, at, centre, frame, span);
}

NodeId PlacedShape::library(const char* function, const std::vector<NodeId>& args) {
  return calls_.library(function, args, span_);
}

NodeId PlacedShape::stack(const std::vector<NodeId>& parts) { return Part::stack(parts, span_); }

NodeId PlacedShape::zero() { return zeros(1, span_); }

NodeId PlacedShape::number(double value) { return make_number(value, {}, span_); }

NodeId PlacedShape::measure(const char* option, std::uint32_t rows) {
  const Result value = arguments_.option(shape_.options, option, scope_, rows, dimensions::length, std::nullopt,
                                         shape_.declaration->call.span);
  failed_ = failed_ || !value;
  if (!value) return zeros(rows, span_);
  const std::string_view name(option);
  const auto written = shape_.options.find(name);
  const bool known =
      std::any_of(measures_.begin(), measures_.end(), [&](const TypedMeasure& m) { return m.value == *value; });
  if (!known && written != shape_.options.end())
    measures_.push_back({*value, written->second->span,
                         fmt::format("the {} of '{}'", name, shape_.declaration->name.text),
                         name == "radius" || name == "length"});
  return *value;
}

NodeId PlacedShape::half(NodeId value) { return *expressions_.divide(value, make_number(2, {}, span_), span_); }

NodeId PlacedShape::radius() { return shape_.kind == ShapeKind::point ? zero() : measure("radius", 1); }
NodeId PlacedShape::half_length() { return half(measure("length", 1)); }
NodeId PlacedShape::half_size() { return half(measure("size", shape_.dim)); }
NodeId PlacedShape::semi_axes() { return measure("axes", shape_.dim); }

NodeId PlacedShape::axis() {
  const NodeId z = stack({zero(), zero(), make_number(1, {}, span_)});
  if (!shape_.options.contains("axis")) return *expressions_.multiply(frame, z, span_);
  const Result value = arguments_.option(shape_.options, "axis", scope_, 3, {}, std::nullopt, span_);
  failed_ = failed_ || !value;
  return value ? *expressions_.multiply(frame, library("unit_or", {*value, z}), span_) : z;
}

NodeId PlacedShape::normal() {
  std::vector<NodeId> up(shape_.dim, make_number(0, {}, span_));
  up.back() = make_number(1, {}, span_);
  const NodeId unit = stack(up);
  if (!shape_.options.contains("normal")) return unit;
  const Result value = arguments_.option(shape_.options, "normal", scope_, shape_.dim, {}, std::nullopt, span_);
  failed_ = failed_ || !value;
  return value ? *expressions_.multiply(frame, library("unit_or", {*value, unit}), span_) : unit;
}

NodeId PlacedShape::across(NodeId axis) {
  const NodeId local = library("seen_from", {zeros(3, span_), frame, axis});
  return *expressions_.multiply(frame, library("perpendicular", {local}), span_);
}

std::vector<NodeId> PlacedShape::box_corners() {
  std::vector<NodeId> result;
  const NodeId h = half_size();
  for (const auto& [sx, sy] : {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)}) {
    const NodeId x = *expressions_.multiply(make_number(sx, {}, span_), part(h, 0, 1, span_), span_);
    const NodeId y = *expressions_.multiply(make_number(sy, {}, span_), part(h, 1, 1, span_), span_);
    result.push_back(library("placed", {centre, frame, stack({x, y})}));
  }
  return result;
}

std::vector<NodeId> PlacedShape::corners() {
  if (shape_.kind == ShapeKind::box) return box_corners();
  std::vector<NodeId> result;
  for (const ast::Expr& corner : shape_.declaration->call.args) {
    const Result local =
        arguments_.typed_value(corner, scope_, 2, physical(dimensions::length), "a corner of a polygon");
    failed_ = failed_ || !local;
    if (local) result.push_back(library("placed", {centre, frame, *local}));
  }
  if (result.size() < 3 && !failed_) {
    report(Kind::shape_mismatch, shape_.declaration->call.span, "a polygon has three corners or more",
           "corners are listed counter-clockwise: polygon([0, 0], [1, 0], [0, 1])");
    failed_ = true;
  }
  return result;
}

std::pair<NodeId, NodeId> PlacedShape::reach() {
  const bool planar = shape_.dim == 2;
  const auto ball = [&](NodeId radius) {
    return std::pair(library(planar ? "ball_reach2" : "ball_reach", {radius}), radius);
  };
  switch (shape_.kind) {
    case ShapeKind::box: {
      const NodeId h = half_size();
      return {library(planar ? "box_reach2" : "box_reach", {frame, h}), library("length_of", {h})};
    }
    case ShapeKind::capsule: {
      const NodeId r = radius(), h = half_length();
      return {library("capsule_reach", {axis(), r, h}), library("capsule_radius", {r, h})};
    }
    case ShapeKind::cylinder: return ball(library("length_of", {stack({radius(), half_length()})}));
    case ShapeKind::ellipsoid: return ball(library("largest", {semi_axes()}));
    case ShapeKind::polygon: {
      NodeId radius = zero();
      for (const NodeId corner : corners()) radius = library("farther", {radius, corner, centre});
      return ball(radius);
    }
    case ShapeKind::polyhedron: {
      const rt::collision::Hull hull(shape_.hull.data());
      double radius = 0;
      for (int i = 0; i < hull.n_corners(); ++i) radius = std::max(radius, rt::collision::norm(hull.corner(i)));
      return ball(make_number(radius, type(centre).dimensions[0], span_));
    }
    default: return ball(radius());
  }
}

NodeId PlacedShape::bounds() {
  const auto in_space = [&](NodeId vector) { return shape_.dim == 2 ? stack({vector, zero()}) : vector; };
  if (shape_.kind == ShapeKind::plane) return stack({in_space(centre), in_space(normal())});
  const auto [along, radius] = reach();
  return stack({in_space(centre), in_space(along), radius});
}

NodeId PlacedShape::turned_along(NodeId along) { return library("frame_across", {across(along), along}); }

void PlacedShape::describe(std::vector<double>& shapes, std::vector<double>& hulls, std::vector<NodeId>& args) {
  using rt::collision::SolidKind;
  SolidKind kind = SolidKind::ball;
  NodeId axes = frame;
  std::vector<NodeId> measures;
  switch (shape_.kind) {
    case ShapeKind::sphere:
    case ShapeKind::point: measures = {radius()}; break;
    case ShapeKind::capsule:
      kind = SolidKind::capsule;
      axes = turned_along(axis());
      measures = {radius(), half_length()};
      break;
    case ShapeKind::box:
      kind = SolidKind::box;
      measures = {half_size()};
      break;
    case ShapeKind::polyhedron:
      kind = SolidKind::hull;
      hulls.insert(hulls.end(), shape_.hull.begin(), shape_.hull.end());
      measures_.push_back({make_number(thickness(rt::collision::Hull(shape_.hull.data())), dimensions::length, span_),
                           span_, fmt::format("the thickness of '{}'", shape_.declaration->name.text)});
      break;
    case ShapeKind::plane:
      kind = SolidKind::plane;
      axes = turned_along(normal());
      break;
    default: internal_check(false, "a shape that is not searched for");
  }
  shapes.push_back(static_cast<double>(kind));
  args.insert(args.end(), {centre, axes});
  args.insert(args.end(), measures.begin(), measures.end());
}

NodeId PlacedShape::touch(PlacedShape& other, NodeId number) {
  std::vector<double> shapes, hulls;
  std::vector<NodeId> args;
  describe(shapes, hulls, args);
  other.describe(shapes, hulls, args);
  shapes.insert(shapes.end(), hulls.begin(), hulls.end());
  args.push_back(number);
  const Dimension length = type(centre).dimensions[0];
  Type found{ValueKind::number, 10, 1, std::vector<Dimension>(10, length)};
  for (const std::size_t k : {1, 2, 3}) found.dimensions[k] = {};
  const NodeId id = make(NodeKind::touch, std::move(found), std::move(args), span_);
  auto& known = model_.touches;
  const auto same = std::find(known.begin(), known.end(), shapes);
  model_.nodes[id].index = static_cast<std::uint32_t>(same - known.begin());
  if (same == known.end()) known.push_back(std::move(shapes));
  return id;
}

NodeId PlacedShape::choose(const std::vector<NodeId>& from, NodeId which) {
  std::vector<NodeId> cases;
  for (std::size_t k = 0; k + 1 < from.size(); ++k) {
    cases.push_back(equal(which, make_number(static_cast<double>(k + 1), {}, span_), span_));
    cases.push_back(from[k]);
  }
  cases.push_back(from.back());
  return make(NodeKind::piecewise, type(from.back()), std::move(cases), span_);
}

}  // namespace nsmc
