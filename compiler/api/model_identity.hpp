// What makes a saved run belong to a model (runtime/output/state_file.hpp).
#pragma once

#include <string>

#include "compiler/api/pipeline.hpp"

namespace nsmc {

// A word for the checked declarations of a model without errors and its own settings, but for when it ends and what it
// records. Comments, layout and values given to parameters do not matter.
std::string model_identity(Pipeline& pipeline);

}  // namespace nsmc
