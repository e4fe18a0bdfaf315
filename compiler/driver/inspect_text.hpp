// The numbers of a step (nsmc/step_numbers.hpp) for people, and as JSON.
#pragma once

#include <string>

#include "nsmc/step_numbers.hpp"

namespace nsmc {

std::string inspect_text(const std::string& model, const StepNumbers& numbers);
std::string inspect_json(const std::string& model, const StepNumbers& numbers);

}  // namespace nsmc
