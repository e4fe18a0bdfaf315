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
  bool elaborate_inclusion(const ast::Inclusion& inclusion, const Scope& scope, TypedLaw& law,
                           const TypedContact& contact);

  Expressions& expressions_;
  Calls& calls_;
  Contacts& contacts_;
};

}  // namespace nsmc
