#include "compiler/model/mentioned_units.hpp"

#include <algorithm>

#include "compiler/support/overload.hpp"

namespace nsmc {
namespace {

bool mentions_unit(const ast::Expr& expr) {
  if (expr.unit && !expr.unit->factors.empty()) return true;
  return std::any_of(expr.args.begin(), expr.args.end(), mentions_unit);
}

bool mentions_unit(const std::optional<ast::Unit>& unit) { return unit && !unit->factors.empty(); }

bool mentions_unit(const ast::Part<ast::Expr>& expr) { return expr && mentions_unit(*expr); }

bool mentions_unit(const std::vector<ast::ContactItem>& items) {
  return std::any_of(items.begin(), items.end(), [](const ast::ContactItem& item) {
    return std::visit(Overload{[](const ast::LawUse& use) { return mentions_unit(use.call); },
                               [](const auto& other) { return mentions_unit(other.value); }},
                      item);
  });
}

bool mentions_unit(const std::vector<ast::Assignment>& assignments) {
  return std::any_of(assignments.begin(), assignments.end(),
                     [](const ast::Assignment& assignment) { return mentions_unit(assignment.value); });
}

bool mentions_unit(const ast::Declaration& declaration) {
  return std::visit(
      Overload{[](const ast::Param& d) { return mentions_unit(d.unit) || mentions_unit(d.value); },
               [](const ast::Let& d) { return mentions_unit(d.value); },
               [](const ast::Function& d) { return mentions_unit(d.body); },
               [](const ast::Coord& d) { return mentions_unit(d.unit) || (d.initial && mentions_unit(*d.initial)); },
               [](const ast::Discrete& d) { return mentions_unit(d.unit) || (d.initial && mentions_unit(*d.initial)); },
               [](const ast::Table& d) {
                 return mentions_unit(d.unit) || mentions_unit(d.values) ||
                        std::any_of(d.arguments.begin(), d.arguments.end(),
                                    [](const ast::TableArgument& argument) { return mentions_unit(argument.unit); });
               },
               [](const ast::When& d) { return mentions_unit(d.condition) || mentions_unit(d.assignments); },
               [](const ast::Every& d) { return mentions_unit(d.interval) || mentions_unit(d.assignments); },
               [](const ast::Stop& d) { return mentions_unit(d.condition); },
               [](const ast::State& d) {
                 return mentions_unit(d.unit) || (d.initial && mentions_unit(*d.initial)) || mentions_unit(d.rate);
               },
               [](const ast::Velocity& d) { return mentions_unit(d.unit) || (d.initial && mentions_unit(*d.initial)); },
               [](const ast::Kinematics& d) { return mentions_unit(d.rate); },
               [](const ast::Initial& d) { return mentions_unit(d.value); },
               [](const ast::Kinetic& d) { return mentions_unit(d.energy); },
               [](const ast::Potential& d) { return mentions_unit(d.energy); },
               [](const ast::Dissipation& d) { return mentions_unit(d.potential); },
               [](const ast::Force& d) { return mentions_unit(d.value); },
               [](const ast::ForceVector& d) { return mentions_unit(d.value); },
               [](const ast::Mass& d) { return mentions_unit(d.matrix); },
               [](const ast::Contact& d) { return mentions_unit(d.active) || mentions_unit(d.items); },
               [](const ast::Constraint& d) { return mentions_unit(d.active) || mentions_unit(d.items); },
               [](const ast::SetDefinition& d) { return mentions_unit(d.value); },
               [](const ast::Body& d) { return mentions_unit(d.call); },
               [](const ast::Gravity& d) { return mentions_unit(d.value); },
               [](const ast::Shape& d) { return mentions_unit(d.call) || mentions_unit(d.at); },
               [](const ast::Joint& d) {
                 return mentions_unit(d.call) || mentions_unit(d.active) || mentions_unit(d.items);
               },
               [](const ast::Spring& d) {
                 return mentions_unit(d.stiffness) || mentions_unit(d.damping) || mentions_unit(d.rest) ||
                        mentions_unit(d.from) || mentions_unit(d.to);
               },
               [](const ast::Output& d) { return mentions_unit(d.unit) || mentions_unit(d.value); },
               [](const auto&) { return false; }},
      declaration.value);
}

}  // namespace

bool mentions_unit(const ast::Model& file) {
  return std::any_of(file.declarations.begin(), file.declarations.end(),
                     [](const ast::Declaration& d) { return mentions_unit(d); });
}

}  // namespace nsmc
