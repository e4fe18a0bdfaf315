// One factor K_j of a contact's product of sets, as a view: the description from the kernel table and the arguments of
// the moment. Dispatch is a switch on the kind; there are no virtual calls.
//
// `arguments` are those of the whole contact (nsm_set::first_argument points into them). A shifted set has its centre
// c, dim values, after its own n_arguments: prox_{K+c}(z) = c + prox_K(z - c). The alpha of a scaled law comes last.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "runtime/kernel_abi.hpp"
#include "runtime/set_limits.hpp"
#include "runtime/sets/ball.hpp"
#include "runtime/sets/by_function/function_set.hpp"
#include "runtime/sets/by_function/gauge_set.hpp"
#include "runtime/sets/by_function/support_set.hpp"
#include "runtime/sets/contensou.hpp"
#include "runtime/sets/ellipsoid.hpp"
#include "runtime/sets/interval.hpp"
#include "runtime/sets/polygon.hpp"

namespace nsmc::rt {

static_assert(max_function_dim == HomogeneousFunction::max_dim);

// How many arguments a set has, with its centre and alpha.
inline std::uint32_t total_arguments(const nsm_set& set) {
  return set.n_arguments + (set.shifted != 0 ? set.dim : 0) + (set.scaled != 0 ? 1 : 0);
}

struct ConvexSet {
  const nsm_set* set;
  const double* arguments;

  const double* own() const { return arguments + set->first_argument; }
  const double* centre() const { return set->shifted ? own() + set->n_arguments : nullptr; }

  // Of the law xi in N_K(-alpha*lambda) [Walker 2017, (22)]. Where an iterate leaves its domain (not a positive finite
  // number), and for laws that are not scaled, it is 1.
  double alpha() const {
    if (set->scaled == 0) return 1;
    const double value = own()[total_arguments(*set) - 1];
    return value > 0 && value <= std::numeric_limits<double>::max() ? value : 1;
  }

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
      case NSM_SET_POLYGON: return polygon().contains(z);
      case NSM_SET_GAUGE: return GaugeSet{function(), own()[0]}.contains(z);
      case NSM_SET_SUPPORT: return SupportSet{function(), own()[0]}.contains(z);
      case NSM_SET_CONTENSOU_PARABOLIC:
      case NSM_SET_CONTENSOU_UNIFORM: return contensou().contains(z);
      case NSM_SET_FACE: return gauge_on_face(z) <= 1 + function_slack;
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
      case NSM_SET_POLYGON: return polygon().gauge(z);
      case NSM_SET_GAUGE: return GaugeSet{function(), own()[0]}.gauge(z);
      case NSM_SET_SUPPORT: return SupportSet{function(), own()[0]}.gauge(z);
      case NSM_SET_CONTENSOU_PARABOLIC:
      case NSM_SET_CONTENSOU_UNIFORM: return contensou().gauge(z);
      case NSM_SET_FACE: return gauge_on_face(z);
      default: return std::numeric_limits<double>::quiet_NaN();
    }
  }

  // In place; true if z lies in the set and stays as it is. NaN in z or among the arguments is NaN out. `residual`, if
  // asked for, is left alone, or raised by what an answer misses optimality by (sets by functions, function_set.hpp).
  bool prox(double* z, double* residual = nullptr) const {
    if (set->shifted == 0) return prox_centred(z, residual);
    const double* c = centre();
    double y[max_shifted_dim];
    for (std::uint32_t k = 0; k < set->dim; ++k) y[k] = z[k] - c[k];
    if (prox_centred(y, residual)) return true;
    // A coordinate that the projection leaves alone keeps its bits: z - c + c would not.
    for (std::uint32_t k = 0; k < set->dim; ++k) {
      if (y[k] != z[k] - c[k]) z[k] = c[k] + y[k];
    }
    return false;
  }

  Contensou contensou() const {
    const bool parabolic = set->kind == NSM_SET_CONTENSOU_PARABOLIC;
    return {own()[0], own()[1], parabolic ? Pressure::parabolic : Pressure::uniform};
  }
  // Of sets by a function.
  HomogeneousFunction function() const { return {set->function, own() + 1, set->n_arguments - 1, set->dim}; }

 private:
  bool prox_centred(double* z, double* residual) const {
    switch (set->kind) {
      case NSM_SET_INTERVAL: {
        const Interval interval{own()[0], own()[1]};
        bool inside = true;
        for (std::uint32_t k = 0; k < set->dim; ++k) {
          const double x = interval.prox(z[k]);
          if (x != z[k]) inside = false;
          z[k] = x;
        }
        return inside;
      }
      case NSM_SET_BALL: return Ball{own()[0], set->dim}.prox(z);
      case NSM_SET_ELLIPSOID: return Ellipsoid{own(), set->dim}.prox(z) == 0;
      case NSM_SET_POLYGON: return polygon().prox(z);
      case NSM_SET_GAUGE: return GaugeSet{function(), own()[0]}.prox(z, residual) == 0;
      case NSM_SET_SUPPORT: return SupportSet{function(), own()[0]}.prox(z, residual) == 0;
      case NSM_SET_CONTENSOU_PARABOLIC:
      case NSM_SET_CONTENSOU_UNIFORM: return contensou().prox(z) == 0;
      case NSM_SET_FACE: return prox_on_face(z);
      default: return true;
    }
  }
  // flat_face.cpp
  bool prox_on_face(double* z) const;
  double gauge_on_face(const double* z) const;

  Polygon polygon() const { return {own(), set->n_arguments / 2}; }

  const double* relative(const double* x, double* y) const {
    if (!set->shifted) return x;
    for (std::uint32_t k = 0; k < set->dim; ++k) y[k] = x[k] - centre()[k];
    return y;
  }
};

}  // namespace nsmc::rt
