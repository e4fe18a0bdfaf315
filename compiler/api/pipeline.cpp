#include "compiler/api/pipeline.hpp"

#include <fmt/core.h>

#include <chrono>

#include "compiler/mechanics/derive.hpp"
#include "nsmc/errors.hpp"

namespace nsmc {
namespace {

template <class Stage>
auto timed(double& seconds, Stage&& stage) {
  const auto start = std::chrono::steady_clock::now();
  auto result = stage();
  seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

// LLVM takes ten seconds and half a gigabyte for so many.
void require_compilable(const KernelPlan& plan) {
  constexpr std::size_t kMostInstructions = 500'000;
  const Program* longest = nullptr;
  std::size_t all = 0;
  for (const Program& program : plan.programs.programs) {
    all += program.instructions.size();
    if (longest == nullptr || program.instructions.size() > longest->instructions.size()) longest = &program;
  }
  if (all <= kMostInstructions) return;
  throw ModelError(
      fmt::format("the equations have {} operations, at most {} can be compiled; most of them, {}, are in {}", all,
                  kMostInstructions, longest->instructions.size(), longest->name));
}

}  // namespace

const SourceModels* Pipeline::parsed() {
  if (!parsed_ && !diagnostics_.has_errors()) {
    parsed_ = timed(times_.parse, [&] { return load(source_, sources_, diagnostics_); });
  }
  return parsed_ ? &*parsed_ : nullptr;
}

const TypedModel* Pipeline::checked() {
  if (!checked_ && parsed() != nullptr) {
    checked_ = timed(times_.check,
                     [&] { return check(*parsed_, diagnostics_, structure_, nullptr, with_scene_, search_from_); });
  }
  return checked_ ? &*checked_ : nullptr;
}

const Equations* Pipeline::derived() {
  if (!derived_ && checked() != nullptr) {
    derived_ = timed(times_.derive, [&] { return derive(*checked_, pool_, diagnostics_, structure_); });
    if (derived_ && with_scene_) scene_ = take_scene(*checked_, *derived_, pool_, diagnostics_);
    if (with_scene_ && !scene_) derived_.reset();
  }
  return derived_ ? &*derived_ : nullptr;
}

std::shared_ptr<const KernelPlan> Pipeline::planned(Level level) {
  if (derived() == nullptr) return nullptr;
  std::shared_ptr<const KernelPlan>& plan = planned_[level];
  if (!plan) {
    try {
      plan = timed(times_.compile,
                   [&] { return std::make_shared<const KernelPlan>(plan_kernels(*derived_, pool_, level)); });
    } catch (const PlanTooLarge& error) {
      throw ModelError(error.what());
    }
    require_compilable(*plan);
  }
  return plan;
}

const Kernels* Pipeline::compiled(Level level, const KernelCache* cache, Fusing fusing) {
  if (const auto fused = compiled_.find({level, true}); fused != compiled_.end()) return fused->second.get();
  const std::shared_ptr<const KernelPlan> plan = planned(level);
  if (plan == nullptr) return nullptr;
  std::unique_ptr<Kernels>& kernels = compiled_[{level, fusing == Fusing::always}];
  if (!kernels) kernels = timed(times_.compile, [&] { return compile(plan, cache, fusing); });
  return kernels.get();
}

std::unique_ptr<LaneKernels> Pipeline::compiled_lanes(Level level, const LaneShape& shape, const KernelCache* cache) {
  const std::shared_ptr<const KernelPlan> plan = planned(level);
  if (plan == nullptr) return nullptr;
  return timed(times_.compile, [&] { return compile_lanes(*plan, shape, cache); });
}

}  // namespace nsmc
