// The steps of derive(), one file each. Each reads the lowered model and adds its part to the equations; false or an
// absent value means that an error was reported.
#pragma once

#include "compiler/mechanics/derive.hpp"
#include "compiler/mechanics/lowering.hpp"

namespace nsmc {

struct Derivation {
  const TypedModel& model;
  sym::ExprPool& pool;
  const Lowering& lowering;
  Diagnostics& diagnostics;
  Span* at = nullptr;  // what is being derived, for the message if it becomes too large

  void look_at(Span span) const {
    if (at != nullptr) *at = span;
  }
};

// lagrange.cpp: F, M, h, energies, block by block
bool derive_kinematics(const Derivation& d, Equations& equations);
bool derive_motion(const Derivation& d, Equations& equations);
void contribute(sym::ExprPool& pool, BlockEquation& block, std::string source, ForceKind kind,
                std::vector<sym::Expr> h);

// forces.cpp: smooth forces, in the blocks' h or as elements between blocks
bool derive_forces(const Derivation& d, Equations& equations);

// contacts.cpp: gaps, velocities, W, chi, zeta, laws
bool derive_contacts(const Derivation& d, Equations& equations, const ParameterValues& overrides);

// Replaces the placeholders of contact velocities and energy by what they mean.
std::vector<sym::Expr> resolve_placeholders(sym::ExprPool& pool, const Equations& equations,
                                            std::span<const sym::Expr> exprs);

// verify.cpp: parameters and initial values are finite, M is symmetric and positive definite at the start
bool verify_numbers(const Derivation& d, const Equations& equations, const ParameterValues& overrides);

// verify_laws.cpp: gauges homogeneous and positive, sets convex, scalings positive, laws dissipative (trial.hpp)
bool verify_laws(const Derivation& d, const Equations& equations, const ParameterValues& overrides);

inline bool depends_on_source(const sym::ExprPool& pool, sym::Expr e, sym::Source source) {
  return sym::depends_on(pool, e, [source](const sym::Symbol& s) { return s.source == source; });
}

}  // namespace nsmc
