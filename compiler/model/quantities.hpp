// What a contact between shapes or a joint defines; absent what it does not have.
#pragma once

#include "compiler/model/core.hpp"

namespace nsmc {

struct Quantities {
  At gap, gap_rate, slip, spin, roll, normal, point, angle, travel;
  std::vector<TypedMeasure> measures;  // of the shapes
};

}  // namespace nsmc
