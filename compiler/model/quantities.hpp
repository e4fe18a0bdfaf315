// What a contact between shapes or a joint defines; absent what it does not have.
#pragma once

#include "compiler/model/core.hpp"

namespace nsmc {

// The body on one side, by its number; absent: the world.
struct SideBody {
  std::optional<std::uint32_t> body;
  At at;
};

struct Quantities {
  At gap, gap_rate, slip, spin, roll, normal, point, angle, travel, axis;
  SideBody sides[2]{};
  std::vector<TypedMeasure> measures;  // of the shapes
};

}  // namespace nsmc
