#include "compiler/model/springs.hpp"

#include <fmt/core.h>

#include "compiler/model/arguments.hpp"
#include "compiler/model/arrays.hpp"
#include "compiler/model/calls.hpp"
#include "compiler/model/contacts.hpp"
#include "compiler/model/expressions.hpp"

namespace nsmc {

void Springs::elaborate_spring(const ast::Spring& spring) {
  const Span span = spring.name.span;
  const char* what = spring.damper ? "damper" : "spring";
  const auto range = arrays_.ranged(spring.range, global_scope_);
  if (!range) return;
  const Looking looking(core_, range->instances);
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
                          contacts_.source(found->second.index).joint != nullptr;
    if (!is_joint) {
      std::vector<std::string> names;
      for (const ContactSource& source : contacts_.sources()) {
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
    if (!arrays_.find_instance(spring.joint->name.text, indices, model_.contacts[joint].instances, range->scope,
                               spring.joint->span, self)) {
      return;
    }
    const auto q = contacts_.quantities_of(joint, self);
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
    const Result from = expressions_.expression(*spring.from, range->scope);
    const Result to = expressions_.expression(*spring.to, range->scope);
    if (!from || !to) return;
    const std::uint32_t dim = type(*from).rows;
    for (const ast::Expr* end : {&*spring.from, &*spring.to}) {
      const Result point = arguments_.typed_value(*end, range->scope, dim, physical(dimensions::length),
                                                  fmt::format("an end of a {}", what));
      if (!point) return;
      if (node(*point).depends.velocity || node(*point).depends.force) {
        report(Kind::depends_on_velocity, end->span, fmt::format("an end of a {} is a point", what));
        return;
      }
    }
    stretch = expressions_.difference(*to, *from, span);
    // With a length of its own it pulls along its line; without one a spring is the same in all directions.
    if ((spring.rest || spring.damper) && type(stretch).rows > 1)
      stretch = calls_.library("length_of", {stretch}, span);
  }
  const Dimension length = type(stretch).dimensions[0];
  const Dimension per_length = energy_dimension() / (length * length);
  const auto number = [&](const ast::Part<ast::Expr>& expr, Dimension dimension, const char* name) -> Result {
    return arguments_.typed_value(*expr, range->scope, 1, dimension, fmt::format("the {} of a {}", name, what));
  };
  if (spring.stiffness) {
    const Result k = number(spring.stiffness, per_length, "stiffness");
    Result rest = zeros(type(stretch).rows, span);
    if (spring.rest) rest = number(spring.rest, length, rest_name);
    if (!k || !rest) return;
    const NodeId energy = calls_.library("spring_energy", {*k, stretch, *rest}, span);
    model_.potential.push_back({energy, range->instances, fmt::format("{} {}", what, spring.name.text), false});
  }
  if (spring.damping) {
    const Result d = number(spring.damping, per_length * time_dimension(), "damping");
    if (!d) return;
    Type rate = type(stretch);
    for (Dimension& dimension : rate.dimensions) dimension = dimension / time_dimension();
    const NodeId velocity = make(NodeKind::derivative, std::move(rate), {stretch}, span);
    model_.dissipation.push_back({calls_.library("centred_energy", {*d, velocity}, span), range->instances,
                                  fmt::format("{} {}", what, spring.name.text), false});
  }
}

}  // namespace nsmc
