// plan: equations -> what is compiled, and for what table: the kernels as programs, by class, and the instances of
// every class. Machine code (kernels.hpp), code for lanes (lane_kernels.hpp), the fused step (fused_step.hpp) and the
// texts of `emit` are all made from this value.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "compiler/codegen/program.hpp"
#include "compiler/mechanics/equations.hpp"
#include "runtime/kernel_abi.hpp"

namespace nsmc {

struct BlockKernels {
  std::string name;
  std::size_t n_q = 0, n_u = 0;
  std::uint32_t quaternion = NSM_NONE;
  bool diagonal_mass = false, constant_mass = false, identity_kinematics = false;
};

struct ElementKernels {
  std::string name;
  std::size_t n_blocks = 1;
};

struct ContactKernels {
  std::string name;
  std::size_t n_blocks = 1, n_rows = 0, n_arguments = 0, n_position = 0;
  std::uint32_t normal = NSM_NONE;  // the row of the rate of the gap
  bool has_gap = false, mapped = false, compliant = false, affine = true, same_forces = true;
  bool switched = false;
  bool same_velocities = true;  // those of the laws are those of the simple sets
  std::vector<nsm_set> sets;
  std::vector<std::uint32_t> laws;     // the first row of each
  std::vector<std::string> law_names;  // as the model calls them
};

struct OutputKernels {
  std::string name;
  std::size_t n_blocks = 0;
};

struct EventPlan {
  std::uint32_t kind = NSM_WHEN;
  std::string text;
  std::vector<std::uint32_t> targets;
};

// An instance of a class: the blocks that it touches and where its own numbers start in KernelPlan::selves.
struct InstancePlan {
  std::uint32_t type = 0;
  std::uint32_t blocks[2] = {0, 0};
  std::uint32_t contact = NSM_NONE;  // of outputs
  std::uint32_t self = NSM_NONE;
};

// Shapes that are searched, see nsm_shapes.
struct ShapesPlan {
  bool half_space = false;
  std::int64_t first = 1;
  std::size_t count = 1;
  std::vector<std::uint32_t> blocks;  // by shape; none: fixed in the world
};

// A contact class whose instances come and go, see nsm_family.
struct FamilyPlan {
  struct Blocks {
    std::uint32_t index = NSM_NONE;
    std::vector<std::uint32_t> blocks;
  };
  std::uint32_t contact_class = 0;
  Instances instances;
  std::uint32_t shapes[2] = {0, 0}, shape_index[2] = {NSM_NONE, NSM_NONE};
  Blocks blocks[2];
  std::vector<double> points;  // the numbers of each, one after another
};

// What to compile and how the results are laid out: the programs of all kernels, and everything about the table except
// addresses. KernelId::of counts classes in the order in which they stand here.
struct KernelPlan {
  std::vector<KernelSpec> specs;
  ProgramSet programs;  // of the specs
  std::vector<BlockKernels> block_classes;
  std::vector<ElementKernels> element_classes;
  std::vector<ContactKernels> contact_classes;
  std::vector<OutputKernels> output_classes;
  std::vector<InstancePlan> block_instances, element_instances, contact_instances, output_instances;
  std::vector<std::string> contact_names;  // by instance
  std::vector<ShapesPlan> shapes;
  std::vector<FamilyPlan> families;
  std::vector<double> selves;
  std::vector<std::uint32_t> signals;  // nsm_signal_kind
  bool rates_read_forces = false;
  std::vector<EventPlan> events;
  std::size_t n_p = 0, n_q = 0, n_u = 0, n_observed = 0;
  std::vector<std::string> columns;  // what is recorded
  // The dimension of each column, as Dimension::text(); empty where it follows from the model's energies: gaps and the
  // energy.
  std::vector<std::string> column_dimensions;
  std::size_t energy_column = 0;
  std::size_t work_column = 0;  // from here on: what is counted on request only
};

// Which kernels are wanted: those of time-stepping, or also zeta, for methods that work with accelerations.
enum class Level : std::uint8_t { velocity, acceleration };

// What is planned takes more than a pool allows, see sym::TooLarge; with what was under way.
struct PlanTooLarge : std::runtime_error {
  using std::runtime_error::runtime_error;
};

KernelPlan plan_kernels(const Equations& equations, sym::ExprPool& pool, Level level = Level::acceleration);

}  // namespace nsmc
