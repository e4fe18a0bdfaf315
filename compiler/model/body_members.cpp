// What bodies and the world define for others: poses, members, and where forces act.
#include "compiler/model/bodies.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compiler/model/arguments.hpp"
#include "compiler/model/arrays.hpp"
#include "compiler/model/calls.hpp"
#include "compiler/model/expressions.hpp"

namespace nsmc {

Pose Bodies::world_pose(std::uint32_t dim, Span span) {
  Pose pose;
  pose.x = zeros(dim, span);
  pose.v = zeros(dim, span);
  pose.R = dim == 3 ? calls_.library("identity3", {}, span) : calls_.library("plane_matrix", {zeros(1, span)}, span);
  pose.w = zeros(dim == 3 ? 3 : 1, span);
  return pose;
}

Pose Bodies::pose(const BodyEntry& body, At at, Span span) {
  const auto coordinates = [&](std::uint32_t first, std::uint32_t n) {
    std::vector<NodeId> parts;
    for (std::uint32_t k = 0; k < n; ++k) parts.push_back(coordinate_node(body.first_coordinate + first + k, at, span));
    return stack(parts, span);
  };
  const auto velocities = [&](std::uint32_t first, std::uint32_t n) {
    std::vector<NodeId> parts;
    for (std::uint32_t k = 0; k < n; ++k) parts.push_back(velocity_node(body.first_velocity + first + k, at, span));
    return stack(parts, span);
  };
  Pose pose = world_pose(body.dim, span);
  pose.x = coordinates(0, body.dim);
  pose.v = velocities(0, body.dim);
  if (body.kind == BlockKind::planar) {
    pose.R = calls_.library("plane_matrix", {coordinates(2, 1)}, span);
    pose.w = velocities(2, 1);
  } else if (body.kind == BlockKind::rigid) {
    pose.R = calls_.library("quaternion_matrix", {coordinates(3, 4)}, span);
    pose.w = *expressions_.multiply(pose.R, velocities(3, 3), span);
  }
  return pose;
}

std::optional<Pose> Bodies::initial_pose(const BodyEntry& body, At at, Span span) {
  const Scope scope = body_scope(body, at);
  Pose pose = world_pose(body.dim, span);
  const Result x = arguments_.option(body.options, "position", scope, body.dim, dimensions::length, 0, span);
  if (!x) return std::nullopt;
  pose.x = *x;
  if (body.kind == BlockKind::planar) {
    const Result angle = arguments_.option(body.options, "angle", scope, 1, {}, 0, span);
    if (!angle) return std::nullopt;
    pose.R = calls_.library("plane_matrix", {*angle}, span);
  } else if (body.kind == BlockKind::rigid && body.options.contains("orientation")) {
    const Result e = arguments_.option(body.options, "orientation", scope, 4, {}, std::nullopt, span);
    if (!e) return std::nullopt;
    pose.R = calls_.library("quaternion_matrix", {calls_.library("normalised", {*e}, span)}, span);
  }
  return pose;
}

std::vector<std::string> Bodies::body_members(BlockKind kind) {
  std::vector<std::string> members{"position",    "velocity", "momentum", "point",
                                   "velocity_at", "energy",   "kinetic",  "mass"};
  if (kind == BlockKind::planar) {
    members.insert(members.end(), {"angle", "spin", "rotation", "axis", "angular_momentum"});
  }
  if (kind == BlockKind::rigid) {
    members.insert(members.end(), {"quaternion", "rotation", "axis", "spin", "angular_velocity", "angular_momentum"});
  }
  return members;
}

Result Bodies::body_member(const BodyEntry& body, At at, const ast::Expr& expr, const Scope& scope) {
  if (!known_body(body, expr.span)) return std::nullopt;
  const Span span = expr.span;
  const std::string& what = expr.text;
  const bool rigid = body.kind == BlockKind::rigid;
  const bool planar = body.kind == BlockKind::planar;
  const std::vector<std::string> known = body_members(body.kind);
  const bool takes_argument = what == "point" || what == "velocity_at" || what == "axis";
  if (std::find(known.begin(), known.end(), what) == known.end()) {
    std::string hint = did_you_mean(what, known);
    if (hint.empty()) hint = fmt::format("it has {}", joined(known));
    report(Kind::unknown_member, span, fmt::format("body '{}' has no '{}'", body.declaration->name.text, what), hint);
    return std::nullopt;
  }
  if (expr.called != takes_argument || (takes_argument && expr.args.size() != 2)) {
    report(Kind::wrong_argument_count, span,
           takes_argument ? fmt::format("'{}' takes one argument", what) : fmt::format("'{}' takes no arguments", what),
           what == "axis"   ? "write axis(3) for the third axis of the body"
           : takes_argument ? fmt::format("a point in the frame of the body: {}([0, 0, 1] [m])", what)
                            : fmt::format("a component is written {}[1]", what));
    return std::nullopt;
  }
  const Pose own = pose(body, at, span);
  if (what == "position") return own.x;
  if (what == "velocity") return own.v;
  if (what == "rotation") return own.R;
  if (what == "angle") return coordinate_node(body.first_coordinate + 2, at, span);
  if (what == "angular_velocity") return own.w;
  if (what == "spin" && planar) return own.w;
  std::vector<NodeId> spin;
  for (std::uint32_t k = 0; rigid && k < 3; ++k) spin.push_back(velocity_node(body.first_velocity + 3 + k, at, span));
  if (what == "spin") return stack(spin, span);
  if (what == "quaternion") {
    std::vector<NodeId> e;
    for (std::uint32_t k = 0; k < 4; ++k) e.push_back(coordinate_node(body.first_coordinate + 3 + k, at, span));
    return stack(e, span);
  }
  if (what == "axis") {
    const Result which = expressions_.scalar(expr.args[1], scope, "the number of an axis");
    const auto k = which ? constant_number(*which) : std::nullopt;
    if (!k || *k != std::floor(*k) || *k < 1 || *k > body.dim) {
      report(Kind::index_out_of_range, expr.args[1].span,
             fmt::format("the number of an axis is a constant from 1 to {}", body.dim));
      return std::nullopt;
    }
    std::vector<NodeId> column;
    for (std::uint32_t i = 0; i < body.dim; ++i) {
      column.push_back(part(own.R, i * body.dim + static_cast<std::uint32_t>(*k) - 1, 1, span));
    }
    return stack(column, span);
  }
  if (what == "point" || what == "velocity_at") {
    const Result local =
        arguments_.typed_value(expr.args[1], scope, body.dim, physical(dimensions::length), "a point of a body");
    if (!local) return std::nullopt;
    const NodeId p = calls_.library("placed", {own.x, own.R, *local}, span);
    return what == "point"
               ? p
               : calls_.library(body.dim == 3 ? "velocity_at" : "velocity_at2", {own.v, own.w, own.x, p}, span);
  }
  // Inertial quantities.
  const Scope own_scope = body_scope(body, at);
  const Result mass = arguments_.option(body.options, "mass", own_scope, 1, dimensions::mass, std::nullopt, span);
  if (!mass) return std::nullopt;
  if (what == "mass") return mass;
  if (what == "momentum") return expressions_.multiply(*mass, own.v, span);
  NodeId kinetic = 0;
  if (body.kind == BlockKind::point) {
    kinetic = calls_.library("point_energy", {*mass, own.v}, span);
  } else {
    const Result given = expressions_.expression(*body.options.at("inertia"), own_scope);
    if (!given) return std::nullopt;
    const NodeId J = planar || type(*given).cols == 3 ? *given : calls_.library("diagonal", {*given}, span);
    if (what == "angular_momentum") {
      return planar ? expressions_.multiply(J, own.w, span)
                    : expressions_.multiply(own.R, *expressions_.multiply(J, stack(spin, span), span), span);
    }
    kinetic = planar ? calls_.library("planar_energy", {*mass, J, own.v, own.w}, span)
                     : calls_.library("rigid_energy", {*mass, J, own.v, stack(spin, span)}, span);
  }
  if (what == "kinetic" || !gravity_) return kinetic;
  const NodeId weight = calls_.library("weight_energy", {*mass, *gravity_, own.x}, span);
  return make(NodeKind::sum, type(kinetic), {kinetic, weight}, span);
}

Result Bodies::world_member(const ast::Expr& expr, const Scope& scope) {
  if (expr.text != "point" || !expr.called || expr.args.size() != 2) {
    report(Kind::unknown_member, expr.span, fmt::format("the world has no '{}'", expr.text),
           "it has points: world.point([0, 0, 1] [m])");
    return std::nullopt;
  }
  const Result p = expressions_.expression(expr.args[1], scope);
  if (!p) return std::nullopt;
  return arguments_.typed_value(expr.args[1], scope,
                                std::max<std::uint32_t>(2, std::min<std::uint32_t>(3, type(*p).rows)),
                                physical(dimensions::length), "a point of the world");
}

// A body as an argument: a, bar[i + 1], or the world.
const BodyEntry* Bodies::find_body(const ast::Expr& expr, const Scope& scope, At& at, bool& world) {
  const bool indexed = expr.kind == ast::ExprKind::index && expr.args[0].kind == ast::ExprKind::name;
  const std::string& text = indexed ? expr.args[0].text : expr.text;
  world = expr.kind == ast::ExprKind::name && text == "world" && !globals_.contains("world");
  if (world) return nullptr;
  const auto found = indexed || expr.kind == ast::ExprKind::name ? globals_.find(text) : globals_.end();
  if (found == globals_.end() || found->second.kind != SymbolKind::body) {
    std::vector<std::string> names{"world"};
    for (const BodyEntry& body : bodies_) names.push_back(body.declaration->name.text);
    std::string hint = did_you_mean(text, names);
    if (hint.empty()) hint = fmt::format("bodies are {}", joined(names));
    report(Kind::unknown_body, expr.span,
           text.empty() ? "a body is expected here, by its name" : fmt::format("'{}' is not a body", text), hint);
    return nullptr;
  }
  const BodyEntry& body = bodies_[found->second.index];
  if (!known_body(body, expr.span)) return nullptr;
  std::vector<const ast::Expr*> indices;
  for (std::size_t i = 1; indexed && i < expr.args.size(); ++i) indices.push_back(&expr.args[i]);
  std::vector<NodeId> which;
  if (!arrays_.find_instance(text, indices, body.instances, scope, expr.span, which)) return nullptr;
  if (!which.empty()) at = which[0];
  return &body;
}

void Bodies::elaborate_body_force(const ast::Force& force, const BodyEntry& body) {
  if (!body.known) return;
  const auto range = arrays_.ranged(force.range, global_scope_);
  if (!range) return;
  const Looking looking(core_, range->instances);
  const Span span = force.target.span;
  std::vector<const ast::Expr*> indices;
  if (force.index) indices.push_back(&*force.index);
  std::vector<NodeId> which;
  if (!arrays_.find_instance(force.target.text, indices, body.instances, range->scope, span, which)) return;
  const At at = which.empty() ? At() : At(which[0]);
  const Pose own = pose(body, at, span);
  TypedForce typed;
  typed.instances = range->instances;
  typed.source = fmt::format("{} on {}", force.torque ? "torque" : "force", force.target.text);
  if (force.torque && (body.kind == BlockKind::point || force.at)) {
    report(Kind::wrong_kind, span,
           force.at ? "a torque has no point"
                    : fmt::format("'{}' is a point: it cannot turn and takes no torque", force.target.text),
           force.at ? "" : "a body that turns is rigid(...) or planar(...)");
    return;
  }
  const std::uint32_t rows = force.torque && body.dim == 2 ? 1 : body.dim;
  const Result value = arguments_.typed_value(force.value, range->scope, rows,
                                              physical(force.torque ? dimensions::torque : dimensions::force),
                                              force.torque ? "a torque" : "a force");
  if (!value) return;
  if (node(*value).depends.force || node(*value).depends.energy) {
    report(Kind::depends_on_velocity, force.value.span,
           "a smooth force must not depend on contact forces or on the energy");
    return;
  }
  typed.value = *value;
  typed.velocity = force.torque ? own.w : own.v;
  if (force.at) {
    const Result local =
        arguments_.typed_value(*force.at, range->scope, body.dim, physical(dimensions::length), "the point of a force");
    if (!local) return;
    const NodeId p = calls_.library("placed", {own.x, own.R, *local}, span);
    typed.velocity = calls_.library(body.dim == 3 ? "velocity_at" : "velocity_at2", {own.v, own.w, own.x, p}, span);
  }
  model_.forces.push_back(std::move(typed));
}

}  // namespace nsmc
