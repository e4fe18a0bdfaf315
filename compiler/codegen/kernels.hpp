// Equations -> the kernel table that the runtime works with. Here laws are brought to the simple sets (the hatted
// quantities of [Möller 2009, (41)]), and the order of recorded columns is fixed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/codegen/jit.hpp"
#include "compiler/codegen/program.hpp"
#include "compiler/mechanics/equations.hpp"
#include "runtime/kernel_abi.hpp"

namespace nsmc {

struct ContactKernels {
  std::string id;  // the suffix of its kernels' names, a C identifier
  std::size_t n_rows = 0, n_arguments = 0;
  bool has_gap = false, mapped = false, compliant = false, affine = true;
  std::vector<nsm_set> sets;
};

// What to compile and how the results are laid out; everything about the table except addresses.
struct KernelPlan {
  std::string model_name;
  std::vector<KernelSpec> specs;
  std::vector<std::string> contact_names;
  std::vector<ContactKernels> contacts;
  std::size_t n_p = 0, n_q = 0, n_u = 0;
  bool diagonal_mass = false, constant_mass = false, identity_kinematics = false;
  std::vector<std::string> columns;  // what `observe` writes
  std::size_t energy_column = 0;
};

KernelPlan plan_kernels(const Equations& equations, sym::ExprPool& pool);

// The compiled model: machine code and the table that points into it.
class Kernels {
 public:
  Kernels(KernelPlan plan, const ProgramSet& programs);
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;

  const nsm_model& table() const { return table_; }
  const KernelPlan& plan() const { return plan_; }
  const CompileTimes& times() const { return compiled_.times(); }

 private:
  KernelPlan plan_;
  CompiledKernels compiled_;
  nsm_block_class block_class_{};
  nsm_block block_{};
  std::vector<nsm_contact_class> contact_classes_;
  std::vector<nsm_contact> contacts_;
  nsm_model table_{};
};

std::unique_ptr<Kernels> compile(const Equations& equations, sym::ExprPool& pool);

}  // namespace nsmc
