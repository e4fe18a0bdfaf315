#include "compiler/model/bodies.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "compiler/model/arguments.hpp"
#include "compiler/model/arrays.hpp"
#include "compiler/model/calls.hpp"
#include "compiler/model/expressions.hpp"

namespace nsmc {
namespace {

struct BodyKindInfo {
  const char* name;
  BlockKind kind;
  std::vector<std::string> options;
};

const std::vector<BodyKindInfo>& body_kinds() {
  static const std::vector<BodyKindInfo> kKinds{
      {"rigid", BlockKind::rigid, {"mass", "inertia", "position", "orientation", "velocity", "spin"}},
      {"planar", BlockKind::planar, {"mass", "inertia", "position", "angle", "velocity", "spin"}},
      {"point", BlockKind::point, {"mass", "position", "velocity"}},
  };
  return kKinds;
}

// theta = tr(Theta)/2 - Theta is the second moment of the mass: not negative for anything made of mass.
bool is_positive_semidefinite(const std::vector<double>& J) {
  const double tolerance = 1e-9 * (std::abs(J[0]) + std::abs(J[4]) + std::abs(J[8]));
  const auto minor2 = [&](int i, int j) { return J[4 * i] * J[4 * j] - J[3 * i + j] * J[3 * j + i]; };
  const double det =
      J[0] * (J[4] * J[8] - J[5] * J[7]) - J[1] * (J[3] * J[8] - J[5] * J[6]) + J[2] * (J[3] * J[7] - J[4] * J[6]);
  for (int i = 0; i < 3; ++i) {
    if (J[4 * i] < -tolerance) return false;
    if (minor2(i, (i + 1) % 3) < -tolerance * tolerance * 1e9) return false;
  }
  return det >= -tolerance * tolerance * tolerance * 1e18;
}

}  // namespace

std::vector<KnownWord> Bodies::words() {
  std::vector<KnownWord> words;
  for (const BodyKindInfo& kind : body_kinds()) words.push_back({WordGroup::body, kind.name, kind.options});
  std::set<std::string> members;
  for (const BodyKindInfo& kind : body_kinds()) {
    for (std::string& member : body_members(kind.kind)) members.insert(std::move(member));
  }
  for (const std::string& member : members) words.push_back({WordGroup::member, member});
  return words;
}

void Bodies::declare(const ast::Body& declaration, const std::string& doc) {
  BodyInfo body;
  body.declaration = &declaration;
  body.doc = doc;
  bodies_.push_back(std::move(body));
}

Scope Bodies::body_scope(const BodyInfo& body, At at) const {
  Scope scope;
  scope.parent = &global_scope_;
  if (body.declaration->range && at) scope.names[body.declaration->range->variable.text] = *at;
  return scope;
}

// Coordinates and velocities of every body, before any expression may ask for them.
void Bodies::allocate_bodies() {
  for (BodyInfo& body : bodies_) {
    const ast::Expr& call = body.declaration->call;
    body.failed = true;  // until it is right
    const auto& kinds = body_kinds();
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return call.text == k.name; });
    if (call.kind != ast::ExprKind::call || kind == kinds.end()) {
      std::vector<std::string> names;
      for (const BodyKindInfo& k : kinds) names.emplace_back(k.name);
      std::string hint = kind == kinds.end() ? did_you_mean(call.text, names) : "";
      if (hint.empty()) hint = "a body is rigid(...), planar(...) or point(...)";
      const bool named = call.kind == ast::ExprKind::call || call.kind == ast::ExprKind::name;
      report(Kind::unknown_body, call.span,
             !named                ? "this is not a kind of body"
             : kind != kinds.end() ? fmt::format("'{0}' needs its arguments: {0}(mass = ...)", call.text)
                                   : fmt::format("unknown kind of body '{}'", call.text),
             hint);
      continue;
    }
    body.kind = kind->kind;
    const auto options = arguments_.options_of(call, kind->options, "body");
    auto range = arrays_.ranged(body.declaration->range, global_scope_);
    if (range && body.declaration->range && !arrays_.has_length(*body.declaration->range, range->instances.indices[0]))
      range.reset();
    if (!options || !range) continue;
    body.options = *options;
    body.instances = range->instances;
    body.dim = body.kind == BlockKind::planar ? 2 : 3;
    if (body.kind == BlockKind::point) {  // as many components as its position has
      const auto position = body.options.find("position");
      if (position != body.options.end()) {
        const Looking looking(core_, body.instances);
        const Result value = expressions_.expression(*position->second, range->scope);
        if (!value) continue;
        const Type& t = type(*value);
        body.dim = t.rows;
        if (t.kind != ValueKind::number || t.cols != 1 || (t.rows != 2 && t.rows != 3)) {
          report(Kind::shape_mismatch, position->second->span,
                 fmt::format("the position of a point is a vector of 2 or 3, this is {}", shape_text(t)));
          continue;
        }
      }
    }
    TypedBlock block;
    block.kind = body.kind;
    block.name = body.declaration->name.text + (body.declaration->range ? "@" : "");
    block.doc = body.doc;
    block.instances = body.instances;
    block.span = body.declaration->name.span;
    body.first_coordinate = block.first_coordinate = static_cast<std::uint32_t>(model_.coordinates.size());
    body.first_velocity = block.first_velocity = static_cast<std::uint32_t>(model_.velocities.size());
    const auto add = [&](const std::string& coordinate_name, Dimension coordinate_dimension, bool has_velocity,
                         const std::string& velocity_name, Dimension velocity_dimension) {
      TypedVelocity velocity;
      velocity.name = block.name + velocity_name;
      velocity.dimension = physical(velocity_dimension);
      velocity.block = static_cast<std::uint32_t>(model_.blocks.size());
      velocity.span = block.span;
      TypedCoordinate coordinate;
      coordinate.name = block.name + coordinate_name;
      coordinate.dimension = physical(coordinate_dimension);
      coordinate.block = velocity.block;
      coordinate.velocity = static_cast<std::uint32_t>(model_.velocities.size());
      coordinate.span = block.span;
      if (!coordinate_name.empty()) model_.coordinates.push_back(std::move(coordinate));
      if (has_velocity) model_.velocities.push_back(std::move(velocity));
    };
    for (std::uint32_t k = 1; k <= body.dim; ++k) {
      add(fmt::format(".position[{}]", k), dimensions::length, true, fmt::format(".velocity[{}]", k),
          dimensions::velocity);
    }
    if (body.kind == BlockKind::planar) add(".angle", {}, true, ".spin", dimensions::spin);
    if (body.kind == BlockKind::rigid) {
      block.quaternion = static_cast<std::uint32_t>(model_.coordinates.size()) - block.first_coordinate;
      for (int k = 1; k <= 4; ++k) add(fmt::format(".quaternion[{}]", k), {}, false, "", {});
      for (int k = 1; k <= 3; ++k) add("", {}, true, fmt::format(".spin[{}]", k), dimensions::spin);
    }
    block.n_coordinates = static_cast<std::uint32_t>(model_.coordinates.size()) - block.first_coordinate;
    block.n_velocities = static_cast<std::uint32_t>(model_.velocities.size()) - block.first_velocity;
    model_.blocks.push_back(std::move(block));
    body.known = true;
    body.failed = false;
  }
  // The kinematics of rotations, before anything that needs derivatives.
  for (const BodyInfo& body : bodies_) {
    if (!body.known || body.kind != BlockKind::rigid) continue;
    const Span span = body.declaration->name.span;
    const At at = body.declaration->range ? At(instance_node(0, span)) : At();
    std::vector<NodeId> e, w;
    for (std::uint32_t k = 0; k < 4; ++k) e.push_back(coordinate_node(body.first_coordinate + 3 + k, at, span));
    for (std::uint32_t k = 0; k < 3; ++k) w.push_back(velocity_node(body.first_velocity + 3 + k, at, span));
    const NodeId rate = calls_.library("quaternion_rate", {stack(e, span), stack(w, span)}, span);
    for (std::uint32_t k = 0; k < 4; ++k) {
      model_.coordinates[body.first_coordinate + 3 + k].rate = part(rate, k, 1, span);
    }
  }
}

void Bodies::elaborate_bodies() {
  for (BodyInfo& body : bodies_) {
    if (body.known) elaborate_body(body);
  }
}

void Bodies::elaborate_body(BodyInfo& body) {
  const Span span = body.declaration->name.span;
  const At at = body.declaration->range ? At(instance_node(0, span)) : At();
  const Scope scope = body_scope(body, at);
  const Looking looking(core_, body.instances);
  const auto set_initial = [&](const char* name, std::uint32_t rows, Dimension dimension, bool coordinate,
                               std::uint32_t first) {
    const Result value = arguments_.option(body.options, name, scope, rows, dimension, 0, span);
    for (std::uint32_t k = 0; value && k < rows; ++k) {
      const NodeId component = rows == 1 ? *value : part(*value, k, 1, span);
      (coordinate ? model_.coordinates[first + k].initial : model_.velocities[first + k].initial) = component;
    }
  };
  set_initial("position", body.dim, dimensions::length, true, body.first_coordinate);
  set_initial("velocity", body.dim, dimensions::velocity, false, body.first_velocity);
  if (body.kind == BlockKind::planar) {
    set_initial("angle", 1, {}, true, body.first_coordinate + 2);
    set_initial("spin", 1, dimensions::spin, false, body.first_velocity + 2);
  }
  if (body.kind == BlockKind::rigid) {
    set_initial("spin", 3, dimensions::spin, false, body.first_velocity + 3);
    if (const auto start = initial_pose(body, at, span)) {
      const auto given = body.options.find("orientation");
      const Result e = given == body.options.end()
                           ? Result(calls_.library("rotation", {zeros(3, span), zeros(1, span)}, span))
                           : arguments_.typed_value(*given->second, scope, 4, {}, "the orientation");
      if (!e) return;
      const NodeId unit = calls_.library("normalised", {*e}, span);
      for (std::uint32_t k = 0; k < 4; ++k) {
        model_.coordinates[body.first_coordinate + 3 + k].initial = part(unit, k, 1, span);
      }
    }
  }

  const Result mass = arguments_.option(body.options, "mass", scope, 1, dimensions::mass, std::nullopt, span);
  if (!mass) return;
  check_positive(body, "mass", *mass);
  const Pose own = pose(body, at, span);
  NodeId energy = 0;
  if (body.kind == BlockKind::point) {
    energy = calls_.library("point_energy", {*mass, own.v}, span);
  } else if (body.kind == BlockKind::planar) {
    const Result inertia =
        arguments_.option(body.options, "inertia", scope, 1, dimensions::inertia, std::nullopt, span);
    if (!inertia) return;
    check_positive(body, "inertia", *inertia);
    energy = calls_.library("planar_energy", {*mass, *inertia, own.v, own.w}, span);
  } else {
    const auto given = body.options.find("inertia");
    if (given == body.options.end()) {
      report(Kind::body_incomplete, span, "the argument 'inertia' is missing",
             "give the principal moments, inertia = [I1, I2, I3], or a 3x3 matrix; a body without is a point(...)");
      return;
    }
    const Result value = expressions_.expression(*given->second, scope);
    if (!value) return;
    const Type& t = type(*value);
    const bool matrix = t.rows == 3 && t.cols == 3;
    if (t.kind != ValueKind::number || (!matrix && (t.rows != 3 || t.cols != 1))) {
      report(Kind::shape_mismatch, given->second->span,
             fmt::format("the inertia is a vector of 3 principal moments or a 3x3 matrix, this is {}", shape_text(t)),
             "the same moment about all axes is [J, J, J]");
      return;
    }
    for (const Dimension& d : t.dimensions) {
      const Dimension wanted = physical(dimensions::inertia);
      if (d.fits(wanted)) continue;
      report(Kind::wrong_dimension, given->second->span,
             fmt::format("the inertia must be {}, this is {}", wanted.description(), d.description()));
      return;
    }
    if (node(*value).depends.any()) {
      report(Kind::not_constant, given->second->span, "the inertia may depend on parameters alone");
      return;
    }
    const NodeId J = matrix ? *value : calls_.library("diagonal", {*value}, span);
    check_inertia(body, J, given->second->span);
    std::vector<NodeId> w;
    for (std::uint32_t k = 0; k < 3; ++k) w.push_back(velocity_node(body.first_velocity + 3 + k, at, span));
    energy = calls_.library("rigid_energy", {*mass, J, own.v, stack(w, span)}, span);
  }
  model_.kinetic.push_back({energy, body.instances, "kinetic energy", true});
  if (gravity_) {
    if (type(*gravity_).rows != body.dim) {
      report(Kind::shape_mismatch, span,
             fmt::format("'{}' moves in {} dimensions, gravity has {} components", body.declaration->name.text,
                         body.dim, type(*gravity_).rows),
             body.kind == BlockKind::point ? "a point has as many dimensions as its position: position = [0, 0] [m]"
                                           : "gravity acts on all bodies: a model with it is planar or spatial");
      return;
    }
    model_.potential.push_back(
        {calls_.library("weight_energy", {*mass, *gravity_, own.x}, span), body.instances, "gravity", true});
  }
}

bool Bodies::known_body(const BodyInfo& body, Span span) {
  if (!body.known && !body.failed) {  // before there are bodies: in a parameter, in a range
    report(Kind::not_constant, span, "this must not depend on the state or time: it is made of parameters");
  }
  return body.known;
}

void Bodies::check_positive(const BodyInfo& body, const char* option, NodeId value) {
  const bool fixed = evaluate(value, {}).has_value();
  const std::size_t n = fixed ? std::min<std::size_t>(1, body.instances.count()) : body.instances.count();
  for (std::size_t k = 0; k < n; ++k) {
    const auto number = evaluate(value, fixed ? std::vector<double>{} : body.instances.self(k));
    if (!number || *number > 0) continue;
    report(Kind::inertia_not_physical, body.options.find(std::string_view(option))->second->span,
           fmt::format("the {} of '{}{}' is {:.6g}, it must be positive", option, body.declaration->name.text,
                       fixed ? "" : body.instances.suffix(k), *number));
    return;
  }
}

void Bodies::check_inertia(const BodyInfo& body, NodeId inertia, Span span) {
  if (body.instances.count() == 0) return;
  const std::vector<double> self = body.instances.single() ? std::vector<double>{} : body.instances.self(0);
  std::vector<double> J;
  for (std::uint32_t k = 0; k < 9; ++k) {
    const auto value = evaluate(part(inertia, k, 1, span), self);
    if (!value) return;
    J.push_back(*value);
  }
  const std::string& name = body.declaration->name.text;
  if (std::abs(J[1] - J[3]) + std::abs(J[2] - J[6]) + std::abs(J[5] - J[7]) >
      1e-9 * (std::abs(J[0]) + std::abs(J[4]) + std::abs(J[8]))) {
    report(Kind::inertia_not_physical, span, fmt::format("the inertia of '{}' is not symmetric", name),
           "entry [i, j] equals entry [j, i]: minus the product of inertia");
    return;
  }
  const double half = (J[0] + J[4] + J[8]) / 2;
  std::vector<double> second{half - J[0], -J[1], -J[2], -J[3], half - J[4], -J[5], -J[6], -J[7], half - J[8]};
  if (is_positive_semidefinite(second)) return;
  report(Kind::inertia_not_physical, span,
         fmt::format("no body has this inertia: the principal moments of '{}' violate I1 + I2 >= I3", name),
         fmt::format("no moment is larger than the sum of the other two; on the diagonal stand {:.4g}, {:.4g}, {:.4g}",
                     J[0], J[4], J[8]));
}

void Bodies::elaborate_gravity(const ast::Gravity& gravity) {
  if (gravity_) {
    report(Kind::quantity_given_twice, gravity.value.span, "gravity is given twice");
    return;
  }
  const Result value = expressions_.expression(gravity.value, global_scope_);
  if (!value) return;
  const std::uint32_t rows = type(*value).rows;
  if (rows != 2 && rows != 3) {
    report(Kind::shape_mismatch, gravity.value.span, "gravity is a vector of 3, in a planar model of 2",
           "write: gravity [0, 0, -9.81] [m/s^2]");
    return;
  }
  if (node(*value).depends.velocity || node(*value).depends.force || node(*value).depends.energy) {
    report(Kind::depends_on_velocity, gravity.value.span, "gravity may depend on parameters and time");
    return;
  }
  gravity_ = arguments_.typed_value(gravity.value, global_scope_, rows, physical(dimensions::acceleration), "gravity");
}

}  // namespace nsmc
