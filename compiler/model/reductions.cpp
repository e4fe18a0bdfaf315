// Sums and the like over the elements of arrays, written out element by element.
#include <fmt/core.h>

#include <algorithm>

#include "compiler/model/arrays.hpp"
#include "compiler/model/expressions.hpp"

namespace nsmc {
namespace {

constexpr std::int64_t kMostTerms = 10'000;

}  // namespace

Result Arrays::reduction(const ast::Expr& expr, const Scope& scope) {
  const bool is_sum = expr.text == "sum", is_norm = expr.text == "norm";
  if (!is_sum && !is_norm && expr.text != "min" && expr.text != "max") {
    report(Kind::unknown_function, expr.span, fmt::format("'{}' takes no range", expr.text),
           "sum, min, max and norm do: sum(c[i].N for i in 1..n)");
    return std::nullopt;
  }
  const ast::IndexRange range{expr.names[0], expr.args[1], expr.args[2], expr.span};
  const auto bounds = bounds_of(range);
  if (!bounds || !has_length(range, *bounds)) return std::nullopt;
  const std::int64_t count = bounds->last - bounds->first + 1;
  if (count > kMostTerms) {
    report(Kind::bad_range, expr.span, fmt::format("'{}' over {} elements, at most {}", expr.text, count, kMostTerms));
    return std::nullopt;
  }
  if (count == 0 && is_sum) return make_number(0, Dimension::any(), expr.span);
  if (count == 0) {
    report(Kind::bad_range, expr.span, fmt::format("'{}' over a range without elements", expr.text));
    return std::nullopt;
  }
  std::vector<NodeId> terms;
  Type common;
  for (std::int64_t i = bounds->first; i <= bounds->last; ++i) {
    Scope inner;
    inner.parent = &scope;
    inner.names[expr.names[0].text] = make_number(static_cast<double>(i), {}, expr.names[0].span);
    const Result term = is_sum ? expressions_.expression(expr.args[0], inner)
                               : expressions_.scalar(expr.args[0], inner, "an element of a range");
    if (!term) return std::nullopt;
    const Type& t = type(*term);
    const bool fits =
        terms.empty() || (t.rows == common.rows && t.cols == common.cols && t.kind == common.kind &&
                          std::equal(t.dimensions.begin(), t.dimensions.end(), common.dimensions.begin(),
                                     [](const Dimension& a, const Dimension& b) { return a.fits(b) || b.fits(a); }));
    if (t.kind != ValueKind::number || !fits) {
      report(
          Kind::shape_mismatch, expr.args[0].span,
          fmt::format("the elements of '{}' are numbers{} of one dimension", expr.text, is_sum ? " or vectors" : ""));
      return std::nullopt;
    }
    if (terms.empty() || common.dimensions[0].is_any()) common = t;
    terms.push_back(*term);
  }
  if (is_norm) {
    for (NodeId& term : terms) term = *expressions_.multiply(term, term, expr.span);
    const Type squares = type(terms[0]);
    const NodeId sum = make(NodeKind::sum, squares, std::move(terms), expr.span);
    return make_call("sqrt", common, {sum}, expr.span);
  }
  if (terms.size() == 1) return terms[0];
  if (is_sum) return make(NodeKind::sum, common, std::move(terms), expr.span);
  return make_call(expr.text == "min" ? "min" : "max", common, std::move(terms), expr.span);
}

}  // namespace nsmc
