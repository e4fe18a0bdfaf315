// Whether a model has a fused step, and its layout.
#include <algorithm>

#include "compiler/codegen/fused_step.hpp"
#include "compiler/codegen/parts.hpp"

namespace nsmc {

namespace {

std::uint32_t narrow(std::size_t n) { return static_cast<std::uint32_t>(n); }

rt::small::ModelFacts facts_of(const KernelPlan& plan, const BlockKernels& block, std::uint32_t n_shared) {
  rt::small::ModelFacts facts{plan.block_instances.size(),
                              plan.element_instances.size(),
                              n_shared,
                              narrow(block.n_q),
                              narrow(block.n_u),
                              block.quaternion,
                              block.diagonal_mass,
                              block.constant_mass,
                              block.identity_kinematics,
                              {}};
  for (const InstancePlan& instance : plan.contact_instances) {
    const ContactKernels& contact = plan.contact_classes[instance.type];
    facts.contacts.push_back({narrow(contact.n_blocks), narrow(contact.n_rows), narrow(contact.n_arguments),
                              narrow(contact.n_position), contact.has_gap, contact.mapped, contact.compliant,
                              contact.affine, contact.sets});
  }
  return facts;
}

}  // namespace

std::optional<FusedStepPlan> plan_fused_step(const KernelPlan& plan) {
  const ProgramSet& programs = plan.programs;
  if (!plan.signals.empty() || !plan.events.empty() || !plan.families.empty() || plan.block_instances.size() != 1 ||
      plan.contact_instances.size() > FusedStepPlan::max_contacts)
    return std::nullopt;
  const std::uint32_t type = plan.block_instances[0].type;
  const BlockKernels& block = plan.block_classes[type];
  const std::optional<rt::small::Layout> layout =
      rt::small::layout_of(facts_of(plan, block, programs.n_shared), rt::small::constant_limits);
  if (!layout) return std::nullopt;

  FusedStepPlan fused;
  fused.layout = *layout;
  if (!block.identity_kinematics) fused.kinematics = {KernelKind::kinematics, type};
  fused.dynamics = {KernelKind::dynamics, type};
  for (std::size_t i = 0; i < plan.contact_instances.size(); ++i) {
    const std::uint32_t contact = plan.contact_instances[i].type;
    if (plan.contact_classes[contact].switched) return std::nullopt;
    if (plan.contact_classes[contact].has_gap) fused.gap[i] = {KernelKind::gap, contact};
    fused.directions[i] = {KernelKind::directions, contact};
  }

  // Programs that are cut into parts are not worth it, nor can they be inlined.
  for (const Program& program : programs.programs) {
    const auto is = [&](const std::optional<KernelId>& id) { return id == program.id; };
    if (!is(fused.kinematics) && !is(fused.dynamics) && !std::any_of(fused.gap, std::end(fused.gap), is) &&
        !std::any_of(fused.directions, std::end(fused.directions), is))
      continue;
    if (cut(program).begin.size() > 2) return std::nullopt;
    fused.kernels.programs.push_back(program);
  }
  fused.kernels.n_shared = programs.n_shared;
  return fused;
}

}  // namespace nsmc
