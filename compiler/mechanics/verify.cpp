// Checks with numbers, at the parameters of the run: what a user wants to hear before a run, not in its first step.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compiler/mechanics/derivation.hpp"
#include "compiler/mechanics/initial_values.hpp"

namespace nsmc {

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

namespace {

class NumberCheck {
 public:
  NumberCheck(const Derivation& d, const Equations& equations, const ParameterValues& overrides)
      : d_(d), e_(equations), p_(parameter_values(d.pool, equations, overrides)) {}

  bool run() {
    for (std::size_t i = 0; i < p_.size(); ++i) {
      finite(p_[i], e_.parameters[i].span, fmt::format("parameter '{}'", e_.parameters[i].name));
    }
    if (!ok_) return false;  // the rest would only repeat it
    for (const BlockEquation& block : e_.blocks) initial_state(block);
    for (const SignalEquation& z : e_.signals) {
      finite(constant_value(d_.pool, z.initial, p_), z.span, fmt::format("the initial value of {}", z.name));
    }
    for (std::size_t b = 0; ok_ && b < e_.blocks.size(); ++b) mass(e_.blocks[b]);
    return ok_;
  }

 private:
  void finite(double value, Span span, const std::string& what) {
    if (std::isfinite(value)) return;
    d_.diagnostics.report(
        Kind::value_not_finite, span,
        fmt::format("{} is {}, not a finite number", what, std::isnan(value) ? "undefined" : "infinite"));
    ok_ = false;
  }

  // In an array the first and the last are checked; the others when the run starts.
  void initial_state(const BlockEquation& block) {
    const std::size_t n = block.instances.count();
    for (std::size_t k = 0; k < n; k += std::max<std::size_t>(1, n - 1)) {
      const std::vector<double> self = block.instances.self(k);
      for (const auto* variables : {&block.q, &block.u}) {
        for (const VariableEquation& v : *variables) {
          finite(constant_value(d_.pool, v.initial, p_, self), v.span,
                 fmt::format("the initial value of {}", with_index(v.name, block.instances.suffix(k))));
        }
      }
    }
  }

  std::vector<double> mass_at(const BlockEquation& block, double offset) const {
    const StartView start(d_.pool, e_, p_, block.instances.self(0));
    return sym::evaluate(d_.pool, block.M.entries, [&](const sym::Symbol& s) {
      if (s.source == Source::coordinate) return start(s) + offset * (1 + static_cast<double>(s.index % 7));
      return s.source == Source::time ? offset : start(s);
    });
  }

  void mass(const BlockEquation& block) {
    if (block.instances.count() == 0) return;
    const std::size_t n = block.u.size();
    // Symmetric: by identity of the expressions, else by value at the start and near it.
    for (const double offset : {0.0, 0.1234, -0.4567}) {
      const std::vector<double> M = mass_at(block, offset);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          const double scale = std::abs(M[i * n + j]) + std::abs(M[j * n + i]);
          if (block.M(i, j) == block.M(j, i) || !(std::abs(M[i * n + j] - M[j * n + i]) > 1e-9 * scale)) continue;
          d_.diagnostics.report(
              Kind::mass_not_symmetric, block.span,
              fmt::format("the mass matrix is not symmetric: entry [{}, {}] is {}, entry [{}, {}] is {}", i + 1, j + 1,
                          M[i * n + j], j + 1, i + 1, M[j * n + i]));
          ok_ = false;
          return;
        }
      }
    }
    if (is_positive_definite(mass_at(block, 0), n)) return;
    std::string missing;
    for (std::size_t i = 0; i < n; ++i) {
      if (d_.pool.is_constant(block.M(i, i), 0)) {
        missing += (missing.empty() ? "" : ", ") + with_index(block.u[i].name, "[i]");
      }
    }
    d_.diagnostics.report(Kind::mass_not_positive_definite, block.span,
                          "the mass matrix is not positive definite at the initial state",
                          missing.empty() ? "every motion needs positive kinetic energy: check masses and inertias"
                                          : fmt::format("no inertia belongs to {}", missing));
    ok_ = false;
  }

  const Derivation& d_;
  const Equations& e_;
  std::vector<double> p_;
  bool ok_ = true;
};

}  // namespace

bool verify_numbers(const Derivation& d, const Equations& equations, const ParameterValues& overrides) {
  return NumberCheck(d, equations, overrides).run();
}

}  // namespace nsmc
