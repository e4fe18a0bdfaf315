// Laws. A law is a template: it is expanded for the contact that uses it, so that T[dim(slip)] is a number in the plane
// and a vector in space, and its forces get the dimension that makes force times velocity a power.
#pragma once

#include "compiler/model/core.hpp"

namespace nsmc {

class Calls;
class Contacts;
class Expressions;

class Laws : Part {
 public:
  Laws(Core& core, Expressions& expressions, Calls& calls, Contacts& contacts)
      : Part(core), expressions_(expressions), calls_(calls), contacts_(contacts) {}

  // After the quantities of all contacts.
  void elaborate_laws(std::uint32_t contact);

 private:
  void elaborate_law(const ast::Expr& use, std::uint32_t contact);
  // Null after a report.
  const GlobalSymbol* find_law(const ast::Expr& use);
  void look_at_friction(TypedLaw& law);
  const ast::Inclusion* inclusion_of(const ast::Law& definition);
  // The steps of an expansion, false or nothing after a report: what its forces are dual to; its arguments; its lets
  // and forces; its inclusion.
  bool find_velocities(const ast::Law& definition, const ast::Inclusion& inclusion, std::uint32_t contact,
                       TypedLaw& law);
  std::optional<Scope> law_scope(const ast::Expr& use, const GlobalSymbol& symbol, std::uint32_t contact);
  bool add_forces(const ast::Law& definition, std::uint32_t contact, Scope& scope, TypedLaw& law);
  bool elaborate_inclusion(const ast::Inclusion& inclusion, const Scope& scope, TypedLaw& law, std::uint32_t contact);
  bool elaborate_restitution(const ast::Expr& expr, const Scope& scope, TypedLaw& law);
  bool check_shapes(const ast::Inclusion& inclusion, const TypedLaw& law);
  bool check_dimensions(const ast::Inclusion& inclusion, const TypedLaw& law, std::uint32_t contact);
  bool check_forces(const ast::Inclusion& inclusion, const TypedLaw& law, std::uint32_t contact);

  Expressions& expressions_;
  Calls& calls_;
  Contacts& contacts_;
};

}  // namespace nsmc
