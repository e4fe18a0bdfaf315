// What `nsmc run` prints of a run, for others who show runs.
#pragma once

#include <string>

#include "nsmc/model.hpp"

namespace nsmc {

std::string run_summary(const Model& model, const RunResult& result);

}  // namespace nsmc
