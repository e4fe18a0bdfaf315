// Names: what a name, a member or a time derivative of one stands for.
#pragma once

#include "compiler/model/core.hpp"

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

  Expressions& expressions_;
  Calls& calls_;
  Sets& sets_;
  Arrays& arrays_;
  Variables& variables_;
  Bodies& bodies_;
  Contacts& contacts_;
};

}  // namespace nsmc
