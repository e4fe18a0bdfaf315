#include "compiler/symbolic/tape.hpp"

#include "compiler/symbolic/arithmetic.hpp"
#include "compiler/symbolic/implicit.hpp"
#include "compiler/symbolic/node_index.hpp"

namespace nsmc::sym {

Tape::Tape(const ExprPool& pool, std::span<const Expr> roots) : Tape(pool, topological_order(pool, roots), roots) {}

Tape::Tape(const ExprPool& pool, const std::vector<Expr>& order, std::span<const Expr> roots)
    : pool_(pool), values_(order.size()) {
  const NodeIndex index(order);
  nodes_.reserve(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    Node node{order[i], pool.op(order[i]), nullptr, static_cast<std::uint32_t>(arguments_.size())};
    if (node.op == Op::symbol) {
      node.symbol = &pool.symbol(node.expr);
    } else if (node.op == Op::constant) {
      values_[i] = pool.value(node.expr);
    } else {
      for (const Expr argument : pool.args(node.expr)) arguments_.push_back(index.find(argument));
    }
    node.count = static_cast<std::uint32_t>(arguments_.size()) - node.first;
    nodes_.push_back(node);
  }
  for (const Expr root : roots) roots_.push_back(index.find(root));
}

std::span<const std::uint32_t> Tape::arguments(std::size_t i) const {
  return std::span(arguments_).subspan(nodes_[i].first, nodes_[i].count);
}

void Tape::compute(std::size_t i, const Values& value) {
  const Node& node = nodes_[i];
  if (node.op == Op::constant) return;
  if (node.symbol != nullptr) {
    values_[i] = value(*node.symbol);
    return;
  }
  operands_.clear();
  for (const std::uint32_t argument : arguments(i)) operands_.push_back(values_[argument]);
  values_[i] =
      node.op == Op::implicit ? implicit_value(pool_, node.expr, operands_) : operation_value(node.op, operands_);
}

std::vector<double> Tape::results() const {
  std::vector<double> result;
  for (const std::uint32_t root : roots_) result.push_back(values_[root]);
  return result;
}

std::vector<double> evaluate(const ExprPool& pool, std::span<const Expr> roots,
                             const std::function<double(const Symbol&)>& value) {
  Tape tape(pool, roots);
  tape.run(value);
  return tape.results();
}

double evaluate(const ExprPool& pool, Expr root, const std::function<double(const Symbol&)>& value) {
  return evaluate(pool, std::span<const Expr>(&root, 1), value)[0];
}

}  // namespace nsmc::sym
