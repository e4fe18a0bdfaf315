#include "compiler/model/shapes.hpp"

#include <fmt/core.h>

#include "compiler/model/arguments.hpp"
#include "compiler/model/arrays.hpp"
#include "compiler/model/bodies.hpp"
#include "compiler/model/calls.hpp"
#include "compiler/model/expressions.hpp"
#include "compiler/model/placed_shape.hpp"
#include "compiler/model/sets.hpp"
#include "runtime/collision/convex_hull.hpp"

namespace nsmc {

void Shapes::declare(const ast::Shape& declaration) {
  ShapeInfo shape;
  shape.declaration = &declaration;
  shapes_.push_back(std::move(shape));
}

void Shapes::elaborate_shapes() {
  for (ShapeInfo& shape : shapes_) elaborate_shape(shape);
}

void Shapes::elaborate_shape(ShapeInfo& shape) {
  const ast::Shape& declaration = *shape.declaration;
  if (!find_kind(shape)) return;
  const auto range = arrays_.ranged(declaration.range, global_scope_);
  if (!range) return;
  shape.instances = range->instances;
  const Looking looking(core_, range->instances);
  if (!find_body(shape) || !find_room(shape, range->scope)) return;
  // Everything is tried once, so that what is wrong is reported where the shape stands.
  const std::size_t errors = diagnostics_.error_count();
  if (shape.kind == ShapeKind::polyhedron && !find_hull(shape, range->scope)) return;
  shape.known = true;
  try_out(shape, range->scope);
  shape.known = diagnostics_.error_count() == errors;
}

bool Shapes::find_kind(ShapeInfo& shape) {
  const ast::Expr& call = shape.declaration->call;
  const ShapeKindRow* kind = find_shape_kind(call.text);
  const bool is_call = call.kind == ast::ExprKind::call || call.kind == ast::ExprKind::name;
  if (!is_call || kind == nullptr) {
    std::vector<std::string> names;
    for (const ShapeKindRow& k : shape_kinds()) names.emplace_back(k.name);
    const auto other = habit(HabitOf::shape, call.text);
    std::string hint = other ? other->hint : did_you_mean(call.text, names);
    if (hint.empty()) hint = fmt::format("shapes are {}", joined(names));
    report(Kind::unknown_shape, call.span,
           is_call ? fmt::format("unknown kind of shape '{}'", call.text) : "this is not a kind of shape", hint);
    return false;
  }
  shape.kind = kind->kind;
  if (shape.kind == ShapeKind::polygon || shape.kind == ShapeKind::polyhedron) return true;  // arguments are corners
  auto options = arguments_.options_of(call, kind->options, "shape");
  if (options) shape.options = std::move(*options);
  return options.has_value();
}

bool Shapes::find_body(ShapeInfo& shape) {
  const ast::Shape& declaration = *shape.declaration;
  if (!declaration.body) return true;
  const std::string& name = declaration.body->name.text;
  const auto found = globals_.find(name);
  if (found == globals_.end() || found->second.kind != SymbolKind::body) {
    std::vector<std::string> names;
    for (const BodyEntry& body : bodies_.all()) names.push_back(body.declaration->name.text);
    std::string hint = did_you_mean(name, names);
    if (hint.empty()) hint = "a shape without 'on' is fixed in the world";
    report(Kind::unknown_body, declaration.body->name.span, fmt::format("'{}' is not a body", name), hint);
    return false;
  }
  shape.body = found->second.index;
  const BodyEntry& body = bodies_.body(*shape.body);
  if (!body.known) return false;
  if (!body.instances.single() && !declaration.body->index) {
    // A shape for each body of the array.
    if (declaration.range) {
      report(Kind::bad_index, declaration.body->span,
             fmt::format("'{}' is an array: say which body the shape is on", name),
             fmt::format("write: on {}[{}]", name, declaration.range->variable.text));
      return false;
    }
    shape.instances = body.instances;
  } else if (body.instances.single() && (declaration.body->index || declaration.body->all)) {
    report(Kind::bad_index, declaration.body->span, fmt::format("'{}' is not an array, it has no index", name));
    return false;
  }
  return true;
}

// Planar or spatial: by what it says of itself, by its place, by its body.
bool Shapes::find_room(ShapeInfo& shape, const Scope& scope) {
  const ast::Shape& declaration = *shape.declaration;
  const ShapeKindRow& kind = row_of(shape.kind);
  const auto rows_of = [&](const ast::Expr& expr) -> std::optional<std::uint32_t> {
    const Result value = expressions_.expression(expr, scope);
    return value ? std::optional(type(*value).rows) : std::nullopt;
  };
  std::optional<std::uint32_t> body_dim;
  if (shape.body) body_dim = bodies_.body(*shape.body).dim;
  std::optional<std::uint32_t> dim = body_dim;
  if (kind.room == ShapeRoom::plane) dim = 2;
  if (kind.told_by != nullptr && shape.options.contains(kind.told_by)) dim = rows_of(*shape.options[kind.told_by]);
  if (!dim && declaration.at) dim = rows_of(*declaration.at);
  shape.dim = dim.value_or(3);
  const std::string& name = declaration.name.text;
  const Span span = declaration.call.span;
  if ((shape.dim != 2 && shape.dim != 3) || (body_dim && *body_dim != shape.dim)) {
    const auto room = [](std::uint32_t n) { return n == 2 ? "the plane" : "space"; };
    const bool possible = shape.dim == 2 || shape.dim == 3;
    report(Kind::shape_mismatch, span,
           possible ? fmt::format("{} '{}' is a shape in {}, its body moves in {}", kind.name, name, room(shape.dim),
                                  room(*body_dim))
                    : fmt::format("'{}' must have 2 or 3 dimensions, not {}", name, shape.dim),
           !possible        ? ""
           : shape.dim == 3 ? "planar shapes are " + shapes_in(2)
                            : "spatial shapes are " + shapes_in(3));
    return false;
  }
  if (kind.room == ShapeRoom::space && shape.dim != 3) {
    report(Kind::shape_mismatch, span,
           fmt::format("{} '{}' is a shape in space, its body moves in the plane", kind.name, name),
           "planar shapes are " + shapes_in(2));
    return false;
  }
  if (shape.dim == 2 && shape.options.contains("orientation")) {
    report(Kind::unknown_argument, shape.options["orientation"]->span,
           fmt::format("a planar {} has no orientation", kind.name), "a turned one is a polygon([x, y], ...)");
    return false;
  }
  // Each corner is a contact with what it touches, and all of them are looked for in the expression of each.
  const std::size_t corners = shape.kind == ShapeKind::polygon ? declaration.call.args.size() : 0;
  if (corners > rt::collision::most_corners) {
    report(Kind::shape_mismatch, span,
           fmt::format("a polygon has {} corners at most, these are {}", rt::collision::most_corners, corners));
    return false;
  }
  return true;
}

// The corners of a polyhedron are numbers when a model is compiled, as its hull is made of them.
bool Shapes::find_hull(ShapeInfo& shape, const Scope& scope) {
  using namespace rt::collision;
  const ast::Expr& call = shape.declaration->call;
  const bool outer = std::exchange(core_.structural, true);
  std::vector<Vec> points;
  bool known = true;
  for (const ast::Expr& corner : call.args) {
    const Result value =
        arguments_.typed_value(corner, scope, 3, physical(dimensions::length), "a corner of a polyhedron");
    known = known && value.has_value();
    if (!value) continue;
    double x[3];
    for (std::uint32_t k = 0; k < 3; ++k) {
      const auto number = evaluate(part(*value, k, 1, corner.span), {});
      if (!number) {
        report(Kind::not_constant, corner.span, "a corner of a polyhedron is made of numbers and parameters");
        known = false;
        break;
      }
      x[k] = *number;
    }
    points.push_back({x[0], x[1], x[2]});
  }
  core_.structural = outer;
  if (!known) return false;
  shape.hull = convex_hull(points);
  if (shape.hull.empty()) {
    report(Kind::shape_mismatch, call.span,
           points.size() > most_corners
               ? fmt::format("a polyhedron has {} corners at most, these are {}", most_corners, points.size())
               : "a polyhedron has four corners or more, which do not lie in a plane",
           "corners come in any order: polyhedron([0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1])");
  }
  return !shape.hull.empty();
}

// Its place; of a plane its normal, of others how they touch a plane.
void Shapes::try_out(const ShapeInfo& shape, const Scope& scope) {
  const Span span = shape.declaration->call.span;
  const std::size_t errors = diagnostics_.error_count();
  const At at = shape.instances.single() ? At() : At(instance_node(0, shape.declaration->name.span));
  const Looking looking(core_, shape.instances);
  NodeId centre = 0, frame = 0;
  shape_pose(shape, at, centre, frame, shape.declaration->name.span);
  if (diagnostics_.error_count() > errors) return;
  if (shape.kind == ShapeKind::plane) {
    const Result normal = arguments_.option(shape.options, "normal", scope, shape.dim, {}, std::nullopt, span);
    if (normal && is_zero(*normal)) {
      report(Kind::body_incomplete, shape.options.at("normal")->span,
             "the normal of a plane has a direction, this is zero");
    }
    return;
  }
  const ast::Shape nowhere;
  ShapeInfo floor;
  floor.declaration = &nowhere;
  floor.kind = ShapeKind::plane;
  floor.dim = shape.dim;
  floor.known = true;
  const auto points = points_of(shape, floor);
  std::vector<NodeId> numbers;
  if (!points.empty()) {
    for (const double x : points.front()) numbers.push_back(make_number(x, {}, span));
  }
  pair_geometry(shape, at, floor, {}, numbers, span);
}

ContactPoints Shapes::points_of(const ShapeInfo& a, const ShapeInfo& b) const {
  if (a.dim != b.dim) return {};
  const ShapePairRow* row = find_pair(a.kind, b.kind, a.dim);
  if (row == nullptr) return find_pair(b.kind, a.kind, a.dim) != nullptr ? points_of(b, a) : ContactPoints{};
  return row->points != nullptr ? row->points(a, b) : ContactPoints{};
}

Scope Shapes::shape_scope(const ShapeInfo& shape, At at) const {
  Scope scope;
  scope.parent = &global_scope_;
  if (shape.declaration->range && at) scope.names[shape.declaration->range->variable.text] = *at;
  return scope;
}

At Shapes::body_instance(const ShapeInfo& shape, At at) {
  const BodyEntry& body = bodies_.body(*shape.body);
  const ast::Use& use = *shape.declaration->body;
  if (use.index) {
    return arrays_.index_node(*use.index, shape_scope(shape, at), body.instances.indices[0],
                              body.declaration->name.text);
  }
  return body.instances.single() ? At() : at;
}

Pose Shapes::shape_pose(const ShapeInfo& shape, At at, NodeId& centre, NodeId& frame, Span span) {
  const ast::Shape& declaration = *shape.declaration;
  const Scope scope = shape_scope(shape, at);
  Pose own;
  if (shape.body) {
    own = bodies_.pose(bodies_.body(*shape.body), body_instance(shape, at), span);
  } else {
    own = bodies_.world_pose(shape.dim, span);
  }
  centre = own.x;
  frame = own.R;
  if (declaration.at) {
    const Result local =
        arguments_.typed_value(*declaration.at, scope, shape.dim, physical(dimensions::length), "the place of a shape");
    if (local) {
      if (shape.body && node(*local).depends.any()) {
        report(Kind::not_constant, declaration.at->span, "the place of a shape on its body is fixed");
      } else if (!shape.body && (node(*local).depends.velocity || node(*local).depends.force)) {
        report(Kind::not_constant, declaration.at->span, "a place in the world may depend on time, not on velocities");
      }
      centre = shape.body ? calls_.library("placed", {own.x, own.R, *local}, span) : *local;
      // A shape of the world that is moved as a whole.
      if (!shape.body && node(*local).depends.state) {
        Type rate = type(*local);
        for (Dimension& d : rate.dimensions) d = d / time_dimension();
        own.x = *local;
        own.v = make(NodeKind::derivative, std::move(rate), {*local}, span);
      }
    }
  }
  if (shape.options.contains("orientation") && shape.dim == 3) {
    const Result e = arguments_.option(shape.options, "orientation", scope, 4, {}, std::nullopt, span);
    if (e)
      frame = *expressions_.multiply(
          frame, calls_.library("quaternion_matrix", {calls_.library("normalised", {*e}, span)}, span), span);
  }
  return own;
}

Result Shapes::bounds(const ShapeInfo& shape, At at, Span span) {
  PlacedShape placed(core_, *this, expressions_, calls_, arguments_, shape, at, span);
  const NodeId bounds = placed.bounds();
  return placed.failed() ? Result() : Result(bounds);
}

// [gap, n, p1, p2]
Result Shapes::pair_geometry(const ShapeInfo& a, At a_at, const ShapeInfo& b, At b_at, const std::vector<NodeId>& point,
                             Span span, std::vector<TypedMeasure>* measures) {
  if (a.dim != b.dim) {
    report(Kind::unsupported_pair, span,
           fmt::format("'{}' is a shape in the plane, '{}' in space: they do not touch",
                       (a.dim == 2 ? a : b).declaration->name.text, (a.dim == 2 ? b : a).declaration->name.text),
           "a plane is for planar shapes if its normal has 2 components, for others if it has 3");
    return std::nullopt;
  }
  const ShapePairRow* row = find_pair(a.kind, b.kind, a.dim);
  if (row == nullptr && find_pair(b.kind, a.kind, a.dim) != nullptr) {
    const Result swapped = pair_geometry(b, b_at, a, a_at, point, span, measures);
    if (!swapped) return std::nullopt;
    return calls_.library(a.dim == 2 ? "pair_swapped2" : "pair_swapped", {*swapped}, span);
  }
  if (row == nullptr) {
    report(Kind::unsupported_pair, span,
           fmt::format("a contact of {} '{}' with {} '{}' is not supported", name_of(a.kind), a.declaration->name.text,
                       name_of(b.kind), b.declaration->name.text),
           "supported are, " + supported_pairs());
    return std::nullopt;
  }
  PlacedShape first(core_, *this, expressions_, calls_, arguments_, a, a_at, span);
  PlacedShape second(core_, *this, expressions_, calls_, arguments_, b, b_at, span);
  const Result pair = row->geometry(first, second, point);
  for (const PlacedShape* placed : {&first, &second}) {
    if (measures != nullptr) measures->insert(measures->end(), placed->measures().begin(), placed->measures().end());
  }
  return first.failed() || second.failed() ? std::nullopt : pair;
}

}  // namespace nsmc
