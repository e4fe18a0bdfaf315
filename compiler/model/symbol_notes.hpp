// What is known of the names of a model when check has done what it could: types, units, values and members. An error
// elsewhere takes nothing away from them.
#pragma once

#include "compiler/model/core.hpp"

namespace nsmc {

class Arrays;
class Bodies;
class Contacts;

class SymbolNotes : Part {
 public:
  SymbolNotes(Core& core, const Arrays& arrays, const Bodies& bodies, const Contacts& contacts)
      : Part(core), arrays_(arrays), bodies_(bodies), contacts_(contacts) {}

  void describe(SymbolTable& table) const;

 private:
  void describe(Symbol& symbol, const GlobalSymbol& global, const std::vector<double>& constants) const;
  std::vector<double> constants() const;  // of all nodes; NaN where a node is no number known from parameters

  const Arrays& arrays_;
  const Bodies& bodies_;
  const Contacts& contacts_;
};

}  // namespace nsmc
