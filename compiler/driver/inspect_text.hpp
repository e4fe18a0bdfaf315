// The numbers of a step (runtime/evaluation/step_numbers.hpp) for people, and as JSON.
#pragma once

#include <string>
#include <vector>

#include "compiler/codegen/kernels.hpp"
#include "runtime/evaluation/step_numbers.hpp"
#include "runtime/system.hpp"

namespace nsmc {

// The names that belong to the numbers of a model.
struct NumberNames {
  NumberNames(const KernelPlan& plan, const rt::System& system, const rt::StepNumbers& numbers);

  std::vector<std::string> velocities, velocity_units;
  std::vector<std::string> contacts;  // all of them
  std::vector<std::string> rows;      // of the closed ones
};

std::string inspect_text(const std::string& model, const rt::StepNumbers& numbers, const NumberNames& names);
std::string inspect_json(const std::string& model, const rt::StepNumbers& numbers, const NumberNames& names);

}  // namespace nsmc
