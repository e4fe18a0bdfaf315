// Expressions in the order in which they are computed, and the one loop that interprets them. In: roots in a pool,
// values of their symbols; out: values of the roots.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "compiler/symbolic/expr.hpp"

namespace nsmc::sym {

class Tape {
 public:
  using Values = std::function<double(const Symbol&)>;

  Tape(const ExprPool& pool, std::span<const Expr> roots);
  // order: all that the roots need, as from topological_order.
  Tape(const ExprPool& pool, const std::vector<Expr>& order, std::span<const Expr> roots);

  void run(const Values& value) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) compute(i, value);
  }
  std::vector<double> results() const;

  // Step by step.
  std::size_t size() const { return nodes_.size(); }
  const Symbol* symbol(std::size_t i) const { return nodes_[i].symbol; }  // null: of another operation
  std::span<const std::uint32_t> arguments(std::size_t i) const;          // earlier steps
  void compute(std::size_t i, const Values& value);

 private:
  struct Node {
    Expr expr;
    Op op{};
    const Symbol* symbol = nullptr;
    std::uint32_t first = 0, count = 0;  // of its arguments in arguments_
  };

  const ExprPool& pool_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> arguments_, roots_;
  std::vector<double> values_, operands_;
};

}  // namespace nsmc::sym
