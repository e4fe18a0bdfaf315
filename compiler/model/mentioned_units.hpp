// A model without a single unit is written in pure numbers: time and energy are pure numbers too.
#pragma once

#include "compiler/syntax/ast.hpp"

namespace nsmc {

// True if a unit other than [1] stands anywhere in the file.
bool mentions_unit(const ast::Model& file);

}  // namespace nsmc
