// The table that points into the compiled code.
#include "compiler/codegen/kernels.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "compiler/codegen/fused_step.hpp"

namespace nsmc {
namespace {

std::uint32_t narrow(std::size_t n) { return static_cast<std::uint32_t>(n); }
std::uint32_t flag(bool b) { return b ? 1U : 0U; }

CompiledKernels compile_programs(const KernelPlan& plan, const KernelCache* cache, Fusing fusing) {
  std::optional<FusedStepPlan> step;
  if (fusing != Fusing::never) step = plan_fused_step(plan);
  return CompiledKernels(plan.programs, cache, step ? &*step : nullptr, fusing);
}

}  // namespace

Kernels::Kernels(std::shared_ptr<const KernelPlan> plan, const KernelCache* cache, Fusing fusing)
    : plan_(std::move(plan)), compiled_(compile_programs(*plan_, cache, fusing)) {
  fill_blocks();
  fill_elements();
  fill_contacts();
  fill_families();
  fill_outputs();
  fill_events();
  fill_table();
}

void Kernels::fill_blocks() {
  for (std::uint32_t b = 0; b < plan_->block_classes.size(); ++b) {
    const BlockKernels& k = plan_->block_classes[b];
    nsm_block_class c{};
    c.name = k.name.c_str();
    c.n_q = narrow(k.n_q);
    c.n_u = narrow(k.n_u);
    c.mass_structure = k.diagonal_mass ? NSM_MASS_DIAGONAL : NSM_MASS_DENSE;
    c.constant_mass = flag(k.constant_mass);
    c.identity_kinematics = flag(k.identity_kinematics);
    c.quaternion = k.quaternion;
    c.kinematics = compiled_.find({KernelKind::kinematics, b});
    c.dynamics = compiled_.find({KernelKind::dynamics, b});
    c.energy = compiled_.find({KernelKind::energy, b});
    c.work = compiled_.find({KernelKind::work, b});
    c.initial = compiled_.find({KernelKind::initial, b});
    block_classes_.push_back(c);
  }
  std::uint32_t first_q = 0, first_u = 0;
  for (const InstancePlan& block : plan_->block_instances) {
    blocks_.push_back({block.type, first_q, first_u, self(block)});
    first_q += block_classes_[block.type].n_q;
    first_u += block_classes_[block.type].n_u;
  }
}

void Kernels::fill_elements() {
  for (std::uint32_t i = 0; i < plan_->element_classes.size(); ++i) {
    const ElementKernels& k = plan_->element_classes[i];
    element_classes_.push_back({k.name.c_str(), narrow(k.n_blocks), compiled_.find({KernelKind::element, i}),
                                compiled_.find({KernelKind::element_energy, i}),
                                compiled_.find({KernelKind::element_work, i})});
  }
  for (const InstancePlan& e : plan_->element_instances)
    elements_.push_back({e.type, {e.blocks[0], e.blocks[1]}, self(e)});
}

nsm_contact_class Kernels::contact_class(std::uint32_t i) {
  const ContactKernels& k = plan_->contact_classes[i];
  std::vector<nsm_set>& sets = sets_.emplace_back(k.sets);
  for (std::uint32_t j = 0; j < sets.size(); ++j) {
    sets[j].function = compiled_.find({KernelKind::set_function, i, j});  // null for the simple sets
  }
  nsm_contact_class c{};
  c.name = k.name.c_str();
  c.n_blocks = narrow(k.n_blocks);
  c.n_rows = narrow(k.n_rows);
  c.n_sets = narrow(sets.size());
  c.sets = sets.data();
  c.n_arguments = narrow(k.n_arguments);
  c.mapped = flag(k.mapped);
  c.compliant = flag(k.compliant);
  c.affine = flag(k.affine);
  c.n_position = narrow(k.n_position);
  c.position = compiled_.find({KernelKind::position, i});
  c.gap = compiled_.find({KernelKind::gap, i});
  c.directions = compiled_.find({KernelKind::directions, i});
  c.arguments = compiled_.find({KernelKind::arguments, i});
  c.zeta = compiled_.find({KernelKind::zeta, i});
  c.forces = compiled_.find({KernelKind::forces, i});
  c.velocities = compiled_.find({KernelKind::velocities, i});
  c.normal = k.normal;
  c.n_laws = narrow(k.laws.size());
  c.laws = k.laws.data();
  c.active = compiled_.find({KernelKind::active, i});
  return c;
}

void Kernels::fill_contacts() {
  for (std::uint32_t i = 0; i < plan_->contact_classes.size(); ++i) contact_classes_.push_back(contact_class(i));
  for (std::size_t i = 0; i < plan_->contact_instances.size(); ++i) {
    const InstancePlan& contact = plan_->contact_instances[i];
    contacts_.push_back(
        {contact.type, {contact.blocks[0], contact.blocks[1]}, plan_->contact_names[i].c_str(), self(contact)});
  }
}

void Kernels::fill_families() {
  for (std::uint32_t s = 0; s < plan_->shapes.size(); ++s) {
    const ShapesPlan& shapes = plan_->shapes[s];
    shapes_.push_back({shapes.half_space ? NSM_BOUNDS_HALF_SPACE : NSM_BOUNDS_BOX, shapes.first, shapes.count,
                       shapes.blocks.empty() ? nullptr : shapes.blocks.data(),
                       compiled_.find({KernelKind::bounds, s})});
  }
  for (const FamilyPlan& plan : plan_->families) {
    const Instances& instances = plan.instances;
    nsm_family family{};
    family.contact_class = plan.contact_class;
    family.n_indices = narrow(instances.indices.size());
    for (std::size_t d = 0; d < instances.indices.size(); ++d) {
      family.first[d] = instances.indices[d].first;
      family.count[d] = instances.indices[d].count();
    }
    family.pairs = flag(instances.pairs);
    family.n_points = narrow(std::max<std::size_t>(instances.points.size(), 1));
    family.n_point_numbers = instances.points.empty() ? 0 : narrow(instances.points[0].size());
    family.points = plan.points.empty() ? nullptr : plan.points.data();
    for (std::size_t k = 0; k < 2; ++k) {
      family.blocks[k] = {plan.blocks[k].index, plan.blocks[k].blocks.data()};
      family.shapes[k] = plan.shapes[k];
      family.shape_index[k] = plan.shape_index[k];
    }
    families_.push_back(family);
  }
}

void Kernels::fill_outputs() {
  for (std::uint32_t i = 0; i < plan_->output_classes.size(); ++i) {
    const OutputKernels& k = plan_->output_classes[i];
    output_classes_.push_back({k.name.c_str(), narrow(k.n_blocks), 1, compiled_.find({KernelKind::output, i})});
  }
  for (const InstancePlan& output : plan_->output_instances) {
    outputs_.push_back({output.type, {output.blocks[0], output.blocks[1]}, output.contact, self(output)});
  }
}

void Kernels::fill_events() {
  for (std::uint32_t i = 0; i < plan_->events.size(); ++i) {
    const EventPlan& event = plan_->events[i];
    events_.push_back({event.kind, event.text.c_str(), compiled_.find({KernelKind::event_condition, i}),
                       compiled_.find({KernelKind::event_interval, i}), compiled_.find({KernelKind::event_action, i}),
                       narrow(event.targets.size()), event.targets.data()});
  }
}

void Kernels::fill_table() {
  table_.abi = NSM_ABI;
  table_.n_p = narrow(plan_->n_p);
  table_.n_q = narrow(plan_->n_q);
  table_.n_u = narrow(plan_->n_u);
  table_.n_z = narrow(plan_->signals.size());
  table_.n_shared = plan_->programs.n_shared;
  table_.n_block_classes = narrow(block_classes_.size());
  table_.n_blocks = narrow(blocks_.size());
  table_.n_element_classes = narrow(element_classes_.size());
  table_.n_elements = narrow(elements_.size());
  table_.n_contact_classes = narrow(contact_classes_.size());
  table_.n_contacts = narrow(contacts_.size());
  table_.n_output_classes = narrow(output_classes_.size());
  table_.n_outputs = narrow(outputs_.size());
  table_.n_shapes = narrow(shapes_.size());
  table_.n_families = narrow(families_.size());
  table_.shapes = shapes_.data();
  table_.families = families_.data();
  table_.n_observed = narrow(plan_->n_observed);
  table_.block_classes = block_classes_.data();
  table_.blocks = blocks_.data();
  table_.element_classes = element_classes_.data();
  table_.elements = elements_.data();
  table_.contact_classes = contact_classes_.data();
  table_.contacts = contacts_.data();
  table_.output_classes = output_classes_.data();
  table_.outputs = outputs_.data();
  table_.prepare = compiled_.find({KernelKind::prepare});
  table_.advance = compiled_.advance();
  table_.signals = plan_->signals.data();
  table_.signal_rates = compiled_.find({KernelKind::signal_rates});
  table_.signal_initial = compiled_.find({KernelKind::signal_initial});
  table_.n_events = narrow(events_.size());
  table_.events = events_.data();
  table_.rates_read_forces = flag(plan_->rates_read_forces);
  table_.observe = compiled_.find({KernelKind::observe});
}

std::unique_ptr<Kernels> compile(std::shared_ptr<const KernelPlan> plan, const KernelCache* cache, Fusing fusing) {
  return std::make_unique<Kernels>(std::move(plan), cache, fusing);
}

}  // namespace nsmc
