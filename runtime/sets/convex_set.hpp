// One factor K_j of a contact's product of sets, as a view: the description from the kernel table and the arguments of
// the moment. `visit` is the one place that goes from kinds to sets (set_trait.hpp says what a set has); there are no
// virtual calls.
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

struct ConvexSet;

// A face of a set by a function, for points in its plane (FaceSet of flat_face.hpp).
struct FaceOfSet {
  const ConvexSet* view;

  bool contains(const double* x) const { return gauge(x) <= 1 + function_slack; }
  double gauge(const double* x) const;
  bool prox(double* z) const;  // never inside: z need not lie in the plane
  ProxDerivative differentiate(const double*, const double*, double, double*, double*) const { return {}; }
  void expose(const double* xi, double* x) const;  // a point of it
};

struct ConvexSet {
  const nsm_set* set;
  const double* arguments;

  const double* own() const { return arguments + set->first_argument; }
  const double* centre() const { return set->shifted ? own() + set->n_arguments : nullptr; }

  // The alpha of the law xi in N_K(-alpha*lambda) [Walker 2017, (22)]. Where an iterate leaves its domain (not a
  // positive finite number), and for laws that are not scaled, it is 1.
  double alpha() const {
    if (set->scaled == 0) return 1;
    const double value = own()[total_arguments(*set) - 1];
    return value > 0 && value <= std::numeric_limits<double>::max() ? value : 1;
  }

  // What `visitor` makes of the set itself, around its centre.
  template <class Visitor>
  auto visit(const Visitor& visitor) const {
    const auto at = [&](const SetTrait auto& K) { return visitor(K); };
    const double* a = own();
    switch (set->kind) {
      case NSM_SET_INTERVAL: return at(Intervals{{a[0], a[1]}, set->dim});
      case NSM_SET_BALL: return at(Ball{a[0], set->dim});
      case NSM_SET_ELLIPSOID: return at(Ellipsoid{a, set->dim});
      case NSM_SET_POLYGON: return at(Polygon{a, set->n_arguments / 2});
      case NSM_SET_GAUGE: return at(GaugeSet{function(), a[0]});
      case NSM_SET_SUPPORT: return at(SupportSet{function(), a[0]});
      case NSM_SET_CONTENSOU_PARABOLIC: return at(Contensou{a[0], a[1], Pressure::parabolic});
      case NSM_SET_CONTENSOU_UNIFORM: return at(Contensou{a[0], a[1], Pressure::uniform});
      default: return at(FaceOfSet{this});  // NSM_SET_FACE: a System accepts no other
    }
  }

  bool contains(const double* x) const {
    double y[max_shifted_dim];
    const double* z = relative(x, y);
    return visit([&](const auto& K) { return K.contains(z); });
  }

  // Minkowski's functional of K at x - c: at most 1 exactly on the set.
  double gauge(const double* x) const {
    double y[max_shifted_dim];
    const double* z = relative(x, y);
    return visit([&](const auto& K) { return K.gauge(z); });
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

  // The function of sets by one.
  HomogeneousFunction function() const { return {set->function, own() + 1, set->n_arguments - 1, set->dim}; }

 private:
  bool prox_centred(double* z, double* residual) const {
    return visit([&](const auto& K) {
      if constexpr (requires { K.prox(z, residual); })
        return stays(K.prox(z, residual));
      else
        return stays(K.prox(z));
    });
  }

  const double* relative(const double* x, double* y) const {
    if (!set->shifted) return x;
    for (std::uint32_t k = 0; k < set->dim; ++k) y[k] = x[k] - centre()[k];
    return y;
  }
};

}  // namespace nsmc::rt
