// Right-looking elimination: when block k is eliminated, the Schur complement of its neighbours is brought up to date.
#include "runtime/linear/block_lu.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/linear/minimum_degree.hpp"

namespace nsmc::rt {

namespace {

constexpr std::uint32_t none = 0xffffffff;

// C -= A B with A m x n, B n x p.
template <std::uint32_t N>
void subtract_product_of(double* C, const double* A, const double* B) {
  for (std::uint32_t h = 0; h < N; ++h) {
    for (std::uint32_t k = 0; k < N; ++k) {
      double sum = 0;
      for (std::uint32_t m = 0; m < N; ++m) sum += A[h * N + m] * B[m * N + k];
      C[h * N + k] -= sum;
    }
  }
}

// The same for blocks of bodies, row by row: six sums side by side.
void subtract_product_of_six(double* C, const double* A, const double* B) {
  constexpr std::uint32_t N = 6;
  for (std::uint32_t h = 0; h < N; ++h) {
    double row[N];
    for (std::uint32_t k = 0; k < N; ++k) row[k] = C[h * N + k];
    for (std::uint32_t m = 0; m < N; ++m) {
      for (std::uint32_t k = 0; k < N; ++k) row[k] -= A[h * N + m] * B[m * N + k];
    }
    for (std::uint32_t k = 0; k < N; ++k) C[h * N + k] = row[k];
  }
}

void subtract_product(double* C, const double* A, const double* B, std::uint32_t m, std::uint32_t n, std::uint32_t p) {
  if (m == n && n == p) {
    switch (m) {
      case 1: C[0] -= A[0] * B[0]; return;
      case 2: subtract_product_of<2>(C, A, B); return;
      case 3: subtract_product_of<3>(C, A, B); return;
      case 6: subtract_product_of_six(C, A, B); return;
      default: break;
    }
  }
  for (std::uint32_t h = 0; h < m; ++h) {
    for (std::uint32_t j = 0; j < n; ++j) {
      const double a = A[h * n + j];
      for (std::uint32_t k = 0; k < p; ++k) C[h * p + k] -= a * B[j * p + k];
    }
  }
}

// A <- A^-1 for an n x n matrix, by Gauss-Jordan with row exchanges; work: n x n. Returns the replaced pivots.
std::uint32_t invert(double* A, double* work, std::uint32_t n) {
  double largest = 0;
  for (std::uint32_t h = 0; h < n * n; ++h) largest = std::max(largest, std::abs(A[h]));
  const double tiny = largest > 0 ? 1e-14 * largest : 1;
  std::fill_n(work, n * n, 0.0);
  for (std::uint32_t h = 0; h < n; ++h) work[h * n + h] = 1;
  std::uint32_t replaced = 0;
  for (std::uint32_t k = 0; k < n; ++k) {
    std::uint32_t p = k;
    for (std::uint32_t h = k + 1; h < n; ++h) {
      if (std::abs(A[h * n + k]) > std::abs(A[p * n + k])) p = h;
    }
    if (p != k) {
      std::swap_ranges(A + p * n, A + (p + 1) * n, A + k * n);
      std::swap_ranges(work + p * n, work + (p + 1) * n, work + k * n);
    }
    double pivot = A[k * n + k];
    if (!(std::abs(pivot) > 1e-2 * tiny)) {
      pivot = std::copysign(tiny, pivot);
      ++replaced;
    }
    const double inverse = 1 / pivot;
    for (std::uint32_t m = k + 1; m < n; ++m) A[k * n + m] *= inverse;
    for (std::uint32_t m = 0; m < n; ++m) work[k * n + m] *= inverse;
    for (std::uint32_t h = 0; h < n; ++h) {
      const double a = A[h * n + k];
      if (h == k || a == 0) continue;
      for (std::uint32_t m = k + 1; m < n; ++m) A[h * n + m] -= a * A[k * n + m];
      for (std::uint32_t m = 0; m < n; ++m) work[h * n + m] -= a * work[k * n + m];
    }
  }
  std::copy_n(work, n * n, A);
  return replaced;
}

}  // namespace

bool BlockLu::analyse(std::span<const std::uint32_t> sizes, std::span<const Edge> edges, std::size_t most_values) {
  if (std::equal(sizes.begin(), sizes.end(), sizes_.begin(), sizes_.end()) &&
      std::equal(edges.begin(), edges.end(), edges_.begin(), edges_.end())) {
    return true;
  }
  sizes_.assign(sizes.begin(), sizes.end());
  edges_.assign(edges.begin(), edges.end());
  const auto n = static_cast<std::uint32_t>(sizes.size());
  first_row_.assign(n, 0);
  std::uint32_t row = 0, largest = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    first_row_[i] = row;
    row += sizes[i];
    largest = std::max(largest, sizes[i]);
  }
  order_ = minimum_degree_order(n, edges);
  std::vector<std::uint32_t> place(n);
  for (std::uint32_t k = 0; k < n; ++k) place[order_[k]] = k;

  // Pattern of the columns of L: the entries of A below the diagonal and the patterns of the children in the
  // elimination tree, whose parent is the first entry below the diagonal.
  std::vector<std::vector<std::uint32_t>> column(n), children(n);
  for (const Edge& e : edges) {
    const std::uint32_t i = place[e.row], k = place[e.column];
    if (i != k) column[std::min(i, k)].push_back(std::max(i, k));
  }
  std::vector<std::uint32_t> mark(n, none);
  std::size_t n_values = 0;
  below_first_.assign(n + 1, 0);
  below_.clear();
  for (std::uint32_t k = 0; k < n; ++k) {
    std::vector<std::uint32_t> pattern;
    mark[k] = k;
    const auto add = [&](std::uint32_t i) {
      if (i <= k || mark[i] == k) return;
      mark[i] = k;
      pattern.push_back(i);
    };
    for (const std::uint32_t i : column[k]) add(i);
    for (const std::uint32_t child : children[k]) {
      for (std::size_t p = below_first_[child]; p < below_first_[child + 1]; ++p) add(below_[p]);
    }
    std::sort(pattern.begin(), pattern.end());
    if (!pattern.empty()) children[pattern.front()].push_back(k);
    below_.insert(below_.end(), pattern.begin(), pattern.end());
    below_first_[k + 1] = below_.size();
    const std::size_t own = sizes_[order_[k]];
    n_values += own * own;
    for (const std::uint32_t i : pattern) n_values += 2 * own * sizes_[order_[i]];
    if (n_values > most_values) {
      sizes_.clear();
      edges_.clear();
      return false;
    }
  }

  std::size_t offset = 0;
  diagonal_.resize(n);
  lower_.resize(below_.size());
  upper_.resize(below_.size());
  flops_ = 0;
  const auto size_at = [&](std::uint32_t k) { return std::size_t{sizes_[order_[k]]}; };
  for (std::uint32_t k = 0; k < n; ++k) {
    diagonal_[k] = offset;
    offset += size_at(k) * size_at(k);
    double rows = 0;
    for (std::size_t p = below_first_[k]; p < below_first_[k + 1]; ++p) {
      const std::size_t values = size_at(below_[p]) * size_at(k);
      lower_[p] = offset;
      upper_[p] = offset + values;
      offset += 2 * values;
      rows += static_cast<double>(size_at(below_[p]));
    }
    const auto own = static_cast<double>(size_at(k));
    flops_ += own * (2 * own * own + rows * own + rows * rows);
  }
  values_.assign(offset, 0);
  scratch_.assign(std::size_t{largest} * largest, 0);
  edge_offset_.clear();
  for (const Edge& e : edges) {
    const std::uint32_t i = place[e.row], k = place[e.column];
    if (i == k) {
      edge_offset_.push_back(diagonal_[k]);
      continue;
    }
    const std::uint32_t from = std::min(i, k), to = std::max(i, k);
    const auto begin = below_.begin() + static_cast<std::ptrdiff_t>(below_first_[from]);
    const auto end = below_.begin() + static_cast<std::ptrdiff_t>(below_first_[from + 1]);
    const auto at = static_cast<std::size_t>(std::lower_bound(begin, end, to) - below_.begin());
    edge_offset_.push_back(i > k ? lower_[at] : upper_[at]);
  }
  return true;
}

void BlockLu::clear() { std::fill(values_.begin(), values_.end(), 0.0); }

std::uint32_t BlockLu::factor() {
  const auto n = static_cast<std::uint32_t>(order_.size());
  std::uint32_t replaced = 0;
  double* v = values_.data();
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint32_t own = sizes_[order_[k]];
    double* pivot = v + diagonal_[k];
    replaced += invert(pivot, scratch_.data(), own);
    const std::size_t begin = below_first_[k], end = below_first_[k + 1];
    for (std::size_t p = begin; p < end; ++p) {
      // L_ik = A_ik A_kk^-1
      const std::uint32_t rows = sizes_[order_[below_[p]]];
      double* L = v + lower_[p];
      for (std::uint32_t h = 0; h < rows; ++h) {
        for (std::uint32_t m = 0; m < own; ++m) {
          double sum = 0;
          for (std::uint32_t l = 0; l < own; ++l) sum += L[h * own + l] * pivot[l * own + m];
          scratch_[m] = sum;
        }
        std::copy_n(scratch_.data(), own, L + h * own);
      }
    }
    for (std::size_t p = begin; p < end; ++p) {
      const std::uint32_t j = below_[p], columns = sizes_[order_[j]];
      subtract_product(v + diagonal_[j], v + lower_[p], v + upper_[p], columns, own, columns);
      std::size_t at = below_first_[j];
      for (std::size_t q = p + 1; q < end; ++q) {
        const std::uint32_t i = below_[q], rows = sizes_[order_[i]];
        while (below_[at] != i) ++at;
        subtract_product(v + lower_[at], v + lower_[q], v + upper_[p], rows, own, columns);
        subtract_product(v + upper_[at], v + lower_[p], v + upper_[q], columns, own, rows);
      }
    }
  }
  return replaced;
}

void BlockLu::solve(double* x) {
  const auto n = static_cast<std::uint32_t>(order_.size());
  const double* v = values_.data();
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint32_t own = sizes_[order_[k]];
    const double* y = x + first_row_[order_[k]];
    for (std::size_t p = below_first_[k]; p < below_first_[k + 1]; ++p) {
      const std::uint32_t i = order_[below_[p]];
      double* out = x + first_row_[i];
      const double* L = v + lower_[p];
      for (std::uint32_t h = 0; h < sizes_[i]; ++h) {
        for (std::uint32_t m = 0; m < own; ++m) out[h] -= L[h * own + m] * y[m];
      }
    }
  }
  double* y = scratch_.data();
  for (std::uint32_t k = n; k-- > 0;) {
    const std::uint32_t own = sizes_[order_[k]];
    double* out = x + first_row_[order_[k]];
    for (std::size_t p = below_first_[k]; p < below_first_[k + 1]; ++p) {
      const std::uint32_t i = order_[below_[p]], columns = sizes_[i];
      const double *from = x + first_row_[i], *U = v + upper_[p];
      for (std::uint32_t h = 0; h < own; ++h) {
        for (std::uint32_t m = 0; m < columns; ++m) out[h] -= U[h * columns + m] * from[m];
      }
    }
    const double* inverse = v + diagonal_[k];
    for (std::uint32_t h = 0; h < own; ++h) {
      y[h] = 0;
      for (std::uint32_t m = 0; m < own; ++m) y[h] += inverse[h * own + m] * out[m];
    }
    std::copy_n(y, own, out);
  }
}

}  // namespace nsmc::rt
