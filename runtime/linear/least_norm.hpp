// The solution of least norm of A x = b, A square and possibly singular: A P = Q R by Householder's method with
// pivoting of columns, and, with R1 the rows of R that count, R1^T = Q2 T, so that x = P Q2 T^-T Q^T b. As Eigen's
// CompleteOrthogonalDecomposition, which allocates memory whenever it solves.
#pragma once

#include <Eigen/Core>
#include <memory>

namespace nsmc::rt {

class LeastNorm {
 public:
  LeastNorm();
  ~LeastNorm();

  void compute(const Eigen::MatrixXd& A);
  // A is known to have full rank: x = A^-1 b, by an LU factorisation.
  void compute_regular(const Eigen::MatrixXd& A);

  Eigen::Index rank() const { return rank_; }

  // x may be b.
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x);

 private:
  struct Factors;  // Eigen's decompositions: their headers stay out of this one

  std::unique_ptr<Factors> factors_;
  Eigen::Index rank_ = 0;
  bool regular_ = false;
};

}  // namespace nsmc::rt
