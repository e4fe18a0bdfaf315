// A x = b for a sparse symmetric positive semidefinite matrix A whose pattern stays while its values change, by
// A = L D L^T. Everything that depends on the pattern alone is done once, in the constructor; factor() and solve()
// allocate nothing. A chain of unknowns causes no fill and a tree hardly any: time and memory grow with their size.
//
// Singular matrices. A row whose pivot D_k is but rounding errors of A_kk depends on rows before it. It is left out and
// its unknown is 0, which solves the system wherever b is consistent: for a positive semidefinite matrix the rest of
// the column vanishes with the pivot, so that no pivoting is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nsmc::rt {

class SparseLdl {
 public:
  struct Entry {
    std::uint32_t row, column;  // stands for its mirror image too
  };

  SparseLdl() = default;

  // order[k]: which unknown is eliminated as the k-th. Entries are distinct, of one triangle or mixed; every (i, i)
  // must be among them.
  SparseLdl(std::span<const std::uint32_t> order, std::span<const Entry> entries);

  // Where the value of an entry (by its index in the constructor's list) stands.
  double& value(std::size_t entry) { return A_[position_[entry]]; }

  // A pivot of at most `drop` times its diagonal element counts as zero.
  void factor(double drop);

  // x in: b, out: the solution.
  void solve(double* x);

  std::size_t n() const { return order_.size(); }
  std::size_t n_values() const { return L_.size(); }  // of L below its diagonal
  std::size_t n_dropped() const { return n_dropped_; }

 private:
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> position_;
  // A, its upper triangle in the order of elimination, by columns.
  std::vector<std::size_t> A_first_;
  std::vector<std::uint32_t> A_row_;
  std::vector<double> A_;
  // L, by columns, and D.
  std::vector<std::uint32_t> parent_;  // elimination tree
  std::vector<std::size_t> L_first_, L_end_;
  std::vector<std::uint32_t> L_row_;
  std::vector<double> L_, D_;
  // Scratch.
  std::vector<std::uint32_t> mark_, path_;
  std::vector<double> y_;
  std::size_t n_dropped_ = 0;
};

// An order of elimination with little fill (approximate minimum degree) for the graph of n nodes with these edges.
std::vector<std::uint32_t> elimination_order(std::size_t n, std::span<const SparseLdl::Entry> edges);

}  // namespace nsmc::rt
