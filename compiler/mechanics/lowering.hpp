// From typed nodes (vectors, matrices) to scalar expressions. Nodes are lowered in order, each once; sets are not
// values and are read by sets.cpp.
#pragma once

#include <span>
#include <vector>

#include "compiler/mechanics/equations.hpp"
#include "compiler/model/typed_model.hpp"

namespace nsmc {

// Placeholders that lowering leaves in expressions; derive replaces them when their meaning is known.
inline constexpr std::uint32_t kContactVelocity = 1U << 24U;  // velocity symbol: contact << 8 | row of its gamma
inline constexpr std::uint32_t kEnergy = 1U << 25U;           // velocity symbol: kinetic plus potential energy

inline constexpr std::uint32_t kSignalRate = 1U << 24U;  // signal symbol: its rate; replaced when all is lowered

inline constexpr std::uint32_t kSetVariable = 1U << 26U;  // force symbol: variable of a gauge or support set

class Lowering {
 public:
  // at: the expression that is being lowered, if somebody wants to know.
  Lowering(const TypedModel& model, sym::ExprPool& pool, Span* at = nullptr);

  std::span<const sym::Expr> components(NodeId node) const;  // row-major
  sym::Expr scalar(NodeId node) const { return components(node)[0]; }

  sym::Expr time() const { return t_; }
  std::span<const sym::Expr> p() const { return p_; }
  std::span<const sym::Expr> z() const { return z_; }
  std::span<const sym::Expr> z_dot() const { return z_dot_; }

  // Instances of blocks that expressions speak of; the first ones are the blocks themselves, each at its own index.
  std::span<const Reference> references() const { return references_; }
  std::span<const ForceReference> force_references() const { return force_references_; }
  std::span<const sym::Expr> q(std::size_t reference) const { return variables_[reference].q; }
  std::span<const sym::Expr> u(std::size_t reference) const { return variables_[reference].u; }
  std::span<const sym::Expr> q_dot(std::size_t reference) const { return variables_[reference].q_dot; }
  // Those that the expressions contain, ascending.
  std::vector<std::size_t> references_in(std::span<const sym::Expr> exprs) const;
  // Expressions in the block's own variables, seen through a reference to it.
  std::vector<sym::Expr> seen_through(std::size_t reference, std::span<const sym::Expr> exprs) const;

  // d/dt e(q, t) = de/dq q' + de/dt for each of them.
  std::vector<sym::Expr> total_derivative(std::span<const sym::Expr> exprs) const;

 private:
  struct Variables {
    std::vector<sym::Expr> q, u, q_dot;
  };

  void lower(NodeId id);
  Span* at_;
  void resolve_signal_rates();
  sym::Expr variable(const Node& node);
  void forces(const Node& node);
  std::size_t add_reference(std::size_t block, std::optional<sym::Expr> index, Span span);
  std::size_t reference(std::size_t block, sym::Expr index, Span span);
  sym::Expr call(const Node& node, std::span<const sym::Expr> args) const;
  void product(const Node& node);
  void contact_velocity(NodeId id);
  void transposed(NodeId matrix);
  sym::Expr piecewise(const Node& node, std::size_t component);

  const TypedModel& model_;
  sym::ExprPool& pool_;
  sym::Expr t_;
  std::vector<sym::Expr> p_;
  std::vector<sym::Expr> z_, z_dot_;  // signals and their rates
  std::vector<Reference> references_;
  std::vector<Variables> variables_;  // by reference
  std::vector<ForceReference> force_references_;
  bool kinematics_known_ = false;
  std::vector<std::uint32_t> first_;  // of each node in values_
  std::vector<sym::Expr> values_;
};

}  // namespace nsmc
