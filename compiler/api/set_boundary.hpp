// The boundary of a law's set A*(K_1 x ... x K_m) with numbers: what a viewer draws.
#pragma once

#include <span>
#include <vector>

#include "compiler/mechanics/equations.hpp"

namespace nsmc {

// The directions of boundary points, as unit vectors: both (dim 1), around (2), the corners of set_triangles(detail)
// (3).
std::vector<std::vector<double>> boundary_directions(std::size_t dim, int detail);

class SetBoundary {
 public:
  // Derivatives of gauge and support functions are made here, so that points() leaves the pool alone.
  SetBoundary(sym::ExprPool& pool, Matrix A, std::vector<SimpleSet> sets);

  // What the shape depends on: arguments and centres of the sets, the map, and what stands in functions.
  const std::vector<sym::Expr>& arguments() const { return arguments_; }
  std::size_t dim() const { return A_.rows; }

  // For values of the arguments; p: the parameters. See SceneSet::boundary.
  std::vector<std::vector<double>> points(const sym::ExprPool& pool, std::span<const double> arguments,
                                          const std::vector<double>& p, int detail) const;

 private:
  std::vector<double> factor_point(const sym::ExprPool& pool, std::size_t k, std::span<const double> arguments,
                                   std::span<const double> direction, const std::vector<double>& p) const;
  std::vector<double> function_values(const sym::ExprPool& pool, std::span<const sym::Expr> e,
                                      const std::vector<double>& x, std::span<const double> arguments,
                                      const std::vector<double>& p) const;

  Matrix A_;
  std::vector<SimpleSet> sets_;
  std::vector<std::vector<sym::Expr>> gradients_;  // by set; empty if it has no function
  std::vector<sym::Expr> arguments_;
  std::size_t first_of_map_ = 0, first_of_functions_ = 0;
};

}  // namespace nsmc
