#include "compiler/model/laws.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "compiler/model/arrays.hpp"
#include "compiler/model/calls.hpp"
#include "compiler/model/contacts.hpp"
#include "compiler/model/expressions.hpp"
#include "compiler/support/habits.hpp"

namespace nsmc {
namespace {

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

void Laws::elaborate_laws(std::uint32_t contact) {
  if (contacts_.failed(contact)) return;  // its laws would only repeat what is wrong
  const std::vector<ast::ContactItem>& items = *contacts_.source(contact).items;
  const Span span = model_.contacts[contact].span;
  const Instances instances = model_.contacts[contact].instances;
  const Looking looking(core_, instances);
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
  if (bilateral && model_.contacts[contact].slip && !has_laws && contacts_.source(contact).joint == nullptr) {
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

const GlobalSymbol* Laws::find_law(const ast::Expr& use) {
  const auto found = globals_.find(use.text);
  if (found != globals_.end() && found->second.kind == SymbolKind::law) return &found->second;
  std::vector<std::string> laws;
  for (const auto& [text, symbol] : globals_) {
    if (symbol.kind == SymbolKind::law) laws.push_back(text);
  }
  const std::optional<Advice> known = habit(HabitOf::law, use.text);
  std::string hint = known ? known->hint : did_you_mean(use.text, laws);
  if (hint.empty()) hint = fmt::format("known laws: {}", joined(laws));
  report(Kind::unknown_law, use.span, fmt::format("unknown law '{}'", use.text), hint);
  return nullptr;
}

void Laws::elaborate_law(const ast::Expr& use, std::uint32_t contact) {
  const GlobalSymbol* symbol = find_law(use);
  if (symbol == nullptr) {
    core_.contacts_without_force.insert(contact);
    return;
  }
  const auto& definition = std::get<ast::Law>(symbol->declaration->value);
  const std::string name = with_index(model_.contacts[contact].name, "");
  core_.expansions.push_back({use.span, fmt::format("in contact '{}', which uses law '{}' here", name, use.text),
                              fmt::format("in contact '{}'", name), use.text});
  struct Leave {
    Core& core;
    std::uint32_t contact;
    bool done = false;
    ~Leave() {
      core.expansions.pop_back();
      core.law_forces.clear();
      core.law_arguments.clear();
      if (!done) core.contacts_without_force.insert(contact);
    }
  } leave{core_, contact};

  TypedLaw law;
  law.name = use.text;
  law.span = use.span;
  const ast::Inclusion* inclusion = inclusion_of(definition);
  if (inclusion == nullptr || !find_velocities(definition, *inclusion, contact, law)) return;
  auto scope = law_scope(use, *symbol, contact);
  if (!scope || !add_forces(definition, contact, *scope, law)) return;
  if (!elaborate_inclusion(*inclusion, *scope, law, contact)) return;

  TypedContact& owner = model_.contacts[contact];
  owner.force_dimensions.insert(owner.force_dimensions.end(), core_.law_forces.begin(), core_.law_forces.end());
  for (const ForceVariable& force : law.forces) {
    contacts_.scope(contact).names[force.name] = scope->names[force.name];
  }
  look_at_friction(law);
  owner.laws.push_back(std::move(law));
  leave.done = true;
}

// mu = 30, which may have been 0.30.
void Laws::look_at_friction(TypedLaw& law) {
  constexpr double kMost = 10;
  for (const auto& [name, value] : core_.law_arguments) {
    const Type& t = type(value);
    if (t.kind != ValueKind::number || !t.is_scalar()) continue;
    law.arguments.emplace_back(name, value);
    const std::optional<double> mu = evaluate(value, {});
    if (!name.starts_with("mu") || !t.dimensions[0].is_dimensionless() || !mu || !(*mu > kMost)) continue;
    report(Kind::friction_unusual, law.span, fmt::format("{}, {} is {:.6g}", core_.expansions.front().where, name, *mu),
           "friction coefficients lie between 0 and 2 as a rule");
  }
}

const ast::Inclusion* Laws::inclusion_of(const ast::Law& definition) {
  const ast::Inclusion* inclusion = nullptr;
  std::size_t inclusions = 0;
  for (const ast::LawItem& item : definition.items) {
    if (const auto* found = std::get_if<ast::Inclusion>(&item)) {
      inclusion = found;
      ++inclusions;
    }
  }
  if (inclusions == 1) return inclusion;
  report(Kind::law_without_inclusion, definition.name.span,
         fmt::format("law '{}' has {} inclusions, a law has exactly one", definition.name.text, inclusions),
         "an inclusion reads: slip in normal_cone(C, -T); two inclusions are two laws");
  return nullptr;
}

// Which velocities the law speaks of decides the dimensions of its forces, which are dual to them in the order in which
// the left side names them: [slip, spin] with [T, tau].
bool Laws::find_velocities(const ast::Law& definition, const ast::Inclusion& inclusion, std::uint32_t contact,
                           TypedLaw& law) {
  std::map<std::string, const ast::Expr*> lets;
  for (const ast::LawItem& item : definition.items) {
    if (const auto* let = std::get_if<ast::Let>(&item)) lets[let->name.text] = &let->value;
  }
  std::set<std::string> visited;
  std::vector<std::uint32_t> used;
  collect_velocities(inclusion.left, lets, visited, used);
  if (used.empty()) {
    report(Kind::law_left_not_linear, inclusion.left.span,
           "the left side of a law is linear in gap', slip, spin and roll",
           "an inclusion reads: slip in normal_cone(C, -T)");
    return false;
  }
  const bool rolls = std::find(used.begin(), used.end(), kRoll) != used.end();
  if (const auto roll = model_.contacts[contact].roll; rolls && roll && !model_.contacts[contact].rolls) {
    contacts_.add_velocity(contact, *roll, kRoll);  // the last of them: the places of the others stay
  }
  const TypedContact& c = model_.contacts[contact];
  std::vector<Dimension> dual;
  for (const std::uint32_t component : used) {
    std::uint32_t offset = 0;
    bool found = false;
    for (const NodeId velocity : c.velocities) {
      const Type& t = type(velocity);
      for (std::uint32_t k = 0; node(velocity).component == component && k < t.rows; ++k) {
        found = true;
        law.velocities.push_back(offset + k);
        dual.push_back(power_dimension() / t.dimensions[k]);
      }
      offset += t.rows;
    }
    if (found) continue;
    const std::string missing = kContactVelocities[component];
    const std::string keyword = component == 0 ? "gap" : missing;
    report(Kind::law_quantity_missing, law.span,
           fmt::format("law '{}' needs {}, contact '{}' has no {}", law.name, missing, with_index(c.name, ""), keyword),
           fmt::format("add '{} ...' to the contact", keyword));
    return false;
  }
  // The set arguments of the law may be written in its forces, so these come first.
  core_.law_forces = std::move(dual);
  return true;
}

// The arguments of the law, and the forces of the laws before it.
std::optional<Scope> Laws::law_scope(const ast::Expr& use, const GlobalSymbol& symbol, std::uint32_t contact) {
  const auto& definition = std::get<ast::Law>(symbol.declaration->value);
  auto expansion = std::move(core_.expansions.back());  // arguments are the contact's, not the law's
  core_.expansions.pop_back();
  auto scope = calls_.bind_arguments(use, definition.parameters, contacts_.scope(contact), "law");
  core_.expansions.push_back(std::move(expansion));
  if (!scope) return std::nullopt;
  for (const ast::Parameter& parameter : definition.parameters)
    core_.law_arguments.emplace_back(parameter.name.text, scope->names.at(parameter.name.text));
  scope->contact = contact;
  scope->library = symbol.library;
  for (const auto& [text, force] : contacts_.scope(contact).names) {
    if (node(force).kind == NodeKind::force) scope->names.emplace(text, force);
  }
  return scope;
}

bool Laws::add_forces(const ast::Law& definition, std::uint32_t contact, Scope& scope, TypedLaw& law) {
  const std::vector<Dimension> dual = core_.law_forces;
  law.first = static_cast<std::uint32_t>(model_.contacts[contact].force_dimensions.size());
  for (const ast::LawItem& item : definition.items) {
    if (const auto* let = std::get_if<ast::Let>(&item)) {
      const Result value = expressions_.expression(let->value, scope);
      if (!value) return false;
      scope.names[let->name.text] = *value;
    }
    const auto* force = std::get_if<ast::LawForce>(&item);
    if (force == nullptr) continue;
    const auto size = force->size ? calls_.dimension_count(*force->size, scope) : std::optional<std::uint32_t>(1);
    if (!size) return false;
    if (contacts_.scope(contact).names.contains(force->name.text)) {
      report(Kind::duplicate_name, force->name.span,
             fmt::format("a law before this one has the force '{}' already", force->name.text),
             "two laws of one contact need forces of different names");
      return false;
    }
    if (law.size + *size > dual.size()) {
      report(
          Kind::shape_mismatch, force->name.span,
          fmt::format("the forces of law '{}' have more components than its velocities ({})", law.name, dual.size()));
      return false;
    }
    Type t{ValueKind::number, *size, 1, {dual.begin() + law.size, dual.begin() + law.size + *size}};
    const NodeId id = make(NodeKind::force, std::move(t), {}, force->name.span);
    model_.nodes[id].index = contact;
    model_.nodes[id].component = law.first + law.size;
    scope.names[force->name.text] = id;
    law.forces.push_back({force->name.text, law.first + law.size, *size});
    law.size += *size;
  }
  if (law.size == dual.size()) return true;
  report(Kind::shape_mismatch, definition.name.span,
         fmt::format("law '{}' has {} force component{} for {} velocit{}", law.name, law.size, law.size == 1 ? "" : "s",
                     dual.size(), dual.size() == 1 ? "y" : "ies"),
         "a force as long as the slip is declared: force T[dim(slip)]");
  return false;
}

bool Laws::elaborate_inclusion(const ast::Inclusion& inclusion, const Scope& scope, TypedLaw& law,
                               std::uint32_t contact) {
  if (inclusion.cone.kind != ast::ExprKind::call || inclusion.cone.text != "normal_cone" ||
      inclusion.cone.args.size() != 2) {
    report(Kind::law_argument_not_force, inclusion.cone.span, "the right side of a law is normal_cone(set, force)",
           "an inclusion reads: slip in normal_cone(C, -T)");
    return false;
  }
  law.inclusion = join(inclusion.left.span, inclusion.cone.span);
  law.left_span = inclusion.left.span;
  law.argument_span = inclusion.cone.args[1].span;
  const Result left = expressions_.expression(inclusion.left, scope);
  const Result set = expressions_.expression(inclusion.cone.args[0], scope);
  const Result argument = expressions_.expression(inclusion.cone.args[1], scope);
  if (inclusion.restitution && !elaborate_restitution(*inclusion.restitution, scope, law)) return false;
  if (!left || !set || !argument) return false;
  law.left = *left;
  law.set = *set;
  law.argument = *argument;
  if (!check_shapes(inclusion, law) || !check_dimensions(inclusion, law, contact) ||
      !check_forces(inclusion, law, contact)) {
    return false;
  }
  if (inclusion.solve && inclusion.solve->text != "direct" && inclusion.solve->text != "transformed") {
    report(Kind::bad_setting, inclusion.solve->span,
           fmt::format("'solve' takes direct or transformed, not '{}'", inclusion.solve->text));
    return false;
  }
  law.direct = inclusion.solve && inclusion.solve->text == "direct";
  return true;
}

bool Laws::elaborate_restitution(const ast::Expr& expr, const Scope& scope, TypedLaw& law) {
  law.restitution = expressions_.expression(expr, scope);
  if (!law.restitution) return false;
  const Type& t = type(*law.restitution);
  if (t.kind != ValueKind::number || (t.size() != 1 && (t.cols != 1 || t.rows != law.size))) {
    report(Kind::shape_mismatch, expr.span, fmt::format("the restitution is one number, or a vector of {}", law.size));
    return false;
  }
  for (const Dimension& d : t.dimensions) {
    if (d.is_dimensionless()) continue;
    report(Kind::not_dimensionless, expr.span,
           fmt::format("the restitution must be a pure number, this is {}", d.description()));
    return false;
  }
  return true;
}

bool Laws::check_shapes(const ast::Inclusion& inclusion, const TypedLaw& law) {
  const ast::Expr& set_expr = inclusion.cone.args[0];
  if (!is_set(law.set)) {
    const bool argument = std::any_of(core_.law_arguments.begin(), core_.law_arguments.end(),
                                      [&](const auto& a) { return a.second == law.set; });
    if (argument) {
      report(Kind::wrong_kind, set_expr.span,
             fmt::format("'{}' of law '{}' is a set, {} was given", set_expr.text, law.name, shape_text(type(law.set))),
             "a set of forces is written disc(mu*N); friction with a coefficient is law coulomb(mu)");
      return false;
    }
    report(Kind::wrong_kind, set_expr.span, "normal_cone takes a set first",
           "normal_cone(C, x) is the normal cone on the set C at the point x");
    return false;
  }
  const auto is_vector_of = [&](NodeId id, std::uint32_t n) {
    return type(id).kind == ValueKind::number && type(id).cols == 1 && type(id).rows == n;
  };
  const char* plural = law.size == 1 ? "" : "s";
  if (!is_vector_of(law.argument, law.size)) {
    report(Kind::law_argument_not_force, law.argument_span,
           fmt::format("the argument of normal_cone is plus or minus the force of law '{}', {} component{}", law.name,
                       law.size, plural));
    return false;
  }
  if (type(law.set).rows != law.size) {
    report(Kind::set_wrong_dimension, set_expr.span,
           fmt::format("the set lies in R^{}, the force in R^{}", type(law.set).rows, law.size),
           law.size > 1 ? fmt::format("ball(r, {}) has the right dimension", law.size) : "");
    return false;
  }
  if (!is_vector_of(law.left, law.size)) {
    report(Kind::shape_mismatch, law.left_span,
           fmt::format("the left side of the law needs {} component{}", law.size, plural));
    return false;
  }
  return true;
}

bool Laws::check_dimensions(const ast::Inclusion& inclusion, const TypedLaw& law, std::uint32_t contact) {
  std::optional<Dimension> pairing;
  for (std::uint32_t k = 0; k < law.size; ++k) {
    const Dimension& extent = type(law.set).dimensions[k];
    const Dimension& force = type(law.argument).dimensions[k];
    if (!extent.fits(force)) {
      const auto& slip = model_.contacts[contact].slip;
      report(Kind::set_does_not_fit_force, inclusion.cone.args[0].span,
             fmt::format("the extent of the set is {}, expected {}, since force times velocity is a power",
                         extent.description(), force.description()),
             slip && !node(*slip).depends.velocity ? "the slip of the contact is no velocity; velocities are written x'"
             : slip && !without_unit({*slip}).empty() ? without_unit({*slip})
             : extent.is_dimensionless() && force == dimensions::force && !of_library(inclusion.cone.args[0].span)
                 ? "a set of friction grows with the normal force: disc(mu*N)"
                 : "");
      return false;
    }
    const Dimension product = type(law.left).dimensions[k] * force;
    if (!pairing) pairing = product;
    if (!product.fits(*pairing)) {
      report(Kind::dimension_mismatch, law.left_span,
             "left side times force must have one dimension for all components");
      return false;
    }
  }
  return true;
}

// The sets of a law follow the forces that earlier laws introduced.
bool Laws::check_forces(const ast::Inclusion& inclusion, const TypedLaw& law, std::uint32_t contact) {
  std::vector<NodeId> open;
  if (node(law.set).depends.force) open.push_back(law.set);
  while (!open.empty()) {
    const Node& n = node(open.back());
    open.pop_back();
    if (n.kind == NodeKind::force && (n.index != contact || n.component >= law.first)) {
      report(Kind::set_depends_on_own_force, inclusion.cone.args[0].span,
             "a set may depend on forces that earlier laws of the same contact introduce, not on its own");
      return false;
    }
    open.insert(open.end(), n.args.begin(), n.args.end());
  }
  if (law.restitution && node(*law.restitution).depends.force) {
    report(Kind::set_depends_on_own_force, inclusion.restitution->span, "the restitution must not depend on forces");
    return false;
  }
  return true;
}

}  // namespace nsmc
