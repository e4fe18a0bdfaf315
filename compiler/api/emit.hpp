// Every stage of the compilation as text.
#pragma once

#include <optional>
#include <string>

#include "compiler/api/pipeline.hpp"

namespace nsmc {

// ast, model, equations, latex, llvm, asm, step, step-asm or c; runs the stages that it needs and no more. Nothing if
// they find errors. Throws SettingError for a stage that there is not, or not for this model.
std::optional<std::string> emit(Pipeline& pipeline, const std::string& stage);

}  // namespace nsmc
