// Whether a model has a fused step, and its layout.
#include <algorithm>

#include "compiler/codegen/fused_step.hpp"
#include "compiler/codegen/parts.hpp"

namespace nsmc {

namespace {

std::uint32_t narrow(std::size_t n) { return static_cast<std::uint32_t>(n); }

bool fits(const nsm_set& set) {
  const bool row = set.dim == 1 && (set.kind == NSM_SET_INTERVAL || set.kind == NSM_SET_BALL);
  const bool ball = set.kind == NSM_SET_BALL && set.dim >= 2 && set.dim <= fused::max_set_dim;
  return (row || ball) && set.shifted == 0 && set.scaled == 0 && set.n_lengths == set.n_arguments &&
         set.n_arguments <= fused::max_arguments;
}

bool fits(const ContactKernels& contact) {
  return contact.n_blocks == 1 && !contact.mapped && !contact.compliant && contact.affine && contact.n_position == 0 &&
         !contact.sets.empty() && contact.sets.size() <= fused::max_sets &&
         std::all_of(contact.sets.begin(), contact.sets.end(), [](const nsm_set& set) { return fits(set); });
}

// Where its kernel `directions` writes what (kernel_abi.hpp).
fused::ContactLayout layout_of(const ContactKernels& contact, std::uint32_t n_u, std::uint32_t first_row) {
  fused::ContactLayout layout{};
  const std::uint32_t n_rows = narrow(contact.n_rows);
  layout.has_gap = contact.has_gap ? 1 : 0;
  layout.first_row = first_row;
  layout.n_rows = n_rows;
  layout.chi = n_u * n_rows;
  layout.restitution = layout.chi + n_rows;
  const std::uint32_t a = layout.restitution + n_rows, K = a + narrow(contact.n_arguments);
  for (const nsm_set& set : contact.sets) {
    layout.sets[layout.n_sets++] = {set.kind,        first_row + set.first_row, set.dim,
                                    set.n_arguments, a + set.first_argument,    K + set.first_argument * n_rows};
  }
  return layout;
}

std::size_t directions_size(const ContactKernels& contact, std::size_t n_u) {
  return (n_u + 2 + contact.n_arguments) * contact.n_rows + contact.n_arguments;
}

}  // namespace

std::optional<FusedStepPlan> plan_fused_step(const KernelPlan& plan) {
  const ProgramSet& programs = plan.programs;
  if (plan.block_instances.size() != 1 || !plan.element_instances.empty()) return std::nullopt;
  const std::uint32_t type = plan.block_instances[0].type;
  const BlockKernels& block = plan.block_classes[type];
  if (block.n_u < 1 || block.n_u > fused::max_u || block.n_q > fused::max_q || programs.n_shared > fused::max_shared ||
      plan.contact_instances.size() > fused::max_contacts)
    return std::nullopt;

  FusedStepPlan fused;
  fused::Layout& layout = fused.layout;
  layout.n_q = narrow(block.n_q);
  layout.n_u = narrow(block.n_u);
  layout.n_shared = programs.n_shared;
  layout.diagonal_mass = block.diagonal_mass ? 1 : 0;
  layout.constant_mass = block.constant_mass ? 1 : 0;
  layout.identity_kinematics = block.identity_kinematics ? 1 : 0;
  layout.quaternion = block.quaternion;
  if (!block.identity_kinematics) fused.kinematics = {KernelKind::kinematics, type};
  fused.dynamics = {KernelKind::dynamics, type};
  for (const InstancePlan& instance : plan.contact_instances) {
    const ContactKernels& contact = plan.contact_classes[instance.type];
    if (!fits(contact) || layout.n_rows + contact.n_rows > fused::max_rows ||
        directions_size(contact, block.n_u) > fused::max_directions)
      return std::nullopt;
    const std::uint32_t i = layout.n_contacts++;
    layout.contacts[i] = layout_of(contact, layout.n_u, layout.n_rows);
    layout.n_rows += narrow(contact.n_rows);
    if (contact.has_gap) fused.gap[i] = {KernelKind::gap, instance.type};
    fused.directions[i] = {KernelKind::directions, instance.type};
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
