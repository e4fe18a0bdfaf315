// compile, for lanes: a plan -> the kernels of a step over lanes (runtime/lane_abi.hpp): several runs of one model at
// once. They are the same programs as those of Kernels, with a register of doubles in the place of every double.
#pragma once

#include <memory>
#include <vector>

#include "compiler/codegen/kernels.hpp"
#include "compiler/codegen/lane_shape.hpp"
#include "runtime/lane_abi.hpp"

namespace nsmc {

class LaneKernels {
 public:
  LaneKernels(const KernelPlan& plan, const LaneShape& shape, const KernelCache* cache = nullptr);
  LaneKernels(const LaneKernels&) = delete;
  LaneKernels& operator=(const LaneKernels&) = delete;

  const nsm_lane_model& table() const { return table_; }
  const CompileTimes& times() const { return compiled_.times(); }

 private:
  LaneKernels(const KernelPlan& plan, const ProgramSet& programs, bool exact, unsigned lanes, const KernelCache* cache);

  CompiledKernels compiled_;
  std::vector<nsm_lane_block_class> block_classes_;
  std::vector<nsm_lane_contact_class> contact_classes_;
  nsm_lane_model table_{};
};

// Null if equations contain gauges of other sets, which are found by iteration. The plan must be the one that the
// kernels of single runs were compiled from: both share what `prepare` computes.
std::unique_ptr<LaneKernels> compile_lanes(const KernelPlan& plan, const LaneShape& shape,
                                           const KernelCache* cache = nullptr);

}  // namespace nsmc
