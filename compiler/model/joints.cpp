#include "compiler/model/joints.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "compiler/model/calls.hpp"
#include "compiler/model/expressions.hpp"

namespace nsmc {

struct Joints::JointKindRow {
  JointKind kind{};
  const char* name = "";
  bool planar = false;  // exists in the plane too
  std::vector<std::string> options;
};

const std::vector<Joints::JointKindRow>& Joints::joint_kinds() {
  static const std::vector<JointKindRow> kKinds{
      {JointKind::fixed, "fixed", true, {"first", "second", "at"}},
      {JointKind::revolute, "revolute", true, {"first", "second", "at", "axis"}},
      {JointKind::prismatic, "prismatic", true, {"first", "second", "axis", "at"}},
      {JointKind::spherical, "spherical", false, {"first", "second", "at"}},
      {JointKind::universal, "universal", false, {"first", "second", "at", "axis", "axis2"}},
  };
  return kKinds;
}

std::vector<KnownWord> Joints::words() {
  std::vector<KnownWord> words;
  for (const JointKindRow& kind : joint_kinds()) words.push_back({WordGroup::joint, kind.name, kind.options});
  return words;
}

std::optional<Quantities> Joints::joint_quantities(const ast::Joint& declaration, const Scope& scope) {
  Assembly joint{declaration.call, scope, declaration.name.span};
  if (!find_kind(joint) || !find_links(joint) || !place_links(joint)) return std::nullopt;
  if (joint.dim == 2 && !joint.kind->planar) {
    report(Kind::unknown_joint, joint.call.span, fmt::format("a {} joint exists in space only", joint.kind->name),
           "joints in the plane are fixed, revolute and prismatic");
    return std::nullopt;
  }
  if (!find_directions(joint)) return std::nullopt;
  return joint.dim == 3 ? in_space(joint) : in_the_plane(joint);
}

bool Joints::find_kind(Assembly& joint) {
  const ast::Expr& call = joint.call;
  const auto& kinds = joint_kinds();
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return call.text == k.name; });
  if (call.kind != ast::ExprKind::call || kind == kinds.end()) {
    std::vector<std::string> names;
    for (const JointKindRow& k : kinds) names.emplace_back(k.name);
    const auto other = kind == kinds.end() ? habit(HabitOf::joint, call.text) : std::nullopt;
    std::string hint = other ? other->hint : kind == kinds.end() ? did_you_mean(call.text, names) : "";
    if (hint.empty()) hint = fmt::format("joints are {}", joined(names));
    const bool named = call.kind == ast::ExprKind::call || call.kind == ast::ExprKind::name;
    report(Kind::unknown_joint, call.span,
           !named                ? "this is not a kind of joint"
           : kind != kinds.end() ? fmt::format("'{0}' needs its arguments: {0}(a, b, ...)", call.text)
                                 : fmt::format("unknown kind of joint '{}'", call.text),
           hint);
    return false;
  }
  joint.kind = &*kind;
  auto options = arguments_.options_of(call, kind->options, "joint");
  if (options) joint.options = std::move(*options);
  return options.has_value();
}

bool Joints::find_links(Assembly& joint) {
  const char* order[] = {"first", "second"};
  for (int k = 0; k < 2; ++k) {
    Link& link = joint.links[k];
    const auto given = joint.options.find(std::string_view(order[k]));
    if (given == joint.options.end()) {
      report(Kind::joint_incomplete, joint.call.span, "a joint is between two bodies",
             fmt::format("name them first: {}(a, b, ...); one may be the world", joint.kind->name));
      return false;
    }
    link.body = bodies_.find_body(*given->second, joint.scope, link.at, link.world);
    if (link.body == nullptr && !link.world) return false;
  }
  if (joint.links[0].world && joint.links[1].world) {
    report(Kind::joint_incomplete, joint.call.span,
           "a joint needs a body that can move, this one is between world and world");
    return false;
  }
  if (joint.links[0].body != joint.links[1].body || !joins_itself(joint)) return true;
  report(Kind::joint_incomplete, joint.call.span,
         fmt::format("a joint is between two bodies, this one joins '{}' with itself",
                     joint.links[0].body->declaration->name.text));
  return false;
}

// Whether two bodies of one array are the same for one of the instances.
bool Joints::joins_itself(const Assembly& joint) {
  const Instances* instances = core_.looking;
  const auto number = [&](const Link& link, std::size_t i) {
    if (!link.at) return std::optional(0.0);
    return evaluate(*link.at, instances != nullptr ? instances->self(i) : std::vector<double>{});
  };
  const std::size_t n = joint.links[0].at && instances != nullptr ? instances->count() : 1;
  for (std::size_t i = 0; i < n; ++i) {
    if (number(joint.links[0], i) == number(joint.links[1], i)) return true;
  }
  return false;
}

bool Joints::place_links(Assembly& joint) {
  joint.dim = (joint.links[0].world ? joint.links[1] : joint.links[0]).body->dim;
  for (Link& link : joint.links) {
    if (link.world) {
      link.pose = link.start = bodies_.world_pose(joint.dim, joint.span);
      continue;
    }
    const bool point = link.body->kind == BlockKind::point;
    if (link.body->dim != joint.dim || point) {
      report(
          Kind::joint_incomplete, joint.call.span,
          point ? fmt::format("'{}' is a point: joints are between bodies that can turn",
                              link.body->declaration->name.text)
                : fmt::format("'{}' and '{}' cannot be joined: one is planar, the other spatial",
                              joint.links[0].body->declaration->name.text, joint.links[1].body->declaration->name.text),
          point ? "hold a point with a constraint on its position: constraint c { gap ... }" : "");
      return false;
    }
    const auto start = bodies_.initial_pose(*link.body, link.at, joint.span);
    if (!start) return false;
    link.pose = bodies_.pose(*link.body, link.at, joint.span);
    link.start = *start;
  }
  return true;
}

Result Joints::vector(const Assembly& joint, const char* name, Dimension dimension, bool required) {
  const auto given = joint.options.find(std::string_view(name));
  if (given == joint.options.end() && !required) return zeros(joint.dim, joint.span);
  if (given == joint.options.end()) {
    const bool space = joint.dim == 3;
    report(Kind::joint_incomplete, joint.call.span, fmt::format("a {} joint needs '{}'", joint.kind->name, name),
           fmt::format("add {} = {}, in world coordinates at the start", name,
                       dimension.is_dimensionless() ? (space ? "[0, 0, 1]" : "[1, 0]")
                                                    : (space ? "[0, 0, 0] [m]" : "[0, 0] [m]")));
    return std::nullopt;
  }
  const Result value =
      arguments_.typed_value(*given->second, joint.scope, joint.dim, physical(dimension), fmt::format("'{}'", name));
  if (value && node(*value).depends.any()) {
    report(Kind::not_constant, given->second->span,
           fmt::format("'{}' is where the joint is at the start: it may depend on parameters alone", name));
    return std::nullopt;
  }
  return value;
}

bool Joints::find_directions(Assembly& joint) {
  const JointKind kind = joint.kind->kind;
  const bool needs_axis =
      kind == JointKind::universal || kind == JointKind::prismatic || (kind == JointKind::revolute && joint.dim == 3);
  const bool needs_place = kind != JointKind::prismatic && kind != JointKind::fixed;
  const Result place = vector(joint, "at", dimensions::length, needs_place);
  const Result axis = vector(joint, "axis", {}, needs_axis);
  const Result axis2 = vector(joint, "axis2", {}, kind == JointKind::universal);
  if (!place || !axis || !axis2) return false;
  for (const auto& [name, value] : {std::pair("axis", *axis), std::pair("axis2", *axis2)}) {
    const auto given = joint.options.find(std::string_view(name));
    if (given == joint.options.end() || !is_zero(value)) continue;
    report(Kind::joint_incomplete, given->second->span, fmt::format("'{}' has a direction, this is zero", name));
    return false;
  }
  joint.place = *place;
  joint.axis = *axis;
  joint.axis2 = *axis2;
  return true;
}

void Joints::name_sides(const Assembly& joint, Quantities& q) const {
  for (std::size_t k = 0; k < 2; ++k) {
    const Link& link = joint.links[k];
    if (link.body != nullptr) q.sides[k] = {static_cast<std::uint32_t>(link.body - bodies_.all().data()), link.at};
  }
}

NodeId Joints::carried_point(const Link& link, NodeId point, Span span) {
  const NodeId local = calls_.library("seen_from", {link.start.x, link.start.R, point}, span);
  return calls_.library("placed", {link.pose.x, link.pose.R, local}, span);
}

NodeId Joints::carried_direction(const Link& link, NodeId direction, Span span) {
  const std::uint32_t dim = type(direction).rows;
  const NodeId local = calls_.library("seen_from", {zeros(dim, span), link.start.R, direction}, span);
  return *expressions_.multiply(link.pose.R, local, span);
}

NodeId Joints::rate_of(NodeId value, Span span) {
  Type rate = type(value);
  for (Dimension& d : rate.dimensions) d = d / time_dimension();
  return make(NodeKind::derivative, std::move(rate), {value}, span);
}

Quantities Joints::in_space(const Assembly& joint) {
  const Span span = joint.span;
  const auto& [first, second] = joint.links;
  const auto library = [&](const char* function, const std::vector<NodeId>& args) {
    return calls_.library(function, args, span);
  };
  const NodeId P1 = carried_point(first, joint.place, span);
  const NodeId P2 = carried_point(second, joint.place, span);
  const NodeId spin = expressions_.difference(second.pose.w, first.pose.w, span);
  const NodeId up = stack({zeros(1, span), zeros(1, span), make_number(1, {}, span)}, span);
  const NodeId a = joint.options.contains("axis") ? library("unit_or", {joint.axis, up}) : up;
  const NodeId b = library("perpendicular", {a});
  const NodeId c = library("crossed", {a, b});
  const NodeId A1 = carried_direction(first, a, span), B1 = carried_direction(first, b, span),
               C1 = carried_direction(first, c, span);
  const auto turned = [&](const Link& link) {  // the rotation since the start
    return library("rotated_since", {link.pose.R, link.start.R});
  };
  const NodeId together = library("joint_point", {P1, P2});
  Quantities q;
  q.point = P1;
  name_sides(joint, q);
  if (joint.options.contains("axis")) q.axis = A1;
  switch (joint.kind->kind) {
    case JointKind::spherical:
      q.gap = together;
      q.slip = spin;
      break;
    case JointKind::fixed:
      q.gap = stack({together, library("joint_frame", {turned(first), turned(second)})}, span);
      break;
    case JointKind::revolute:
      q.gap = stack({together, library("joint_axis", {B1, C1, carried_direction(second, a, span)})}, span);
      q.angle = library("joint_angle", {A1, B1, carried_direction(second, b, span)});
      q.slip = library("along", {A1, spin});
      break;
    case JointKind::universal: {
      const NodeId a2 = library("unit_or", {joint.axis2, b});
      q.gap = stack({together, library("joint_cross", {A1, carried_direction(second, a2, span)})}, span);
      break;
    }
    case JointKind::prismatic:
      q.gap = stack({library("joint_frame", {turned(first), turned(second)}), library("joint_line", {B1, C1, P1, P2})},
                    span);
      q.travel = library("joint_travel", {A1, P1, P2});
      q.slip = rate_of(*q.travel, span);
      break;
  }
  return q;
}

std::optional<Quantities> Joints::in_the_plane(const Assembly& joint) {
  const Span span = joint.span;
  const auto& [first, second] = joint.links;
  const NodeId P1 = carried_point(first, joint.place, span);
  const NodeId P2 = carried_point(second, joint.place, span);
  const NodeId spin = expressions_.difference(second.pose.w, first.pose.w, span);
  NodeId angles[2], starts[2];
  for (int k = 0; k < 2; ++k) {
    const Link& link = joint.links[k];
    angles[k] = link.world ? zeros(1, span) : coordinate_node(link.body->first_coordinate + 2, link.at, span);
    const Result start = link.world ? Result(zeros(1, span))
                                    : arguments_.option(link.body->options, "angle",
                                                        bodies_.body_scope(*link.body, link.at), 1, {}, 0, span);
    if (!start) return std::nullopt;
    starts[k] = *start;
  }
  const NodeId turn = expressions_.difference(expressions_.difference(angles[1], angles[0], span),
                                              expressions_.difference(starts[1], starts[0], span), span);
  const NodeId together = expressions_.difference(P1, P2, span);
  Quantities q;
  q.point = P1;
  name_sides(joint, q);
  switch (joint.kind->kind) {
    case JointKind::revolute:
      q.gap = together;
      q.angle = turn;
      q.slip = spin;
      break;
    case JointKind::fixed: q.gap = stack({together, turn}, span); break;
    default: {  // prismatic
      const NodeId right = stack({make_number(1, {}, span), zeros(1, span)}, span);
      const NodeId a = calls_.library("unit_or", {joint.axis, right}, span);
      const NodeId apart = expressions_.difference(P2, P1, span);
      const NodeId across = carried_direction(first, calls_.library("tangent2", {a}, span), span);
      q.gap = stack({calls_.library("along", {across, apart}, span), turn}, span);
      q.axis = carried_direction(first, a, span);
      q.travel = calls_.library("along", {*q.axis, apart}, span);
      q.slip = rate_of(*q.travel, span);
    }
  }
  return q;
}

}  // namespace nsmc
