// The rows of L one after another: row k solves L_(<k) D y = A_(<k,k), and its pattern is what the paths from the
// entries of A's column k up the elimination tree pass through.
#include "runtime/linear/sparse_ldl.hpp"

#include <algorithm>
#include <limits>

#include "runtime/linear/minimum_degree.hpp"

namespace nsmc::rt {

namespace {
constexpr std::uint32_t no_row = 0xffffffff;
}

SparseLdl::SparseLdl(std::span<const std::uint32_t> order, std::span<const Entry> entries)
    : order_(order.begin(), order.end()) {
  const std::size_t n = order_.size();
  std::vector<std::uint32_t> place(n);
  for (std::uint32_t k = 0; k < n; ++k) place[order_[k]] = k;

  const auto column_of = [&](const Entry& e) { return std::max(place[e.row], place[e.column]); };
  A_first_.assign(n + 1, 0);
  for (const Entry& e : entries) ++A_first_[column_of(e) + 1];
  for (std::size_t k = 0; k < n; ++k) A_first_[k + 1] += A_first_[k];
  std::vector<std::size_t> next(A_first_.begin(), A_first_.end() - 1);
  A_.assign(entries.size(), 0);
  A_row_.resize(entries.size());
  for (const Entry& e : entries) {
    const std::size_t at = next[column_of(e)]++;
    A_row_[at] = std::min(place[e.row], place[e.column]);
    position_.push_back(static_cast<std::uint32_t>(at));
  }

  parent_.assign(n, no_row);
  mark_.assign(n, no_row);
  path_.assign(n, 0);
  y_.assign(n, 0);
  D_.assign(n, 0);
  L_first_.assign(n + 1, 0);
  for (std::uint32_t k = 0; k < n; ++k) {
    mark_[k] = k;
    for (std::size_t p = A_first_[k]; p < A_first_[k + 1]; ++p) {
      for (std::uint32_t i = A_row_[p]; mark_[i] != k; i = parent_[i]) {
        if (parent_[i] == no_row) parent_[i] = k;
        ++L_first_[i + 1];
        mark_[i] = k;
      }
    }
  }
  for (std::size_t k = 0; k < n; ++k) L_first_[k + 1] += L_first_[k];
  L_end_.assign(n, 0);
  L_row_.assign(L_first_[n], 0);
  L_.assign(L_first_[n], 0);
}

void SparseLdl::factor(double drop) {
  const auto n = static_cast<std::uint32_t>(order_.size());
  n_dropped_ = 0;
  std::fill(mark_.begin(), mark_.end(), no_row);
  std::copy_n(L_first_.begin(), n, L_end_.begin());
  for (std::uint32_t k = 0; k < n; ++k) {
    std::uint32_t top = n;
    mark_[k] = k;
    for (std::size_t p = A_first_[k]; p < A_first_[k + 1]; ++p) {
      std::uint32_t i = A_row_[p], length = 0;
      y_[i] += A_[p];
      for (; mark_[i] != k; i = parent_[i]) {
        path_[length++] = i;
        mark_[i] = k;
      }
      while (length > 0) path_[--top] = path_[--length];
    }
    const double diagonal = y_[k];
    double pivot = diagonal;
    y_[k] = 0;
    for (; top < n; ++top) {
      const std::uint32_t i = path_[top];
      const double y = y_[i], l = y / D_[i];
      y_[i] = 0;
      for (std::size_t p = L_first_[i]; p < L_end_[i]; ++p) y_[L_row_[p]] -= L_[p] * y;
      pivot -= l * y;
      L_row_[L_end_[i]] = k;
      L_[L_end_[i]++] = l;
    }
    if (!(pivot > drop * diagonal)) {
      pivot = std::numeric_limits<double>::infinity();  // x/D = 0, and so are the elements of L below it
      ++n_dropped_;
    }
    D_[k] = pivot;
  }
}

void SparseLdl::solve(double* x) {
  const std::size_t n = order_.size();
  for (std::size_t k = 0; k < n; ++k) y_[k] = x[order_[k]];
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t p = L_first_[k]; p < L_end_[k]; ++p) y_[L_row_[p]] -= L_[p] * y_[k];
  }
  for (std::size_t k = n; k-- > 0;) {
    double value = y_[k] / D_[k];
    for (std::size_t p = L_first_[k]; p < L_end_[k]; ++p) value -= L_[p] * y_[L_row_[p]];
    y_[k] = value;
  }
  for (std::size_t k = 0; k < n; ++k) {
    x[order_[k]] = y_[k];
    y_[k] = 0;  // as factor() wants it
  }
}

std::vector<std::uint32_t> elimination_order(std::size_t n, std::span<const SparseLdl::Entry> edges) {
  return minimum_degree_order(n, edges);
}

}  // namespace nsmc::rt
