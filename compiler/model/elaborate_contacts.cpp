// Contacts and laws. A law is a template: it is expanded for the contact that uses it, so that T[dim(slip)] is a
// number in the plane and a vector in space, and its forces get the dimension that makes force times velocity a power.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "compiler/model/elaborator.hpp"
#include "compiler/model/looking.hpp"
#include "compiler/support/internal_check.hpp"

namespace nsmc {
namespace {

constexpr std::uint32_t kRoll = 3;

// Which of kContactVelocities an expression mentions, in the order of their first mention, looking through the law's
// own lets.
void collect_velocities(const ast::Expr& expr, const std::map<std::string, const ast::Expr*>& lets,
                        std::set<std::string>& visited, std::vector<std::uint32_t>& found) {
  const auto add = [&](std::uint32_t component) {
    if (std::find(found.begin(), found.end(), component) == found.end()) found.push_back(component);
  };
  if (expr.kind == ast::ExprKind::derivative && expr.args[0].kind == ast::ExprKind::name &&
      expr.args[0].text == "gap") {
    add(0);
    return;
  }
  if (expr.kind == ast::ExprKind::name) {
    if (expr.text == "slip") add(1);
    if (expr.text == "spin") add(2);
    if (expr.text == "roll") add(kRoll);
    const auto let = lets.find(expr.text);
    if (let != lets.end() && visited.insert(expr.text).second) collect_velocities(*let->second, lets, visited, found);
  }
  // dim(slip) speaks of the shape, not of the velocity.
  if (expr.kind == ast::ExprKind::call && expr.text == "dim") return;
  for (const ast::Expr& arg : expr.args) collect_velocities(arg, lets, visited, found);
}

}  // namespace

// Which instances a contact has: by its range, by [*], and one for each point where its shapes may touch.
std::optional<Elaborator::Ranged> Elaborator::contact_range(std::uint32_t contact) {
  const ContactSource& source = contact_sources_[contact];
  auto range = ranged(*source.range, global_scope_);
  if (!range || source.pair == nullptr) return range;
  const auto a = side_of(source.pair->first);
  const auto b = side_of(source.pair->second);
  if (!a || !b) return std::nullopt;
  if (*source.range && (a->all || b->all)) {
    report(Kind::bad_index, (*source.range)->span, "[*] means all of them: it goes without a range");
    return std::nullopt;
  }
  for (const Side* side : {&*a, &*b}) {
    if (side->all) range->instances.indices.push_back(side->shape->instances.indices[0]);
  }
  range->instances.pairs = a->all && b->all && a->shape == b->shape;
  range->instances.points = points_of(*a->shape, *b->shape);
  return range;
}

Scope Elaborator::contact_scope(std::uint32_t contact, const std::vector<NodeId>& self) {
  Scope scope;
  scope.parent = &global_scope_;
  const auto& range = *contact_sources_[contact].range;
  if (range && !self.empty()) scope.names[range->variable.text] = self[0];
  return scope;
}

std::optional<Quantities> Elaborator::quantities_of(std::uint32_t contact, const std::vector<NodeId>& self) {
  const ContactSource& source = contact_sources_[contact];
  if (source.joint != nullptr) return joint_quantities(contact, self);
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
      const Result value = expression(let->value, scope);
      if (!value) return std::nullopt;
      scope.names[let->name.text] = *value;
    }
    const auto* quantity = std::get_if<ast::ContactQuantity>(&item);
    if (quantity == nullptr) continue;
    const Result value = expression(quantity->value, scope);
    if (!value) return std::nullopt;
    const std::string& what = quantity->kind.text;
    (what == "gap" ? q.gap : what == "slip" ? q.slip : what == "spin" ? q.spin : q.roll) = *value;
  }
  return q;
}

void Elaborator::elaborate_quantities(std::uint32_t contact) {
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
  const Looking looking(looking_, range->instances);
  const bool derived = source.pair != nullptr || source.joint != nullptr;
  std::optional<NodeId> gap_rate;
  if (derived) {
    std::vector<NodeId> self;
    for (std::uint32_t k = 0; k < range->instances.self_size(); ++k) {
      self.push_back(instance_node(k, model_.contacts[contact].span));
    }
    const auto q = source.joint != nullptr ? joint_quantities(contact, self) : pair_quantities(contact, self);
    if (!q) return;
    TypedContact& c = model_.contacts[contact];
    c.gap = q->gap;
    c.slip = q->slip;
    c.spin = q->spin;
    c.roll = q->roll;
    gap_rate = q->gap_rate;
  }
  bool failed = false;
  for (const ast::ContactItem& item : *source.items) {
    if (const auto* let = std::get_if<ast::Let>(&item)) {
      const Result value = expression(let->value, scope);
      if (value) scope.names[let->name.text] = *value;
      continue;
    }
    const auto* quantity = std::get_if<ast::ContactQuantity>(&item);
    if (quantity == nullptr) continue;
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
    const Result value = what == "slip" || what == "roll" || (what == "gap" && c.bilateral)
                             ? expression(quantity->value, scope)
                             : scalar(quantity->value, scope, what == "gap" ? "a gap" : "a spin");
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
    failed = false;
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

void Elaborator::add_velocity(std::uint32_t contact, NodeId value, std::uint32_t component) {
  const NodeId id = make(NodeKind::contact_velocity, type(value), {value}, node(value).span);
  model_.nodes[id].index = contact;
  model_.nodes[id].component = component;
  model_.contacts[contact].velocities.push_back(id);
  model_.contacts[contact].rolls = component == kRoll;
}

void Elaborator::elaborate_laws(std::uint32_t contact) {
  if (quantity_failed_[contact]) return;  // its laws would only repeat what is wrong
  const std::vector<ast::ContactItem>& items = *contact_sources_[contact].items;
  const Span span = model_.contacts[contact].span;
  const Instances instances = model_.contacts[contact].instances;
  const Looking looking(looking_, instances);
  bool any = false;
  const bool bilateral = model_.contacts[contact].bilateral;
  const auto implied = [&](const char* law) {
    ast::Expr use;
    use.kind = ast::ExprKind::name;
    use.text = law;
    use.span = span;
    elaborate_law(use, contact);
    any = true;
  };
  const bool has_laws = std::any_of(items.begin(), items.end(),
                                    [](const auto& item) { return std::holds_alternative<ast::LawUse>(item); });
  // A constraint is a contact with the laws gap' = 0 and, unless it says how its slip behaves, slip = 0. What is free
  // in a joint stays free.
  if (bilateral && model_.contacts[contact].gap) implied("bilateral");
  if (bilateral && model_.contacts[contact].slip && !has_laws && contact_sources_[contact].joint == nullptr) {
    implied("bilateral_slip");
  }
  for (const ast::ContactItem& item : items) {
    if (const auto* use = std::get_if<ast::LawUse>(&item)) {
      elaborate_law(use->call, contact);
      any = true;
    }
  }
  if (!any) {
    report(Kind::contact_without_law, span,
           fmt::format("contact '{}' has no law", with_index(model_.contacts[contact].name, "")),
           bilateral ? "a constraint needs a gap or a slip" : "add one, such as 'law unilateral' or 'law coulomb(mu)'");
  }
}

Result Elaborator::contact_member(std::uint32_t contact, const std::vector<const ast::Expr*>& indices,
                                  const ast::Expr& expr, const Scope& scope) {
  const std::string name = with_index(model_.contacts[contact].name, "");
  std::vector<NodeId> at;
  const Instances instances = model_.contacts[contact].instances;
  if (!find_instance(name, indices, instances, scope, expr.span, at)) return std::nullopt;
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
  std::string hint = did_you_mean(expr.text, known);
  if (hint.empty()) hint = fmt::format("it has {}", joined(known));
  report(Kind::unknown_member, expr.span,
         fmt::format("{} '{}' has no '{}'", contact_sources_[contact].joint != nullptr ? "joint" : "contact", name,
                     expr.text),
         hint);
  return std::nullopt;
}

void Elaborator::elaborate_law(const ast::Expr& use, std::uint32_t contact) {
  const auto found = globals_.find(use.text);
  if (found == globals_.end() || found->second.kind != SymbolKind::law) {
    std::vector<std::string> laws;
    for (const auto& [text, symbol] : globals_) {
      if (symbol.kind == SymbolKind::law) laws.push_back(text);
    }
    std::string hint = did_you_mean(use.text, laws);
    if (hint.empty()) hint = fmt::format("known laws: {}", joined(laws));
    report(Kind::unknown_law, use.span, fmt::format("unknown law '{}'", use.text), hint);
    return;
  }
  const auto& definition = std::get<ast::Law>(found->second.declaration->value);
  const std::pair<Span, std::string> expansion(
      use.span, fmt::format("in contact '{}', which uses law '{}' here", with_index(model_.contacts[contact].name, ""),
                            use.text));
  expansions_.push_back(expansion);
  struct Leave {
    Elaborator& elaborator;
    ~Leave() {
      elaborator.expansions_.pop_back();
      elaborator.law_forces_.clear();
    }
  } leave{*this};

  TypedLaw law;
  law.name = use.text;
  law.span = use.span;

  // Which velocities the law speaks of decides the dimensions of its forces.
  std::map<std::string, const ast::Expr*> lets;
  const ast::Inclusion* inclusion = nullptr;
  std::size_t inclusions = 0;
  for (const ast::LawItem& item : definition.items) {
    if (const auto* let = std::get_if<ast::Let>(&item)) lets[let->name.text] = &let->value;
    if (const auto* found_inclusion = std::get_if<ast::Inclusion>(&item)) {
      inclusion = found_inclusion;
      ++inclusions;
    }
  }
  if (inclusions != 1) {
    report(Kind::law_without_inclusion, definition.name.span,
           fmt::format("law '{}' has {} inclusions, a law has exactly one", use.text, inclusions),
           "an inclusion reads: slip in normal_cone(C, -T); two inclusions are two laws");
    return;
  }
  std::set<std::string> visited;
  std::vector<std::uint32_t> used;
  collect_velocities(inclusion->left, lets, visited, used);
  if (used.empty()) {
    report(Kind::law_left_not_linear, inclusion->left.span,
           "the left side of a law is linear in gap', slip, spin and roll",
           "an inclusion reads: slip in normal_cone(C, -T)");
    return;
  }
  const bool rolls = std::find(used.begin(), used.end(), kRoll) != used.end();
  if (const auto roll = model_.contacts[contact].roll; rolls && roll && !model_.contacts[contact].rolls) {
    add_velocity(contact, *roll, kRoll);  // the last of them: the places of the others stay
  }
  const TypedContact& c = model_.contacts[contact];
  // Forces are dual to the velocities in the order in which the left side names them: [slip, spin] with [T, tau].
  std::vector<Dimension> dual;
  for (const std::uint32_t component : used) {
    std::uint32_t offset = 0;
    bool found_velocity = false;
    for (const NodeId velocity : c.velocities) {
      const Type& t = type(velocity);
      for (std::uint32_t k = 0; node(velocity).component == component && k < t.rows; ++k) {
        found_velocity = true;
        law.velocities.push_back(offset + k);
        dual.push_back(power_dimension() / t.dimensions[k]);
      }
      offset += t.rows;
    }
    if (found_velocity) continue;
    const std::string missing = kContactVelocities[component];
    const std::string keyword = component == 0 ? "gap" : missing;
    report(Kind::law_quantity_missing, use.span,
           fmt::format("law '{}' needs {}, contact '{}' has no {}", use.text, missing, with_index(c.name, ""), keyword),
           fmt::format("add '{} ...' to the contact", keyword));
    return;
  }

  // The set arguments of the law may be written in its forces, so these come first.
  law_forces_ = dual;
  expansions_.pop_back();  // arguments are the contact's, not the law's
  auto bound = bind_arguments(use, definition.parameters, contact_scopes_[contact], "law");
  expansions_.push_back(expansion);
  if (!bound) return;
  Scope& scope = *bound;
  scope.contact = contact;
  scope.library = found->second.library;
  for (const auto& [text, force] : contact_scopes_[contact].names) {
    if (node(force).kind == NodeKind::force) scope.names.emplace(text, force);
  }

  law.first = static_cast<std::uint32_t>(c.force_dimensions.size());
  for (const ast::LawItem& item : definition.items) {
    if (const auto* let = std::get_if<ast::Let>(&item)) {
      const Result value = expression(let->value, scope);
      if (!value) return;
      scope.names[let->name.text] = *value;
    }
    const auto* force = std::get_if<ast::LawForce>(&item);
    if (force == nullptr) continue;
    const auto size = force->size ? dimension_count(*force->size, scope) : std::optional<std::uint32_t>(1);
    if (!size) return;
    if (contact_scopes_[contact].names.contains(force->name.text)) {
      report(Kind::duplicate_name, force->name.span,
             fmt::format("contact '{}' has a force '{}' already", with_index(c.name, ""), force->name.text),
             "two laws of one contact need forces of different names");
      return;
    }
    if (law.size + *size > dual.size()) {
      report(
          Kind::shape_mismatch, force->name.span,
          fmt::format("the forces of law '{}' have more components than its velocities ({})", use.text, dual.size()));
      return;
    }
    Type t{ValueKind::number, *size, 1, {dual.begin() + law.size, dual.begin() + law.size + *size}};
    const NodeId id = make(NodeKind::force, std::move(t), {}, force->name.span);
    model_.nodes[id].index = contact;
    model_.nodes[id].component = law.first + law.size;
    scope.names[force->name.text] = id;
    law.forces.push_back({force->name.text, law.first + law.size, *size});
    law.size += *size;
  }
  if (law.size != dual.size()) {
    report(Kind::shape_mismatch, definition.name.span,
           fmt::format("law '{}' has {} force component{} for {} velocit{}", use.text, law.size,
                       law.size == 1 ? "" : "s", dual.size(), dual.size() == 1 ? "y" : "ies"),
           "a force as long as the slip is declared: force T[dim(slip)]");
    return;
  }
  if (!elaborate_inclusion(*inclusion, scope, law, c)) return;

  TypedContact& owner = model_.contacts[contact];
  owner.force_dimensions.insert(owner.force_dimensions.end(), dual.begin(), dual.end());
  for (const ForceVariable& force : law.forces) {
    contact_scopes_[contact].names[force.name] = scope.names[force.name];
  }
  owner.laws.push_back(std::move(law));
}

bool Elaborator::elaborate_inclusion(const ast::Inclusion& inclusion, const Scope& scope, TypedLaw& law,
                                     const TypedContact& contact) {
  if (inclusion.cone.kind != ast::ExprKind::call || inclusion.cone.text != "normal_cone" ||
      inclusion.cone.args.size() != 2) {
    report(Kind::law_argument_not_force, inclusion.cone.span, "the right side of a law is normal_cone(set, force)",
           "an inclusion reads: slip in normal_cone(C, -T)");
    return false;
  }
  law.inclusion = join(inclusion.left.span, inclusion.cone.span);
  const ast::Expr& set_expr = inclusion.cone.args[0];
  const ast::Expr& argument_expr = inclusion.cone.args[1];
  law.left_span = inclusion.left.span;
  law.argument_span = argument_expr.span;
  const Result left = expression(inclusion.left, scope);
  const Result set = expression(set_expr, scope);
  const Result argument = expression(argument_expr, scope);
  Result restitution;
  if (inclusion.restitution) {
    restitution = expression(*inclusion.restitution, scope);
    if (!restitution) return false;
    const Type& t = type(*restitution);
    if (t.kind != ValueKind::number || (t.size() != 1 && (t.cols != 1 || t.rows != law.size))) {
      report(Kind::shape_mismatch, inclusion.restitution->span,
             fmt::format("the restitution is one number, or a vector of {}", law.size));
      return false;
    }
    for (const Dimension& d : t.dimensions) {
      if (d.is_dimensionless()) continue;
      report(Kind::not_dimensionless, inclusion.restitution->span,
             fmt::format("the restitution must be a pure number, this is {}", d.description()));
      return false;
    }
  }
  if (!left || !set || !argument) return false;
  if (!is_set(*set)) {
    report(Kind::wrong_kind, set_expr.span, "normal_cone takes a set first",
           "normal_cone(C, x) is the normal cone on the set C at the point x");
    return false;
  }
  const auto is_vector_of = [&](NodeId id, std::uint32_t n) {
    return type(id).kind == ValueKind::number && type(id).cols == 1 && type(id).rows == n;
  };
  if (!is_vector_of(*argument, law.size)) {
    report(Kind::law_argument_not_force, argument_expr.span,
           fmt::format("the argument of normal_cone is plus or minus the force of law '{}', {} component{}", law.name,
                       law.size, law.size == 1 ? "" : "s"));
    return false;
  }
  if (type(*set).rows != law.size) {
    report(Kind::set_wrong_dimension, set_expr.span,
           fmt::format("the set lies in R^{}, the force in R^{}", type(*set).rows, law.size),
           law.size > 1 ? fmt::format("ball(r, {}) has the right dimension", law.size) : "");
    return false;
  }
  if (!is_vector_of(*left, law.size)) {
    report(Kind::shape_mismatch, inclusion.left.span,
           fmt::format("the left side of the law needs {} component{}", law.size, law.size == 1 ? "" : "s"));
    return false;
  }
  std::optional<Dimension> pairing;
  for (std::uint32_t k = 0; k < law.size; ++k) {
    const Dimension& extent = type(*set).dimensions[k];
    const Dimension& force = type(*argument).dimensions[k];
    if (!extent.fits(force)) {
      report(Kind::set_does_not_fit_force, set_expr.span,
             fmt::format("the extent of the set is {}, expected {}, since force times velocity is a power",
                         extent.description(), force.description()));
      return false;
    }
    const Dimension product = type(*left).dimensions[k] * force;
    if (!pairing) pairing = product;
    if (!product.fits(*pairing)) {
      report(Kind::dimension_mismatch, inclusion.left.span,
             "left side times force must have one dimension for all components");
      return false;
    }
  }
  if (node(*set).depends.force) {
    // The sets of a law follow the forces that earlier laws introduced.
    std::vector<NodeId> open{*set};
    while (!open.empty()) {
      const Node& n = node(open.back());
      open.pop_back();
      if (n.kind == NodeKind::force &&
          (n.index != static_cast<std::uint32_t>(&contact - model_.contacts.data()) || n.component >= law.first)) {
        report(Kind::set_depends_on_own_force, set_expr.span,
               "a set may depend on forces that earlier laws of the same contact introduce, not on its own");
        return false;
      }
      open.insert(open.end(), n.args.begin(), n.args.end());
    }
  }
  if (restitution && node(*restitution).depends.force) {
    report(Kind::set_depends_on_own_force, inclusion.restitution->span, "the restitution must not depend on forces");
    return false;
  }
  if (inclusion.solve && inclusion.solve->text != "direct" && inclusion.solve->text != "transformed") {
    report(Kind::bad_setting, inclusion.solve->span,
           fmt::format("'solve' takes direct or transformed, not '{}'", inclusion.solve->text));
    return false;
  }
  law.direct = inclusion.solve && inclusion.solve->text == "direct";
  law.left = *left;
  law.set = *set;
  law.argument = *argument;
  law.restitution = restitution;
  return true;
}

}  // namespace nsmc
