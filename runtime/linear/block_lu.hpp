// A x = b for a sparse matrix of small dense blocks, not symmetric, whose pattern of blocks is: A = L U by blocks, the
// blocks L_kk = I. The nodes are contacts, an edge stands for two contacts that share a body.
//
// Order of elimination: approximate minimum degree on the graph of blocks, so that chains and trees of bodies cause
// hardly any fill. Rows are exchanged within a diagonal block only; the matrices of newton.cpp are such that their
// principal blocks are regular. A pivot that vanishes nevertheless is replaced by a tiny one and counted.
//
// analyse() allocates (and only if the pattern is another one than last time), factor() and solve() do not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nsmc::rt {

class BlockLu {
 public:
  struct Edge {
    std::uint32_t row, column;  // blocks
    bool operator==(const Edge&) const = default;
  };

  // sizes: rows of each diagonal block. edges: the blocks that may be nonzero, those of the diagonal included. False,
  // and nothing to be factored, if the factors had more values than `most_values`.
  bool analyse(std::span<const std::uint32_t> sizes, std::span<const Edge> edges, std::size_t most_values = SIZE_MAX);

  // All blocks zero.
  void clear();
  // Values of an edge, by its place in the list given to analyse(), row after row.
  double* block(std::size_t edge) { return values_.data() + edge_offset_[edge]; }

  // Number of pivots that had to be replaced.
  std::uint32_t factor();
  // x in: b, out: the solution, in the order of the blocks.
  void solve(double* x);

  std::size_t n_values() const { return values_.size(); }
  double flops() const { return flops_; }  // multiplications of factor()

 private:
  std::vector<std::uint32_t> sizes_;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> first_row_;    // of a block, in x
  std::vector<std::uint32_t> order_;        // k-th eliminated block
  std::vector<std::size_t> below_first_;    // by k: its part of below_
  std::vector<std::uint32_t> below_;        // places (in the order of elimination) of the blocks below the diagonal
  std::vector<std::size_t> diagonal_;       // offsets in values_: A_kk, then its inverse
  std::vector<std::size_t> lower_, upper_;  // of L_ik and U_ki, parallel to below_
  std::vector<std::size_t> edge_offset_;
  std::vector<double> values_;
  std::vector<double> scratch_;
  double flops_ = 0;
};

}  // namespace nsmc::rt
