#include "compiler/mechanics/trial.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace nsmc {

using sym::Expr;
using sym::Source;

Trial::Trial(const Derivation& derivation, const Equations& equations, const ParameterValues& overrides)
    : d(derivation),
      e(equations),
      p_(parameter_values(d.pool, equations, overrides)),
      start_(d.pool, equations, p_, {1, 2}) {}

// A formula such as s f(v/s) has no value where s vanishes, but it has its limit beside: there the runtime asks for it
// (homogeneous_function.hpp), and the checks do alike.
double Trial::value(Expr expr, const Point& x, std::uint32_t first) const {
  const double at = values(std::span(&expr, 1), x, first)[0];
  if (!std::isnan(at)) return at;
  Point beside = x;
  std::replace(beside.begin(), beside.end(), 0.0, 1e-150);
  return beside == x ? at : values(std::span(&expr, 1), beside, first)[0];
}

std::vector<double> Trial::values(std::span<const Expr> exprs, const Point& x, std::uint32_t first) const {
  std::vector<std::uint32_t> ids;
  for (const Expr expr : exprs) ids.push_back(expr.id);
  auto found = known_.find(ids);
  if (found == known_.end()) {
    sym::Evaluator evaluator(d.pool, exprs, [](const sym::Symbol& s) { return s.source == Source::force; });
    found = known_.emplace(std::move(ids), Known{std::move(evaluator)}).first;
  }
  Known& known = found->second;
  if (known.view != view_) {
    known.evaluator.fix([&](const sym::Symbol& s) { return start_(s); });
    known.view = view_;
  }
  return known.evaluator([&](const sym::Symbol& s) {
    const bool chosen = s.index >= first && s.index - first < x.size();
    return chosen ? x[s.index - first] : start_(s);
  });
}

// Generalised forces at the start: where gravity acts, a normal force is of this size.
double Trial::weight() const {
  double largest = 0;
  for (const BlockEquation& block : e.blocks) {
    for (const double h : values(block.h)) {
      if (std::isfinite(h)) largest = std::max(largest, std::abs(h));
    }
  }
  return largest;
}

bool Trial::expect(std::span<const Expr> expressions, const std::function<std::optional<Diagnostic>()>& fault,
                   std::uint32_t first, std::size_t own) {
  const bool by_forces = std::any_of(expressions.begin(), expressions.end(), [&](Expr expr) {
    return sym::depends_on(d.pool, expr, [&](const sym::Symbol& s) {
      const bool chosen = s.index >= first && s.index - first < own;
      return s.source == Source::force && s.index >= kUserForce && s.index < kSetVariable && !chosen;
    });
  });
  std::optional<Diagnostic> found;
  const auto fine_at = [&](double size) {
    start_.set_force(size);
    auto here = fault();
    start_.set_force(1);
    if (!here) return true;
    if (found || here->message.empty()) return false;
    found = std::move(here);
    if (by_forces) found->message += fmt::format(" (other forces: {:.4g})", size);
    return false;
  };
  if (fine_at(1)) return true;
  if (by_forces) {
    for (const double size : {1e-3, 1e-2, 0.1, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6}) {
      if (fine_at(size)) return true;
    }
    const double size = weight();
    if (size > 0 && fine_at(size)) return true;
    if (found) {
      found->hint += fmt::format("{}tried with other forces from 0.001 to 1e6", found->hint.empty() ? "" : "; ");
    }
  }
  if (!found) return true;
  if (found->kind == Kind::gauge_not_positive) {
    const std::string of_law = negative_arguments(), of_model = negative_parameters(expressions);
    // "mu is -0.3", or "mu is -0.3, so limit is -3"
    const std::string negative = of_law.empty() || of_law == of_model ? of_model
                                 : of_model.empty()                   ? of_law
                                                                      : of_model + ", so " + of_law;
    if (!negative.empty() && elsewhere(*found)) {  // who uses a law knows its arguments, not its set
      found->message = fmt::format("{} in contact '{}', which leaves no set of forces", negative, place_->contact);
    } else if (!negative.empty()) {
      found->message = fmt::format("{}: {}", negative, found->message);
    }
  }
  report(std::move(*found));
  return false;
}

bool Trial::elsewhere(const Diagnostic& fault) const {
  const bool of_sets = fault.kind == Kind::gauge_not_positive || fault.kind == Kind::gauge_not_available;
  return of_sets && place_ && fault.span.file != place_->law->span.file;
}

// "mu is -0.3", of the arguments of the law that is looked at.
std::string Trial::negative_arguments() const {
  std::string result;
  if (!place_) return result;
  for (const auto& [name, node] : place_->law->arguments) {
    const double value = this->value(d.lowering.scalar(node));
    if (value < 0) result += fmt::format("{}{} is {:.4g}", result.empty() ? "" : ", ", name, value);
  }
  return result;
}

// "mu is -0.3", of the parameters that the expressions depend on.
std::string Trial::negative_parameters(std::span<const Expr> expressions) const {
  std::string result;
  for (const Expr part : sym::topological_order(d.pool, expressions)) {
    if (d.pool.op(part) != sym::Op::symbol || d.pool.symbol(part).source != Source::parameter) continue;
    const sym::Symbol& symbol = d.pool.symbol(part);
    if (!(p_[symbol.index] < 0)) continue;
    result += fmt::format("{}{} is {:.4g}", result.empty() ? "" : ", ", symbol.name, p_[symbol.index]);
  }
  return result;
}

void Trial::report(Diagnostic fault) {
  if (elsewhere(fault)) {
    const std::string contact = fmt::format("in contact '{}'", place_->contact);
    if (fault.message.find(contact) == std::string::npos) fault.message = fmt::format("{}, {}", contact, fault.message);
    fault.labels.push_back({fault.span, fmt::format("the set, in law '{}'", place_->law->name)});
    fault.span = place_->law->span;
  }
  if (entry(fault.kind).severity == Severity::error) ok_ = false;
  d.diagnostics.report(fault.kind, fault.span, fault.message, fault.hint).labels = fault.labels;
}

}  // namespace nsmc
