#include "compiler/symbolic/evaluator.hpp"

namespace nsmc::sym {

Evaluator::Evaluator(const ExprPool& pool, std::span<const Expr> roots,
                     const std::function<bool(const Symbol&)>& varies)
    : tape_(pool, roots), varies_(tape_.size()) {
  for (std::size_t i = 0; i < tape_.size(); ++i) {
    if (const Symbol* symbol = tape_.symbol(i)) varies_[i] = varies(*symbol);
    for (const std::uint32_t argument : tape_.arguments(i)) varies_[i] |= varies_[argument];
  }
}

void Evaluator::compute(const Values& value, bool varying) {
  for (std::size_t i = 0; i < tape_.size(); ++i) {
    if ((varies_[i] != 0) == varying) tape_.compute(i, value);
  }
}

}  // namespace nsmc::sym
