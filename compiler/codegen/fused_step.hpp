// Moreau's step as one program with the kernels of a model: runtime/small/step_fused.cpp, specialised.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "compiler/codegen/plan.hpp"
#include "runtime/small/layout.hpp"

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
}  // namespace llvm

namespace nsmc {

// What to specialise the step to: the layout, and the kernels that the step calls.
struct FusedStepPlan {
  static constexpr std::uint32_t max_contacts = rt::small::constant_limits.contacts;

  rt::small::Layout layout{};
  ProgramSet kernels;
  // Which of them; nothing: not called.
  std::optional<KernelId> kinematics, dynamics, gap[max_contacts], directions[max_contacts];
};

inline constexpr const char* fused_step_name = "nsm_advance_steps";

// Nothing if the model is not small (runtime/small/layout.hpp), or its kernels are long.
std::optional<FusedStepPlan> plan_fused_step(const KernelPlan& plan);

// The module before optimisation: it has one function that others may call, `fused_step_name`.
std::unique_ptr<llvm::Module> build_fused_step(llvm::LLVMContext& context, const FusedStepPlan& plan,
                                               const llvm::TargetMachine& target);

}  // namespace nsmc
