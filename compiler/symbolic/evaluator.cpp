#include "compiler/symbolic/evaluator.hpp"

#include "compiler/symbolic/arithmetic.hpp"
#include "compiler/symbolic/implicit.hpp"
#include "compiler/symbolic/node_index.hpp"

namespace nsmc::sym {

Evaluator::Evaluator(const ExprPool& pool, std::span<const Expr> roots,
                     const std::function<bool(const Symbol&)>& varies)
    : pool_(pool) {
  const std::vector<Expr> order = topological_order(pool, roots);
  const NodeIndex index(order);
  for (const Expr e : order) {
    Node node;
    node.expr = e;
    node.op = pool.op(e);
    node.first = arguments_.size();
    if (node.op == Op::symbol) {
      node.symbol = symbols_.size();
      symbols_.push_back(pool.symbol(e));
      node.varies = varies(symbols_.back());
    } else if (node.op != Op::constant) {
      for (const Expr argument : pool.args(e)) {
        const std::size_t place = index.find(argument);
        arguments_.push_back(place);
        node.varies = node.varies || nodes_[place].varies;
      }
    }
    node.count = arguments_.size() - node.first;
    nodes_.push_back(node);
  }
  for (const Expr root : roots) roots_.push_back(index.find(root));
  values_.resize(nodes_.size());
}

void Evaluator::compute(std::size_t i, const Values& value) {
  const Node& node = nodes_[i];
  if (node.op == Op::constant) {
    values_[i] = pool_.value(node.expr);
  } else if (node.op == Op::symbol) {
    values_[i] = value(symbols_[node.symbol]);
  } else {
    operands_.clear();
    for (std::size_t k = 0; k < node.count; ++k) operands_.push_back(values_[arguments_[node.first + k]]);
    values_[i] =
        node.op == Op::implicit ? implicit_value(pool_, node.expr, operands_) : operation_value(node.op, operands_);
  }
}

void Evaluator::fix(const Values& value) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i].varies) compute(i, value);
  }
}

std::vector<double> Evaluator::operator()(const Values& value) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].varies) compute(i, value);
  }
  std::vector<double> result;
  for (const std::size_t root : roots_) result.push_back(values_[root]);
  return result;
}

}  // namespace nsmc::sym
