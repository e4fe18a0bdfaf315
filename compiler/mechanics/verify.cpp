// Checks with numbers, at the default parameters: what a user wants to hear before a run, not in its first step.
#include <fmt/format.h>

#include <cmath>

#include "compiler/mechanics/derivation.hpp"
#include "compiler/mechanics/initial_values.hpp"

namespace nsmc {

using sym::Expr;
using sym::Source;

namespace {

bool is_positive_definite(std::vector<double> a, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k) {
      for (std::size_t i = j; i < n; ++i) a[i * n + j] -= a[i * n + k] * a[j * n + k];
    }
    if (!(a[j * n + j] > 0) || !std::isfinite(a[j * n + j])) return false;
    const double root = std::sqrt(a[j * n + j]);
    for (std::size_t i = j; i < n; ++i) a[i * n + j] /= root;
  }
  return true;
}

}  // namespace

bool verify_numbers(const Derivation& d, const Equations& equations) {
  const sym::ExprPool& pool = d.pool;
  const InitialValues start = initial_values(pool, equations, {});
  bool ok = true;
  const auto finite = [&](double value, Span span, const std::string& what) {
    if (std::isfinite(value)) return;
    d.diagnostics.report(
        Kind::value_not_finite, span,
        fmt::format("{} is {}, not a finite number", what, std::isnan(value) ? "undefined" : "infinite"));
    ok = false;
  };
  for (std::size_t i = 0; i < start.p.size(); ++i) {
    finite(start.p[i], equations.parameters[i].span, fmt::format("parameter '{}'", equations.parameters[i].name));
  }
  if (!ok) return false;  // the rest would only repeat it
  for (std::size_t i = 0; i < start.q.size(); ++i) {
    finite(start.q[i], equations.q[i].span, fmt::format("the initial value of {}", equations.q[i].name));
  }
  for (std::size_t i = 0; i < start.u.size(); ++i) {
    finite(start.u[i], equations.u[i].span, fmt::format("the initial value of {}", equations.u[i].name));
  }
  if (!ok) return false;

  const std::size_t n = equations.u.size();
  const Span span = d.model.node(d.model.mass ? *d.model.mass : d.model.kinetic.front()).span;
  const auto mass_at = [&](double offset) {
    return sym::evaluate(pool, equations.M.entries, [&](const sym::Symbol& s) {
      switch (s.source) {
        case Source::parameter: return start.p[s.index];
        case Source::coordinate: return start.q[s.index] + offset * (1 + static_cast<double>(s.index % 7));
        case Source::time: return offset;
        default: return 0.0;
      }
    });
  };
  // Symmetric: by identity of the expressions, else by value at the start and near it.
  for (const double offset : {0.0, 0.1234, -0.4567}) {
    const std::vector<double> M = mass_at(offset);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double scale = std::abs(M[i * n + j]) + std::abs(M[j * n + i]);
        if (equations.M(i, j) == equations.M(j, i) || !(std::abs(M[i * n + j] - M[j * n + i]) > 1e-9 * scale)) continue;
        d.diagnostics.report(Kind::mass_not_symmetric, span,
                             fmt::format("the mass matrix is not symmetric: entry [{}, {}] is {}, entry [{}, {}] is {}",
                                         i + 1, j + 1, M[i * n + j], j + 1, i + 1, M[j * n + i]));
        return false;
      }
    }
  }
  if (!is_positive_definite(mass_at(0), n)) {
    std::string missing;
    for (std::size_t i = 0; i < n; ++i) {
      if (pool.is_constant(equations.M(i, i), 0)) missing += (missing.empty() ? "" : ", ") + equations.u[i].name;
    }
    d.diagnostics.report(Kind::mass_not_positive_definite, span,
                         "the mass matrix is not positive definite at the initial state",
                         missing.empty() ? "every motion needs positive kinetic energy: check masses and inertias"
                                         : fmt::format("no inertia belongs to {}", missing));
    return false;
  }
  return ok;
}

}  // namespace nsmc
