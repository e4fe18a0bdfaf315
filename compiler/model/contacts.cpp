#include "compiler/model/contacts.hpp"

#include <fmt/core.h>

#include "compiler/model/arrays.hpp"
#include "compiler/model/events.hpp"
#include "compiler/model/expressions.hpp"
#include "compiler/model/joints.hpp"
#include "compiler/model/shape_contacts.hpp"
#include "compiler/support/internal_check.hpp"

namespace nsmc {

void Contacts::declare(const ast::Name& name, bool bilateral, const std::string& doc, ContactSource source) {
  TypedContact contact;
  contact.name = name.text;
  contact.doc = doc;
  contact.bilateral = bilateral;
  contact.span = name.text.empty() ? source.pair->first.span : name.span;
  model_.contacts.push_back(std::move(contact));
  Scope scope;
  scope.parent = &global_scope_;
  scope.contact = static_cast<std::uint32_t>(contact_scopes_.size());
  contact_scopes_.push_back(std::move(scope));
  contact_sources_.push_back(source);
  quantity_failed_.push_back(false);
}

void Contacts::name_contacts() {
  std::map<std::string, int> uses;
  for (const ContactSource& source : contact_sources_) {
    const auto* contact = std::get_if<ast::Contact>(&source.declaration->value);
    if (source.pair != nullptr && contact->name.text.empty()) ++uses[source.pair->first.name.text];
  }
  for (std::uint32_t c = 0; c < contact_sources_.size(); ++c) {
    const ContactSource& source = contact_sources_[c];
    const auto* contact = std::get_if<ast::Contact>(&source.declaration->value);
    if (source.pair == nullptr || !contact->name.text.empty()) continue;
    const std::string& first = source.pair->first.name.text;
    const std::string name = uses[first] == 1 ? first : first + "_" + source.pair->second.name.text;
    model_.contacts[c].name = name;
    const auto known = globals_.find(name);
    const bool taken =
        known != globals_.end() && known->second.kind != SymbolKind::shape && known->second.kind != SymbolKind::body;
    if (taken || !contact_names_.emplace(name, c).second) {
      report(Kind::contact_needs_name, source.pair->first.span,
             fmt::format("this contact is called '{}', and there is something else of that name", name),
             fmt::format("give it a name of its own: contact touch = {} on {} {{ ... }}", first,
                         source.pair->second.name.text));
    }
  }
}

// Which instances a contact has: by its range, by [*], and one for each point where its shapes may touch.
std::optional<Ranged> Contacts::contact_range(std::uint32_t contact) {
  const ContactSource& source = contact_sources_[contact];
  auto range = arrays_.ranged(*source.range, global_scope_);
  if (!range || source.pair == nullptr) return range;
  return shape_contacts_.add_instances(*source.pair, *source.range, range->instances) ? range : std::nullopt;
}

Scope Contacts::contact_scope(std::uint32_t contact, const std::vector<NodeId>& self) {
  Scope scope;
  scope.parent = &global_scope_;
  const auto& range = *contact_sources_[contact].range;
  if (range && !self.empty()) scope.names[range->variable.text] = self[0];
  return scope;
}

std::optional<Quantities> Contacts::quantities_of(std::uint32_t contact, const std::vector<NodeId>& self) {
  const ContactSource& source = contact_sources_[contact];
  if (source.joint != nullptr) return joints_.joint_quantities(*source.joint, contact_scope(contact, self));
  if (source.pair != nullptr) {
    // Seen from outside, a point is a number; within the contact the numbers of the point stand for themselves.
    const Instances& instances = model_.contacts[contact].instances;
    std::vector<NodeId> all(self.begin(), self.begin() + static_cast<std::ptrdiff_t>(instances.indices.size()));
    if (!instances.points.empty()) {
      const auto k = evaluate(self.back(), {});
      internal_check(k.has_value(), "a contact point without a number");
      for (const double x : instances.points[static_cast<std::size_t>(*k) - 1]) {
        all.push_back(make_number(x, {}, node(self.back()).span));
      }
    }
    return pair_quantities(contact, all);
  }
  Quantities q;
  Scope scope = contact_scope(contact, self);
  for (const ast::ContactItem& item : *source.items) {
    if (const auto* let = std::get_if<ast::Let>(&item)) {
      const Result value = expressions_.expression(let->value, scope);
      if (!value) return std::nullopt;
      scope.names[let->name.text] = *value;
    }
    const auto* quantity = std::get_if<ast::ContactQuantity>(&item);
    if (quantity == nullptr) continue;
    const Result value = expressions_.expression(quantity->value, scope);
    if (!value) return std::nullopt;
    const std::string& what = quantity->kind.text;
    (what == "gap" ? q.gap : what == "slip" ? q.slip : what == "spin" ? q.spin : q.roll) = *value;
  }
  return q;
}

std::optional<Quantities> Contacts::pair_quantities(std::uint32_t contact, const std::vector<NodeId>& self) {
  return shape_contacts_.pair_quantities(*contact_sources_[contact].pair, model_.contacts[contact],
                                         contact_scope(contact, self), self);
}

std::optional<Quantities> Contacts::own_quantities(std::uint32_t contact) {
  const ContactSource& source = contact_sources_[contact];
  std::vector<NodeId> self;
  for (std::uint32_t k = 0; k < model_.contacts[contact].instances.self_size(); ++k) {
    self.push_back(instance_node(k, model_.contacts[contact].span));
  }
  if (source.joint != nullptr) return joints_.joint_quantities(*source.joint, contact_scope(contact, self));
  return source.pair != nullptr ? pair_quantities(contact, self) : std::nullopt;
}

void Contacts::elaborate_quantities(std::uint32_t contact) {
  const ContactSource& source = contact_sources_[contact];
  Scope& scope = contact_scopes_[contact];
  quantity_failed_[contact] = true;  // until it is right
  const auto range = contact_range(contact);
  if (!range) return;
  {
    TypedContact& c = model_.contacts[contact];
    c.instances = range->instances;
    if (!c.instances.single()) c.name += "@";
    scope.names = range->scope.names;
  }
  if (source.pair != nullptr) shape_contacts_.add_family(*source.pair, contact);
  const Looking looking(core_, range->instances);
  const bool derived = source.pair != nullptr || source.joint != nullptr;
  std::optional<NodeId> gap_rate;
  if (derived) {
    const auto q = own_quantities(contact);
    if (!q) return;
    TypedContact& c = model_.contacts[contact];
    c.gap = q->gap;
    c.measures = q->measures;
    c.slip = q->slip;
    c.spin = q->spin;
    c.roll = q->roll;
    gap_rate = q->gap_rate;
  }
  bool failed = false;
  for (const ast::ContactItem& item : *source.items) {
    if (const auto* let = std::get_if<ast::Let>(&item)) {
      const Result value = expressions_.expression(let->value, scope);
      if (value) scope.names[let->name.text] = *value;
      continue;
    }
    const auto* quantity = std::get_if<ast::ContactQuantity>(&item);
    if (quantity == nullptr) continue;
    const bool failed_before = failed;
    failed = true;
    const std::string& what = quantity->kind.text;
    TypedContact& c = model_.contacts[contact];
    if (derived) {
      report(Kind::quantity_given_twice, quantity->kind.span,
             fmt::format("the {} of '{}' follows from its {}: leave it out", what, with_index(c.name, ""),
                         source.joint != nullptr ? "bodies" : "shapes"));
      continue;
    }
    if (c.*TypedContact::quantity(what)) {
      report(Kind::quantity_given_twice, quantity->kind.span, fmt::format("contact '{}' has a second {}", c.name, what),
             what == "slip" ? "a slip in two directions is a vector: slip [x', y']" : "");
      continue;
    }
    if (quantity->value.kind == ast::ExprKind::comparison) {
      report(
          Kind::wrong_kind, quantity->value.span, fmt::format("a {} must be a number, this is a condition", what),
          what == "gap" ? "the gap is the distance itself, gap z; law unilateral keeps it from becoming negative" : "");
      continue;
    }
    const Result value = what == "slip" || what == "roll" || (what == "gap" && c.bilateral)
                             ? expressions_.expression(quantity->value, scope)
                             : expressions_.scalar(quantity->value, scope, what == "gap" ? "a gap" : "a spin");
    if (!value) continue;
    const Type& t = type(*value);
    if (t.kind != ValueKind::number || t.cols != 1) {
      report(Kind::shape_mismatch, quantity->value.span, fmt::format("a {} is a number or a vector", what));
      continue;
    }
    const Dependence depends = node(*value).depends;
    if (depends.force || depends.energy || (what == "gap" && depends.velocity)) {
      report(Kind::depends_on_velocity, quantity->value.span,
             fmt::format("a {} must not depend on {}", what,
                         depends.force    ? "contact forces"
                         : depends.energy ? "the energy"
                                          : "velocities"),
             what == "gap" ? "the gap is a function of q and t; a condition on velocities is a slip" : "");
      continue;
    }
    model_.contacts[contact].*TypedContact::quantity(what) = *value;
    failed = failed_before;
  }
  if (source.active != nullptr && *source.active) {
    const Result active = events_.condition(**source.active, scope, "what switches a contact", false);
    if (active) model_.contacts[contact].active = *active;
  }
  quantity_failed_[contact] = failed;
  // The velocities in their fixed order.
  if (const auto gap = model_.contacts[contact].gap) {
    if (!gap_rate) {
      Type rate = type(*gap);
      for (Dimension& d : rate.dimensions) d = d / time_dimension();
      gap_rate = make(NodeKind::derivative, std::move(rate), {*gap}, node(*gap).span);
    }
    add_velocity(contact, *gap_rate, 0);
  }
  if (const auto slip = model_.contacts[contact].slip) add_velocity(contact, *slip, 1);
  if (const auto spin = model_.contacts[contact].spin) add_velocity(contact, *spin, 2);
  // That of shapes waits for a law that speaks of it: few do, and the equations of the others stay short.
  if (const auto roll = model_.contacts[contact].roll; roll && !derived) add_velocity(contact, *roll, kRoll);
}

void Contacts::add_velocity(std::uint32_t contact, NodeId value, std::uint32_t component) {
  const NodeId id = make(NodeKind::contact_velocity, type(value), {value}, node(value).span);
  model_.nodes[id].index = contact;
  model_.nodes[id].component = component;
  model_.contacts[contact].velocities.push_back(id);
  model_.contacts[contact].rolls = component == kRoll;
}

Result Contacts::contact_member(std::uint32_t contact, const std::vector<const ast::Expr*>& indices,
                                const ast::Expr& expr, const Scope& scope) {
  const std::string name = with_index(model_.contacts[contact].name, "");
  std::vector<NodeId> at;
  const Instances instances = model_.contacts[contact].instances;
  if (model_.contacts[contact].family) {
    report(Kind::contacts_come_and_go, expr.span,
           fmt::format("'{}' are {} contacts that come and go: none of them can be named", name, instances.count()),
           fmt::format("up to {} contacts have names and columns, and so has every contact with a range, as in "
                       "a[i] on a[i + 1] for i in 1..n-1",
                       core_.search_from));
    return std::nullopt;
  }
  if (!arrays_.find_instance(name, indices, instances, scope, expr.span, at)) return std::nullopt;
  const TypedContact& c = model_.contacts[contact];
  std::vector<std::string> known;
  for (const TypedLaw& law : c.laws) {
    for (const ForceVariable& force : law.forces) {
      known.push_back(force.name);
      if (expr.text != force.name) continue;
      Type t{ValueKind::number, force.size, 1, {}};
      t.dimensions.assign(c.force_dimensions.begin() + force.first,
                          c.force_dimensions.begin() + force.first + force.size);
      const std::uint32_t first = force.first;
      const NodeId id = make(NodeKind::force, std::move(t), at, expr.span);
      model_.nodes[id].index = contact;
      model_.nodes[id].component = first;
      return id;
    }
  }
  if (contact_sources_[contact].pair == nullptr && contact_sources_[contact].joint == nullptr && at.empty()) {
    for (const auto& [text, value] :
         {std::pair("gap", c.gap), std::pair("slip", c.slip), std::pair("spin", c.spin), std::pair("roll", c.roll)}) {
      if (!value) continue;
      if (expr.text == text) return *value;
      known.emplace_back(text);
    }
  } else {
    if (quantity_failed_[contact]) return std::nullopt;
    if (!instances.points.empty() && !evaluate(at.back(), {})) {
      report(
          Kind::bad_index, indices.back()->span,
          "the number of a contact point is a constant here: gap, slip and normal are other expressions at each point",
          fmt::format("write one output for each point, {}[{}1].gap; forces take any index", name,
                      at.size() > 1 ? "..., " : ""));
      return std::nullopt;
    }
    const auto q = quantities_of(contact, at);
    if (!q) return std::nullopt;
    for (const auto& [text, value] :
         {std::pair("gap", q->gap), std::pair("slip", q->slip), std::pair("spin", q->spin), std::pair("roll", q->roll),
          std::pair("normal", q->normal), std::pair("point", q->point), std::pair("angle", q->angle),
          std::pair("travel", q->travel)}) {
      if (!value) continue;
      if (expr.text == text) return *value;
      known.emplace_back(text);
    }
  }
  if (known.empty()) return std::nullopt;  // a contact that has nothing has been reported
  std::string hint = did_you_mean(expr.text, known);
  if (hint.empty()) hint = fmt::format("it has {}", joined(known));
  report(Kind::unknown_member, expr.span,
         fmt::format("{} '{}' has no '{}'", contact_sources_[contact].joint != nullptr ? "joint" : "contact", name,
                     expr.text),
         hint);
  return std::nullopt;
}

// Forces, then the quantities that it has, as contact_member finds them.
std::vector<std::string> Contacts::contact_members(std::uint32_t contact) const {
  const TypedContact& c = model_.contacts[contact];
  const ContactSource& source = contact_sources_[contact];
  std::vector<std::string> members;
  for (const TypedLaw& law : c.laws) {
    for (const ForceVariable& force : law.forces) members.push_back(force.name);
  }
  for (const char* quantity : {"gap", "slip", "spin", "roll"}) {
    if (c.*TypedContact::quantity(quantity)) members.emplace_back(quantity);
  }
  if (quantity_failed_[contact]) return members;
  if (source.pair != nullptr) members.emplace_back("normal");
  if (source.pair != nullptr || source.joint != nullptr) members.emplace_back("point");
  if (source.joint != nullptr && source.joint->call.text == "revolute") members.emplace_back("angle");
  if (source.joint != nullptr && source.joint->call.text == "prismatic") members.emplace_back("travel");
  return members;
}

}  // namespace nsmc
