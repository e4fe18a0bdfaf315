// Which kernels a model has, the instances of each class, and the programs of the kernels.
#include "compiler/codegen/plan.hpp"

#include <fmt/core.h>

#include <cctype>
#include <cmath>

#include "compiler/codegen/planner.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "compiler/mechanics/lowering.hpp"
#include "compiler/mechanics/work.hpp"
#include "compiler/support/internal_check.hpp"

namespace nsmc {

using sym::Expr;
using sym::Source;

std::string label_of(std::size_t index, const std::string& name) {
  std::string label = fmt::format("{}_", index + 1);
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') label += c;
  }
  return label;
}

std::vector<ReferencePlace> places_of(const std::vector<std::size_t>& references) {
  std::vector<ReferencePlace> places;
  for (std::size_t k = 0; k < references.size(); ++k) {
    const std::uint32_t base = k == 0 ? 0 : second_block;
    places.push_back({static_cast<std::uint32_t>(references[k]), base, base});
  }
  return places;
}

bool may_share(const Equations& e, const Instances& instances, const std::vector<std::size_t>& references) {
  return instances.single() && std::all_of(references.begin(), references.end(), [&](std::size_t r) {
           return e.blocks[e.references[r].block].instances.single();
         });
}

namespace {

class Planner {
 public:
  Planner(const Equations& equations, sym::ExprPool& pool, Level level) : e_(equations), pool_(pool), level_(level) {}

  KernelPlan run() try {
    plan_.n_p = e_.parameters.size();
    blocks();
    elements();
    contacts();
    signals();
    events();
    shapes();
    columns();
    outputs();
    work_columns();
    implicit_gauges();
    at_.clear();
    plan_.programs = lower(pool_, plan_.specs);
    return std::move(plan_);
  } catch (const sym::TooLarge& error) {
    throw PlanTooLarge(error.what() + (at_.empty() ? at_ : ", " + at_));
  }

 private:
  void add(KernelKind kind, std::size_t of, const std::string& label, std::vector<Expr> values, Stage stage,
           const std::vector<std::size_t>& references) {
    KernelSpec& spec = plan_.specs.emplace_back();
    spec.id = {kind, static_cast<std::uint32_t>(of)};
    spec.outputs = std::move(values);
    spec.stage = stage;
    spec.places = places_of(references);
    spec.label = label;
  }

  // The bodies of implicit gauges are kernels that others call: they come first.
  void implicit_gauges() {
    std::vector<KernelSpec> specs;
    for (std::size_t i = 0; i < pool_.implicit_count(); ++i) {
      const sym::ImplicitGauge& gauge = pool_.implicit(static_cast<std::uint32_t>(i));
      if (gauge.outputs.empty()) continue;
      specs.push_back(
          {{KernelKind::implicit, static_cast<std::uint32_t>(i)}, gauge.outputs, Stage::any_time, {}, true});
    }
    plan_.specs.insert(plan_.specs.begin(), specs.begin(), specs.end());
  }

  void blocks() {
    for (std::size_t b = 0; b < e_.blocks.size(); ++b) {
      const BlockEquation& block = e_.blocks[b];
      at_ = "in the motion of " + with_index(block.name, "");
      const bool shares = block.instances.single();
      BlockKernels k;
      const std::string label = label_of(b, block.name);
      k.name = with_index(block.name, "");
      k.n_q = block.q.size();
      k.n_u = block.u.size();
      if (block.quaternion) k.quaternion = static_cast<std::uint32_t>(*block.quaternion);
      k.identity_kinematics = block.identity_kinematics;
      k.diagonal_mass = true;
      for (std::size_t i = 0; i < k.n_u; ++i) {
        for (std::size_t j = 0; j < i; ++j) k.diagonal_mass = k.diagonal_mass && pool_.is_constant(block.M(i, j), 0);
      }
      k.constant_mass = !depends(pool_, block.M.entries, [](const sym::Symbol& s) {
        return s.source != Source::parameter && s.source != Source::instance;
      });

      if (!k.identity_kinematics) add(KernelKind::kinematics, b, label, block.q_dot, Stage::any_time, {b});
      std::vector<Expr> dynamics;
      for (std::size_t j = 0; j < k.n_u; ++j) {
        if (k.diagonal_mass) {
          dynamics.push_back(block.M(j, j));
          continue;
        }
        // Column-major; the upper triangle is not read and is written as zero.
        for (std::size_t i = 0; i < k.n_u; ++i) dynamics.push_back(i >= j ? block.M(i, j) : pool_.constant(0));
      }
      dynamics.insert(dynamics.end(), block.h.begin(), block.h.end());
      add(KernelKind::dynamics, b, label, std::move(dynamics), shares ? Stage::dynamics : Stage::any_time, {b});
      add(KernelKind::energy, b, label, {pool_.add(block.kinetic, block.potential)}, Stage::any_time, {b});
      if (const WorkRates work = work_of(pool_, e_, block); !is_zero(pool_, work)) {
        add(KernelKind::work, b, label, {work.supplied, work.damped, work.moved, work.by_time}, Stage::any_time, {b});
      }
      std::vector<Expr> initial;
      for (const auto* variables : {&block.q, &block.u}) {
        for (const VariableEquation& v : *variables) initial.push_back(v.initial);
      }
      add(KernelKind::initial, b, label, std::move(initial), Stage::any_time, {b});

      first_block_.push_back(plan_.block_instances.size());
      first_q_.push_back(plan_.n_q);
      first_u_.push_back(plan_.n_u);
      for (std::size_t i = 0; i < block.instances.count(); ++i) {
        plan_.block_instances.push_back(instance(b, block.instances, i, {}));
      }
      plan_.n_q += block.instances.count() * k.n_q;
      plan_.n_u += block.instances.count() * k.n_u;
      plan_.block_classes.push_back(std::move(k));
    }
  }

  void elements() {
    for (std::size_t i = 0; i < e_.elements.size(); ++i) {
      const ElementEquation& element = e_.elements[i];
      at_ = "in " + with_index(element.source, "");
      ElementKernels k;
      const std::string label = label_of(i, element.source);
      k.name = element.source;
      k.n_blocks = element.references.size();
      std::vector<Expr> h;
      for (const std::vector<Expr>& part : element.h) h.insert(h.end(), part.begin(), part.end());
      const Stage stage = may_share(e_, element.instances, element.references) ? Stage::gap : Stage::any_time;
      add(KernelKind::element, i, label, std::move(h), stage, element.references);
      if (!pool_.is_constant(element.potential, 0)) {
        add(KernelKind::element_energy, i, label, {element.potential}, Stage::any_time, element.references);
      }
      if (const WorkRates work = work_of(pool_, e_, element); !is_zero(pool_, work)) {
        add(KernelKind::element_work, i, label, {work.supplied, work.damped, work.moved, work.by_time}, Stage::any_time,
            element.references);
      }
      for (std::size_t n = 0; n < element.instances.count(); ++n) {
        plan_.element_instances.push_back(instance(i, element.instances, n, element.references));
      }
      plan_.element_classes.push_back(std::move(k));
    }
  }

  void contacts() {
    for (std::size_t i = 0; i < e_.contacts.size(); ++i) {
      const ContactEquation& contact = e_.contacts[i];
      at_ = "in contact " + with_index(contact.name, "");
      ContactKernels k = plan_contact(e_, pool_, i, level_, plan_.specs);
      k.name = with_index(contact.name, "");
      k.n_blocks = contact.references.size();
      for (const LawEquation& law : contact.laws) {
        k.laws.push_back(static_cast<std::uint32_t>(law.first));
        k.law_names.push_back(law.name);
      }
      first_contact_.push_back(plan_.contact_instances.size());
      first_force_.push_back(n_forces_);
      if (contact.family) {
        plan_.families.push_back(family(i, contact));
        plan_.contact_classes.push_back(std::move(k));
        continue;
      }
      for (std::size_t n = 0; n < contact.instances.count(); ++n) {
        plan_.contact_instances.push_back(instance(i, contact.instances, n, contact.references));
        plan_.contact_names.push_back(with_index(contact.name, contact.instances.suffix(n)));
      }
      n_forces_ += contact.instances.count() * k.n_rows;
      plan_.contact_classes.push_back(std::move(k));
    }
  }

  // They stand behind the coordinates of all blocks. Rates look at the whole state, and at forces of contacts.
  void signals() {
    if (e_.signals.empty()) return;
    std::vector<Expr> rates, initial;
    for (const SignalEquation& signal : e_.signals) {
      plan_.signals.push_back(static_cast<std::uint32_t>(signal.kind));
      rates.push_back(in_all_forces(signal.rate));
      initial.push_back(signal.initial);
    }
    plan_.n_q += e_.signals.size();
    plan_.rates_read_forces = depends(pool_, rates, [](const sym::Symbol& s) { return s.source == Source::force; });
    KernelSpec spec{{KernelKind::signal_rates}, std::move(rates), Stage::any_time, whole_state()};
    plan_.specs.push_back(std::move(spec));
    plan_.specs.push_back({{KernelKind::signal_initial}, std::move(initial), Stage::any_time, {}});
  }

  void events() {
    const auto number = [&](Expr condition) { return pool_.select(condition, pool_.constant(1), pool_.constant(0)); };
    for (std::size_t i = 0; i < e_.events.size(); ++i) {
      const EventEquation& event = e_.events[i];
      EventPlan plan{static_cast<std::uint32_t>(event.kind), event.doc, {}};
      const auto add_kernel = [&](KernelKind kind, std::vector<Expr> values, std::vector<ReferencePlace> places) {
        KernelSpec& spec = plan_.specs.emplace_back();
        spec.id = {kind, static_cast<std::uint32_t>(i)};
        for (Expr& value : values) value = in_all_forces(value);
        spec.outputs = std::move(values);
        spec.places = std::move(places);
      };
      if (event.kind == EventKind::every) {
        add_kernel(KernelKind::event_interval, {event.interval}, {});
      } else {
        add_kernel(KernelKind::event_condition, {number(event.condition), event.margin}, whole_state());
      }
      for (const EventTarget& target : event.targets) {
        plan.targets.push_back(static_cast<std::uint32_t>(
            target.velocity ? e_.signals.size() + first_u_[target.block] + target.number : target.number));
      }
      if (!event.values.empty()) add_kernel(KernelKind::event_action, event.values, whole_state());
      plan_.events.push_back(std::move(plan));
    }
  }

  // What families are searched among.
  void shapes() {
    for (std::size_t s = 0; s < e_.shapes.size(); ++s) {
      const ShapesEquation& shapes = e_.shapes[s];
      ShapesPlan plan;
      plan.half_space = shapes.half_space;
      if (!shapes.instances.single()) plan.first = shapes.instances.indices[0].first;
      plan.count = shapes.instances.count();
      for (std::size_t n = 0; n < plan.count && !shapes.references.empty(); ++n)
        plan.blocks.push_back(block_of(shapes.references[0], shapes.instances.self(n)));
      add(KernelKind::bounds, s, label_of(s, "shapes"), shapes.bounds, Stage::any_time, shapes.references);
      plan_.shapes.push_back(std::move(plan));
    }
  }

  FamilyPlan family(std::size_t number, const ContactEquation& contact) {
    FamilyPlan plan;
    plan.contact_class = static_cast<std::uint32_t>(number);
    plan.instances = contact.instances;
    for (const std::vector<double>& point : contact.instances.points)
      plan.points.insert(plan.points.end(), point.begin(), point.end());
    for (std::size_t side = 0; side < 2; ++side) {
      plan.shapes[side] = contact.family->shapes[side];
      if (contact.family->index[side]) plan.shape_index[side] = *contact.family->index[side];
    }
    for (std::size_t k = 0; k < contact.references.size() && k < 2; ++k)
      plan.blocks[k] = blocks_by_index(contact.references[k], contact.instances);
    return plan;
  }

  // The block that a reference means, by the one index of the contact that it depends on.
  FamilyPlan::Blocks blocks_by_index(std::size_t reference, const Instances& instances) {
    FamilyPlan::Blocks blocks;
    std::vector<double> self = instances.self(0);
    const std::optional<Expr>& index = e_.references[reference].index;
    for (std::uint32_t d = 0; index && d < instances.indices.size(); ++d) {
      const bool depends = sym::depends_on(
          pool_, *index, [&](const sym::Symbol& s) { return s.source == Source::instance && s.index == d; });
      if (!depends) continue;
      internal_check(blocks.index == NSM_NONE, "a body of a family that two indices choose");
      blocks.index = d;
    }
    if (blocks.index == NSM_NONE) {
      blocks.blocks.push_back(block_of(reference, self));
      return blocks;
    }
    const IndexBounds& bounds = instances.indices[blocks.index];
    for (std::int64_t i = bounds.first; i <= bounds.last; ++i) {
      self[blocks.index] = static_cast<double>(i);
      blocks.blocks.push_back(block_of(reference, self));
    }
    return blocks;
  }

  std::uint32_t block_of(std::size_t reference, const std::vector<double>& self) const {
    const Reference& r = e_.references[reference];
    return static_cast<std::uint32_t>(first_block_[r.block] + block_instance(r, self));
  }

  void add_column(std::string name, std::string dimension) {
    plan_.columns.push_back(std::move(name));
    plan_.column_dimensions.push_back(std::move(dimension));
  }

  // In the order that the runtime writes them.
  void columns() {
    for (const bool coordinates : {true, false}) {
      for (const BlockEquation& block : e_.blocks) {
        for (std::size_t n = 0; n < block.instances.count(); ++n) {
          const std::string suffix = block.instances.suffix(n);
          for (const VariableEquation& v : coordinates ? block.q : block.u) {
            add_column(with_index(v.name, suffix), v.dimension);
          }
        }
      }
      if (!coordinates) continue;
      for (const SignalEquation& signal : e_.signals) add_column(signal.name, signal.dimension);
    }
    std::size_t at = 0;
    for (const ContactEquation& contact : e_.contacts) {
      if (contact.family) continue;
      for (std::size_t n = 0; n < contact.instances.count(); ++n, ++at) {
        const std::string& name = plan_.contact_names[at];
        const ContactKernels& kernels = plan_.contact_classes[plan_.contact_instances[at].type];
        for (std::size_t g = 0; g < (kernels.has_gap ? 1 : kernels.n_position); ++g) {
          add_column(contact.gap.size() == 1 ? name + ".gap" : fmt::format("{}.gap[{}]", name, g + 1), "");
        }
        for (const LawEquation& law : contact.laws) {
          for (std::size_t k = 0; k < law.force_names.size(); ++k) {
            add_column(name + "." + law.force_names[k], contact.force_dimensions[law.first + k]);
          }
        }
      }
    }
    plan_.energy_column = plan_.columns.size();
    add_column("energy", "");
  }

  // What every contact has dissipated, then every law of it if there are several, under the name of its first force;
  // what is not of contacts; and the rest.
  void work_columns() {
    plan_.work_column = plan_.columns.size();
    std::size_t at = 0;
    const auto add_work = [&](const std::string& name, const ContactEquation& contact) {
      add_column(name + ".dissipated", "");
      if (contact.laws.size() < 2) return;
      for (const LawEquation& law : contact.laws) {
        const std::string& force = law.force_names.at(0);
        add_column(name + "." + force.substr(0, force.find('[')) + ".dissipated", "");
      }
    };
    for (const ContactEquation& contact : e_.contacts) {
      if (contact.family) continue;
      for (std::size_t n = 0; n < contact.instances.count(); ++n, ++at) add_work(plan_.contact_names[at], contact);
    }
    for (const FamilyPlan& family : plan_.families)
      add_work(plan_.contact_classes[family.contact_class].name, e_.contacts[family.contact_class]);
    for (const char* name : {"energy_damped", "energy_supplied", "energy_balance"}) add_column(name, "");
  }

  // Where a kernel that looks at the whole state finds the blocks.
  std::vector<ReferencePlace> whole_state() const {
    std::vector<ReferencePlace> places;
    for (std::size_t r = 0; r < e_.references.size(); ++r) {
      const Reference& reference = e_.references[r];
      const BlockEquation& block = e_.blocks[reference.block];
      const bool fixed = !reference.index || pool_.is_constant(*reference.index);
      if (!fixed || block.instances.count() == 0) continue;
      const std::size_t k = block_instance(reference, {});
      places.push_back({static_cast<std::uint32_t>(r),
                        static_cast<std::uint32_t>(first_q_[reference.block] + k * block.q.size()),
                        static_cast<std::uint32_t>(first_u_[reference.block] + k * block.u.size())});
    }
    return places;
  }

  void outputs() {
    // Single outputs look at the whole state.
    KernelSpec observe{{KernelKind::observe}, {}, Stage::any_time, {}};
    std::vector<const OutputEquation*> arrays;
    for (const OutputEquation& output : e_.outputs) {
      if (!output.instances.single()) {
        arrays.push_back(&output);
        continue;
      }
      add_column(output.name, output.dimension);
      observe.outputs.push_back(in_all_forces(output.value));
    }
    observe.places = whole_state();
    plan_.n_observed = observe.outputs.size();
    if (plan_.n_observed > 0) plan_.specs.push_back(std::move(observe));
    for (std::size_t i = 0; i < arrays.size(); ++i) output_array(i, *arrays[i]);
  }

  void output_array(std::size_t index, const OutputEquation& output) {
    OutputKernels k;
    k.name = with_index(output.name, "");
    std::vector<std::size_t> references;
    std::optional<std::size_t> forces;
    for (const Expr e : sym::topological_order(pool_, std::span(&output.value, 1))) {
      if (pool_.op(e) != sym::Op::symbol) continue;
      const sym::Symbol& s = pool_.symbol(e);
      if (s.source == Source::force) forces = force_contact(s.index);
      if (s.source != Source::coordinate && s.source != Source::velocity) continue;
      const std::size_t r = reference_of(s.index);
      if (std::find(references.begin(), references.end(), r) == references.end()) references.push_back(r);
    }
    std::sort(references.begin(), references.end());
    k.n_blocks = references.size();
    const Expr value = sym::substitute(pool_, std::span(&output.value, 1), [&](Expr s) {
      const sym::Symbol symbol = pool_.symbol(s);
      if (symbol.source != Source::force) return s;
      return pool_.symbol(Source::force, static_cast<std::uint32_t>(force_row(symbol.index)), symbol.name);
    })[0];
    add(KernelKind::output, index, label_of(index, output.name), {value}, Stage::any_time, references);
    for (std::size_t n = 0; n < output.instances.count(); ++n) {
      InstancePlan plan = instance(index, output.instances, n, references);
      if (forces) {
        const ForceReference& reference = e_.force_references[*forces];
        // A contact's own forces belong to an output over the same instances.
        const bool own = reference.indices.empty() && !e_.contacts[reference.contact].instances.single();
        plan.contact = static_cast<std::uint32_t>(first_contact_[reference.contact] +
                                                  (own ? n : contact_instance(reference, output.instances.self(n))));
      }
      plan_.output_instances.push_back(plan);
      add_column(with_index(output.name, output.instances.suffix(n)), output.dimension);
    }
    plan_.output_classes.push_back(std::move(k));
  }

  // Forces and energy as they stand in the view of `observe`.
  Expr in_all_forces(Expr value) {
    return sym::substitute(pool_, std::span(&value, 1), [&](Expr s) {
      const sym::Symbol symbol = pool_.symbol(s);
      const auto flat = [&](std::size_t row) {
        return pool_.symbol(Source::force, static_cast<std::uint32_t>(row), symbol.name);
      };
      if (symbol.source == Source::velocity && symbol.index == kEnergy) return flat(n_forces_);
      if (symbol.source != Source::force || symbol.index < kUserForce) return s;
      const ForceReference& reference = e_.force_references[force_contact(symbol.index)];
      return flat(first_force_[reference.contact] +
                  contact_instance(reference, {}) * plan_.contact_classes[reference.contact].n_rows +
                  force_row(symbol.index));
    })[0];
  }

  std::int64_t index_value(Expr index, const std::vector<double>& self) const {
    return std::llround(constant_value(pool_, index, {}, self));
  }

  // Which instance of its block a reference means.
  std::size_t block_instance(const Reference& reference, const std::vector<double>& self) const {
    if (!reference.index) return 0;
    const IndexBounds& bounds = e_.blocks[reference.block].instances.indices.at(0);
    const std::int64_t i = index_value(*reference.index, self);
    internal_check(i >= bounds.first && i <= bounds.last, "an index leaves its array");
    return static_cast<std::size_t>(i - bounds.first);
  }

  std::size_t contact_instance(const ForceReference& reference, const std::vector<double>& self) const {
    const Instances& instances = e_.contacts[reference.contact].instances;
    if (reference.indices.empty()) return 0;
    std::vector<std::int64_t> wanted;
    for (const Expr index : reference.indices) wanted.push_back(index_value(index, self));
    const auto found = instances.find(wanted);
    internal_check(found.has_value(), "an index leaves its array of contacts");
    return *found;
  }

  InstancePlan instance(std::size_t type, const Instances& instances, std::size_t n,
                        const std::vector<std::size_t>& references) {
    InstancePlan plan;
    plan.type = static_cast<std::uint32_t>(type);
    std::vector<double> self;
    if (!instances.single()) {
      self = instances.self(n);
      plan.self = static_cast<std::uint32_t>(plan_.selves.size());
      plan_.selves.insert(plan_.selves.end(), self.begin(), self.end());
    }
    for (std::size_t k = 0; k < references.size() && k < 2; ++k) {
      plan.blocks[k] = block_of(references[k], self);
    }
    return plan;
  }

  const Equations& e_;
  sym::ExprPool& pool_;
  Level level_;
  std::string at_;  // what is under way, for the message if it becomes too large
  KernelPlan plan_;
  std::vector<std::size_t> first_block_, first_q_, first_u_;  // of the first instance of every block
  std::vector<std::size_t> first_contact_, first_force_;      // of every contact
  std::size_t n_forces_ = 0;
};

}  // namespace

KernelPlan plan_kernels(const Equations& e, sym::ExprPool& pool, Level level) { return Planner(e, pool, level).run(); }

}  // namespace nsmc
