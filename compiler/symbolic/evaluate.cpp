// The interpreter: values of the symbols in, values of the roots out.
#include "compiler/symbolic/arithmetic.hpp"
#include "compiler/symbolic/expr.hpp"
#include "compiler/symbolic/implicit.hpp"
#include "compiler/symbolic/node_index.hpp"

namespace nsmc::sym {

std::vector<double> evaluate(const ExprPool& pool, std::span<const Expr> roots,
                             const std::function<double(const Symbol&)>& value) {
  const auto order = topological_order(pool, roots);
  const NodeIndex index(order);
  std::vector<double> values(order.size());
  std::vector<double> operands;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Expr node = order[i];
    const Op op = pool.op(node);
    if (op == Op::constant) {
      values[i] = pool.value(node);
    } else if (op == Op::symbol) {
      values[i] = value(pool.symbol(node));
    } else {
      operands.clear();
      for (Expr argument : pool.args(node)) operands.push_back(values[index.find(argument)]);
      values[i] = op == Op::implicit ? implicit_value(pool, node, operands) : operation_value(op, operands);
    }
  }
  std::vector<double> result;
  for (Expr root : roots) result.push_back(values[index.find(root)]);
  return result;
}

double evaluate(const ExprPool& pool, Expr root, const std::function<double(const Symbol&)>& value) {
  return evaluate(pool, std::span<const Expr>(&root, 1), value)[0];
}

}  // namespace nsmc::sym
