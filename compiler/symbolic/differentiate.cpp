// Derivatives by the chain rule over a topological order: forward, one sweep per symbol over the nodes that depend on
// it; or in reverse, one sweep per expression, when there are fewer expressions than symbols.
#include <algorithm>
#include <array>
#include <type_traits>

#include "compiler/support/internal_check.hpp"
#include "compiler/symbolic/expr.hpp"
#include "compiler/symbolic/formula.hpp"
#include "compiler/symbolic/implicit.hpp"
#include "compiler/symbolic/node_index.hpp"

namespace nsmc::sym {

namespace {

// df of a function at a and b (the same as a where there is only one) for their derivatives da and db.
Expr differential(ExprPool& pool, Op op, Formula f, Formula a, Formula b, Formula da, Formula db) {
  switch (op) {
#define NSMC_FUNCTION(name, arguments, dimensions, symmetry, value, derivative, latex) \
  case Op::name: {                                                                     \
    return in_pool(pool, derivative);                                                  \
  }
#include "compiler/support/functions.def"
    default: throw InternalError("differential: not a function");
  }
}

// The branches of these are chosen by value. In reverse mode the choice would become a factor 0 or 1, and 0 times an
// infinite derivative of the branch not taken is NaN, so they are differentiated forward only.
bool chooses(Op op) {
  [[maybe_unused]] const Formula f = 0, a = 0, b = 0, da = 0, db = 0;
  switch (op) {
#define NSMC_FUNCTION(name, arguments, dimensions, symmetry, value, derivative, latex) \
  case Op::name: {                                                                     \
    return std::is_same_v<decltype(derivative), Choice>;                               \
  }
#include "compiler/support/functions.def"
    default: return op == Op::select;
  }
}

class ChainRule {
 public:
  explicit ChainRule(ExprPool& pool) : pool_(pool), zero_(pool.constant(0)), one_(pool.constant(1)) {}

  // d node / d args[i], the other arguments held fixed; not for operations that choose.
  Expr partial(Expr node, std::size_t i) {
    const std::vector<Expr> args(pool_.args(node).begin(), pool_.args(node).end());
    const Op op = pool_.op(node);
    if (function_of(op) != nullptr)
      return function(node, args, std::array{i == 0 ? one_ : zero_, i == 0 ? zero_ : one_});
    switch (op) {
      case Op::add: return one_;
      case Op::mul: {
        std::vector<Expr> others(args);
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        return pool_.mul(others);
      }
      case Op::pow:
        if (i == 0) return pool_.mul(args[1], pool_.pow(args[0], pool_.sub(args[1], one_)));
        return pool_.mul(node, pool_.call(Op::log, args[0]));
      case Op::implicit: return i < 2 ? zero_ : implicit_partial(pool_, node, i - 2);
      default: return zero_;  // conditions are constant wherever they have a derivative
    }
  }

  // The derivative of a node from those of its arguments; `d[i]` is zero where args[i] does not depend.
  Expr forward(Expr node, std::span<const Expr> d) {
    const std::vector<Expr> args(pool_.args(node).begin(), pool_.args(node).end());
    const Op op = pool_.op(node);
    if (function_of(op) != nullptr) return function(node, args, d);
    switch (op) {
      case Op::add: return pool_.add(d);
      case Op::select: return pool_.select(args[0], d[1], d[2]);
      case Op::pow:
        if (d[0] != zero_ && d[1] != zero_) {  // u^v (v' log u + v u'/u)
          const Expr log_part = pool_.mul(d[1], pool_.call(Op::log, args[0]));
          const Expr base_part = pool_.div(pool_.mul(args[1], d[0]), args[0]);
          return pool_.mul(node, pool_.add(log_part, base_part));
        }
        break;
      default: break;
    }
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < args.size(); ++i)
      if (d[i] != zero_) terms.push_back(pool_.mul(partial(node, i), d[i]));
    return pool_.add(terms);
  }

 private:
  Expr function(Expr node, std::span<const Expr> args, std::span<const Expr> d) {
    const auto formula = [&](Expr e) { return Formula(pool_, e); };
    const std::size_t second = args.size() - 1;  // of one argument: the first again
    return differential(pool_, pool_.op(node), formula(node), formula(args[0]), formula(args[second]), formula(d[0]),
                        formula(d[second]));
  }

  ExprPool& pool_;
  Expr zero_, one_;
};

// For each node of an order, the positions of the nodes that use it.
struct Users {
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> users;

  Users(const ExprPool& pool, const std::vector<Expr>& order, const NodeIndex& index) : first(order.size() + 1, 0) {
    for (Expr node : order)
      for (Expr argument : pool.args(node)) ++first[index.find(argument) + 1];
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    users.resize(first.back());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t i = 0; i < order.size(); ++i)
      for (Expr argument : pool.args(order[i])) users[next[index.find(argument)]++] = i;
  }

  std::span<const std::uint32_t> of(std::uint32_t i) const {
    return std::span(users).subspan(first[i], first[i + 1] - first[i]);
  }
};

std::vector<Expr> forward_jacobian(ExprPool& pool, std::span<const Expr> exprs, std::span<const Expr> symbols) {
  const auto order = topological_order(pool, exprs);
  const NodeIndex index(order);
  const Users users(pool, order, index);
  const Expr zero = pool.constant(0);
  ChainRule rule(pool);
  std::vector<Expr> derivative(order.size(), zero);  // zero again after each symbol
  std::vector<bool> reached(order.size());
  std::vector<Expr> d;
  std::vector<Expr> result(exprs.size() * symbols.size(), zero);
  for (std::size_t j = 0; j < symbols.size(); ++j) {
    const std::uint32_t seed = index.find(symbols[j]);
    if (seed == NodeIndex::absent) continue;
    std::vector<std::uint32_t> dependent{seed};
    for (std::size_t next = 0; next < dependent.size(); ++next)
      for (std::uint32_t user : users.of(dependent[next]))
        if (!reached[user]) {
          reached[user] = true;
          dependent.push_back(user);
        }
    std::sort(dependent.begin(), dependent.end());
    derivative[seed] = pool.constant(1);
    for (std::uint32_t i : dependent) {
      if (i == seed) continue;
      d.clear();
      for (Expr argument : pool.args(order[i])) d.push_back(derivative[index.find(argument)]);
      derivative[i] = rule.forward(order[i], d);
    }
    for (std::size_t i = 0; i < exprs.size(); ++i) result[i * symbols.size() + j] = derivative[index.find(exprs[i])];
    for (std::uint32_t i : dependent) {
      derivative[i] = zero;
      reached[i] = false;
    }
  }
  return result;
}

// Which nodes depend on any of the symbols.
std::vector<bool> active_nodes(const ExprPool& pool, const std::vector<Expr>& order, const NodeIndex& index,
                               std::span<const Expr> symbols) {
  std::vector<bool> active(order.size());
  for (Expr symbol : symbols)
    if (const auto at = index.find(symbol); at != NodeIndex::absent) active[at] = true;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (Expr argument : pool.args(order[i]))
      if (active[index.find(argument)]) active[i] = true;
  return active;
}

// The gradient of one expression, or nothing if an active node chooses between branches.
bool reverse_gradient(ExprPool& pool, Expr e, std::span<const Expr> symbols, std::span<Expr> gradient) {
  const auto order = topological_order(pool, std::span(&e, 1));
  const NodeIndex index(order);
  const auto active = active_nodes(pool, order, index, symbols);
  for (std::size_t i = 0; i < order.size(); ++i)
    if (active[i] && chooses(pool.op(order[i]))) return false;

  ChainRule rule(pool);
  const Expr zero = pool.constant(0);
  std::vector<std::vector<Expr>> contributions(order.size());
  std::vector<Expr> adjoint(order.size(), zero);
  contributions.back().push_back(pool.constant(1));
  for (std::size_t i = order.size(); i-- > 0;) {
    if (!active[i] || contributions[i].empty()) continue;
    adjoint[i] = pool.add(contributions[i]);
    contributions[i] = {};
    if (adjoint[i] == zero) continue;
    for (std::size_t k = 0; k < pool.args(order[i]).size(); ++k) {
      const std::uint32_t argument = index.find(pool.args(order[i])[k]);
      if (!active[argument]) continue;
      const Expr contribution = pool.mul(adjoint[i], rule.partial(order[i], k));
      if (contribution != zero) contributions[argument].push_back(contribution);
    }
  }
  for (std::size_t j = 0; j < symbols.size(); ++j) {
    const std::uint32_t at = index.find(symbols[j]);
    gradient[j] = at == NodeIndex::absent ? zero : adjoint[at];
  }
  return true;
}

}  // namespace

std::vector<Expr> jacobian(ExprPool& pool, std::span<const Expr> exprs, std::span<const Expr> symbols) {
  if (exprs.size() >= symbols.size()) return forward_jacobian(pool, exprs, symbols);
  std::vector<Expr> result(exprs.size() * symbols.size(), pool.constant(0));
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    const auto row = std::span(result).subspan(i * symbols.size(), symbols.size());
    if (reverse_gradient(pool, exprs[i], symbols, row)) continue;
    const auto forward = forward_jacobian(pool, exprs.subspan(i, 1), symbols);
    std::copy(forward.begin(), forward.end(), row.begin());
  }
  return result;
}

Expr derivative(ExprPool& pool, Expr e, Expr symbol) {
  return jacobian(pool, std::span(&e, 1), std::span(&symbol, 1))[0];
}

}  // namespace nsmc::sym
