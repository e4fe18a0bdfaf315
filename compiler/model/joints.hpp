// Joints are bilateral constraints on positions; what is free in them can carry friction, springs and dampers.
#pragma once

#include "compiler/model/bodies.hpp"
#include "compiler/model/quantities.hpp"

namespace nsmc {

class Joints : Part {
 public:
  Joints(Core& core, Expressions& expressions, Calls& calls, Arguments& arguments, Bodies& bodies)
      : Part(core), expressions_(expressions), calls_(calls), arguments_(arguments), bodies_(bodies) {}

  std::optional<Quantities> joint_quantities(const ast::Joint& joint, const Scope& scope);

 private:
  Expressions& expressions_;
  Calls& calls_;
  Arguments& arguments_;
  Bodies& bodies_;
};

}  // namespace nsmc
