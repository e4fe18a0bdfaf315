// The polar of a support function Phi in numbers of 113 bits: the gauge k(d) = max over v of v . d/Phi(v) of its set.
#pragma once

#include <Eigen/Core>

#include "runtime/sets/by_function/quad_vector.hpp"

namespace nsmc::rt {

struct PolarPoint {
  static constexpr int max_dim = static_cast<int>(HomogeneousFunction::max_dim);
  QuadVector v;  // grad k(d), with Phi(v) = 1
  // Hess k = (P - v v^T)/k, see implicit_gauge.cpp.
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, max_dim, max_dim> P;
  bool has_P = false;
};

// d: a unit vector; accuracy: of d/k as a point of the set; at: from what is nearly v. False if it is not found.
bool find_polar(const HomogeneousFunction& Phi, const QuadVector& d, double accuracy, PolarPoint& at);

// The same in doubles, as far as they tell. False if Phi has no values.
bool guess_polar(const HomogeneousFunction& Phi, const double* d, double* v);

}  // namespace nsmc::rt
