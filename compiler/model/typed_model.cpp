#include "compiler/model/typed_model.hpp"

namespace nsmc {

std::string TypedContact::force_name(std::size_t row) const {
  for (const TypedLaw& law : laws) {
    for (const ForceVariable& force : law.forces) {
      if (row < force.first || row >= force.first + force.size) continue;
      return force.size == 1 ? force.name : force.name + "[" + std::to_string(row - force.first + 1) + "]";
    }
  }
  return "lambda[" + std::to_string(row + 1) + "]";
}

}  // namespace nsmc
