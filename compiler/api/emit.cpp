#include "compiler/api/emit.hpp"

#include <fmt/core.h>

#include "compiler/api/pipeline.hpp"
#include "compiler/codegen/fused_step.hpp"
#include "compiler/codegen/jit.hpp"
#include "compiler/mechanics/equations_text.hpp"
#include "compiler/syntax/print.hpp"
#include "nsmc/errors.hpp"

namespace nsmc {

std::optional<std::string> emit(Pipeline& pipeline, const std::string& stage) {
  if (stage == "ast") {
    const SourceModels* models = pipeline.parsed();
    return models != nullptr ? std::optional(print(models->files.front())) : std::nullopt;
  }
  if (stage == "model") {
    const TypedModel* model = pipeline.checked();
    return model != nullptr ? std::optional(print(*model)) : std::nullopt;
  }
  const Equations* equations = pipeline.derived();
  if (equations == nullptr) return std::nullopt;
  if (stage == "equations") return equations_text(pipeline.pool(), *equations);
  if (stage == "latex") return equations_latex(pipeline.pool(), *equations);
  const bool whole_step = stage == "step" || stage == "step-asm";
  const std::shared_ptr<const KernelPlan> plan = pipeline.planned(whole_step ? Level::velocity : Level::acceleration);
  if (stage == "llvm") return emit_llvm(plan->programs);
  if (stage == "asm") return emit_asm(plan->programs);
  if (stage == "c") return emit_c(plan->programs);
  if (!whole_step) throw SettingError("stage", fmt::format("there is no stage '{}'", stage));
  const std::optional<FusedStepPlan> step = plan_fused_step(*plan);
  if (!step) throw SettingError("stage", "the step is not compiled together with the kernels of this model");
  return stage == "step" ? emit_llvm(plan->programs, &*step) : emit_asm(plan->programs, &*step);
}

EmittedStage emit(const ModelSource& source, const std::string& stage, bool colour) {
  Pipeline pipeline(source);
  EmittedStage emitted;
  emitted.text = emit(pipeline, stage);
  emitted.diagnostics = render(pipeline.diagnostics(), pipeline.sources(), colour);
  emitted.errors = pipeline.diagnostics().error_count();
  return emitted;
}

}  // namespace nsmc
