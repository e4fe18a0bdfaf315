// The nearest point of the convex hull of few points: Wolfe's method. A corral of affinely independent points with
// positive weights grows by the point that lies farthest beyond, and loses those whose weights vanish.
#pragma once

#include <algorithm>

#include "runtime/linear/few.hpp"

namespace nsmc::rt {

class ConvexHull {
 public:
  static constexpr int max_points = 32;

  FewVector q[max_points];
  double weight[max_points];
  int n = 0;
  FewVector target;

  // The nearest point to the target, minus the target. Out: the weights, too.
  FewVector smallest();

 private:
  int corral_[max_few + 2];
  int size_ = 0;

  bool in_corral(int i) const { return std::find(corral_, corral_ + size_, i) != corral_ + size_; }
  FewMatrix differences() const;
  FewVector perpendicular() const;
  void shrink_to_hull();
};

}  // namespace nsmc::rt
