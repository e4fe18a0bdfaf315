// Programs to machine code: LLVM IR, optimised for the host's full instruction set, in memory by ORC; and the same
// programs as text (LLVM IR, assembly, stand-alone C).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "compiler/codegen/lane_shape.hpp"
#include "compiler/codegen/program.hpp"
#include "runtime/lane_abi.hpp"

namespace nsmc {

class KernelCache;

struct CompileTimes {  // seconds
  double build_ir = 0, optimise = 0, link = 0;
  bool cached = false;  // the machine code was there already
};

class CompiledKernels {
 public:
  // Machine code is taken from the cache and kept there, if one is given. Throws InternalError if LLVM refuses.
  explicit CompiledKernels(const ProgramSet& programs, const KernelCache* cache = nullptr, const LaneShape& shape = {});
  ~CompiledKernels();
  CompiledKernels(CompiledKernels&&) noexcept;
  CompiledKernels& operator=(CompiledKernels&&) noexcept;

  nsm_kernel find(std::string_view name) const;             // null if the program has no steps or is unknown
  nsm_lane_kernel find_lanes(std::string_view name) const;  // the same, if they were compiled over lanes
  const CompileTimes& times() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

std::string emit_llvm(const ProgramSet& programs);  // what runs: after optimisation
std::string emit_asm(const ProgramSet& programs);
// Stand-alone: needs a C compiler and libm, declares nsm_view itself; functions have the ABI of nsm_kernel.
std::string emit_c(const ProgramSet& programs);

}  // namespace nsmc
