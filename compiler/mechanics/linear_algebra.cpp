#include "compiler/mechanics/linear_algebra.hpp"

#include <cmath>
#include <map>
#include <numeric>

namespace nsmc {

using sym::Expr;

namespace {

constexpr std::size_t kLargestBlock = 8;  // minors grow as 2^n

// Minors by Laplace expansion along the first of the remaining rows, each set of columns once.
class Minors {
 public:
  Minors(sym::ExprPool& pool, const Matrix& a, std::vector<std::size_t> rows)
      : pool_(pool), a_(a), rows_(std::move(rows)) {}

  Expr of(std::size_t first_row, unsigned columns) {
    if (first_row == rows_.size()) return pool_.constant(1);
    const auto known = known_.find(columns);
    if (known != known_.end()) return known->second;
    std::vector<Expr> terms;
    double sign = 1;
    for (std::size_t j = 0; j < a_.cols; ++j) {
      if ((columns >> j & 1U) == 0) continue;
      const Expr entry = a_(rows_[first_row], j);
      if (!pool_.is_constant(entry, 0)) {
        terms.push_back(pool_.mul(pool_.mul(pool_.constant(sign), entry), of(first_row + 1, columns & ~(1U << j))));
      }
      sign = -sign;
    }
    return known_[columns] = pool_.add(terms);
  }

 private:
  sym::ExprPool& pool_;
  const Matrix& a_;
  std::vector<std::size_t> rows_;
  std::map<unsigned, Expr> known_;
};

std::optional<Matrix> inverse_of_block(sym::ExprPool& pool, const Matrix& a) {
  const std::size_t n = a.rows;
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), 0);
  const unsigned every = (1U << n) - 1;
  const Expr determinant = Minors(pool, a, all).of(0, every);
  if (pool.is_constant(determinant, 0)) return std::nullopt;
  Matrix result{n, n, std::vector<Expr>(n * n)};
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::size_t> others = all;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    Minors minors(pool, a, others);
    for (std::size_t j = 0; j < n; ++j) {
      const Expr minor = minors.of(0, every & ~(1U << j));
      const Expr cofactor = (i + j) % 2 == 0 ? minor : pool.neg(minor);
      result(j, i) = pool.div(cofactor, determinant);
    }
  }
  return result;
}

}  // namespace

Matrix identity(sym::ExprPool& pool, std::size_t n) {
  Matrix result{n, n, std::vector<Expr>(n * n, pool.constant(0))};
  for (std::size_t i = 0; i < n; ++i) result(i, i) = pool.constant(1);
  return result;
}

bool is_identity(const sym::ExprPool& pool, const Matrix& a) {
  if (a.rows != a.cols) return false;
  for (std::size_t i = 0; i < a.entries.size(); ++i) {
    if (!pool.is_constant(a.entries[i], i % (a.cols + 1) == 0 ? 1 : 0)) return false;
  }
  return true;
}

bool is_diagonal(const sym::ExprPool& pool, const Matrix& a) {
  for (std::size_t i = 0; i < a.entries.size(); ++i) {
    if (i % (a.cols + 1) != 0 && !pool.is_constant(a.entries[i], 0)) return false;
  }
  return true;
}

bool is_zero(const sym::ExprPool& pool, const Matrix& a) {
  for (const Expr e : a.entries) {
    if (!pool.is_constant(e, 0)) return false;
  }
  return true;
}

Matrix multiply(sym::ExprPool& pool, const Matrix& a, const Matrix& b) {
  Matrix result{a.rows, b.cols, {}};
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < b.cols; ++j) {
      std::vector<Expr> terms;
      for (std::size_t k = 0; k < a.cols; ++k) terms.push_back(pool.mul(a(i, k), b(k, j)));
      result.entries.push_back(pool.add(terms));
    }
  }
  return result;
}

Matrix transpose(const Matrix& a) {
  Matrix result{a.cols, a.rows, {}};
  for (std::size_t j = 0; j < a.cols; ++j) {
    for (std::size_t i = 0; i < a.rows; ++i) result.entries.push_back(a(i, j));
  }
  return result;
}

std::vector<Expr> multiply(sym::ExprPool& pool, const Matrix& a, std::span<const Expr> x) {
  std::vector<Expr> result;
  for (std::size_t i = 0; i < a.rows; ++i) {
    std::vector<Expr> terms;
    for (std::size_t k = 0; k < a.cols; ++k) terms.push_back(pool.mul(a(i, k), x[k]));
    result.push_back(pool.add(terms));
  }
  return result;
}

std::optional<Matrix> inverse(sym::ExprPool& pool, const Matrix& a) {
  if (a.rows != a.cols) return std::nullopt;
  const std::size_t n = a.rows;
  // Rows and columns that belong together: connected by entries that are not zero.
  std::vector<std::size_t> group(2 * n);  // rows, then columns
  std::iota(group.begin(), group.end(), 0);
  const auto root = [&](std::size_t i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (!pool.is_constant(a(i, j), 0)) group[root(i)] = root(n + j);
    }
  }
  std::map<std::size_t, std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> blocks;
  for (std::size_t i = 0; i < n; ++i) {
    blocks[root(i)].first.push_back(i);
    blocks[root(n + i)].second.push_back(i);
  }
  Matrix result{n, n, std::vector<Expr>(n * n, pool.constant(0))};
  for (const auto& [key, block] : blocks) {
    const auto& [rows, columns] = block;
    if (rows.size() != columns.size() || rows.size() > kLargestBlock) return std::nullopt;
    Matrix part{rows.size(), rows.size(), {}};
    for (const std::size_t i : rows) {
      for (const std::size_t j : columns) part.entries.push_back(a(i, j));
    }
    const auto inverted = inverse_of_block(pool, part);
    if (!inverted) return std::nullopt;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < rows.size(); ++j) result(columns[i], rows[j]) = (*inverted)(i, j);
    }
  }
  return result;
}

std::optional<std::vector<double>> solve_numbers(std::vector<double> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t j = 0; j < n; ++j) {
    std::size_t pivot = j;
    for (std::size_t i = j + 1; i < n; ++i) {
      if (std::abs(a[i * n + j]) > std::abs(a[pivot * n + j])) pivot = i;
    }
    if (!(std::abs(a[pivot * n + j]) > 0)) return std::nullopt;
    for (std::size_t k = 0; k < n; ++k) std::swap(a[j * n + k], a[pivot * n + k]);
    std::swap(b[j], b[pivot]);
    for (std::size_t i = j + 1; i < n; ++i) {
      const double factor = a[i * n + j] / a[j * n + j];
      for (std::size_t k = j; k < n; ++k) a[i * n + k] -= factor * a[j * n + k];
      b[i] -= factor * b[j];
    }
  }
  for (std::size_t j = n; j-- > 0;) {
    for (std::size_t k = j + 1; k < n; ++k) b[j] -= a[j * n + k] * b[k];
    b[j] /= a[j * n + j];
  }
  return b;
}

}  // namespace nsmc
