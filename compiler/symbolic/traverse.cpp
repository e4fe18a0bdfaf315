// Walks over the DAG: order, dependence, substitution.
#include <algorithm>

#include "compiler/support/internal_check.hpp"
#include "compiler/symbolic/expr.hpp"
#include "compiler/symbolic/node_index.hpp"

namespace nsmc::sym {

std::vector<Expr> topological_order(const ExprPool& pool, std::span<const Expr> roots) {
  std::uint32_t largest = 0;
  for (Expr root : roots) largest = std::max(largest, root.id);
  std::vector<bool> seen(largest + std::size_t{1});
  std::vector<Expr> order;
  const auto visit = [&](Expr e) {
    if (seen[e.id]) return;
    seen[e.id] = true;
    order.push_back(e);
  };
  for (Expr root : roots) visit(root);
  for (std::size_t next = 0; next < order.size(); ++next)
    for (Expr argument : pool.args(order[next])) visit(argument);
  // An argument is always older than its user, so increasing ids are a topological order.
  std::sort(order.begin(), order.end(), [](Expr a, Expr b) { return a.id < b.id; });
  return order;
}

bool depends_on(const ExprPool& pool, Expr e, const std::function<bool(const Symbol&)>& which) {
  const auto order = topological_order(pool, std::span(&e, 1));
  return std::any_of(order.begin(), order.end(),
                     [&](Expr node) { return pool.op(node) == Op::symbol && which(pool.symbol(node)); });
}

Expr rebuild(ExprPool& pool, Op op, std::span<const Expr> args) {
  switch (op) {
    case Op::add: return pool.add(args);
    case Op::mul: return pool.mul(args);
    case Op::pow: return pool.pow(args[0], args[1]);
    case Op::select: return pool.select(args[0], args[1], args[2]);
    case Op::implicit: {
      const auto number = [&](std::size_t i) { return static_cast<std::uint32_t>(pool.value(args[i])); };
      return pool.implicit(number(0), number(1), args.subspan(2));
    }
    default: break;
  }
  internal_check(args.size() == 1 || args.size() == 2, "rebuild: an operation with one or two arguments");
  return args.size() == 1 ? pool.call(op, args[0]) : pool.call(op, args[0], args[1]);
}

std::vector<Expr> substitute(ExprPool& pool, std::span<const Expr> roots, const std::function<Expr(Expr symbol)>& map) {
  const auto order = topological_order(pool, roots);
  const NodeIndex index(order);
  std::vector<Expr> image(order);
  std::vector<Expr> args;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Expr node = order[i];
    if (pool.op(node) == Op::symbol) {
      image[i] = map(node);
      continue;
    }
    args.assign(pool.args(node).begin(), pool.args(node).end());
    bool changed = false;
    for (Expr& argument : args) {
      const Expr replaced = image[index.find(argument)];
      changed |= replaced != argument;
      argument = replaced;
    }
    if (changed) image[i] = rebuild(pool, pool.op(node), args);
  }
  std::vector<Expr> result;
  for (Expr root : roots) result.push_back(image[index.find(root)]);
  return result;
}

}  // namespace nsmc::sym
