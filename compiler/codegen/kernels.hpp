// Equations -> the kernel table that the runtime works with: kernels by class, and the instances of every class.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/codegen/jit.hpp"
#include "compiler/codegen/program.hpp"
#include "compiler/mechanics/equations.hpp"
#include "runtime/kernel_abi.hpp"

namespace nsmc {

struct BlockKernels {
  std::string id, name;
  std::size_t n_q = 0, n_u = 0;
  std::uint32_t quaternion = NSM_NONE;
  bool diagonal_mass = false, constant_mass = false, identity_kinematics = false;
};

struct ElementKernels {
  std::string id, name;
  std::size_t n_blocks = 1;
  bool has_energy = false;
};

struct ContactKernels {
  std::string id;  // the suffix of its kernels' names, a C identifier
  std::string name;
  std::size_t n_blocks = 1, n_rows = 0, n_arguments = 0, n_position = 0;
  std::uint32_t normal = NSM_NONE;  // the row of the rate of the gap
  bool has_gap = false, mapped = false, compliant = false, affine = true, same_forces = true;
  bool same_velocities = true;  // those of the laws are those of the simple sets
  std::vector<nsm_set> sets;
};

struct OutputKernels {
  std::string id, name;
  std::size_t n_blocks = 0;
};

// An instance of a class: the blocks that it touches and where its own numbers start in KernelPlan::selves.
struct InstancePlan {
  std::uint32_t type = 0;
  std::uint32_t blocks[2] = {0, 0};
  std::uint32_t contact = NSM_NONE;  // of outputs
  std::uint32_t self = NSM_NONE;
};

// What to compile and how the results are laid out; everything about the table except addresses.
struct KernelPlan {
  std::vector<KernelSpec> specs;
  std::vector<BlockKernels> block_classes;
  std::vector<ElementKernels> element_classes;
  std::vector<ContactKernels> contacts;  // classes
  std::vector<OutputKernels> output_classes;
  std::vector<InstancePlan> blocks, elements, contact_instances, outputs;
  std::vector<std::string> contact_names;  // by instance
  std::vector<double> selves;
  std::size_t n_p = 0, n_q = 0, n_u = 0, n_observed = 0;
  std::vector<std::string> columns;  // what is recorded
  // Of each column, as Dimension::text(); empty where it follows from the model's energies: gaps and the energy.
  std::vector<std::string> column_dimensions;
  std::size_t energy_column = 0;
};

// Which kernels are wanted: those of time-stepping, or also zeta, for methods that work with accelerations.
enum class Level : std::uint8_t { velocity, acceleration };

KernelPlan plan_kernels(const Equations& equations, sym::ExprPool& pool, Level level = Level::acceleration);

// The compiled model: machine code and the table that points into it.
class Kernels {
 public:
  Kernels(KernelPlan plan, const ProgramSet& programs, const KernelCache* cache = nullptr,
          Fusing fusing = Fusing::never);
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;

  const nsm_model& table() const { return table_; }
  const KernelPlan& plan() const { return plan_; }
  const CompileTimes& times() const { return compiled_.times(); }

 private:
  const double* self(const InstancePlan& instance) const {
    return instance.self == NSM_NONE ? nullptr : plan_.selves.data() + instance.self;
  }

  KernelPlan plan_;
  CompiledKernels compiled_;
  std::vector<nsm_block_class> block_classes_;
  std::vector<nsm_block> blocks_;
  std::vector<nsm_element_class> element_classes_;
  std::vector<nsm_element> elements_;
  std::vector<nsm_contact_class> contact_classes_;
  std::vector<nsm_contact> contacts_;
  std::vector<nsm_output_class> output_classes_;
  std::vector<nsm_output> outputs_;
  nsm_model table_{};
};

std::unique_ptr<Kernels> compile(const Equations& equations, sym::ExprPool& pool, Level level = Level::acceleration,
                                 const KernelCache* cache = nullptr, Fusing fusing = Fusing::never);

}  // namespace nsmc
