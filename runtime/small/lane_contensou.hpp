// Nearest points of Coulomb-Contensou balls with Hertz's pressure, for registers with a problem in every lane: those of
// points and sets in general position together (contensou_nearest.hpp). On an axis, or with extents that are zero, they
// are left to Contensou, one by one.
#pragma once

#include <cstdint>

#include "runtime/linear/number.hpp"
#include "runtime/sets/contensou.hpp"
#include "runtime/sets/contensou_nearest.hpp"
#include "runtime/sets/mean_radius.hpp"

namespace nsmc::rt {

// In place, in the lanes `wanted`.
inline void prox_on_parabolic_contensou(double f, double a, double* z, bool /*wanted*/) {
  Contensou{f, a, Pressure::parabolic}.prox(z);
}
template <class Real>
void prox_on_parabolic_contensou(const Real& f, const Real& a, Real* z, mask_of<Real> wanted) {
  using namespace contensou;
  using Mask = mask_of<Real>;
  const Real T2 = z[0] * z[0] + z[1] * z[1], T = root(T2), w = magnitude(z[2]);
  const Real Fw = f * a, largest = larger(f, Fw), smallest = smaller(f, Fw);
  const Real s = T / f, v = w / f, across = v / a, reach2 = s * s + across * across, size2 = s * s + v * v;
  const Mask general = is_plain(T2) & (w > Real(0)) & (f > Real(0)) & (a > Real(0)) &
                       (smallest > Real(flat) * largest) & is_finite(largest) &
                       (larger(s, v) <= Real(far_away) * larger(Real(1), a)) & is_plain(reach2) & is_plain(size2);
  const Mask searching = wanted & general & !(T / f + w / Fw <= Real(1));  // else in the convex hull of the extents
  if (any(searching)) {
    const auto profile = [](const Real& x, Mask inverse, Mask going) { return parabolic_profile(x, inverse, going); };
    const Nearest<Real> x =
        nearest<Real>(profile, mean_radius_parabolic, s, v, a, root(reach2), root(size2), searching);
    const Real new_T = f * x.s, new_w = f * x.v;
    const Mask moved = x.outside & !(new_T == T), turned = x.outside & !(new_w == w);
    z[0] = select(moved, new_T * (z[0] / T), z[0]);
    z[1] = select(moved, new_T * (z[1] / T), z[1]);
    z[2] = select(turned, select(z[2] < Real(0), -new_w, new_w), z[2]);
  }
  const std::uint32_t rest = (wanted & !general).to_bits();
  for (unsigned l = 0; rest >> l != 0; ++l) {
    if ((rest >> l & 1) == 0) continue;
    double own[3] = {z[0][l], z[1][l], z[2][l]};
    Contensou{f[l], a[l], Pressure::parabolic}.prox(own);
    for (unsigned k = 0; k < 3; ++k) z[k].set(l, own[k]);
  }
}

}  // namespace nsmc::rt
