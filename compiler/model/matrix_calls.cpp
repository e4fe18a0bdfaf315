// Functions of matrices, written out in their entries: determinants by expansion along rows, in which equal minors are
// made once.
#include <fmt/core.h>

#include <functional>
#include <map>

#include "compiler/model/calls.hpp"
#include "compiler/model/expressions.hpp"

namespace nsmc {
namespace {

constexpr std::uint32_t kMostRows = 6;  // 192 products; twice as many with every further row

}  // namespace

NodeId Calls::entry(NodeId matrix, std::uint32_t row, std::uint32_t column, Span span) {
  const Type& t = type(matrix);
  if (t.size() == 1) return matrix;
  const std::uint32_t at = row * t.cols + column;
  const NodeId id = make(NodeKind::component, {ValueKind::number, 1, 1, {t.dimensions[at]}}, {matrix}, span);
  model_.nodes[id].index = at;
  return id;
}

// By its entries: the rows from `row` on and the columns of the mask.
class Determinant {
 public:
  using Entry = std::function<NodeId(std::uint32_t row, std::uint32_t column)>;
  Determinant(Calls& calls, std::vector<std::uint32_t> rows, Entry entry, Span span)
      : calls_(calls), rows_(std::move(rows)), entry_(std::move(entry)), span_(span) {}

  Result value(std::uint32_t columns, std::size_t row = 0) {
    if (row == rows_.size()) return calls_.make_number(1, {}, span_);
    if (const auto found = known_.find(columns); found != known_.end()) return found->second;
    std::vector<NodeId> terms;
    std::optional<Type> common;
    bool negative = false;
    for (std::uint32_t j = 0; j < 32; ++j) {
      if ((columns >> j & 1U) == 0) continue;
      const Result minor = value(columns & ~(1U << j), row + 1);
      if (!minor) return std::nullopt;
      const NodeId entry = entry_(rows_[row], j);
      NodeId term = row + 1 == rows_.size() ? entry : calls_.times(entry, *minor, span_);
      if (negative) term = *calls_.expressions_.negate(term, span_);
      negative = !negative;
      common = common ? calls_.expressions_.common_type(*common, calls_.type(term), span_, "add or subtract")
                      : calls_.type(term);
      if (!common) return std::nullopt;
      terms.push_back(term);
    }
    const NodeId sum = terms.size() == 1 ? terms[0] : calls_.make(NodeKind::sum, *common, std::move(terms), span_);
    known_.emplace(columns, sum);
    return sum;
  }

 private:
  Calls& calls_;
  std::vector<std::uint32_t> rows_;
  Entry entry_;
  Span span_;
  std::map<std::uint32_t, NodeId> known_;  // the columns say which rows are left
};

// The rows without the one that is left out.
static std::vector<std::uint32_t> rows_without(std::uint32_t n, std::uint32_t left_out) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (i != left_out) rows.push_back(i);
  }
  return rows;
}

std::optional<NodeId> Calls::square_matrix(const ast::Expr& expr, NodeId matrix) {
  const Type& t = type(matrix);
  if (t.rows != t.cols) {
    report(Kind::shape_mismatch, expr.args[0].span,
           fmt::format("'{}' takes a square matrix, this is {}", expr.text, shape_text(t)));
    return std::nullopt;
  }
  if (t.rows > kMostRows) {
    report(Kind::shape_mismatch, expr.args[0].span,
           fmt::format("'{}' is written out in the entries of a matrix, up to {}x{}", expr.text, kMostRows, kMostRows));
    return std::nullopt;
  }
  return matrix;
}

Result Calls::det(const ast::Expr& expr, const Scope& scope) {
  const auto args = numeric_arguments(expr, scope);
  if (!args) return std::nullopt;
  if (args->size() != 1) return wrong_count(expr, "one argument");
  const auto matrix = square_matrix(expr, args->front());
  if (!matrix) return std::nullopt;
  const std::uint32_t n = type(*matrix).rows;
  const auto entry = [&](std::uint32_t i, std::uint32_t j) { return this->entry(*matrix, i, j, expr.span); };
  return Determinant(*this, rows_without(n, n), entry, expr.span).value((1U << n) - 1);
}

// The adjugate through the determinant.
Result Calls::inverse(const ast::Expr& expr, const Scope& scope) {
  const auto args = numeric_arguments(expr, scope);
  if (!args) return std::nullopt;
  if (args->size() != 1) return wrong_count(expr, "one argument");
  const auto matrix = square_matrix(expr, args->front());
  if (!matrix) return std::nullopt;
  const std::uint32_t n = type(*matrix).rows;
  const auto entry = [&](std::uint32_t i, std::uint32_t j) { return this->entry(*matrix, i, j, expr.span); };
  const Result whole = Determinant(*this, rows_without(n, n), entry, expr.span).value((1U << n) - 1);
  if (!whole) return std::nullopt;
  if (n == 1) return expressions_.divide(make_number(1, {}, expr.span), *whole, expr.span);
  Type result{ValueKind::number, n, n, std::vector<Dimension>(std::size_t{n} * n)};
  std::vector<NodeId> entries(std::size_t{n} * n);
  for (std::uint32_t i = 0; i < n; ++i) {
    Determinant minors(*this, rows_without(n, i), entry, expr.span);
    for (std::uint32_t j = 0; j < n; ++j) {
      Result minor = minors.value(((1U << n) - 1) & ~(1U << j));
      if (minor && (i + j) % 2 == 1) minor = expressions_.negate(*minor, expr.span);
      const Result value = minor ? expressions_.divide(*minor, *whole, expr.span) : std::nullopt;
      if (!value) return std::nullopt;
      entries[std::size_t{j} * n + i] = *value;
      result.dimensions[std::size_t{j} * n + i] = type(*value).dimensions[0];
    }
  }
  return make(NodeKind::vector, std::move(result), std::move(entries), expr.span);
}

// x of A x = b, by Cramer's rule.
Result Calls::solve(const ast::Expr& expr, const Scope& scope) {
  const auto args = numeric_arguments(expr, scope);
  if (!args) return std::nullopt;
  if (args->size() != 2) return wrong_count(expr, "a matrix and a vector");
  const auto matrix = square_matrix(expr, args->front());
  if (!matrix) return std::nullopt;
  const NodeId b = (*args)[1];
  const std::uint32_t n = type(*matrix).rows;
  if (type(b).cols != 1 || type(b).rows != n) {
    report(Kind::shape_mismatch, expr.args[1].span,
           fmt::format("'solve' takes a vector of {} for this matrix, this is {}", n, shape_text(type(b))));
    return std::nullopt;
  }
  const std::uint32_t all = (1U << n) - 1;
  const auto determinant = [&](std::uint32_t replaced) {
    const auto entry = [&, replaced](std::uint32_t i, std::uint32_t j) {
      return j == replaced ? component(b, i, expr.span) : this->entry(*matrix, i, j, expr.span);
    };
    return Determinant(*this, rows_without(n, n), entry, expr.span).value(all);
  };
  const Result whole = determinant(n);
  if (!whole) return std::nullopt;
  Type result{ValueKind::number, n, 1, {}};
  std::vector<NodeId> entries;
  for (std::uint32_t k = 0; k < n; ++k) {
    const Result part = determinant(k);
    const Result value = part ? expressions_.divide(*part, *whole, expr.span) : std::nullopt;
    if (!value) return std::nullopt;
    entries.push_back(*value);
    result.dimensions.push_back(type(*value).dimensions[0]);
  }
  return n == 1 ? Result(entries[0]) : make(NodeKind::vector, std::move(result), std::move(entries), expr.span);
}

}  // namespace nsmc
