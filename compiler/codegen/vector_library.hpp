// Functions of the mathematics library over the lanes of a register: those of glibc's libmvec, where it is installed.
// They are accurate to 4 units in the last place, and do not have the bits of the scalar functions.
#pragma once

#include <string_view>

#include "compiler/codegen/llvm_ir.hpp"

namespace nsmc {

// The version of a function for all lanes, under its name in libmvec. Null if there is none, or if the shape asks for
// exact results.
const LibraryFunction* vector_library_function(std::string_view name, const LaneShape& shape);

// Those of all functions and shapes.
std::span<const LibraryFunction> vector_library_functions();

}  // namespace nsmc
