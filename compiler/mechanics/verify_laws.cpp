// What must hold of sets and laws is tried with numbers (trial.hpp), in many directions; a failure is shown with the
// point that proves it.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compiler/mechanics/trial.hpp"

namespace nsmc {

using sym::Expr;
using sym::Source;

namespace {

// Lengths of shapes, of the first and the last instance.
void verify_measures(Trial& trial, const ContactEquation& contact) {
  const std::size_t n = contact.instances.count();
  for (std::size_t k = 0; k < n; k += std::max<std::size_t>(1, n - 1)) {
    trial.look_from(contact.instances.self(k));
    for (const MeasureEquation& measure : contact.measures) {
      trial.expect(measure.value, [&]() -> std::optional<Diagnostic> {
        for (const double value : trial.values(measure.value)) {
          if (value > 0 || (measure.zero && value == 0)) continue;
          return Diagnostic{Kind::measure_not_positive,
                            measure.span,
                            fmt::format("{} is {:.6g}, it must {}", measure.name, value,
                                        measure.zero ? "not be negative" : "be positive"),
                            {},
                            ""};
        }
        return std::nullopt;
      });
    }
  }
  trial.look_from(contact.instances.self(0));
}

// At the initial velocities, if it depends on them. Below 0 a body is thrown back faster than it could stop by itself,
// and into what it has hit; above 1, which some want, every impact feeds energy.
void verify_restitution(Trial& trial, const ContactEquation& contact, const LawEquation& law, bool with_warnings) {
  trial.expect(law.restitution, [&]() -> std::optional<Diagnostic> {
    for (const double e : trial.values(law.restitution)) {
      if (e >= 0 && (e <= 1 || !with_warnings)) continue;
      if (std::isnan(e)) return Diagnostic{};
      const std::string what = fmt::format("the restitution of law '{}' in contact '{}' is {:.6g}", law.name,
                                           with_index(contact.name, contact.instances.suffix(0)), e);
      if (e < 0)
        return Diagnostic{
            Kind::restitution_negative, law.span, what + ", it must not be negative", {}, "from 0, no rebound, to 1"};
      return Diagnostic{Kind::restitution_above_one,
                        law.span,
                        what + ": impacts feed energy into the system",
                        {},
                        "from 0, no rebound, to 1"};
    }
    return std::nullopt;
  });
}

bool laws_hold(const Derivation& d, const Equations& e, const ParameterValues& overrides, bool with_warnings) {
  Trial trial(d, e, overrides);
  verify_set_nodes(trial);        // every set of the model, also those that serve in gauge(C, x) alone
  if (!trial.ok()) return false;  // convexity of something that is no gauge means nothing
  for (std::size_t c = 0; c < e.contacts.size(); ++c) {
    const ContactEquation& contact = e.contacts[c];
    if (contact.instances.count() == 0) continue;
    verify_measures(trial, contact);
    for (std::size_t i = 0; i < contact.laws.size(); ++i) {
      const LawEquation& law = contact.laws[i];
      trial.look_at(with_index(contact.name, ""), d.model.contacts[c].laws[i]);
      verify_sets_of_law(trial, d.model.contacts[c].laws[i], law);
      verify_restitution(trial, contact, law, with_warnings);
      if (trial.ok()) verify_scaling(trial, contact, law);
      if (trial.ok() && with_warnings) verify_dissipation(trial, contact, law);
    }
  }
  return trial.ok();
}

}  // namespace

std::string fault_of_laws(const TypedModel& model, sym::ExprPool& pool, const Equations& equations,
                          const ParameterValues& overrides) {
  const Lowering lowering(model, pool);
  Diagnostics diagnostics;
  const Derivation d{model, pool, lowering, diagnostics};
  if (laws_hold(d, equations, overrides, false)) return "";
  for (const Diagnostic& diagnostic : diagnostics.sorted()) {
    if (entry(diagnostic.kind).severity == Severity::error) return diagnostic.message;
  }
  return "";
}

std::vector<std::size_t> parameters_of_laws(const sym::ExprPool& pool, const Equations& equations) {
  std::vector<Expr> all;
  const auto add = [&](const std::vector<Expr>& exprs) { all.insert(all.end(), exprs.begin(), exprs.end()); };
  for (const ContactEquation& contact : equations.contacts) {
    for (const MeasureEquation& measure : contact.measures) add(measure.value);
    for (const LawEquation& law : contact.laws) {
      add(law.restitution);
      for (const Matrix* matrix : {&law.A, &law.B, &law.D}) add(matrix->entries);
      if (law.alpha) all.push_back(*law.alpha);
      for (const SimpleSet& set : law.sets) {
        add(set.arguments);
        add(set.centre);
        all.push_back(set.function);
      }
    }
  }
  std::vector<bool> needed(equations.parameters.size());
  for (const Expr e : sym::topological_order(pool, all)) {
    if (pool.op(e) != sym::Op::symbol) continue;
    const sym::Symbol& symbol = pool.symbol(e);
    if (symbol.source == Source::parameter) needed[symbol.index] = true;
    // The state that the checks look at follows from all parameters.
    if (symbol.source == Source::coordinate || symbol.source == Source::velocity || symbol.source == Source::signal)
      needed.assign(needed.size(), true);
  }
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < needed.size(); ++i) {
    if (needed[i]) result.push_back(i);
  }
  return result;
}

bool verify_laws(const Derivation& d, const Equations& equations, const ParameterValues& overrides) {
  return laws_hold(d, equations, overrides, true);
}

}  // namespace nsmc
