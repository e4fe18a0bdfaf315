// An element of the generalised Jacobian of x = prox_K(z): dx = P dz + Q da, a the arguments of the set, as each set
// tells it by `differentiate`. P is symmetric with eigenvalues in [0, 1], as for every projection. On the border
// between two smooth pieces the piece inside is taken: a contact at rest counts as closed, a body at rest as sticking.
#pragma once

#include "runtime/sets/convex_set.hpp"

namespace nsmc::rt {

// z: the point, relative to the centre of a shifted set; x: its projection, relative to the centre too. slack: by how
// much z may be outside, from rounding, and still count as inside. P: dim x dim. Q: dim x n_arguments, both row after
// row and overwritten.
inline ProxDerivative prox_derivative(const ConvexSet& set, const double* z, const double* x, double slack, double* P,
                                      double* Q) {
  const std::uint32_t dim = set.set->dim;
  std::fill_n(P, std::size_t{dim} * dim, 0.0);
  std::fill_n(Q, std::size_t{dim} * set.set->n_arguments, 0.0);
  return set.visit([&](const auto& K) { return K.differentiate(z, x, slack, P, Q); });
}

}  // namespace nsmc::rt
