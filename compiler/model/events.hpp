// What a model does at instants: when a condition becomes true, every so often, or it ends the run.
#pragma once

#include "compiler/model/core.hpp"

namespace nsmc {

class Expressions;

class Events : Part {
 public:
  Events(Core& core, Expressions& expressions) : Part(core), expressions_(expressions) {}

  void elaborate(const ast::When& when, const std::string& doc);
  void elaborate(const ast::Every& every, const std::string& doc);
  void elaborate(const ast::Stop& stop, const std::string& doc);

  // A condition on the motion: of an event, or while which a contact can act.
  Result condition(const ast::Expr& expr, const Scope& scope, const char* what, bool forces);

 private:
  void add(TypedEvent event, const std::vector<ast::Assignment>& assignments);
  std::optional<TypedAssignment> assignment(const ast::Assignment& assignment);
  Result new_value(const ast::Assignment& assignment, const Dimension& wanted);

  Expressions& expressions_;
};

}  // namespace nsmc
