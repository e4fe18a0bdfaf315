// evaluate() for the same roots at many points: the checks of laws try thousands. What does not depend on the symbols
// that vary is computed once.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "compiler/symbolic/expr.hpp"

namespace nsmc::sym {

class Evaluator {
 public:
  using Values = std::function<double(const Symbol&)>;

  Evaluator(const ExprPool& pool, std::span<const Expr> roots, const std::function<bool(const Symbol&)>& varies);

  // Values of the symbols that do not vary; before the first evaluation, and whenever they change.
  void fix(const Values& value);
  std::vector<double> operator()(const Values& value);

 private:
  struct Node {
    Expr expr;
    Op op{};
    bool varies = false;
    std::size_t symbol = 0;            // in symbols_
    std::size_t first = 0, count = 0;  // of its arguments in arguments_
  };
  void compute(std::size_t i, const Values& value);

  const ExprPool& pool_;
  std::vector<Node> nodes_;
  std::vector<Symbol> symbols_;
  std::vector<std::size_t> arguments_, roots_;  // places in nodes_
  std::vector<double> values_, operands_;
};

}  // namespace nsmc::sym
