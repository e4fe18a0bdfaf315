// Contacts: gamma = W^T u + chi, zeta = d/dt gamma - W^T u', and the laws in the form
//     B gamma + D lambda in N_{A K}(-alpha lambda).
#include <fmt/core.h>

#include <algorithm>

#include "compiler/mechanics/derivation.hpp"
#include "compiler/mechanics/law_argument.hpp"
#include "compiler/mechanics/linear_algebra.hpp"
#include "compiler/mechanics/sets.hpp"

namespace nsmc {

using sym::Expr;
using sym::Source;

namespace {

bool is_contact_velocity(const sym::Symbol& s) {
  return s.source == Source::velocity && s.index >= kContactVelocity && s.index < kEnergy;
}

class ContactDerivation {
 public:
  ContactDerivation(const Derivation& d, std::size_t index, StartView& start)
      : d_(d), pool_(d.pool), typed_(d.model.contacts[index]), index_(index), start_(start) {
    if (typed_.instances.count() > 0) start_.look_from(typed_.instances.self(0));
  }

  std::optional<ContactEquation> run() {
    c_.name = typed_.name;
    c_.doc = typed_.doc;
    c_.always_closed = typed_.bilateral || !typed_.gap;
    c_.instances = typed_.instances;
    if (typed_.active) c_.active = d_.lowering.scalar(*typed_.active);
    c_.family = typed_.family;
    if (typed_.gap) {
      const auto gap = d_.lowering.components(*typed_.gap);
      c_.gap.assign(gap.begin(), gap.end());
    }
    for (const TypedMeasure& measure : typed_.measures) {
      const auto value = d_.lowering.components(measure.value);
      c_.measures.push_back({{value.begin(), value.end()}, measure.span, measure.name, measure.zero});
    }
    for (const Dimension& dimension : typed_.force_dimensions) c_.force_dimensions.push_back(dimension.text());
    for (std::size_t i = 0; i < typed_.force_dimensions.size(); ++i) {
      c_.lambda.push_back(
          pool_.symbol(Source::force, force_index(index_, i), typed_.name + "." + typed_.force_name(i)));
    }
    if (!velocities()) return std::nullopt;
    bool ok = true;
    for (const TypedLaw& typed : typed_.laws) {
      auto equation = law(typed);
      ok = ok && equation.has_value();
      if (equation) c_.laws.push_back(std::move(*equation));
    }
    if (!ok) return std::nullopt;
    return std::move(c_);
  }

 private:
  bool velocities() {
    for (const NodeId velocity : typed_.velocities) {
      const Node& node = d_.model.node(velocity);
      const auto components = d_.lowering.components(node.args[0]);
      for (std::size_t k = 0; k < components.size(); ++k) {
        c_.gamma.push_back(components[k]);
        c_.velocity_names.push_back(components.size() == 1
                                        ? std::string(kContactVelocities[node.component])
                                        : fmt::format("{}[{}]", kContactVelocities[node.component], k + 1));
      }
    }
    std::vector<Expr> mentioned = c_.gamma;
    mentioned.insert(mentioned.end(), c_.gap.begin(), c_.gap.end());
    c_.references = d_.lowering.references_in(mentioned);
    if (c_.references.empty()) c_.references.push_back(0);
    if (!few_references()) return false;
    if (!d_.model.signals.empty() && !rates_of_motion()) return false;
    std::vector<Expr> u;
    for (const std::size_t r : c_.references) {
      u.insert(u.end(), d_.lowering.u(r).begin(), d_.lowering.u(r).end());
    }
    const std::vector<Expr> gradient = sym::jacobian(pool_, c_.gamma, u);  // W^T
    c_.W = transpose(Matrix{c_.gamma.size(), u.size(), gradient});
    c_.chi = sym::substitute(
        pool_, c_.gamma, [&](Expr s) { return pool_.symbol(s).source == Source::velocity ? pool_.constant(0) : s; });
    std::size_t row = 0;
    for (const NodeId velocity : typed_.velocities) {
      for (std::uint32_t k = 0; k < d_.model.type(velocity).rows; ++k, ++row) {
        for (std::size_t i = 0; i < u.size(); ++i) {
          if (!depends_on_source(pool_, c_.W(i, row), Source::velocity)) continue;
          d_.diagnostics.report(
              Kind::velocity_not_linear, d_.model.node(velocity).span,
              fmt::format("{} of contact '{}' is not linear in the velocities", c_.velocity_names[row], typed_.name),
              "a slip is the relative velocity of two points: W(q)^T u + chi(q, t)");
          return false;
        }
      }
    }
    return true;
  }

  // The rate of a state in a gap is part of its velocity, and is then one of coordinates, velocities and time.
  bool rates_of_motion() {
    const auto of_contacts = [](const sym::Symbol& s) { return s.source == Source::force || is_contact_velocity(s); };
    const auto by_contacts = [&](const sym::Symbol& s) {
      return of_contacts(s) ||
             (s.source == Source::signal && sym::depends_on(pool_, d_.lowering.z_dot()[s.index], of_contacts));
    };
    if (std::none_of(c_.gamma.begin(), c_.gamma.end(), [&](Expr e) { return sym::depends_on(pool_, e, by_contacts); }))
      return true;
    d_.diagnostics.report(
        Kind::not_differentiable, typed_.span,
        fmt::format("contact '{}' moves with a state whose rate depends on contacts", with_index(typed_.name, "")),
        "a rate in a gap or slip depends on coordinates, velocities and time");
    return false;
  }

  bool few_references() {
    if (c_.references.size() <= 2) return true;
    d_.diagnostics.report(Kind::too_many_blocks, typed_.span,
                          fmt::format("contact '{}' speaks of {} bodies, a contact touches one or two",
                                      with_index(typed_.name, ""), c_.references.size()),
                          "all coordinates declared one by one count as one body, each index of an array as another");
    return false;
  }

  std::optional<LawEquation> law(const TypedLaw& typed) {
    LawEquation l;
    l.name = typed.name;
    l.span = typed.span;
    l.inclusion = typed.inclusion;
    l.left_span = typed.left_span;
    l.set_span = d_.model.node(typed.set).span;
    l.argument_span = typed.argument_span;
    l.first = typed.first;
    l.size = typed.size;
    l.velocities.assign(typed.velocities.begin(), typed.velocities.end());
    for (const ForceVariable& force : typed.forces) {
      for (std::uint32_t k = 0; k < force.size; ++k) {
        l.force_names.push_back(force.size == 1 ? force.name : fmt::format("{}[{}]", force.name, k + 1));
      }
    }
    const auto report = [&](Kind kind, NodeId at, std::string message, std::string hint) {
      d_.diagnostics.report(kind, d_.model.node(at).span, std::move(message), std::move(hint))
          .labels.push_back(
              {typed.span, fmt::format("in contact '{}', which uses law '{}' here", typed_.name, typed.name)});
      return std::nullopt;
    };

    const std::span<const Expr> lambda = std::span(c_.lambda).subspan(l.first, l.size);
    if (!read_argument(typed, lambda, l)) {
      return report(
          Kind::law_argument_not_force, typed.argument,
          "the argument of normal_cone must be the force of the law times a positive scaling, with either sign",
          "write normal_cone(C, -T), with the forces in the order in which the law declares them");
    }

    if (!left_side(typed, lambda, l)) {
      return report(Kind::law_left_not_linear, typed.left,
                    "the left side of a law is linear in the contact velocities and its own force",
                    "coefficients may depend on parameters, coordinates and time");
    }

    l.direct = typed.direct;
    auto form = typed.direct ? direct_form(d_.model, d_.lowering, pool_, typed.set)
                             : normal_form(d_.model, d_.lowering, pool_, typed.set);
    if (!form && typed.direct) {
      return report(Kind::map_not_invertible, typed.set, "this set cannot be projected on directly",
                    "use solve transformed");
    }
    if (!form) {
      return report(Kind::map_not_invertible, typed.set, "the linear map of the set is singular",
                    "a set is mapped by an invertible matrix");
    }
    for (const Expr entry : form->A.entries) {
      if (!depends_on_source(pool_, entry, Source::force)) continue;
      return report(Kind::set_depends_on_own_force, typed.set, "the linear map of a set must not depend on forces",
                    "scale the set instead, N * C, or use solve direct");
    }
    if (l.positive_sign) {
      *form = reflected(pool_, std::move(*form));
      for (Expr& e : l.B.entries) e = pool_.neg(e);
      for (Expr& e : l.D.entries) e = pool_.neg(e);
    }
    l.A = std::move(form->A);
    l.sets = std::move(form->sets);
    l.identity_A = is_identity(pool_, l.A);
    l.identity_B = is_identity(pool_, l.B);
    l.zero_D = is_zero(pool_, l.D);
    if (!l.identity_A && !inverse(pool_, l.A)) {
      return report(Kind::map_not_invertible, typed.set, "the linear map of the set is singular",
                    "a set is mapped by an invertible matrix");
    }

    l.restitution.assign(l.size, pool_.constant(0));
    if (typed.restitution) {
      const auto values = d_.lowering.components(*typed.restitution);
      for (std::size_t k = 0; k < l.size; ++k) l.restitution[k] = values[values.size() == 1 ? 0 : k];
      // Newton's law per component means components of the law's own velocities: a map would mix them.
      const bool uniform =
          std::all_of(l.restitution.begin(), l.restitution.end(), [&](Expr e) { return e == l.restitution[0]; });
      if (!uniform && !(is_diagonal(pool_, l.A) && is_diagonal(pool_, l.B))) {
        return report(Kind::shape_mismatch, *typed.restitution,
                      "a restitution for each component does not go with a map that mixes components",
                      "give one restitution for the whole law");
      }
    }
    return l;
  }

  // argument = -alpha lambda or +alpha lambda; whether alpha is positive is tried with numbers later.
  bool read_argument(const TypedLaw& typed, std::span<const Expr> lambda, LawEquation& l) {
    const auto argument = d_.lowering.components(typed.argument);
    const auto ratio = ratio_to_force(pool_, argument, lambda);
    if (!ratio) return false;
    l.positive_sign = is_positive_at_start(pool_, *ratio, lambda, start_);
    const Expr alpha = l.positive_sign ? *ratio : pool_.neg(*ratio);
    if (pool_.is_constant(alpha, 1)) return true;
    l.alpha = alpha;
    l.reservoir = two_set_reservoir(d_, typed, *ratio, l.positive_sign, lambda);
    return true;
  }

  // left = B gamma + D lambda
  bool left_side(const TypedLaw& typed, std::span<const Expr> lambda, LawEquation& l) {
    const auto left = d_.lowering.components(typed.left);
    std::vector<Expr> gamma;
    for (const std::size_t row : l.velocities) {
      gamma.push_back(pool_.symbol(Source::velocity,
                                   static_cast<std::uint32_t>(kContactVelocity + (index_ << 8U) + row),
                                   fmt::format("{}.{}", typed_.name, c_.velocity_names[row])));
    }
    l.B = {l.size, l.size, sym::jacobian(pool_, left, gamma)};
    l.D = {l.size, l.size, sym::jacobian(pool_, left, lambda)};
    const auto varies = [&](Expr e) {
      return sym::depends_on(pool_, e,
                             [](const sym::Symbol& s) { return s.source == Source::force || is_contact_velocity(s); });
    };
    if (std::any_of(l.B.entries.begin(), l.B.entries.end(), varies) ||
        std::any_of(l.D.entries.begin(), l.D.entries.end(), varies)) {
      return false;
    }
    const std::vector<Expr> rest = sym::substitute(pool_, left, [&](Expr s) {
      const bool own = std::find(lambda.begin(), lambda.end(), s) != lambda.end() ||
                       std::find(gamma.begin(), gamma.end(), s) != gamma.end();
      return own ? pool_.constant(0) : s;
    });
    return std::all_of(rest.begin(), rest.end(), [&](Expr e) { return pool_.is_constant(e, 0); });
  }

  const Derivation& d_;
  sym::ExprPool& pool_;
  const TypedContact& typed_;
  std::size_t index_;
  StartView& start_;
  ContactEquation c_;
};

bool add_references_of_laws(const Derivation& d, ContactEquation& contact) {
  std::vector<Expr> mentioned;
  const auto add = [&](const std::vector<Expr>& exprs) {
    mentioned.insert(mentioned.end(), exprs.begin(), exprs.end());
  };
  for (const LawEquation& law : contact.laws) {
    for (const SimpleSet& set : law.sets) {
      add(set.arguments);
      add(set.centre);
      if (is_by_function(set.kind)) add({set.function});
    }
    add(law.A.entries);
    add(law.B.entries);
    add(law.D.entries);
    add(law.restitution);
    if (law.alpha) add({*law.alpha});
  }
  if (contact.active) add({*contact.active});
  for (const std::size_t r : d.lowering.references_in(mentioned)) {
    if (std::find(contact.references.begin(), contact.references.end(), r) != contact.references.end()) continue;
    if (contact.references.size() == 2) {
      d.diagnostics.report(Kind::too_many_blocks, contact.laws[0].span,
                           fmt::format("the laws of contact '{}' speak of a third body, a contact touches one or two",
                                       with_index(contact.name, "")));
      return false;
    }
    // It takes no part in the contact but is seen by its kernels: rows of zeros in W.
    const std::size_t more = d.lowering.u(r).size();
    contact.references.push_back(r);
    contact.W.rows += more;
    contact.W.entries.resize(contact.W.rows * contact.W.cols, d.pool.constant(0));
  }
  return true;
}

}  // namespace

std::vector<Expr> resolve_placeholders(sym::ExprPool& pool, const Equations& equations, std::span<const Expr> exprs) {
  return sym::substitute(pool, exprs, [&](Expr s) {
    const sym::Symbol& symbol = pool.symbol(s);
    if (!is_contact_velocity(symbol)) return s;
    const std::uint32_t place = symbol.index - kContactVelocity;
    return equations.contacts[place >> 8U].gamma[place & 255U];
  });
}

namespace {

void derive_shapes(const Derivation& d, Equations& equations) {
  for (const TypedShapes& typed : d.model.shapes) {
    const auto bounds = d.lowering.components(typed.bounds);
    equations.shapes.push_back(
        {typed.instances, typed.half_space, d.lowering.references_in(bounds), {bounds.begin(), bounds.end()}});
  }
}

}  // namespace

bool derive_contacts(const Derivation& d, Equations& equations, const ParameterValues& overrides) {
  derive_shapes(d, equations);
  const std::vector<double> p = parameter_values(d.pool, equations, overrides);
  StartView start(d.pool, equations, p, {1, 2});
  bool ok = true;
  for (std::size_t i = 0; i < d.model.contacts.size(); ++i) {
    d.look_at(d.model.contacts[i].span);
    auto contact = ContactDerivation(d, i, start).run();
    ok = ok && contact.has_value();
    if (contact) equations.contacts.push_back(std::move(*contact));
  }
  if (!ok) return false;
  // Sets, restitutions and maps may depend on the contact velocities at the beginning of the step, and on other bodies.
  const auto resolve = [&](std::vector<Expr>& exprs) { exprs = resolve_placeholders(d.pool, equations, exprs); };
  const auto resolve_set = [&](SimpleSet& set) {
    resolve(set.arguments);
    resolve(set.centre);
    set.function = resolve_placeholders(d.pool, equations, std::span(&set.function, 1))[0];
  };
  for (ContactEquation& contact : equations.contacts) {
    if (contact.active) contact.active = resolve_placeholders(d.pool, equations, std::span(&*contact.active, 1))[0];
    for (LawEquation& law : contact.laws) {
      for (SimpleSet& set : law.sets) resolve_set(set);
      resolve(law.A.entries);
      resolve(law.B.entries);
      resolve(law.D.entries);
      resolve(law.restitution);
      if (law.alpha) law.alpha = resolve_placeholders(d.pool, equations, std::span(&*law.alpha, 1))[0];
      if (law.reservoir) {
        Reservoir& c = *law.reservoir;
        for (Expr* k : {&c.k_C, &c.k_D}) *k = resolve_placeholders(d.pool, equations, std::span(k, 1))[0];
        resolve(c.A.entries);
        for (SimpleSet& set : c.sets) resolve_set(set);
      }
    }
    ok = ok && add_references_of_laws(d, contact);
  }
  return ok;
}

}  // namespace nsmc
