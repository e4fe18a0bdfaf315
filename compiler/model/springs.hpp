// Springs and dampers, between two points or on the free coordinate of a joint: energies and dissipation functions.
#pragma once

#include "compiler/model/core.hpp"

namespace nsmc {

class Arguments;
class Arrays;
class Calls;
class Contacts;
class Expressions;

class Springs : Part {
 public:
  Springs(Core& core, Expressions& expressions, Calls& calls, Arrays& arrays, Arguments& arguments, Contacts& contacts)
      : Part(core),
        expressions_(expressions),
        calls_(calls),
        arrays_(arrays),
        arguments_(arguments),
        contacts_(contacts) {}

  void elaborate_spring(const ast::Spring& spring);

 private:
  Expressions& expressions_;
  Calls& calls_;
  Arrays& arrays_;
  Arguments& arguments_;
  Contacts& contacts_;
};

}  // namespace nsmc
