// The equations of a contact -> its hatted quantities. A law B gamma + D lambda in N_{A K}(-alpha lambda) on a mapped
// set becomes one on the simple sets K themselves, which is what contact solvers project on: with lambda = A lambda^,
//
//   W^ = W A,   V^ = W B^T A,   chi^ = A^T B chi,   C^ = A^T D A,   V^^T u + chi^ + C^ lambda^ in N_K(-alpha lambda^)
//
// law by law [Möller 2009, (41)].
#pragma once

#include <span>
#include <vector>

#include "compiler/mechanics/equations.hpp"

namespace nsmc {

struct HattedContact {
  std::size_t n_rows = 0;
  Matrix W, V;  // velocities of the references, one after another, x rows
  std::vector<sym::Expr> chi, restitution;
  Matrix C;
  std::vector<sym::Expr> lambda_hat;  // the symbols of the hatted forces
  std::vector<sym::Expr> lambda;      // the user's forces in the hatted ones, A lambda^
  std::vector<sym::Expr> gamma;       // the contact velocities of every row, as the user knows them
  bool mapped = false;                // V^ is not W^
  bool compliant = false;             // C^ is not 0
  bool same_forces = true;            // lambda = lambda^
  bool same_velocities = true;        // those of the laws are those of the simple sets
  // The row of the gap's rate: of a law for it alone; shared if it stands in laws with other velocities.
  enum class Normal { none, row, mixed } normal = Normal::none;
  std::size_t normal_row = 0;
};

HattedContact hat(sym::ExprPool& pool, const ContactEquation& contact);

// Expressions in the user's forces of a contact, written in its hatted ones.
std::vector<sym::Expr> in_hatted_forces(sym::ExprPool& pool, const HattedContact& hatted,
                                        std::span<const sym::Expr> exprs);

// zeta^ = d/dt(V^^T u + chi^) - V^^T u'
std::vector<sym::Expr> zeta_hat(sym::ExprPool& pool, const Equations& equations, const ContactEquation& contact,
                                const HattedContact& hatted);

}  // namespace nsmc
