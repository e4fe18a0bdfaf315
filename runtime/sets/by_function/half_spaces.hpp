// The nearest point of few half spaces, min 1/2 |u - v|^2 subject to g_i . u <= 1: the dual active set method. One
// violated half space after the other is made active while the multipliers of the others stay positive; it ends with
// the last one, since the distance grows.
#pragma once

#include <algorithm>

#include "runtime/linear/few.hpp"

namespace nsmc::rt {

class HalfSpaces {
 public:
  static constexpr int max_spaces = 24;

  FewVector g[max_spaces];
  double beta[max_spaces];  // out: multipliers
  int n = 0;

  FewVector nearest(const FewVector& v);

 private:
  int active_[max_few + 1];
  int n_active_ = 0;

  bool is_active(int i) const { return std::find(active_, active_ + n_active_, i) != active_ + n_active_; }
  int most_violated(const FewVector& u) const;
  bool activate(int entering, FewVector& u);
  FewMatrix active_normals(int dim) const;
  void refine(const FewVector& v, FewVector& u);
};

}  // namespace nsmc::rt
