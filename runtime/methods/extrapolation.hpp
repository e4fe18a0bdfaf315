// Weights of extrapolation to step size zero.
//
// The results x_j of one step by n_j = 1, 2, 3, ... substeps of a one-step method of order p differ from the exact one
// by c_p n_j^-p + c_(p+s) n_j^-(p+s) + ...; the combination sum_j w_j x_j of the first k of them with
//     sum_j w_j = 1,     sum_j w_j n_j^-(p+s i) = 0,   i = 0 ... k - 2
// is of order p + s (k - 1). The stride s is 1, or 2 where the method is symmetric.
#pragma once

#include <array>

namespace nsmc::rt {

inline constexpr int max_levels = 7;

class Extrapolation {
 public:
  explicit Extrapolation(int order, int stride = 1);

  // The weight of level j, counted from 0, in the combination of the first k.
  double weight(int k, int j) const { return weights_[static_cast<std::size_t>(k)][static_cast<std::size_t>(j)]; }

 private:
  std::array<std::array<double, max_levels>, max_levels + 1> weights_{};
};

}  // namespace nsmc::rt
