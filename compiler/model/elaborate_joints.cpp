// Joints are bilateral constraints on positions; what is free in them can carry friction, springs and dampers.
#include <fmt/core.h>

#include <algorithm>

#include "compiler/model/elaborator.hpp"
#include "compiler/model/looking.hpp"

namespace nsmc {
namespace {

struct JointKindInfo {
  const char* name;
  bool planar;  // exists in the plane too
  std::vector<std::string> options;
};

const std::vector<JointKindInfo>& joint_kinds() {
  static const std::vector<JointKindInfo> kKinds{
      {"fixed", true, {"first", "second", "at"}},
      {"revolute", true, {"first", "second", "at", "axis"}},
      {"prismatic", true, {"first", "second", "axis", "at"}},
      {"spherical", false, {"first", "second", "at"}},
      {"universal", false, {"first", "second", "at", "axis", "axis2"}},
  };
  return kKinds;
}

}  // namespace

std::optional<Quantities> Elaborator::joint_quantities(std::uint32_t contact, const std::vector<NodeId>& self) {
  const ast::Joint& joint = *contact_sources_[contact].joint;
  const ast::Expr& call = joint.call;
  const Span span = joint.name.span;
  const auto& kinds = joint_kinds();
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return call.text == k.name; });
  if (call.kind != ast::ExprKind::call || kind == kinds.end()) {
    std::vector<std::string> names;
    for (const JointKindInfo& k : kinds) names.emplace_back(k.name);
    std::string hint = kind == kinds.end() ? did_you_mean(call.text, names) : "";
    if (hint.empty()) hint = fmt::format("joints are {}", joined(names));
    const bool named = call.kind == ast::ExprKind::call || call.kind == ast::ExprKind::name;
    report(Kind::unknown_joint, call.span,
           !named                ? "this is not a kind of joint"
           : kind != kinds.end() ? fmt::format("'{0}' needs its arguments: {0}(a, b, ...)", call.text)
                                 : fmt::format("unknown kind of joint '{}'", call.text),
           hint);
    return std::nullopt;
  }
  const auto options = options_of(call, kind->options, "joint");
  if (!options) return std::nullopt;
  const Scope scope = contact_scope(contact, self);
  const std::string what = kind->name;

  // The two bodies: where they are, and where they were at the start.
  struct Link {
    const BodyInfo* body = nullptr;
    At at;
    bool world = false;
    Pose pose, start;
  } links[2];
  const char* order[] = {"first", "second"};
  for (int k = 0; k < 2; ++k) {
    const auto given = options->find(std::string_view(order[k]));
    if (given == options->end()) {
      report(Kind::joint_incomplete, call.span, "a joint is between two bodies",
             fmt::format("name them first: {}(a, b, ...); one may be the world", what));
      return std::nullopt;
    }
    links[k].body = find_body(*given->second, scope, links[k].at, links[k].world);
    if (links[k].body == nullptr && !links[k].world) return std::nullopt;
  }
  if (links[0].world && links[1].world) {
    report(Kind::joint_incomplete, call.span,
           "a joint needs a body that can move, this one is between world and world");
    return std::nullopt;
  }
  if (links[0].body == links[1].body) {
    const auto numbers = [&](int k, std::size_t i) {
      return links[k].at ? evaluate(*links[k].at, looking_ != nullptr ? looking_->self(i) : std::vector<double>{})
                         : std::optional(0.0);
    };
    const std::size_t n = links[0].at && looking_ != nullptr ? looking_->count() : 1;
    for (std::size_t i = 0; i < n; ++i) {
      if (numbers(0, i) != numbers(1, i)) continue;
      report(Kind::joint_incomplete, call.span,
             fmt::format("a joint is between two bodies, this one joins '{}' with itself",
                         links[0].body->declaration->name.text));
      return std::nullopt;
    }
  }
  const std::uint32_t dim = (links[0].world ? links[1] : links[0]).body->dim;
  for (Link& link : links) {
    if (link.world) {
      link.pose = link.start = world_pose(dim, span);
      continue;
    }
    if (link.body->dim != dim || link.body->kind == BlockKind::point) {
      report(Kind::joint_incomplete, call.span,
             link.body->kind == BlockKind::point
                 ? fmt::format("'{}' is a point: joints are between bodies that can turn",
                               link.body->declaration->name.text)
                 : fmt::format("'{}' and '{}' cannot be joined: one is planar, the other spatial",
                               links[0].body->declaration->name.text, links[1].body->declaration->name.text),
             link.body->kind == BlockKind::point
                 ? "hold a point with a constraint on its position: constraint c { gap ... }"
                 : "");
      return std::nullopt;
    }
    const auto start = initial_pose(*link.body, link.at, span);
    if (!start) return std::nullopt;
    link.pose = pose(*link.body, link.at, span);
    link.start = *start;
  }
  const bool space = dim == 3;
  if (!space && !kind->planar) {
    report(Kind::unknown_joint, call.span, fmt::format("a {} joint exists in space only", what),
           "joints in the plane are fixed, revolute and prismatic");
    return std::nullopt;
  }

  const auto vector = [&](const char* name, Dimension dimension, bool required) -> Result {
    const auto given = options->find(std::string_view(name));
    if (given == options->end() && !required) return zeros(dim, span);
    if (given == options->end()) {
      report(Kind::joint_incomplete, call.span, fmt::format("a {} joint needs '{}'", what, name),
             fmt::format("add {} = {}, in world coordinates at the start", name,
                         dimension.is_dimensionless() ? (space ? "[0, 0, 1]" : "[1, 0]")
                                                      : (space ? "[0, 0, 0] [m]" : "[0, 0] [m]")));
      return std::nullopt;
    }
    const Result value = typed_value(*given->second, scope, dim, physical(dimension), fmt::format("'{}'", name));
    if (value && node(*value).depends.any()) {
      report(Kind::not_constant, given->second->span,
             fmt::format("'{}' is where the joint is at the start: it may depend on parameters alone", name));
      return std::nullopt;
    }
    return value;
  };
  const bool needs_axis = what == "universal" || what == "prismatic" || (what == "revolute" && space);
  const bool needs_place = what != "prismatic" && what != "fixed";
  const Result place = vector("at", dimensions::length, needs_place);
  const Result axis = vector("axis", {}, needs_axis);
  const Result axis2 = vector("axis2", {}, what == "universal");
  if (!place || !axis || !axis2) return std::nullopt;
  for (const auto& [name, value] : {std::pair("axis", *axis), std::pair("axis2", *axis2)}) {
    const auto given = options->find(std::string_view(name));
    if (given == options->end() || !is_zero(value)) continue;
    report(Kind::joint_incomplete, given->second->span, fmt::format("'{}' has a direction, this is zero", name));
    return std::nullopt;
  }

  NodeId P[2];
  const auto fixed_in = [&](int k, NodeId direction) {  // a direction at the start, carried along by body k
    const NodeId local = library("seen_from", {zeros(dim, span), links[k].start.R, direction}, span);
    return *multiply(links[k].pose.R, local, span);
  };
  for (int k = 0; k < 2; ++k) {
    const NodeId local = library("seen_from", {links[k].start.x, links[k].start.R, *place}, span);
    P[k] = library("placed", {links[k].pose.x, links[k].pose.R, local}, span);
  }
  const NodeId spin = difference(links[1].pose.w, links[0].pose.w, span);
  Quantities q;
  q.point = P[0];
  const auto derivative_of = [&](NodeId value) {
    Type rate = type(value);
    for (Dimension& d : rate.dimensions) d = d / time_dimension();
    return make(NodeKind::derivative, std::move(rate), {value}, span);
  };

  if (space) {
    const NodeId up = stack({zeros(1, span), zeros(1, span), make_number(1, {}, span)}, span);
    const NodeId a = needs_axis ? library("unit_or", {*axis, up}, span) : up;
    const NodeId b = library("perpendicular", {a}, span);
    const NodeId c = library("crossed", {a, b}, span);
    const NodeId A1 = fixed_in(0, a), B1 = fixed_in(0, b), C1 = fixed_in(0, c);
    const auto turned = [&](int k) {  // the rotation since the start
      return library("rotated_since", {links[k].pose.R, links[k].start.R}, span);
    };
    const NodeId together = library("joint_point", {P[0], P[1]}, span);
    if (what == "spherical") {
      q.gap = together;
      q.slip = spin;
    } else if (what == "fixed") {
      q.gap = stack({together, library("joint_frame", {turned(0), turned(1)}, span)}, span);
    } else if (what == "revolute") {
      q.gap = stack({together, library("joint_axis", {B1, C1, fixed_in(1, a)}, span)}, span);
      q.angle = library("joint_angle", {A1, B1, fixed_in(1, b)}, span);
      q.slip = library("along", {A1, spin}, span);
    } else if (what == "universal") {
      const NodeId a2 = library("unit_or", {*axis2, b}, span);
      q.gap = stack({together, library("joint_cross", {A1, fixed_in(1, a2)}, span)}, span);
    } else {
      q.gap = stack(
          {library("joint_frame", {turned(0), turned(1)}, span), library("joint_line", {B1, C1, P[0], P[1]}, span)},
          span);
      q.travel = library("joint_travel", {A1, P[0], P[1]}, span);
      q.slip = derivative_of(*q.travel);
    }
    return q;
  }

  // In the plane.
  NodeId angles[2], starts[2];
  for (int k = 0; k < 2; ++k) {
    angles[k] =
        links[k].world ? zeros(1, span) : coordinate_node(links[k].body->first_coordinate + 2, links[k].at, span);
    const Result start = links[k].world ? Result(zeros(1, span))
                                        : option(links[k].body->options, "angle",
                                                 body_scope(*links[k].body, links[k].at), 1, {}, 0, span);
    if (!start) return std::nullopt;
    starts[k] = *start;
  }
  const NodeId turn = difference(difference(angles[1], angles[0], span), difference(starts[1], starts[0], span), span);
  const NodeId together = difference(P[0], P[1], span);
  if (what == "revolute") {
    q.gap = together;
    q.angle = turn;
    q.slip = spin;
  } else if (what == "fixed") {
    q.gap = stack({together, turn}, span);
  } else {
    const NodeId right = stack({make_number(1, {}, span), zeros(1, span)}, span);
    const NodeId a = library("unit_or", {*axis, right}, span);
    const NodeId apart = difference(P[1], P[0], span);
    q.gap = stack({library("along", {fixed_in(0, library("tangent2", {a}, span)), apart}, span), turn}, span);
    q.travel = library("along", {fixed_in(0, a), apart}, span);
    q.slip = derivative_of(*q.travel);
  }
  return q;
}

void Elaborator::elaborate_spring(const ast::Spring& spring) {
  const Span span = spring.name.span;
  const char* what = spring.damper ? "damper" : "spring";
  const auto range = ranged(spring.range, global_scope_);
  if (!range) return;
  const Looking looking(looking_, range->instances);
  if ((!spring.stiffness && !spring.damping) || (spring.damper && !spring.damping)) {
    report(Kind::spring_incomplete, span,
           spring.damper ? fmt::format("damper '{}' has no damping", spring.name.text)
                         : fmt::format("spring '{}' has neither stiffness nor damping", spring.name.text),
           spring.damper ? "write: damper c between p and q damping d" : "write: spring s between p and q stiffness k");
    return;
  }
  // What it stretches: the distance of two points, or the free coordinate of a joint.
  NodeId stretch = 0;
  const char* rest_name = "length";
  if (spring.joint) {
    const auto found = globals_.find(spring.joint->name.text);
    const bool is_joint = found != globals_.end() && found->second.kind == SymbolKind::contact &&
                          contact_sources_[found->second.index].joint != nullptr;
    if (!is_joint) {
      std::vector<std::string> names;
      for (const ContactSource& source : contact_sources_) {
        if (source.joint != nullptr) names.push_back(source.joint->name.text);
      }
      std::string hint = did_you_mean(spring.joint->name.text, names);
      if (hint.empty()) hint = fmt::format("a {0} acts on a joint or between two points: {0} s between p and q", what);
      report(Kind::spring_incomplete, spring.joint->span, fmt::format("'{}' is not a joint", spring.joint->name.text),
             hint);
      return;
    }
    std::vector<const ast::Expr*> indices;
    if (spring.joint->index) indices.push_back(&*spring.joint->index);
    std::vector<NodeId> self;
    const std::uint32_t joint = found->second.index;
    if (!find_instance(spring.joint->name.text, indices, model_.contacts[joint].instances, range->scope,
                       spring.joint->span, self)) {
      return;
    }
    const auto q = quantities_of(joint, self);
    if (!q) return;
    if (!q->angle && !q->travel) {
      report(Kind::spring_incomplete, spring.joint->span,
             fmt::format("joint '{}' has no angle or travel that a {} could act on", spring.joint->name.text, what),
             "revolute and prismatic joints have one");
      return;
    }
    stretch = q->angle ? *q->angle : *q->travel;
    rest_name = q->angle ? "angle at rest" : "travel at rest";
  } else {
    if (!spring.from || !spring.to) return;  // a syntax error
    const Result from = expression(*spring.from, range->scope);
    const Result to = expression(*spring.to, range->scope);
    if (!from || !to) return;
    const std::uint32_t dim = type(*from).rows;
    for (const ast::Expr* end : {&*spring.from, &*spring.to}) {
      const Result point =
          typed_value(*end, range->scope, dim, physical(dimensions::length), fmt::format("an end of a {}", what));
      if (!point) return;
      if (node(*point).depends.velocity || node(*point).depends.force) {
        report(Kind::depends_on_velocity, end->span, fmt::format("an end of a {} is a point", what));
        return;
      }
    }
    stretch = difference(*to, *from, span);
    // With a length of its own it pulls along its line; without one a spring is the same in all directions.
    if ((spring.rest || spring.damper) && type(stretch).rows > 1) stretch = library("length_of", {stretch}, span);
  }
  const Dimension length = type(stretch).dimensions[0];
  const Dimension per_length = energy_dimension() / (length * length);
  const auto number = [&](const ast::Part<ast::Expr>& expr, Dimension dimension, const char* name) -> Result {
    return typed_value(*expr, range->scope, 1, dimension, fmt::format("the {} of a {}", name, what));
  };
  if (spring.stiffness) {
    const Result k = number(spring.stiffness, per_length, "stiffness");
    Result rest = zeros(type(stretch).rows, span);
    if (spring.rest) rest = number(spring.rest, length, rest_name);
    if (!k || !rest) return;
    const NodeId energy = library("spring_energy", {*k, stretch, *rest}, span);
    model_.potential.push_back({energy, range->instances, fmt::format("{} {}", what, spring.name.text), false});
  }
  if (spring.damping) {
    const Result d = number(spring.damping, per_length * time_dimension(), "damping");
    if (!d) return;
    Type rate = type(stretch);
    for (Dimension& dimension : rate.dimensions) dimension = dimension / time_dimension();
    const NodeId velocity = make(NodeKind::derivative, std::move(rate), {stretch}, span);
    model_.dissipation.push_back({library("centred_energy", {*d, velocity}, span), range->instances,
                                  fmt::format("{} {}", what, spring.name.text), false});
  }
}

}  // namespace nsmc
