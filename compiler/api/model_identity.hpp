// What makes a saved run (runtime/output/state_file.hpp) and the rows of a study (runtime/study/journal.hpp) belong to
// a model.
#pragma once

#include <string>

#include "compiler/api/pipeline.hpp"

namespace nsmc {

// A word for the checked declarations of a model without errors and its own settings. Comments, layout and values given
// to parameters do not matter. To a run that goes on, it does not matter either when it ends and what it records.
enum class IdentityOf : bool { runs, rows };
std::string model_identity(Pipeline& pipeline, IdentityOf what);

}  // namespace nsmc
