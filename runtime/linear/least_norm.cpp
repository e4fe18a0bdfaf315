#include "runtime/linear/least_norm.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

namespace nsmc::rt {

struct LeastNorm::Factors {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  Eigen::HouseholderQR<Eigen::MatrixXd> qr2;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  Eigen::MatrixXd R1t;
  Eigen::VectorXd work;

  // work <- (I - tau v v^T) work, v = (0, 1, column k below the diagonal).
  void reflect(const Eigen::MatrixXd& columns, double tau, Eigen::Index k) {
    const Eigen::Index below = work.size() - k - 1;
    const double w = tau * (work[k] + columns.col(k).tail(below).dot(work.tail(below)));
    work[k] -= w;
    work.tail(below) -= w * columns.col(k).tail(below);
  }
};

LeastNorm::LeastNorm() : factors_(std::make_unique<Factors>()) {}
LeastNorm::~LeastNorm() = default;

void LeastNorm::compute(const Eigen::MatrixXd& A) {
  constexpr double kZeroPivot = 1e-9;  // relative to the largest pivot
  auto& [qr, qr2, lu, R1t, work] = *factors_;
  regular_ = false;
  qr.setThreshold(kZeroPivot);
  qr.compute(A);
  rank_ = qr.rank();
  const Eigen::Index n = A.rows();
  if (R1t.rows() != n || R1t.cols() != rank_) R1t.resize(n, rank_);
  for (Eigen::Index k = 0; k < rank_; ++k) {
    R1t.col(k).head(k).setZero();
    for (Eigen::Index i = k; i < n; ++i) R1t(i, k) = qr.matrixQR()(k, i);
  }
  if (rank_ > 0) qr2.compute(R1t);
  if (work.size() != n) work.resize(n);
}

void LeastNorm::compute_regular(const Eigen::MatrixXd& A) {
  regular_ = true;
  rank_ = A.rows();
  factors_->lu.compute(A);
}

void LeastNorm::solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) {
  auto& [qr, qr2, lu, R1t, work] = *factors_;
  if (regular_) {
    x = lu.solve(b);
    return;
  }
  work = b;
  for (Eigen::Index k = 0; k < rank_; ++k) factors_->reflect(qr.matrixQR(), qr.hCoeffs()[k], k);
  work.tail(work.size() - rank_).setZero();
  for (Eigen::Index i = 0; i < rank_; ++i) {  // T^T z = work
    for (Eigen::Index k = 0; k < i; ++k) work[i] -= qr2.matrixQR()(k, i) * work[k];
    work[i] /= qr2.matrixQR()(i, i);
  }
  for (Eigen::Index k = rank_; k-- > 0;) factors_->reflect(qr2.matrixQR(), qr2.hCoeffs()[k], k);
  if (x.size() != work.size()) x.resize(work.size());
  for (Eigen::Index k = 0; k < work.size(); ++k) x[qr.colsPermutation().indices()[k]] = work[k];
}

}  // namespace nsmc::rt
