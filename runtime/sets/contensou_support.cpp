// Support functions of Coulomb-Contensou friction, see implicit_gauge.hpp. In the half plane (slip, |drilling|)
//     Phi = n_T t(u) + n_w y(u)/y(0),   u = y(0) n_T/n_w,
// with the generator (t, y) of contensou.hpp, and grad Phi = (t, y/y(0)).
#include <cmath>

#include "runtime/sets/by_function/implicit_gauge.hpp"
#include "runtime/sets/contensou.hpp"
#include "runtime/sets/contensou_profile.hpp"

extern "C" nsm_quad nsmc_arc_sine(nsm_quad) __asm__("asinf128");  // glibc's

namespace nsmc::rt {

template <>
inline constexpr Quad pi_for<Quad> = Quad(3.141592653589793116) + Quad(1.2246467991473532e-16) +
                                     Quad(-2.9947698097183397e-33);

namespace contensou {

template <>
inline constexpr Series<Quad, 36> series<Quad> = make_series<Quad, Quad, 36>();  // 0.3^(2*36) < 1e-37

}  // namespace contensou

namespace {

ContensouProfileOf<double> profile(Pressure pressure, double k, bool inverse) {
  const ContensouProfile at = contensou_profile(pressure, k, inverse);
  return {at.t, at.y, at.bend};
}
ContensouProfileOf<Quad> profile(Pressure pressure, Quad k, bool inverse) {
  if (pressure == Pressure::uniform) return uniform_profile(k, inverse, 1e-34);
  if (!inverse) return parabolic_near(k);
  return k < contensou::series_limit ? parabolic_very_far(k) : parabolic_far(k, nsmc_arc_sine(k));
}

double mean_radius(Pressure pressure, double) { return contensou_mean_radius(pressure); }
Quad mean_radius(Pressure pressure, Quad) {
  return pressure == Pressure::parabolic ? 3 * pi_for<Quad> / 16 : Quad(2) / 3;
}

template <class Real>
struct Meridian {
  Real y0, T, w;  // w = |drilling|
  bool inverse;
  Real k;  // u, or 1/u
  ContensouProfileOf<Real> at;
  Real d[2];  // direction of slip
  int sign;   // of drilling

  Meridian(Pressure pressure, const Real* v)
      : y0(mean_radius(pressure, v[0])),
        T(root(v[0] * v[0] + v[1] * v[1])),
        w(v[2] < 0 ? -v[2] : v[2]),
        inverse(y0 * T > w),
        k(inverse ? w / (y0 * T) : y0 * T / w),
        at(profile(pressure, k, inverse)),
        d{T > 0 ? v[0] / T : Real(1), T > 0 ? v[1] / T : Real(0)},
        sign(v[2] < 0 ? -1 : 1) {}

  // Value and gradient, moved by c.
  void put(const Real* v, const double* c, Real* out) const {
    out[0] = T * at.t + w * at.y / y0;
    for (int i = 0; i < 2; ++i) out[1 + i] = at.t * d[i];
    out[3] = sign * at.y / y0;
    for (int i = 0; i < 3; ++i) {
      out[0] += c[i] * v[i];
      out[1 + i] += c[i];
    }
  }
};

void support(Pressure pressure, const nsm_view* view, double* out) {
  const Meridian<double> m(pressure, view->lambda);
  m.put(view->lambda, view->self, out);
  const double k = m.k, bend = m.at.bend, y0 = m.y0;
  const double h_TT = m.inverse ? bend * k * k / m.T : bend * y0 / m.w;
  const double h_Tw = m.inverse ? -bend * k / (y0 * m.T) : -bend * k / m.w;
  const double h_ww = m.inverse ? bend / (y0 * y0 * m.T) : bend * k * k / (y0 * m.w);
  const double around = m.T > 0 ? m.at.t / m.T : h_TT;
  double* H = out + 4;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) H[3 * i + j] = h_TT * m.d[i] * m.d[j] + around * ((i == j ? 1 : 0) - m.d[i] * m.d[j]);
    H[3 * i + 2] = H[6 + i] = m.sign * h_Tw * m.d[i];
  }
  H[8] = h_ww;
}

void support(Pressure pressure, const nsm_quad_view* view, nsm_quad* out) {
  Meridian<Quad>(pressure, view->lambda).put(view->lambda, view->self, out);
}

}  // namespace

}  // namespace nsmc::rt

using nsmc::rt::Pressure;

void nsm_contensou_parabolic(const nsm_view* view, double* out) { nsmc::rt::support(Pressure::parabolic, view, out); }
void nsm_contensou_uniform(const nsm_view* view, double* out) { nsmc::rt::support(Pressure::uniform, view, out); }

void nsm_precise_contensou_parabolic(const nsm_quad_view* view, nsm_quad* out) {
  nsmc::rt::support(Pressure::parabolic, view, out);
}
void nsm_precise_contensou_uniform(const nsm_quad_view* view, nsm_quad* out) {
  nsmc::rt::support(Pressure::uniform, view, out);
}
