// evaluate() for the same roots at many points: the checks of laws try thousands. What does not depend on the symbols
// that vary is computed once.
#pragma once

#include "compiler/symbolic/tape.hpp"

namespace nsmc::sym {

class Evaluator {
 public:
  using Values = Tape::Values;

  Evaluator(const ExprPool& pool, std::span<const Expr> roots, const std::function<bool(const Symbol&)>& varies);

  // Values of the symbols that do not vary; before the first evaluation, and whenever they change.
  void fix(const Values& value) { compute(value, false); }
  std::vector<double> operator()(const Values& value) {
    compute(value, true);
    return tape_.results();
  }

 private:
  void compute(const Values& value, bool varying);

  Tape tape_;
  std::vector<char> varies_;  // by step
};

}  // namespace nsmc::sym
