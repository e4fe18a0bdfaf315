// One factor K_j of a contact's product of sets, as a view: the description from the kernel table and the arguments of
// the moment. Dispatch is a switch on the kind; there are no virtual calls.
//
// `arguments` are those of the whole contact (nsm_set::first_argument points into them). A shifted set has its centre
// c, dim values, after its own n_arguments: prox_{K+c}(z) = c + prox_K(z - c).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "runtime/kernel_abi.hpp"
#include "runtime/sets/ball.hpp"
#include "runtime/sets/ellipsoid.hpp"
#include "runtime/sets/interval.hpp"

namespace nsmc::rt {

struct ConvexSet {
  const nsm_set* set;
  const double* arguments;

  const double* own() const { return arguments + set->first_argument; }
  const double* centre() const { return set->shifted ? own() + set->n_arguments : nullptr; }

  // Largest dimension of a shifted set; a System accepts no other.
  static constexpr std::uint32_t max_shifted_dim = 16;

  bool contains(const double* x) const {
    double y[max_shifted_dim];
    const double* z = relative(x, y);
    switch (set->kind) {
      case NSM_SET_INTERVAL:
        for (std::uint32_t k = 0; k < set->dim; ++k) {
          if (!Interval{own()[0], own()[1]}.contains(z[k])) return false;
        }
        return true;
      case NSM_SET_BALL: return Ball{own()[0], set->dim}.contains(z);
      case NSM_SET_ELLIPSOID: return Ellipsoid{own(), set->dim}.contains(z);
      default: return false;
    }
  }

  // Minkowski's functional of K at x - c: at most 1 exactly on the set.
  double gauge(const double* x) const {
    double y[max_shifted_dim];
    const double* z = relative(x, y);
    switch (set->kind) {
      case NSM_SET_INTERVAL: {
        double largest = 0;
        for (std::uint32_t k = 0; k < set->dim; ++k) {
          const double g = Interval{own()[0], own()[1]}.gauge(z[k]);
          if (!(g <= largest)) largest = g;
        }
        return largest;
      }
      case NSM_SET_BALL: return Ball{own()[0], set->dim}.gauge(z);
      case NSM_SET_ELLIPSOID: return Ellipsoid{own(), set->dim}.gauge(z);
      default: return std::numeric_limits<double>::quiet_NaN();
    }
  }

  // In place. NaN in, or NaN among the arguments, is NaN out.
  void prox(double* z) const {
    if (set->shifted == 0) {
      prox_centred(z);
      return;
    }
    const double* c = centre();
    double y[max_shifted_dim];
    for (std::uint32_t k = 0; k < set->dim; ++k) y[k] = z[k] - c[k];
    prox_centred(y);
    // A coordinate that the projection leaves alone keeps its bits: z - c + c would not.
    for (std::uint32_t k = 0; k < set->dim; ++k) {
      if (y[k] != z[k] - c[k]) z[k] = c[k] + y[k];
    }
  }

 private:
  void prox_centred(double* z) const {
    switch (set->kind) {
      case NSM_SET_INTERVAL: {
        const Interval interval{own()[0], own()[1]};
        for (std::uint32_t k = 0; k < set->dim; ++k) z[k] = interval.prox(z[k]);
        break;
      }
      case NSM_SET_BALL: Ball{own()[0], set->dim}.prox(z); break;
      case NSM_SET_ELLIPSOID: Ellipsoid{own(), set->dim}.prox(z); break;
      default: break;
    }
  }

  const double* relative(const double* x, double* y) const {
    if (!set->shifted) return x;
    for (std::uint32_t k = 0; k < set->dim; ++k) y[k] = x[k] - centre()[k];
    return y;
  }
};

// How many arguments a set of this kind has, without a centre.
inline std::uint32_t argument_count(std::uint32_t kind, std::uint32_t dim) {
  switch (kind) {
    case NSM_SET_INTERVAL: return 2;
    case NSM_SET_BALL: return 1;
    case NSM_SET_ELLIPSOID: return dim;
    default: return 0;
  }
}

}  // namespace nsmc::rt
