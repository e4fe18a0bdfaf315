// What went wrong in a step, in words.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/evaluation/step_report.hpp"
#include "runtime/evaluation/workspace.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

// Describes a step that failed: what, where, in which step, from which time. `work` has the contact problem that was
// solved last.
std::string describe_failure(const System& system, Workspace& work, const StepReport& report, std::uint64_t step,
                             double t);

// What is said of constraints that no positions satisfy together.
std::string describe_contradiction(const System& system, const std::vector<std::uint32_t>& contacts);

}  // namespace nsmc::rt
