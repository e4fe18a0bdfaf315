// Quantities on the command line: "0.3", "15[mm]", "-2 [m/s]", in the syntax of the language.
#pragma once

#include <string>

#include "compiler/model/dimension.hpp"

namespace nsmc {

struct Quantity {
  double value = 0;  // SI
  bool has_unit = false;
  Dimension dimension;
};

// Throws UsageError with `what` in it.
Quantity read_quantity(const std::string& text, const std::string& what);

}  // namespace nsmc
