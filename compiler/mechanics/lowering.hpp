// From typed nodes (vectors, matrices) to scalar expressions. Nodes are lowered in order, each once; sets are not
// values and are read by sets.cpp.
#pragma once

#include <span>
#include <vector>

#include "compiler/mechanics/equations.hpp"
#include "compiler/model/typed_model.hpp"

namespace nsmc {

// Placeholders that lowering leaves in expressions; derive replaces them when their meaning is known.
inline constexpr std::uint32_t kContactVelocity = 1U << 24U;  // velocity symbol: row of all contacts' gamma
inline constexpr std::uint32_t kEnergy = 1U << 25U;           // velocity symbol: kinetic plus potential energy

inline constexpr std::uint32_t kSetVariable = 1U << 26U;  // force symbol: variable of a gauge or support set

class Lowering {
 public:
  Lowering(const TypedModel& model, sym::ExprPool& pool);

  std::span<const sym::Expr> components(NodeId node) const;  // row-major
  sym::Expr scalar(NodeId node) const { return components(node)[0]; }

  sym::Expr time() const { return t_; }
  std::span<const sym::Expr> p() const { return p_; }
  std::span<const sym::Expr> q() const { return q_; }
  std::span<const sym::Expr> u() const { return u_; }
  std::span<const sym::Expr> q_dot() const { return q_dot_; }
  std::size_t gamma_row(std::size_t contact) const { return gamma_rows_[contact]; }  // first of the contact
  std::size_t force_row(std::size_t contact) const { return force_rows_[contact]; }

  // d/dt e(q, t) = de/dq q' + de/dt for each of them.
  std::vector<sym::Expr> total_derivative(std::span<const sym::Expr> exprs) const;

 private:
  void lower(NodeId id);
  sym::Expr call(const Node& node, std::span<const sym::Expr> args) const;
  void product(const Node& node);

  const TypedModel& model_;
  sym::ExprPool& pool_;
  sym::Expr t_;
  std::vector<sym::Expr> p_, q_, u_, q_dot_;
  std::vector<std::size_t> gamma_rows_, force_rows_;
  std::vector<std::uint32_t> first_;  // of each node in values_
  std::vector<sym::Expr> values_;
};

}  // namespace nsmc
