// The table that points into the compiled code.
#include "compiler/codegen/kernels.hpp"

#include <fmt/core.h>

#include <optional>

#include "compiler/codegen/fused_step.hpp"

namespace nsmc {
namespace {

std::uint32_t narrow(std::size_t n) { return static_cast<std::uint32_t>(n); }
std::uint32_t flag(bool b) { return b ? 1U : 0U; }

CompiledKernels compile_programs(const KernelPlan& plan, const ProgramSet& programs, const KernelCache* cache,
                                 Fusing fusing) {
  std::optional<FusedStepPlan> step;
  if (fusing != Fusing::never) step = plan_fused_step(plan, programs);
  return CompiledKernels(programs, cache, step ? &*step : nullptr, fusing);
}

}  // namespace

Kernels::Kernels(KernelPlan plan, const ProgramSet& programs, const KernelCache* cache, Fusing fusing)
    : plan_(std::move(plan)), compiled_(compile_programs(plan_, programs, cache, fusing)) {
  for (const BlockKernels& k : plan_.block_classes) {
    nsm_block_class c{};
    c.name = k.name.c_str();
    c.n_q = narrow(k.n_q);
    c.n_u = narrow(k.n_u);
    c.mass_structure = k.diagonal_mass ? NSM_MASS_DIAGONAL : NSM_MASS_DENSE;
    c.constant_mass = flag(k.constant_mass);
    c.identity_kinematics = flag(k.identity_kinematics);
    c.quaternion = k.quaternion;
    c.kinematics = compiled_.find("kinematics_" + k.id);
    c.dynamics = compiled_.find("dynamics_" + k.id);
    c.energy = compiled_.find("energy_" + k.id);
    c.initial = compiled_.find("initial_" + k.id);
    block_classes_.push_back(c);
  }
  std::uint32_t first_q = 0, first_u = 0;
  for (const InstancePlan& block : plan_.blocks) {
    blocks_.push_back({block.type, first_q, first_u, self(block)});
    first_q += block_classes_[block.type].n_q;
    first_u += block_classes_[block.type].n_u;
  }
  for (const ElementKernels& k : plan_.element_classes) {
    element_classes_.push_back({k.name.c_str(), narrow(k.n_blocks), compiled_.find("element_" + k.id),
                                k.has_energy ? compiled_.find("element_energy_" + k.id) : nullptr});
  }
  for (const InstancePlan& e : plan_.elements) elements_.push_back({e.type, {e.blocks[0], e.blocks[1]}, self(e)});
  for (ContactKernels& k : plan_.contacts) {
    for (std::size_t j = 0; j < k.sets.size(); ++j) {
      k.sets[j].function = compiled_.find(fmt::format("set_{}_{}", k.id, j + 1));  // null for the simple sets
    }
    nsm_contact_class c{};
    c.name = k.name.c_str();
    c.n_blocks = narrow(k.n_blocks);
    c.n_rows = narrow(k.n_rows);
    c.n_sets = narrow(k.sets.size());
    c.sets = k.sets.data();
    c.n_arguments = narrow(k.n_arguments);
    c.mapped = flag(k.mapped);
    c.compliant = flag(k.compliant);
    c.affine = flag(k.affine);
    c.n_position = narrow(k.n_position);
    c.position = k.n_position > 0 ? compiled_.find("position_" + k.id) : nullptr;
    c.gap = k.has_gap ? compiled_.find("gap_" + k.id) : nullptr;
    c.directions = compiled_.find("directions_" + k.id);
    c.arguments = k.affine ? nullptr : compiled_.find("arguments_" + k.id);
    c.zeta = compiled_.find("zeta_" + k.id);
    c.forces = k.same_forces ? nullptr : compiled_.find("forces_" + k.id);
    c.velocities = k.same_velocities ? nullptr : compiled_.find("velocities_" + k.id);
    c.normal = k.normal;
    contact_classes_.push_back(c);
  }
  for (std::size_t i = 0; i < plan_.contact_instances.size(); ++i) {
    const InstancePlan& contact = plan_.contact_instances[i];
    contacts_.push_back(
        {contact.type, {contact.blocks[0], contact.blocks[1]}, plan_.contact_names[i].c_str(), self(contact)});
  }
  for (const OutputKernels& k : plan_.output_classes) {
    output_classes_.push_back({k.name.c_str(), narrow(k.n_blocks), 1, compiled_.find("output_" + k.id)});
  }
  for (const InstancePlan& output : plan_.outputs) {
    outputs_.push_back({output.type, {output.blocks[0], output.blocks[1]}, output.contact, self(output)});
  }

  table_.abi = NSM_ABI;
  table_.n_p = narrow(plan_.n_p);
  table_.n_q = narrow(plan_.n_q);
  table_.n_u = narrow(plan_.n_u);
  table_.n_shared = programs.n_shared;
  table_.n_block_classes = narrow(block_classes_.size());
  table_.n_blocks = narrow(blocks_.size());
  table_.n_element_classes = narrow(element_classes_.size());
  table_.n_elements = narrow(elements_.size());
  table_.n_contact_classes = narrow(contact_classes_.size());
  table_.n_contacts = narrow(contacts_.size());
  table_.n_output_classes = narrow(output_classes_.size());
  table_.n_outputs = narrow(outputs_.size());
  table_.n_observed = narrow(plan_.n_observed);
  table_.block_classes = block_classes_.data();
  table_.blocks = blocks_.data();
  table_.element_classes = element_classes_.data();
  table_.elements = elements_.data();
  table_.contact_classes = contact_classes_.data();
  table_.contacts = contacts_.data();
  table_.output_classes = output_classes_.data();
  table_.outputs = outputs_.data();
  table_.prepare = compiled_.find("prepare");
  table_.advance = compiled_.advance();
  table_.observe = plan_.n_observed > 0 ? compiled_.find("observe") : nullptr;
}

std::unique_ptr<Kernels> compile(const Equations& equations, sym::ExprPool& pool, Level level, const KernelCache* cache,
                                 Fusing fusing) {
  KernelPlan plan = plan_kernels(equations, pool, level);
  const ProgramSet programs = lower(pool, plan.specs);
  return std::make_unique<Kernels>(std::move(plan), programs, cache, fusing);
}

}  // namespace nsmc
