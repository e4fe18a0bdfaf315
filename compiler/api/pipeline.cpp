#include "compiler/api/pipeline.hpp"

#include <chrono>

#include "compiler/mechanics/derive.hpp"

namespace nsmc {
namespace {

template <class Stage>
auto timed(double& seconds, Stage&& stage) {
  const auto start = std::chrono::steady_clock::now();
  auto result = stage();
  seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
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
    checked_ = timed(times_.check, [&] { return check(*parsed_, diagnostics_, structure_); });
  }
  return checked_ ? &*checked_ : nullptr;
}

const Equations* Pipeline::derived() {
  if (!derived_ && checked() != nullptr) {
    derived_ = timed(times_.derive, [&] { return derive(*checked_, pool_, diagnostics_, structure_); });
  }
  return derived_ ? &*derived_ : nullptr;
}

const Kernels* Pipeline::compiled(Level level, const KernelCache* cache, Fusing fusing) {
  if (!compiled_ && derived() != nullptr) {
    compiled_ = timed(times_.compile, [&] { return compile(*derived_, pool_, level, cache, fusing); });
  }
  return compiled_.get();
}

std::unique_ptr<LaneKernels> Pipeline::compiled_lanes(Level level, const LaneShape& shape, const KernelCache* cache) {
  if (derived() == nullptr) return nullptr;
  return timed(times_.compile, [&] { return compile_lanes(*derived_, pool_, level, shape, cache); });
}

}  // namespace nsmc
