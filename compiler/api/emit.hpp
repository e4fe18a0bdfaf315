// Every stage of the compilation as text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace nsmc {

class Pipeline;
struct ModelSource;

// ast, model, equations, latex, llvm, asm, step, step-asm or c; runs the stages that it needs and no more. Nothing if
// they find errors. Throws SettingError for a stage that there is not, or not for this model.
std::optional<std::string> emit(Pipeline& pipeline, const std::string& stage);

// The same from the source, with what these stages, and none behind them, have to say.
struct EmittedStage {
  std::optional<std::string> text;
  std::string diagnostics;
  std::size_t errors = 0;
};
EmittedStage emit(const ModelSource& source, const std::string& stage, bool colour);

}  // namespace nsmc
