// Parameters, coordinates, velocities, their kinematics and initial values.
#pragma once

#include "compiler/model/core.hpp"

namespace nsmc {

class Arrays;
class Expressions;
struct CoordinateArray;

class Variables : Part {
 public:
  Variables(Core& core, Expressions& expressions, Arrays& arrays)
      : Part(core), expressions_(expressions), arrays_(arrays) {}

  void elaborate_parameter(GlobalSymbol& symbol);
  void elaborate_coordinate(const ast::Coord& coord, std::uint32_t index);
  void elaborate_velocity(const ast::Velocity& velocity, std::uint32_t index);
  void elaborate_initial(const ast::Initial& initial);
  void elaborate_kinematics(const ast::Kinematics& kinematics);
  // A value of parameters alone with the dimension `wanted`; a plain number takes the declared unit.
  Result constant_value(const ast::Expr& expr, const std::optional<ast::Unit>& unit, const Dimension& wanted,
                        const char* what, const Scope& scope);

 private:
  bool unit_behind_value(const ast::Expr& value, const std::optional<ast::Unit>& unit);
  void elaborate_bounds(const ast::Param& declaration, TypedParameter& parameter);
  void elaborate_array_initial(const ast::Initial& initial, const CoordinateArray& array);

  Expressions& expressions_;
  Arrays& arrays_;
};

}  // namespace nsmc
