// The ellipsoid method (Shor; Yudin & Nemirovski; Grötschel, Lovász & Schrijver 1988). The solution is known to lie in
// an ellipsoid; a plane through or beyond its centre cuts off a part where the solution is not; the smallest ellipsoid
// around the rest takes its place. Its volume falls by a factor that depends on the dimension n <= 6 alone, whatever
// the function looks like: kinks, ridges, flats, curvature without bounds.
//
// Across a kink the ellipsoid becomes thinner than doubles can tell: hence numbers of 113 bits, and the matrix J of
// { c + J z : |z| <= 1 } in place of J J^T.
#pragma once

#include "runtime/sets/by_function/quad_vector.hpp"

namespace nsmc::rt {

class ShrinkingEllipsoid {
 public:
  // A ball.
  ShrinkingEllipsoid(std::uint32_t dim, const QuadVector& centre, Quad radius) : c(centre), n_(dim) {
    for (std::uint32_t i = 0; i < n_; ++i) {
      for (std::uint32_t j = 0; j < n_; ++j) J_[i][j] = i == j ? radius : Quad(0);
    }
  }

  QuadVector c;  // the centre

  // |J^T g|: how much a function with this gradient varies from the centre to the rim.
  Quad half_width(const QuadVector& g) const { return length(to_ball(g), n_); }

  // The smallest ellipsoid around what has g . (x - c) <= -depth. False if nothing is left but rounding.
  bool cut(const QuadVector& g, Quad depth) {
    QuadVector w = to_ball(g);
    const Quad width = length(w, n_), n = n_;
    const Quad a = width > 0 ? depth / width : Quad(1);
    if (!(a < 1)) return false;
    const Quad step = (1 + n * a) / (n + 1);
    // An interval has no directions besides; it becomes shorter by 1 - step.
    const Quad stretch = n_ == 1 ? Quad(1) : root(n * n * (1 - a * a) / (n * n - 1));
    const Quad shrink = n_ == 1 ? step : 1 - root((n - 1) * (1 - a) / ((n + 1) * (1 + a)));
    for (std::uint32_t j = 0; j < n_; ++j) w[j] /= width;
    for (std::uint32_t i = 0; i < n_; ++i) {
      Quad b = 0;
      for (std::uint32_t j = 0; j < n_; ++j) b += J_[i][j] * w[j];
      c[i] -= step * b;
      for (std::uint32_t j = 0; j < n_; ++j) J_[i][j] = stretch * (J_[i][j] - shrink * b * w[j]);
    }
    return true;
  }

 private:
  std::uint32_t n_;
  Quad J_[HomogeneousFunction::max_dim][HomogeneousFunction::max_dim];

  QuadVector to_ball(const QuadVector& g) const {
    QuadVector w;
    for (std::uint32_t j = 0; j < n_; ++j) {
      w[j] = 0;
      for (std::uint32_t i = 0; i < n_; ++i) w[j] += J_[i][j] * g[i];
    }
    return w;
  }
};

}  // namespace nsmc::rt
