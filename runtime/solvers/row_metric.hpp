// Rows of different magnitude in one set: the forces and the drilling torque of a Coulomb-Contensou ball, an ellipsoid
// that is projected on directly. With one step r = 1/D for all of them, D belongs to the row that moves most easily,
// and a row with a thousandth of its G_hh takes a thousand times the sweeps, while its error is a thousandth of what
// the natural residual counts. Scaled rows
//
//     Lambda_h = s_h Lambda~_h,   xi~_h = s_h xi_h,   G~_hk = s_h G_hk s_k,   K~ = S^-1 K          [Möller 2009, (25),
//     (41)]
//
// have the same inclusion, xi~ in N_K~(-Lambda~), and with s_h = 1/sqrt(G_hh), up to a common factor, equal magnitudes:
// every row is judged, and moved, in its own unit. It needs the nearest point of K~, which is a set of the same kind
// for a Coulomb-Contensou ball (its coefficient is a/s) and for an ellipsoid (a_h/s_h); others keep their rows as they
// are. Rows that differ by less than a factor of `uneven` are left alone.
#pragma once

#include <cstdint>

#include "runtime/kernel_abi.hpp"
#include "runtime/linear/number.hpp"

namespace nsmc::rt {

namespace row_metric {
// Ratios of diagonal elements. Nearest points of a Coulomb-Contensou ball that scaling has made flat cost more (the
// step of a Tippe-Top a tenth), so that its rows may differ more before they are scaled.
inline constexpr double uneven = 4, uneven_drilling = 1e4;
}  // namespace row_metric

// s of the drilling torque, that of the forces being 1. G: diagonal elements.
template <class Real>
NSM_INLINE Real drilling_scale(const Real& G_1, const Real& G_2, const Real& G_tau) {
  const Real G_T = larger(G_1, G_2);
  const mask_of<Real> differ =
      (G_T > Real(row_metric::uneven_drilling) * G_tau) | (G_tau > Real(row_metric::uneven_drilling) * G_T);
  const mask_of<Real> scaled = differ & (G_T > Real(0)) & (G_tau > Real(0));
  if (!any(scaled)) return 1;
  return select(scaled, root(G_T / G_tau), Real(1));
}

constexpr bool can_have_metric(std::uint32_t kind) {
  return kind == NSM_SET_CONTENSOU_PARABOLIC || kind == NSM_SET_CONTENSOU_UNIFORM || kind == NSM_SET_ELLIPSOID;
}

// Squares of percussions of a body of 1e-200 kg are 0. Beyond this D percussions are multiplied by a power of two
// first.
inline constexpr double most_ordinary_D = 1e120;

}  // namespace nsmc::rt
