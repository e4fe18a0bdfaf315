// What every set of this room has, around its own centre; ConvexSet (convex_set.hpp) chooses among them by the kind of
// the kernel table. A set is a view of numbers that change with the iterates of a solver, and its projections allocate
// nothing.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace nsmc::rt {

// What could be told of dx = P dz + Q da, a the arguments of the set; the rest is left to the caller's finite
// differences.
struct ProxDerivative {
  bool P = false, Q = false;
};

template <class K>
concept SetTrait = requires(const K& set, const double* x, double* z, double* P, double* Q, double slack) {
  { set.contains(x) } -> std::same_as<bool>;
  // Minkowski's functional inf { s >= 0 : x in s K }: at most 1 exactly on the set.
  { set.gauge(x) } -> std::same_as<double>;
  // In place. bool: true if z lies in the set and stays as it is; a number of iterations: 0 exactly then.
  { set.prox(z) } -> std::integral;
  // An element of the generalised Jacobian at z with x = prox(z), into P (dim x dim) and Q (dim x n_arguments), which
  // are 0. slack: by how much z may be outside, from rounding, and still count as inside.
  { set.differentiate(x, x, slack, P, Q) } -> std::same_as<ProxDerivative>;
  // The point farthest along x, which is not 0. Not for intervals, which are handled row by row.
  set.expose(x, z);
};

inline bool stays(bool inside) { return inside; }
inline bool stays(int iterations) { return iterations == 0; }

inline void set_identity(double* P, std::uint32_t dim) {
  std::fill_n(P, std::size_t{dim} * dim, 0.0);
  for (std::uint32_t h = 0; h < dim; ++h) P[h * dim + h] = 1;
}

}  // namespace nsmc::rt
