// What LLVM's passes do to a module, for the machine of `target`.
#pragma once

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace nsmc {

// Kernels: straight-line programs.
void optimise_kernels(llvm::Module& module, llvm::TargetMachine& target);

// The fused step, linked with its kernels (fused_step.hpp).
void optimise_fused_step(llvm::Module& module, llvm::TargetMachine& target);

}  // namespace nsmc
