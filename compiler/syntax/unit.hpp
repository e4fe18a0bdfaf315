// A unit as it is written. Apart from the rest of the syntax tree, since dimensions need nothing else of it: the rooms
// behind compiler/model see dimensions, and no syntax tree.
#pragma once

#include <string>
#include <vector>

#include "compiler/support/source.hpp"

namespace nsmc::ast {

// [kg m^2/s^2]: factors with exponents, in the order written; [1] has none.
struct UnitFactor {
  std::string name;   // "kg", "mm"
  int numerator = 1;  // exponent as a fraction: s^-1, m^(1/2)
  int denominator = 1;
  Span span;
};
struct Unit {
  std::vector<UnitFactor> factors;
  Span span;
};

}  // namespace nsmc::ast
