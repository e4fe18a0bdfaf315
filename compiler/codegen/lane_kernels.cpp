#include "compiler/codegen/lane_kernels.hpp"

#include <algorithm>
#include <string_view>

#include "compiler/codegen/vector_library.hpp"

namespace nsmc {
namespace {

// What a step over lanes calls; everything else is done run by run.
ProgramSet programs_of_a_step(const ProgramSet& programs) {
  ProgramSet result;
  result.n_shared = programs.n_shared;
  for (const Program& program : programs.programs) {
    const std::string_view name = program.name;
    for (const std::string_view prefix : {"kinematics_", "dynamics_", "gap_", "directions_"}) {
      if (name.starts_with(prefix)) result.programs.push_back(program);
    }
  }
  return result;
}

// Exact in any case if there is nothing that a vector library could do in another way.
bool is_exact(const ProgramSet& programs, const LaneShape& shape) {
  return std::all_of(programs.programs.begin(), programs.programs.end(), [&](const Program& program) {
    return std::all_of(program.steps.begin(), program.steps.end(), [&](const Step& step) {
      return step.function == nullptr || vector_library_function(step.function, shape) == nullptr;
    });
  });
}

// Gauges that are found by iteration: no code for lanes.
bool has_gauges(const ProgramSet& programs) {
  return std::any_of(programs.programs.begin(), programs.programs.end(), [](const Program& program) {
    return std::any_of(program.steps.begin(), program.steps.end(),
                       [](const Step& step) { return step.instruction == Instruction::implicit; });
  });
}

}  // namespace

LaneKernels::LaneKernels(const KernelPlan& plan, const ProgramSet& programs, const LaneShape& shape,
                         const KernelCache* cache)
    : LaneKernels(plan, programs_of_a_step(programs), is_exact(programs_of_a_step(programs), shape), shape.lanes,
                  cache) {}

LaneKernels::LaneKernels(const KernelPlan& plan, const ProgramSet& programs, bool exact, unsigned lanes,
                         const KernelCache* cache)
    : compiled_(programs, cache, nullptr, Fusing::never, {lanes, exact}) {
  for (const BlockKernels& k : plan.block_classes)
    block_classes_.push_back({compiled_.find_lanes("kinematics_" + k.id), compiled_.find_lanes("dynamics_" + k.id)});
  for (const ContactKernels& k : plan.contacts)
    contact_classes_.push_back(
        {k.has_gap ? compiled_.find_lanes("gap_" + k.id) : nullptr, compiled_.find_lanes("directions_" + k.id)});
  table_ = {lanes, exact ? 1u : 0u, block_classes_.data(), contact_classes_.data()};
}

std::unique_ptr<LaneKernels> compile_lanes(const Equations& equations, sym::ExprPool& pool, Level level,
                                           const LaneShape& shape, const KernelCache* cache) {
  const KernelPlan plan = plan_kernels(equations, pool, level);
  const ProgramSet programs = lower(pool, plan.specs);
  if (has_gauges(programs_of_a_step(programs))) return nullptr;
  return std::make_unique<LaneKernels>(plan, programs, shape, cache);
}

}  // namespace nsmc
