// From an expression to its position in a topological order, so that passes memoise in vectors as long as the order
// (and not as long as the pool, of which an expression may use a small part).
#pragma once

#include <algorithm>
#include <limits>

#include "compiler/symbolic/expr.hpp"

namespace nsmc::sym {

class NodeIndex {
 public:
  // `order` as from topological_order: ids increase. It must outlive the index.
  explicit NodeIndex(const std::vector<Expr>& order) : order_(order) {
    const std::size_t span = order.empty() ? 0 : order.back().id + std::size_t{1};
    if (span / 16 > order.size()) return;  // sparse: search instead of a table over all ids
    table_.assign(span, absent);
    for (std::size_t i = 0; i < order.size(); ++i) table_[order[i].id] = static_cast<std::uint32_t>(i);
  }

  static constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t find(Expr e) const {
    if (!table_.empty()) return e.id < table_.size() ? table_[e.id] : absent;
    const auto at = std::lower_bound(order_.begin(), order_.end(), e, [](Expr a, Expr b) { return a.id < b.id; });
    return at != order_.end() && *at == e ? static_cast<std::uint32_t>(at - order_.begin()) : absent;
  }

 private:
  const std::vector<Expr>& order_;
  std::vector<std::uint32_t> table_;
};

}  // namespace nsmc::sym
