// Vectors of numbers with 113 bits, and functions of them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/linear/number.hpp"
#include "runtime/sets/by_function/homogeneous_function.hpp"

namespace nsmc::rt {

struct QuadVector {
  Quad v[HomogeneousFunction::max_dim];
  Quad& operator[](std::uint32_t i) { return v[i]; }
  const Quad& operator[](std::uint32_t i) const { return v[i]; }
};

inline bool all_finite(const Quad* x, std::uint32_t n) {
  return std::all_of(x, x + n, [](Quad value) { return value - value == 0; });
}

inline Quad dot(const QuadVector& a, const QuadVector& b, std::uint32_t n) {
  Quad sum = 0;
  for (std::uint32_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}
inline Quad length(const QuadVector& a, std::uint32_t n) { return root(dot(a, a, n)); }

inline QuadVector scaled(QuadVector a, Quad factor, std::uint32_t n) {
  for (std::uint32_t i = 0; i < n; ++i) a[i] *= factor;
  return a;
}

inline QuadVector difference(QuadVector a, const QuadVector& b, std::uint32_t n) {
  for (std::uint32_t i = 0; i < n; ++i) a[i] -= b[i];
  return a;
}

// f and its gradient g at v, by homogeneity from the unit vector. A formula may be homogeneous up to the rounding of
// its constants only (|x|^s with a rounded 1/s): what is meant is |v| f(v/|v|), and its gradient has n . g = f. Where
// there is no gradient, at a kink, v moves aside, by some 1e-30 of `scale`. False if there is none there either.
inline bool look_precisely(const HomogeneousFunction& f, QuadVector& v, Quad scale, Quad& value, QuadVector& g) {
  for (int trial = 0; trial < 4; ++trial) {
    const Quad size = length(v, f.dim);
    Quad out[1 + HomogeneousFunction::max_dim];
    QuadVector n;
    if (size > 0) {
      for (std::uint32_t i = 0; i < f.dim; ++i) n[i] = v[i] / size;
      nsm_quad_view view{};
      view.self = f.coefficients;
      view.lambda = n.v;
      f.precise(&view, out);
      if (all_finite(out, 1 + f.dim)) {
        std::copy_n(out + 1, f.dim, g.v);
        const Quad excess = dot(n, g, f.dim) - out[0];
        for (std::uint32_t i = 0; i < f.dim; ++i) g[i] -= excess * n[i];
        value = size * out[0];
        return true;
      }
    }
    Quad aside = static_cast<double>(1 << trial) * 1e-30 * scale;
    for (std::uint32_t i = 0; i < f.dim; ++i, aside *= Quad(1.3)) v[i] += trial % 2 == 0 ? aside : -aside;
  }
  return false;
}

}  // namespace nsmc::rt
