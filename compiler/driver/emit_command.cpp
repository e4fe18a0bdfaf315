// nsmc emit: every stage of the compilation can be seen.
#include <optional>

#include "compiler/api/pipeline.hpp"
#include "compiler/codegen/fused_step.hpp"
#include "compiler/codegen/jit.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/terminal.hpp"
#include "compiler/mechanics/equations_text.hpp"
#include "compiler/syntax/print.hpp"

namespace nsmc {
namespace {

std::string emit(Pipeline& pipeline, const EmitOptions& options) {
  if (options.stage == "ast") {
    const SourceModels* models = pipeline.parsed();
    return models != nullptr ? print(models->files.front()) : "";
  }
  if (options.stage == "model") {
    const TypedModel* model = pipeline.checked();
    return model != nullptr ? print(*model) : "";
  }
  const Equations* equations = pipeline.derived();
  if (equations == nullptr) return "";
  if (options.stage == "equations") {
    return options.latex ? equations_latex(pipeline.pool(), *equations) : equations_text(pipeline.pool(), *equations);
  }
  const bool whole_step = options.stage == "step" || options.stage == "step-asm";
  const KernelPlan plan = plan_kernels(*equations, pipeline.pool(), whole_step ? Level::velocity : Level::acceleration);
  const ProgramSet programs = lower(pipeline.pool(), plan.specs);
  if (options.stage == "llvm") return emit_llvm(programs);
  if (options.stage == "asm") return emit_asm(programs);
  if (whole_step) {
    const std::optional<FusedStepPlan> step = plan_fused_step(plan, programs);
    if (!step) throw UsageError("the step is not compiled together with the kernels of this model");
    return options.stage == "step" ? emit_llvm(programs, &*step) : emit_asm(programs, &*step);
  }
  return emit_c(programs);
}

}  // namespace

int emit_command(const EmitOptions& options) {
  if (options.latex && options.stage != "equations") throw UsageError("--latex goes with --stage equations");
  Pipeline pipeline(options.file);
  const std::string text = emit(pipeline, options);
  print_diagnostics(pipeline);
  if (pipeline.diagnostics().has_errors()) return kModelErrors;
  write_stdout(text);
  return kDone;
}

}  // namespace nsmc
