// Wolfe's method for the nearest point of a convex hull of few points.
#pragma once

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/sets/by_function/homogeneous_function.hpp"

namespace nsmc::rt {

// The nearest point of the convex hull of q_1 ... q_n to the target, minus the target: Wolfe's method. A corral of
// affinely independent points with positive weights grows by the point that lies farthest beyond, and loses those whose
// weights vanish.
class Hull {
  static constexpr int max_dim = static_cast<int>(HomogeneousFunction::max_dim);
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();

 public:
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_dim, 1>;
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, max_dim, max_dim>;
  static constexpr int max_points = 32;

  Vector q[max_points];
  double weight[max_points];
  int n = 0;
  Vector target;

  Vector smallest() {
    std::fill_n(weight, n, 0.0);
    size_ = 1;
    corral_[0] = 0;
    for (int i = 1; i < n; ++i) {
      if ((q[i] - target).squaredNorm() < (q[corral_[0]] - target).squaredNorm()) corral_[0] = i;
    }
    weight[corral_[0]] = 1;
    Vector x = q[corral_[0]] - target;
    double largest = 0;
    for (int i = 0; i < n; ++i) largest = std::max(largest, q[i].norm());
    double best = x.squaredNorm();
    for (int round = 0; round < 4 * max_points; ++round) {
      int beyond = -1;
      double least = std::numeric_limits<double>::infinity();
      for (int a = 0; a < size_; ++a) least = std::min(least, q[corral_[a]].dot(x));
      least -= 2 * epsilon * largest * std::sqrt(best);
      for (int i = 0; i < n; ++i) {
        const double value = q[i].dot(x);
        if (value < least && !in_corral(i)) {
          least = value;
          beyond = i;
        }
      }
      if (beyond < 0 || size_ > x.size()) break;
      corral_[size_++] = beyond;
      shrink_to_hull();
      x = perpendicular();
      best = x.squaredNorm();
    }
    return x;
  }

 private:
  int corral_[max_dim + 2];
  int size_ = 0;

  bool in_corral(int i) const { return std::find(corral_, corral_ + size_, i) != corral_ + size_; }

  Matrix differences() const {
    Matrix result(q[0].size(), size_ - 1);
    for (int a = 1; a < size_; ++a) result.col(a - 1) = q[corral_[a]] - q[corral_[0]];
    return result;
  }

  // The part of the corral that is perpendicular to its affine hull. Near a face it is the small difference of large
  // vectors, but of the normal of a face nothing is lost this way.
  Vector perpendicular() const {
    if (size_ == 1) return q[corral_[0]] - target;
    const Eigen::ColPivHouseholderQR<Matrix> qr(differences());
    Vector x = q[corral_[0]] - target;
    x.applyOnTheLeft(qr.householderQ().adjoint());
    x.head(size_ - 1).setZero();
    x.applyOnTheLeft(qr.householderQ());
    return x;
  }

  // From the present weights towards those of the smallest point of the affine hull; where a weight vanishes on the
  // way, its point is dropped.
  void shrink_to_hull() {
    for (;;) {
      double ideal[max_dim + 2];
      if (size_ == 1) {
        ideal[0] = 1;
      } else {
        const Vector rest = differences().colPivHouseholderQr().solve(target - q[corral_[0]]);
        ideal[0] = 1 - rest.sum();
        for (int a = 1; a < size_; ++a) ideal[a] = rest[a - 1];
      }
      double way = 1;
      int leaving = -1;
      for (int a = 0; a < size_; ++a) {
        const double now = weight[corral_[a]];
        if (ideal[a] > 0) continue;
        const double until = now > ideal[a] ? now / (now - ideal[a]) : 0;
        if (until < way || leaving < 0) {
          way = std::min(way, until);
          leaving = a;
        }
      }
      for (int a = 0; a < size_; ++a) weight[corral_[a]] += way * (ideal[a] - weight[corral_[a]]);
      if (leaving < 0) return;
      weight[corral_[leaving]] = 0;
      corral_[leaving] = corral_[--size_];
    }
  }
};

}  // namespace nsmc::rt
