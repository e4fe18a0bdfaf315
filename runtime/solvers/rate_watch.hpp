// When to leave SORprox: see automatic.cpp.
#pragma once

#include <cmath>

namespace nsmc::rt {

// Tells from the rate of convergence whether sweeping on is worth it. Every `window` sweeps, from the second window on,
// the rate is taken from the change of Lambda now and one window ago, and the sweeps that are missing to the tolerance
// are extrapolated from it.
class RateWatch {
 public:
  static constexpr int window = 10;
  int patience = 100;     // sweeps that may be missing
  int most_sweeps = 300;  // whatever the prediction

  // ratio: change of the sweep relative to Lambda, as residual_ratio gives it.
  bool gives_up(int sweeps, double ratio, double tolerance) {
    if (sweeps >= most_sweeps) return true;
    if (sweeps % window != 0) return false;
    const double before = last_;
    last_ = ratio;
    if (sweeps == window || !(ratio > tolerance)) return false;
    if (!(ratio < before)) return true;
    const double missing = window * std::log(ratio / tolerance) / std::log(before / ratio);
    return missing > patience;
  }

 private:
  double last_ = 0;
};

}  // namespace nsmc::rt
