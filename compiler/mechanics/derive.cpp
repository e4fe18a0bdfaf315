#include "compiler/mechanics/derive.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "compiler/mechanics/derivation.hpp"
#include "compiler/mechanics/events.hpp"

namespace nsmc {

using sym::Expr;

namespace {

void name_variables(const Derivation& d, Equations& equations) {
  const TypedModel& model = d.model;
  const auto initial = [&](const std::optional<NodeId>& node) {
    return node ? d.lowering.scalar(*node) : d.pool.constant(0);
  };
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const TypedParameter& p = model.parameters[i];
    equations.parameters.push_back(
        {p.name, p.doc, p.unit, p.dimension.text(), d.lowering.p()[i], d.lowering.scalar(p.value), p.span});
  }
  // A default was elaborated after the parameters it needs, so its node stands after theirs.
  equations.parameter_order.resize(model.parameters.size());
  std::iota(equations.parameter_order.begin(), equations.parameter_order.end(), 0);
  std::sort(equations.parameter_order.begin(), equations.parameter_order.end(),
            [&](std::size_t a, std::size_t b) { return model.parameters[a].value < model.parameters[b].value; });
  for (std::size_t i = 0; i < model.signals.size(); ++i) {
    const TypedSignal& z = model.signals[i];
    equations.signals.push_back({z.name, z.doc, z.dimension.text(), z.kind, d.lowering.z()[i], initial(z.initial),
                                 d.lowering.z_dot()[i], z.span});
  }
  for (std::size_t b = 0; b < model.blocks.size(); ++b) {
    const TypedBlock& typed = model.blocks[b];
    BlockEquation block;
    block.name = typed.name;
    block.doc = typed.doc;
    block.instances = typed.instances;
    block.span = typed.span;
    if (typed.quaternion) block.quaternion = *typed.quaternion;
    for (std::size_t i = 0; i < typed.n_coordinates; ++i) {
      const TypedCoordinate& q = model.coordinates[typed.first_coordinate + i];
      block.q.push_back({q.name, q.doc, q.dimension.text(), d.lowering.q(b)[i], initial(q.initial), q.span});
    }
    for (std::size_t i = 0; i < typed.n_velocities; ++i) {
      const TypedVelocity& u = model.velocities[typed.first_velocity + i];
      block.u.push_back({u.name, u.doc, u.dimension.text(), d.lowering.u(b)[i], initial(u.initial), u.span});
    }
    equations.blocks.push_back(std::move(block));
  }
}

// What is left of a rate after all were put in has gone round in a circle: s' = 1 - s'.
bool rates_are_known(const Derivation& d, const Equations& equations) {
  bool known = true;
  for (const SignalEquation& signal : equations.signals) {
    const bool circle = sym::depends_on(d.pool, signal.rate, [](const sym::Symbol& s) {
      return s.source == sym::Source::signal && s.index >= kSignalRate;
    });
    if (!circle) continue;
    d.diagnostics.report(Kind::cyclic_definition, signal.span,
                         fmt::format("the rate of '{}' is given by itself", signal.name));
    known = false;
  }
  return known;
}

void derive_outputs(const Derivation& d, Equations& equations) {
  for (const TypedOutput& output : d.model.outputs) {
    const auto components = d.lowering.components(output.value);
    const std::vector<Expr> values = resolve_placeholders(d.pool, equations, components);
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::string name = values.size() == 1 ? output.name : output.name + "[" + std::to_string(k + 1) + "]";
      equations.outputs.push_back(
          {name, output.doc, d.model.type(output.value).dimensions[k].text(), output.instances, values[k]});
    }
  }
}

void read_settings(const Derivation& d, Equations& equations) {
  equations.settings.words = d.model.settings.words;
  for (const auto& [setting, value] : d.model.settings.numbers) {
    equations.settings.numbers[setting] = d.lowering.scalar(value);
  }
}

}  // namespace

std::vector<Expr> zeta_of(sym::ExprPool& pool, const Equations& e, const std::vector<std::size_t>& references,
                          const std::vector<Expr>& gamma) {
  std::vector<Expr> state{e.t};
  std::vector<Expr> rate{pool.constant(1)};
  for (const std::size_t r : references) {
    for (std::size_t k = 0; k < e.q_dot[r].size(); ++k) {
      state.push_back(pool.symbol(sym::Source::coordinate, variable_index(r, k), ""));
      rate.push_back(e.q_dot[r][k]);
    }
  }
  for (const SignalEquation& signal : e.signals) {
    state.push_back(signal.symbol);
    rate.push_back(signal.rate);
  }
  const std::vector<Expr> gradient = sym::jacobian(pool, gamma, state);
  std::vector<Expr> zeta;
  for (std::size_t i = 0; i < gamma.size(); ++i) {
    std::vector<Expr> terms;
    for (std::size_t j = 0; j < state.size(); ++j) terms.push_back(pool.mul(gradient[i * state.size() + j], rate[j]));
    zeta.push_back(pool.add(terms));
  }
  return zeta;
}

std::size_t coordinate_count(const Equations& equations) {
  std::size_t n = 0;
  for (const BlockEquation& block : equations.blocks) n += block.instances.count() * block.q.size();
  return n;
}

std::size_t velocity_count(const Equations& equations) {
  std::size_t n = 0;
  for (const BlockEquation& block : equations.blocks) n += block.instances.count() * block.u.size();
  return n;
}

std::size_t contact_count(const Equations& equations) {
  std::size_t n = 0;
  for (const ContactEquation& contact : equations.contacts) n += contact.instances.count();
  return n;
}

namespace {

// at: what is under way.
std::optional<Equations> derive(const TypedModel& model, sym::ExprPool& pool, Diagnostics& diagnostics,
                                const ParameterValues& overrides, Span& at) {
  const Lowering lowering(model, pool, &at);
  const Derivation d{model, pool, lowering, diagnostics, &at};
  Equations equations;
  equations.name = model.name;
  equations.doc = model.doc;
  equations.t = lowering.time();
  const auto references = lowering.references();
  equations.references.assign(references.begin(), references.end());
  for (std::size_t r = 0; r < references.size(); ++r) {
    equations.q_dot.emplace_back(lowering.q_dot(r).begin(), lowering.q_dot(r).end());
  }
  const auto force_references = lowering.force_references();
  equations.force_references.assign(force_references.begin(), force_references.end());
  name_variables(d, equations);
  if (!rates_are_known(d, equations) || !derive_kinematics(d, equations)) return std::nullopt;
  const bool motion = derive_motion(d, equations);
  const bool contacts = derive_contacts(d, equations, overrides);
  if (!motion || !contacts || !verify_numbers(d, equations, overrides) || !verify_laws(d, equations, overrides))
    return std::nullopt;
  for (SignalEquation& signal : equations.signals)
    signal.rate = resolve_placeholders(pool, equations, std::span(&signal.rate, 1))[0];
  derive_events(d, equations);
  derive_outputs(d, equations);
  read_settings(d, equations);
  return equations;
}

}  // namespace

std::optional<Equations> derive(const TypedModel& model, sym::ExprPool& pool, Diagnostics& diagnostics,
                                const ParameterValues& overrides) {
  Span at = model.span;
  try {
    return derive(model, pool, diagnostics, overrides, at);
  } catch (const sym::TooLarge&) {
    diagnostics.report(Kind::model_too_large, at, "the equations of the model become too large at this place",
                       "large vectors and matrices are written out element by element: use fewer or smaller ones, or "
                       "arrays of bodies and contacts, which are not");
    return std::nullopt;
  }
}

}  // namespace nsmc
