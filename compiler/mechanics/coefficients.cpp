#include "compiler/mechanics/coefficients.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "compiler/mechanics/equations.hpp"

namespace nsmc {

using sym::Expr;
using sym::Source;

Expr extract_coefficients(sym::ExprPool& pool, Expr function, std::vector<Expr>& coefficients) {
  const std::vector<Expr> order = sym::topological_order(pool, std::span(&function, 1));
  const auto is_point = [](const sym::Symbol& s) { return s.source == Source::force && s.index < kUserForce; };
  std::map<std::uint32_t, Expr> image;     // of nodes that contain the point
  std::map<std::uint32_t, Expr> constant;  // coefficient symbols
  const auto hand_over = [&](Expr e) {
    if (pool.is_constant(e)) return e;
    const auto known = constant.find(e.id);
    if (known != constant.end()) return known->second;
    const auto index = static_cast<std::uint32_t>(coefficients.size());
    coefficients.push_back(e);
    return constant[e.id] = pool.symbol(Source::instance, index, fmt::format("c[{}]", index + 1));
  };
  for (const Expr e : order) {
    if (pool.op(e) == sym::Op::symbol) {
      if (is_point(pool.symbol(e))) image[e.id] = e;
      continue;
    }
    std::vector<Expr> args(pool.args(e).begin(), pool.args(e).end());
    if (std::none_of(args.begin(), args.end(), [&](Expr a) { return image.contains(a.id); })) continue;
    // Of a sum or product the parts without the point go together.
    const bool together = pool.op(e) == sym::Op::add || pool.op(e) == sym::Op::mul;
    std::vector<Expr> mapped;
    std::vector<Expr> rest;
    for (const Expr a : args) {
      const auto found = image.find(a.id);
      if (found != image.end()) {
        mapped.push_back(found->second);
      } else if (together) {
        rest.push_back(a);
      } else {
        mapped.push_back(hand_over(a));
      }
    }
    if (!rest.empty()) mapped.push_back(hand_over(sym::rebuild(pool, pool.op(e), rest)));
    image[e.id] = together && mapped.size() == 1 ? mapped[0] : sym::rebuild(pool, pool.op(e), mapped);
  }
  const auto found = image.find(function.id);
  return found != image.end() ? found->second : hand_over(function);
}

}  // namespace nsmc
