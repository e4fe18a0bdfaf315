// What precise kernels link to: the arithmetic of numbers with 113 bits, which no machine has (libgcc), and their
// functions (glibc).
#pragma once

#include <span>

#include "compiler/codegen/llvm_ir.hpp"

namespace nsmc {

std::span<const LibraryFunction> quad_library_functions();

}  // namespace nsmc
