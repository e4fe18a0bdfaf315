// Unknown names in functions and sets that the model never uses, which expansion does not reach.
#pragma once

#include "compiler/model/core.hpp"

namespace nsmc {

void check_definition_names(const SourceModels& models, const Globals& globals, Diagnostics& diagnostics);

}  // namespace nsmc
