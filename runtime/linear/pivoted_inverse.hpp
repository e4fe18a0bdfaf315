// The inverse of a square matrix whose rows and columns have units of their own, or the columns that make it singular.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace nsmc::rt {

// H <- G^-1 by Householder's method with pivoting of columns, every row and column in units of its own diagonal. G is
// singular if a pivot is below smallest_pivot of the largest; returned are the columns that depend on the others then,
// and H is not changed.
std::vector<Eigen::Index> invert(const Eigen::MatrixXd& G, double smallest_pivot, Eigen::MatrixXd& H);

}  // namespace nsmc::rt
