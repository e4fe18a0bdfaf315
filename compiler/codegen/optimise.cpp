#include "compiler/codegen/optimise.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/LowerConstantIntrinsics.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <string_view>
#include <utility>

#include "compiler/codegen/llvm_ir.hpp"
#include "compiler/support/internal_check.hpp"

namespace nsmc {

namespace {

// The analyses that passes ask for, and who runs them.
class Passes {
 public:
  explicit Passes(llvm::TargetMachine& target) : builder_(&target), library_(target.getTargetTriple()) {
    // Calls to what the kernels cannot link to must not be invented.
    library_.disableAllFunctions();
    for (const LibraryFunction& f : library_functions()) {
      llvm::LibFunc id{};
      if (library_.getLibFunc(llvm::StringRef(f.name), id)) library_.setAvailable(id);
    }
    functions_.registerPass([&] { return llvm::TargetLibraryAnalysis(library_); });
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(components_);
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
  }

  template <class Pass>
  void run(llvm::Module& module, Pass pass) {
    llvm::ModulePassManager manager;
    manager.addPass(std::move(pass));
    manager.run(module, modules_);
  }
  void run(llvm::Module& module, llvm::FunctionPassManager passes) {
    run(module, llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  }

 private:
  llvm::PassBuilder builder_;
  llvm::TargetLibraryInfoImpl library_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
};

void inline_all(llvm::Module& module, Passes& passes) {
  for (llvm::Function& f : module) {
    if (!f.hasLocalLinkage()) continue;
    f.removeFnAttr(llvm::Attribute::NoInline);
    f.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  passes.run(module, llvm::AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false));
  passes.run(module, llvm::GlobalDCEPass());
}

// Whether there is a loop that was marked to be unrolled whole.
bool has_loop_to_unroll(llvm::Module& module) {
  for (llvm::Function& f : module) {
    if (f.isDeclaration()) continue;
    const llvm::DominatorTree tree(f);
    const llvm::LoopInfo loops(tree);
    for (const llvm::Loop* loop : loops.getLoopsInPreorder())
      if (llvm::getBooleanLoopAttribute(loop, "llvm.loop.unroll.full")) return true;
  }
  return false;
}

}  // namespace

// The programs come without common subexpressions and without loops: the long pipelines of -O2 and -O3 find nothing
// more in them and take five times as long. The vectoriser of straight-line code gains or loses up to 15 %, and takes
// more time than all the rest.
void optimise_kernels(llvm::Module& module, llvm::TargetMachine& target) {
  Passes passes(target);
  llvm::FunctionPassManager pipeline;
  pipeline.addPass(llvm::EarlyCSEPass());
  pipeline.addPass(llvm::InstCombinePass());
  pipeline.addPass(llvm::EarlyCSEPass());
  passes.run(module, std::move(pipeline));
}

void optimise_fused_step(llvm::Module& module, llvm::TargetMachine& target) {
  Passes passes(target);
  // The layout becomes known: branches on it vanish, loops are unrolled, and arrays become values. Bounds of inner
  // loops are known when the outer ones are unrolled, so that it takes some rounds. Loops with calls that may be
  // inlined would be left alone.
  for (llvm::Function& f : module)
    if (f.hasLocalLinkage()) f.addFnAttr(llvm::Attribute::NoInline);
  constexpr int kRounds = 5;
  for (int round = 0; round < kRounds && has_loop_to_unroll(module); ++round) {
    llvm::FunctionPassManager unroll;
    unroll.addPass(llvm::EarlyCSEPass());
    unroll.addPass(llvm::SimplifyCFGPass());
    passes.run(module, std::exchange(unroll, llvm::FunctionPassManager()));
    passes.run(module, llvm::GlobalDCEPass());
    unroll.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(3, /*OnlyWhenForced=*/true)
                                            .setPartial(false)
                                            .setPeeling(false)
                                            .setRuntime(false)
                                            .setUpperBound(false)));
    passes.run(module, std::move(unroll));
  }
  internal_check(!has_loop_to_unroll(module), "a loop of the fused step has no constant bounds");
  llvm::FunctionPassManager unroll;
  unroll.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  unroll.addPass(llvm::SCCPPass());
  unroll.addPass(llvm::SimplifyCFGPass());
  passes.run(module, std::move(unroll));

  // Now kernels and balls are inlined where they are still called, and what is constant in them spreads.
  inline_all(module, passes);
  llvm::FunctionPassManager fold;
  fold.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  fold.addPass(llvm::EarlyCSEPass());
  fold.addPass(llvm::SCCPPass());
  fold.addPass(llvm::LowerConstantIntrinsicsPass());
  fold.addPass(llvm::InstCombinePass());
  fold.addPass(llvm::SimplifyCFGPass());
  fold.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  fold.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), /*UseMemorySSA=*/true));
  fold.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  fold.addPass(llvm::InstCombinePass());
  fold.addPass(llvm::ADCEPass());
  fold.addPass(llvm::SimplifyCFGPass());
  passes.run(module, std::move(fold));
}

}  // namespace nsmc
