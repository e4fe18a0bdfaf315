// The bitcode of the step, with its constant and its kernels filled in.
#include "compiler/codegen/fused_step.hpp"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "compiler/codegen/llvm_ir.hpp"
#include "compiler/codegen/step_bitcode.hpp"
#include "compiler/support/internal_check.hpp"

namespace nsmc {

namespace {

std::unique_ptr<llvm::Module> read_step(llvm::LLVMContext& context) {
  const std::string_view bytes = step_bitcode();
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef({bytes.data(), bytes.size()}, "step"), context);
  if (!module) throw InternalError("the bitcode of the step: " + llvm::toString(module.takeError()));
  return std::move(*module);
}

void define_layout(llvm::Module& module, const rt::small::Layout& layout) {
  llvm::GlobalVariable* declared = module.getGlobalVariable("nsm_layout");
  internal_check(declared != nullptr, "the step has no layout");
  llvm::SmallVector<std::uint8_t, sizeof layout> bytes(sizeof layout);
  std::memcpy(bytes.data(), &layout, sizeof layout);
  llvm::Constant* value = llvm::ConstantDataArray::get(module.getContext(), bytes);
  auto* defined =
      new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::InternalLinkage, value, "layout");
  defined->setAlignment(llvm::Align(alignof(rt::small::Layout)));
  declared->replaceAllUsesWith(defined);
  declared->eraseFromParent();
}

// A kernel of the model takes the place of one that the step declares. One that the model does not have is not called,
// which the optimiser will see; until then it does nothing.
void define_kernel(llvm::Module& module, const char* declared_name, const ProgramSet& kernels,
                   const std::optional<KernelId>& id) {
  llvm::Function* declared = module.getFunction(declared_name);
  if (declared == nullptr) return;
  if (!id) {
    llvm::IRBuilder<>(llvm::BasicBlock::Create(module.getContext(), "entry", declared)).CreateRetVoid();
    return;
  }
  const auto program = std::find_if(kernels.programs.begin(), kernels.programs.end(),
                                    [&](const Program& candidate) { return candidate.id == *id; });
  internal_check(program != kernels.programs.end(), "the step misses a kernel");
  llvm::Function* kernel = module.getFunction(program->name);
  internal_check(kernel != nullptr, "a kernel of the step is empty");
  declared->replaceAllUsesWith(kernel);
  declared->eraseFromParent();
}

}  // namespace

std::unique_ptr<llvm::Module> build_fused_step(llvm::LLVMContext& context, const FusedStepPlan& plan,
                                               const llvm::TargetMachine& target) {
  std::unique_ptr<llvm::Module> module = build_module(context, plan.kernels, target);
  std::unique_ptr<llvm::Module> step = read_step(context);
  step->setTargetTriple(module->getTargetTriple());
  step->setDataLayout(module->getDataLayout());
  if (llvm::Linker::linkModules(*module, std::move(step))) throw InternalError("the step does not fit the kernels");

  define_layout(*module, plan.layout);
  define_kernel(*module, "nsm_kinematics", plan.kernels, plan.kinematics);
  define_kernel(*module, "nsm_dynamics", plan.kernels, plan.dynamics);
  static_assert(FusedStepPlan::max_contacts == 2);
  define_kernel(*module, "nsm_gap_0", plan.kernels, plan.gap[0]);
  define_kernel(*module, "nsm_gap_1", plan.kernels, plan.gap[1]);
  define_kernel(*module, "nsm_directions_0", plan.kernels, plan.directions[0]);
  define_kernel(*module, "nsm_directions_1", plan.kernels, plan.directions[1]);
  for (llvm::Function& f : *module) {
    if (f.isDeclaration()) continue;
    // Everything is compiled for this machine, and seen from outside only where it starts.
    f.removeFnAttr("tune-cpu");
    f.addFnAttr("target-cpu", target.getTargetCPU());
    f.addFnAttr("target-features", target.getTargetFeatureString());
    f.setComdat(nullptr);
    if (f.getName() != fused_step_name) f.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  return module;
}

}  // namespace nsmc
