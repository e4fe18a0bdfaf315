// What must hold of sets and laws is tried with numbers (trial.hpp), in many directions; a failure is shown with the
// point that proves it.
#include "compiler/mechanics/trial.hpp"

namespace nsmc {

using sym::Expr;
using sym::Source;

namespace {

bool laws_hold(const Derivation& d, const Equations& e, const ParameterValues& overrides, bool with_warnings) {
  Trial trial(d, e, overrides);
  verify_set_nodes(trial);        // every set of the model, also those that serve in gauge(C, x) alone
  if (!trial.ok()) return false;  // convexity of something that is no gauge means nothing
  for (std::size_t c = 0; c < e.contacts.size(); ++c) {
    const ContactEquation& contact = e.contacts[c];
    if (contact.instances.count() == 0) continue;
    trial.look_from(contact.instances.self(0));
    for (std::size_t i = 0; i < contact.laws.size(); ++i) {
      const LawEquation& law = contact.laws[i];
      trial.look_at(with_index(contact.name, ""), law.name, law.span);
      verify_sets_of_law(trial, d.model.contacts[c].laws[i], law);
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
    for (const LawEquation& law : contact.laws) {
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
    if (symbol.source == Source::coordinate || symbol.source == Source::velocity) needed.assign(needed.size(), true);
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
