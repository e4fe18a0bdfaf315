// Energies, forces and the mass matrix, with the dimensions that make force times velocity a power.
#pragma once

#include "compiler/model/core.hpp"

namespace nsmc {

class Arrays;
class Bodies;
class Expressions;

class Dynamics : Part {
 public:
  Dynamics(Core& core, Expressions& expressions, Arrays& arrays, Bodies& bodies)
      : Part(core), expressions_(expressions), arrays_(arrays), bodies_(bodies) {}

  void elaborate_energy(const ast::Expr& expr, const ast::Part<ast::IndexRange>& range, const char* what,
                        const Dimension& dimension, bool velocities, std::vector<TypedTerm>& into);
  void elaborate_force(const ast::Force& force);
  void elaborate_force_vector(const ast::ForceVector& force);
  void elaborate_mass(const ast::Mass& mass);

 private:
  std::size_t scalar_velocities() const;  // those of the generalised coordinates, which a mass matrix is for

  std::string missing_factor(NodeId value, const Dimension& given, const Dimension& wanted, bool kinetic) const;

  Expressions& expressions_;
  Arrays& arrays_;
  Bodies& bodies_;
};

}  // namespace nsmc
