#include "runtime/sets/by_function/convex_hull.hpp"

#include <cmath>
#include <limits>

namespace nsmc::rt {

namespace {

// A part of the largest point: what lies beyond by less is rounding.
constexpr double rounding = 2 * std::numeric_limits<double>::epsilon();
constexpr int most_rounds = 4 * ConvexHull::max_points;

}  // namespace

FewVector ConvexHull::smallest() {
  std::fill_n(weight, n, 0.0);
  size_ = 1;
  corral_[0] = 0;
  for (int i = 1; i < n; ++i) {
    if ((q[i] - target).squared_norm() < (q[corral_[0]] - target).squared_norm()) corral_[0] = i;
  }
  weight[corral_[0]] = 1;
  FewVector x = q[corral_[0]] - target;
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, q[i].norm());
  for (int round = 0; round < most_rounds; ++round) {
    int beyond = -1;
    double least = std::numeric_limits<double>::infinity();
    for (int a = 0; a < size_; ++a) least = std::min(least, q[corral_[a]].dot(x));
    least -= rounding * largest * x.norm();
    for (int i = 0; i < n; ++i) {
      const double value = q[i].dot(x);
      if (value < least && !in_corral(i)) {
        least = value;
        beyond = i;
      }
    }
    if (beyond < 0 || size_ > x.n) break;
    corral_[size_++] = beyond;
    shrink_to_hull();
    x = perpendicular();
  }
  return x;
}

FewMatrix ConvexHull::differences() const {
  FewMatrix result(q[0].n, 0);
  for (int a = 1; a < size_; ++a) result.add_col(q[corral_[a]] - q[corral_[0]]);
  return result;
}

// The part of the corral that is perpendicular to its affine hull. Near a face it is the small difference of large
// vectors, but of the normal of a face nothing is lost this way.
FewVector ConvexHull::perpendicular() const {
  if (size_ == 1) return q[corral_[0]] - target;
  const FewQr qr(differences());
  FewVector x = qr.times_Qt(q[corral_[0]] - target);
  std::fill_n(x.v, size_ - 1, 0.0);
  return qr.times_Q(x);
}

// From the present weights towards those of the smallest point of the affine hull; where a weight vanishes on the way,
// its point is dropped.
void ConvexHull::shrink_to_hull() {
  for (;;) {
    double ideal[max_few + 2] = {};
    ideal[0] = 1;
    if (size_ > 1) {
      const FewVector rest = FewQr(differences()).solve(target - q[corral_[0]]);
      for (int a = 1; a < size_; ++a) {
        ideal[a] = rest[a - 1];
        ideal[0] -= rest[a - 1];
      }
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

}  // namespace nsmc::rt
