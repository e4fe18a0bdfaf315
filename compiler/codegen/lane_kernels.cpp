#include "compiler/codegen/lane_kernels.hpp"

#include <algorithm>

#include "compiler/codegen/vector_library.hpp"

namespace nsmc {
namespace {

// What a step over lanes calls; everything else is done run by run.
ProgramSet programs_of_a_step(const ProgramSet& programs) {
  ProgramSet result;
  result.n_shared = programs.n_shared;
  result.shapes = programs.shapes;
  for (const Program& program : programs.programs) {
    switch (program.id.kind) {
      case KernelKind::kinematics:
      case KernelKind::dynamics:
      case KernelKind::gap:
      case KernelKind::directions: result.programs.push_back(program); break;
      default: break;
    }
  }
  return result;
}

// Exact in any case if there is nothing that a vector library could do in another way.
bool is_exact(const ProgramSet& programs, const LaneShape& shape) {
  return std::all_of(programs.programs.begin(), programs.programs.end(), [&](const Program& program) {
    return std::all_of(program.instructions.begin(), program.instructions.end(), [&](const Instruction& instruction) {
      return instruction.function == nullptr || vector_library_function(instruction.function, shape) == nullptr;
    });
  });
}

// Gauges that are found by iteration: no code for lanes.
bool has_gauges(const ProgramSet& programs) {
  return std::any_of(programs.programs.begin(), programs.programs.end(), [](const Program& program) {
    return std::any_of(program.instructions.begin(), program.instructions.end(),
                       [](const Instruction& instruction) { return instruction.opcode == Opcode::implicit; });
  });
}

}  // namespace

LaneKernels::LaneKernels(const KernelPlan& plan, const LaneShape& shape, const KernelCache* cache)
    : LaneKernels(plan, programs_of_a_step(plan.programs), is_exact(programs_of_a_step(plan.programs), shape),
                  shape.lanes, cache) {}

LaneKernels::LaneKernels(const KernelPlan& plan, const ProgramSet& programs, bool exact, unsigned lanes,
                         const KernelCache* cache)
    : compiled_(programs, cache, nullptr, Fusing::never, {lanes, exact}) {
  for (std::uint32_t b = 0; b < plan.block_classes.size(); ++b)
    block_classes_.push_back(
        {compiled_.find_lanes({KernelKind::kinematics, b}), compiled_.find_lanes({KernelKind::dynamics, b})});
  for (std::uint32_t c = 0; c < plan.contact_classes.size(); ++c)
    contact_classes_.push_back(
        {compiled_.find_lanes({KernelKind::gap, c}), compiled_.find_lanes({KernelKind::directions, c})});
  table_ = {lanes, exact ? 1u : 0u, block_classes_.data(), contact_classes_.data()};
}

std::unique_ptr<LaneKernels> compile_lanes(const KernelPlan& plan, const LaneShape& shape, const KernelCache* cache) {
  if (has_gauges(programs_of_a_step(plan.programs))) return nullptr;
  return std::make_unique<LaneKernels>(plan, shape, cache);
}

}  // namespace nsmc
