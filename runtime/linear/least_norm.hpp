// The solution of least norm of A x = b, A square and possibly singular: A P = Q R by Householder's method with
// pivoting of columns, and, with R1 the rows of R that count, R1^T = Q2 T, so that x = P Q2 T^-T Q^T b. As Eigen's
// CompleteOrthogonalDecomposition, which allocates memory whenever it solves.
#pragma once

#include <Eigen/Dense>

namespace nsmc::rt::event {

class LeastNorm {
 public:
  void compute(const Eigen::MatrixXd& A) {
    qr_.setThreshold(1e-9);
    qr_.compute(A);
    rank_ = qr_.rank();
    const Eigen::Index n = A.rows();
    if (R1t_.rows() != n || R1t_.cols() != rank_) R1t_.resize(n, rank_);
    for (Eigen::Index k = 0; k < rank_; ++k) {
      R1t_.col(k).head(k).setZero();
      for (Eigen::Index i = k; i < n; ++i) R1t_(i, k) = qr_.matrixQR()(k, i);
    }
    if (rank_ > 0) qr2_.compute(R1t_);
    if (work_.size() != n) work_.resize(n);
  }

  Eigen::Index rank() const { return rank_; }

  // x may be b.
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) {
    work_ = b;
    for (Eigen::Index k = 0; k < rank_; ++k) reflect(qr_.matrixQR(), qr_.hCoeffs()[k], k);
    work_.tail(work_.size() - rank_).setZero();
    for (Eigen::Index i = 0; i < rank_; ++i) {  // T^T z = work
      for (Eigen::Index k = 0; k < i; ++k) work_[i] -= qr2_.matrixQR()(k, i) * work_[k];
      work_[i] /= qr2_.matrixQR()(i, i);
    }
    for (Eigen::Index k = rank_; k-- > 0;) reflect(qr2_.matrixQR(), qr2_.hCoeffs()[k], k);
    if (x.size() != work_.size()) x.resize(work_.size());
    for (Eigen::Index k = 0; k < work_.size(); ++k) x[qr_.colsPermutation().indices()[k]] = work_[k];
  }

 private:
  // work <- (I - tau v v^T) work, v = (0, 1, column k below the diagonal).
  void reflect(const Eigen::MatrixXd& columns, double tau, Eigen::Index k) {
    const Eigen::Index below = work_.size() - k - 1;
    const double w = tau * (work_[k] + columns.col(k).tail(below).dot(work_.tail(below)));
    work_[k] -= w;
    work_.tail(below) -= w * columns.col(k).tail(below);
  }

  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr_;
  Eigen::HouseholderQR<Eigen::MatrixXd> qr2_;
  Eigen::MatrixXd R1t_;
  Eigen::VectorXd work_;
  Eigen::Index rank_ = 0;
};

}  // namespace nsmc::rt::event
