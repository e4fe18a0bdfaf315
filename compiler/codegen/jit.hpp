// Programs to machine code: LLVM IR, optimised for the host's full instruction set, in memory by ORC; and the same
// programs as text (LLVM IR, assembly, stand-alone C).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "compiler/codegen/lane_shape.hpp"
#include "compiler/codegen/program.hpp"
#include "runtime/lane_abi.hpp"

namespace nsmc {

class KernelCache;
struct FusedStepPlan;

// Whether the step is compiled together with the kernels (fused_step.hpp). Its numbers are the same; it takes several
// times as long to compile as the kernels do, and runs several times as fast.
enum class Fusing : std::uint8_t { never, if_cached, always };

struct CompileTimes {  // seconds
  double build_ir = 0, optimise = 0, link = 0;
  double step = 0;      // of the fused step, in all
  bool cached = false;  // the machine code was there already
};

class CompiledKernels {
 public:
  // Machine code is taken from the cache and kept there, if one is given. Throws InternalError if LLVM refuses.
  // Over lanes there is no fused step.
  explicit CompiledKernels(const ProgramSet& programs, const KernelCache* cache = nullptr,
                           const FusedStepPlan* step = nullptr, Fusing fusing = Fusing::never,
                           const LaneShape& shape = {});
  ~CompiledKernels();
  CompiledKernels(CompiledKernels&&) noexcept;
  CompiledKernels& operator=(CompiledKernels&&) noexcept;

  nsm_kernel find(std::string_view name) const;             // null if the program has no steps or is unknown
  nsm_lane_kernel find_lanes(std::string_view name) const;  // the same, if they were compiled over lanes
  nsm_advance advance() const { return advance_; }          // null: there is no fused step
  const CompileTimes& times() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  nsm_advance advance_ = nullptr;
};

// What runs: after optimisation. With a step, that in place of the kernels.
std::string emit_llvm(const ProgramSet& programs, const FusedStepPlan* step = nullptr);
std::string emit_asm(const ProgramSet& programs, const FusedStepPlan* step = nullptr);
// Stand-alone: needs a C compiler and libm, declares nsm_view itself; functions have the ABI of nsm_kernel.
std::string emit_c(const ProgramSet& programs);

}  // namespace nsmc
