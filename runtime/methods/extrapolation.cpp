#include "runtime/methods/extrapolation.hpp"

#include <cmath>
#include <utility>

namespace nsmc::rt {

Extrapolation::Extrapolation(int order, int stride) {
  for (int k = 1; k <= max_levels; ++k) {
    // Gauss's elimination with pivots: small, once, in long double.
    long double a[max_levels][max_levels + 1];
    for (int i = 0; i < k; ++i) {
      for (int j = 0; j < k; ++j)
        a[i][j] = i == 0 ? 1 : std::pow(static_cast<long double>(j + 1), -(order + stride * (i - 1)));
      a[i][k] = i == 0 ? 1 : 0;
    }
    for (int c = 0; c < k; ++c) {
      int pivot = c;
      for (int i = c + 1; i < k; ++i) {
        if (std::abs(a[i][c]) > std::abs(a[pivot][c])) pivot = i;
      }
      std::swap(a[c], a[pivot]);
      for (int i = 0; i < k; ++i) {
        if (i == c) continue;
        const long double factor = a[i][c] / a[c][c];
        for (int j = c; j <= k; ++j) a[i][j] -= factor * a[c][j];
      }
    }
    for (int j = 0; j < k; ++j)
      weights_[static_cast<std::size_t>(k)][static_cast<std::size_t>(j)] = static_cast<double>(a[j][k] / a[j][j]);
  }
}

}  // namespace nsmc::rt
