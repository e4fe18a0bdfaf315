// Programs as LLVM IR, before optimisation: one module, one function per program that has instructions, named like it
// and with the signature of nsm_kernel, or, over lanes, of nsm_lane_kernel.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "compiler/codegen/lane_shape.hpp"
#include "compiler/codegen/program.hpp"

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
}  // namespace llvm

namespace nsmc {

// For the machine of `target`; throws InternalError if the result is malformed.
std::unique_ptr<llvm::Module> build_module(llvm::LLVMContext& context, const ProgramSet& programs,
                                           const llvm::TargetMachine& target, const LaneShape& shape = {});

// A function of the mathematics library that kernels may call; together they are all that kernels can link to.
struct LibraryFunction {
  std::string_view name;
  void* address;
};
std::span<const LibraryFunction> library_functions();

}  // namespace nsmc
