// compile: a plan -> the kernel table that the runtime works with, pointing into machine code.
#pragma once

#include <memory>
#include <vector>

#include "compiler/codegen/jit.hpp"
#include "compiler/codegen/plan.hpp"
#include "runtime/kernel_abi.hpp"

namespace nsmc {

// The compiled model: machine code and the table that points into it.
class Kernels {
 public:
  Kernels(std::shared_ptr<const KernelPlan> plan, const KernelCache* cache = nullptr, Fusing fusing = Fusing::never);
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;

  const nsm_model& table() const { return table_; }
  const KernelPlan& plan() const { return *plan_; }
  const CompileTimes& times() const { return compiled_.times(); }

 private:
  void fill_blocks();
  void fill_elements();
  void fill_contacts();
  void fill_families();
  void fill_outputs();
  void fill_events();
  void fill_table();
  nsm_contact_class contact_class(std::uint32_t number);
  const double* self(const InstancePlan& instance) const {
    return instance.self == NSM_NONE ? nullptr : plan_->selves.data() + instance.self;
  }

  std::shared_ptr<const KernelPlan> plan_;  // the table points to its names and numbers
  CompiledKernels compiled_;
  std::vector<nsm_block_class> block_classes_;
  std::vector<nsm_block> blocks_;
  std::vector<nsm_element_class> element_classes_;
  std::vector<nsm_element> elements_;
  std::vector<std::vector<nsm_set>> sets_;  // by contact class
  std::vector<nsm_contact_class> contact_classes_;
  std::vector<nsm_contact> contacts_;
  std::vector<nsm_shapes> shapes_;
  std::vector<nsm_family> families_;
  std::vector<nsm_output_class> output_classes_;
  std::vector<nsm_output> outputs_;
  std::vector<nsm_event> events_;
  nsm_model table_{};
};

std::unique_ptr<Kernels> compile(std::shared_ptr<const KernelPlan> plan, const KernelCache* cache = nullptr,
                                 Fusing fusing = Fusing::never);

}  // namespace nsmc
