// In which order to eliminate the vertices of a graph so that little fills in: approximate minimum degree, by Eigen.
#pragma once

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <cstdint>
#include <span>
#include <vector>

namespace nsmc::rt {

// Edges have a `row` and a `column`, and stand for their mirror images too.
template <typename Edge>
std::vector<std::uint32_t> minimum_degree_order(std::size_t n, std::span<const Edge> edges) {
  std::vector<Eigen::Triplet<double, int>> triplets;
  triplets.reserve(n + 2 * edges.size());
  for (int i = 0; i < static_cast<int>(n); ++i) triplets.emplace_back(i, i, 1.0);  // Eigen expects a diagonal
  for (const Edge& e : edges) {
    triplets.emplace_back(static_cast<int>(e.row), static_cast<int>(e.column), 1.0);
    triplets.emplace_back(static_cast<int>(e.column), static_cast<int>(e.row), 1.0);
  }
  const auto size = static_cast<Eigen::Index>(n);
  Eigen::SparseMatrix<double, Eigen::ColMajor, int> graph(size, size);
  graph.setFromTriplets(triplets.begin(), triplets.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(graph, order);
  return {order.indices().data(), order.indices().data() + n};
}

}  // namespace nsmc::rt
