// Names: what a name, a member or a time derivative of one stands for.
#pragma once

#include "compiler/model/core.hpp"
#include "compiler/model/renamed.hpp"
#include "compiler/support/habits.hpp"

namespace nsmc {

class Arrays;
class Bodies;
class Calls;
class Contacts;
class Expressions;
class Sets;
class Variables;
struct CoordinateArray;

class Names : Part {
 public:
  Names(Core& core, Expressions& expressions, Calls& calls, Sets& sets, Arrays& arrays, Variables& variables,
        Bodies& bodies, Contacts& contacts)
      : Part(core),
        expressions_(expressions),
        calls_(calls),
        sets_(sets),
        arrays_(arrays),
        variables_(variables),
        bodies_(bodies),
        contacts_(contacts) {}

  Result name(const ast::Expr& expr, const Scope& scope);
  Result symbol_value(GlobalSymbol& symbol, const ast::Expr& expr);
  Result derivative(const ast::Expr& expr, const Scope& scope);
  Result member(const ast::Expr& expr, const Scope& scope);
  const CoordinateArray* named_array(const ast::Expr& expr, const Scope& scope) const;  // of z[i]; else null

 private:
  std::vector<std::string> visible_names(const Scope& scope) const;
  void report_unknown(const ast::Expr& expr, const Scope& scope, std::optional<std::uint32_t> contact);
  std::string member_habit(const ast::Expr& expr) const;
  bool missing_force(const ast::Expr& expr, std::uint32_t contact);
  std::string contact_with_force(std::string_view force) const;

  Expressions& expressions_;
  Calls& calls_;
  Sets& sets_;
  Arrays& arrays_;
  Variables& variables_;
  Bodies& bodies_;
  Contacts& contacts_;
  std::optional<RenamedNames> renamed_;  // made when the first unknown name is met
};

}  // namespace nsmc
