#include "compiler/model/scenes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compiler/model/arrays.hpp"
#include "compiler/model/calls.hpp"
#include "compiler/model/expressions.hpp"
#include "compiler/model/placed_shape.hpp"

namespace nsmc {
namespace {

// Frames of one declaration. All pairs of a thousand bodies are half a million contacts: too many to be drawn.
constexpr std::size_t kMostFrames = 4000;

}  // namespace

TypedScene Scenes::scene() {
  TypedScene scene;
  std::vector<Drawing> drawings;
  for (const ShapeInfo& shape : shapes_.all()) {
    if (shape.kind != ShapeKind::point) drawings.push_back(shape_drawing(shape));
  }
  for (const ast::Model& file : core_.models.files) {
    for (const ast::Declaration& declaration : file.declarations) {
      const auto* spring = std::get_if<ast::Spring>(&declaration.value);
      if (spring == nullptr || !spring->from) continue;
      Drawing drawing = spring_drawing(*spring);
      drawing.doc = declaration.doc;
      if (!drawing.parts.empty()) drawings.push_back(std::move(drawing));
    }
  }
  for (Drawing& drawing : drawings_.all()) drawings.push_back(std::move(drawing));
  const std::vector<BodyEntry>& bodies = bodies_.all();
  scene.planar = std::all_of(drawings.begin(), drawings.end(), [](const Drawing& d) { return d.planar; }) &&
                 std::all_of(bodies.begin(), bodies.end(), [](const BodyEntry& body) { return body.dim == 2; });
  for (const Drawing& drawing : drawings) {
    if (!drawing.contact) scene.items.push_back(item(drawing));
  }
  for (std::uint32_t c = 0; c < model_.contacts.size(); ++c) {
    const auto reaction =
        std::find_if(drawings.begin(), drawings.end(), [&](const Drawing& d) { return d.contact == c; });
    scene.contacts.push_back(contact(c, reaction == drawings.end() ? nullptr : &*reaction));
  }
  if (const At g = bodies_.gravity()) {
    scene.gravity = values({{"gravity", drawings_.in_space(*g, node(*g).span)}}, {}, node(*g).span);
  }
  return scene;
}

SceneValues Scenes::values(const Parts& parts, const Instances& instances, Span span) {
  SceneValues result;
  result.instances = instances;
  std::vector<NodeId> nodes;
  std::uint32_t next = 0;
  for (const auto& [role, node] : parts) {
    const std::uint32_t size = type(node).size();
    result.parts.push_back({role, next, size});
    nodes.push_back(node);
    next += size;
  }
  if (nodes.empty()) return result;
  result.output = static_cast<std::uint32_t>(model_.outputs.size());
  model_.outputs.push_back({fmt::format("{}{}{}", kSceneName, *result.output, instances.single() ? "" : "@"), "",
                            stack(nodes, span), instances, span});
  return result;
}

std::string Scenes::body_name(std::uint32_t body, At at, const std::vector<double>& self) const {
  const std::string& name = bodies_.body(body).declaration->name.text;
  if (!at) return name;
  return fmt::format("{}[{}]", name, std::llround(evaluate(*at, self).value_or(0)));
}

TypedSceneItem Scenes::item(const Drawing& drawing) {
  TypedSceneItem item{drawing.name, drawing.kind, drawing.doc, drawing.color, drawing.text, {}, {}};
  item.values = values(drawing.parts, drawing.instances, drawing.span);
  for (const auto& [body, at] : drawing.bodies) {
    const std::size_t n = at ? drawing.instances.count() : 1;
    for (std::size_t k = 0; k < n; ++k) item.bodies.push_back(body_name(body, at, drawing.instances.self(k)));
  }
  return item;
}

// The turn of the body, after that of the shape on it.
At Scenes::shape_orientation(const ShapeInfo& shape, At at, At local, Span span) {
  At turn;
  if (shape.body) {
    const BodyEntry& body = bodies_.body(*shape.body);
    const At which = shapes_.body_instance(shape, at);
    const auto coordinate = [&](std::uint32_t k) { return coordinate_node(body.first_coordinate + k, which, span); };
    if (body.kind == BlockKind::planar) turn = drawings_.turned_by(coordinate(2), span);
    if (body.kind == BlockKind::rigid) turn = stack({coordinate(3), coordinate(4), coordinate(5), coordinate(6)}, span);
  }
  if (!local) return turn;
  return turn ? drawings_.after(*turn, *local, span) : *local;
}

Drawing Scenes::shape_drawing(const ShapeInfo& shape) {
  const ast::Shape& declaration = *shape.declaration;
  const Span span = declaration.name.span;
  const Looking looking(core_, shape.instances);
  const At at = shape.instances.single() ? At() : At(instance_node(0, span));
  const Scope scope = shapes_.shape_scope(shape, at);
  PlacedShape placed(core_, shapes_, expressions_, calls_, arguments_, shape, at, span);
  Drawing drawing;
  drawing.name = declaration.name.text + (shape.instances.single() ? "" : "@");
  drawing.kind = name_of(shape.kind);
  drawing.instances = shape.instances;
  drawing.span = span;
  drawing.planar = shape.dim == 2;
  if (shape.body) drawing.bodies.emplace_back(*shape.body, shapes_.body_instance(shape, at));
  drawing.parts.emplace_back("position", drawings_.in_space(placed.centre, span));
  const auto vector = [&](const char* option, std::uint32_t rows) {
    return *arguments_.option(shape.options, option, scope, rows, {}, std::nullopt, span);
  };
  const auto twice = [&](NodeId half) { return *expressions_.multiply(make_number(2, {}, span), half, span); };
  const auto add = [&](const char* role, NodeId value) { drawing.parts.emplace_back(role, value); };
  At local;
  switch (shape.kind) {
    case ShapeKind::sphere:
    case ShapeKind::circle: add("radius", placed.radius()); break;
    case ShapeKind::polygon:
      for (const ast::Expr& corner : declaration.call.args) {
        add("point", *arguments_.typed_value(corner, scope, 2, physical(dimensions::length), "a corner"));
      }
      break;
    case ShapeKind::polyhedron:
      for (const ast::Expr& corner : declaration.call.args) {
        add("point", *arguments_.typed_value(corner, scope, 3, physical(dimensions::length), "a corner"));
      }
      break;
    case ShapeKind::ellipsoid: add("radii", placed.semi_axes()); break;
    case ShapeKind::box: add("size", twice(placed.half_size())); break;
    case ShapeKind::capsule:
    case ShapeKind::cylinder:
      add("radius", placed.radius());
      add("length", twice(placed.half_length()));
      break;
    case ShapeKind::disc:
      add("radius", placed.radius());
      add("thickness", zeros(1, span));
      break;
    case ShapeKind::point: break;
    case ShapeKind::plane: add("orientation", drawings_.turned_to(placed.normal(), span)); return drawing;
  }
  if (shape.options.contains("axis")) local = drawings_.turned_to(vector("axis", 3), span);
  if (shape.options.contains("orientation") && shape.dim == 3)
    local = calls_.library("normalised", {vector("orientation", 4)}, span);
  if (const At turn = shape_orientation(shape, at, local, span)) add("orientation", *turn);
  return drawing;
}

Drawing Scenes::spring_drawing(const ast::Spring& spring) {
  Drawing drawing;
  const auto range = arrays_.ranged(spring.range, global_scope_);
  if (!range) return drawing;
  const Looking looking(core_, range->instances);
  drawing.name = spring.name.text + (spring.range ? "@" : "");
  drawing.kind = "spring";
  drawing.span = spring.name.span;
  drawing.instances = range->instances;
  for (const ast::Expr* end : {&*spring.from, &*spring.to}) {
    const Result point = expressions_.expression(*end, range->scope);
    if (!point || (type(*point).rows != 2 && type(*point).rows != 3)) return {};  // along a line that nobody named
    drawing.planar = type(*point).rows == 2;
    drawing.parts.emplace_back("point", drawings_.in_space(*point, end->span));
  }
  return drawing;
}

// What the model says of a contact's frame stands before what its shapes say.
TypedSceneContact Scenes::contact(std::uint32_t contact, const Drawing* reaction) {
  TypedSceneContact result;
  result.contact = contact;
  if (model_.contacts[contact].family) return result;  // nobody knows beforehand which of them will be there
  const ContactSource& source = contacts_.source(contact);
  if (source.joint != nullptr) result.joint = source.joint->call.text;
  const Instances instances = model_.contacts[contact].instances;
  result.values.instances = instances;
  const Span span = model_.contacts[contact].span;
  if (reaction != nullptr) {
    result.values = values(reaction->parts, instances, span);
    result.bodies.resize(instances.count());
    return result;
  }
  if ((source.pair == nullptr && source.joint == nullptr) || instances.count() > kMostFrames) return result;
  const Looking looking(core_, instances);
  const auto q = contacts_.own_quantities(contact);
  if (!q) return result;
  Parts parts;
  if (q->point) parts.emplace_back("point", drawings_.in_space(*q->point, span));
  if (q->axis) parts.emplace_back("axis", drawings_.in_space(*q->axis, span));
  if (q->normal) {
    const bool space = type(*q->normal).rows == 3;
    parts.emplace_back("normal", drawings_.in_space(*q->normal, span));
    parts.emplace_back("tangent1",
                       drawings_.in_space(calls_.library(space ? "tangent" : "tangent2", {*q->normal}, span), span));
    if (space) parts.emplace_back("tangent2", calls_.library("binormal", {*q->normal}, span));
  }
  result.values = values(parts, instances, span);
  for (std::size_t k = 0; k < instances.count(); ++k) {
    const std::vector<double> self = instances.self(k);
    std::array<std::string, 2> names;
    for (std::size_t side = 0; side < 2; ++side) {
      if (q->sides[side].body) names[side] = body_name(*q->sides[side].body, q->sides[side].at, self);
    }
    result.bodies.push_back(std::move(names));
  }
  return result;
}

}  // namespace nsmc
