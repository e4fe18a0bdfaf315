// Support functions of Coulomb-Contensou friction, see implicit_gauge.hpp. In the half plane (slip, |drilling|)
//     Phi = n_T t(u) + n_w y(u)/y(0),   u = y(0) n_T/n_w,
// with the generator (t, y) of contensou.hpp, and grad Phi = (t, y/y(0)).
#include <cmath>

#include "runtime/sets/by_function/implicit_gauge.hpp"
#include "runtime/sets/contensou.hpp"

namespace nsmc::rt {

namespace {

// Value, gradient and Hessian at v, moved by c = view->self.
void support(Pressure pressure, const nsm_view* view, double* out) {
  const double *v = view->lambda, *c = view->self;
  const double y0 = contensou_mean_radius(pressure);
  const double T = std::sqrt(v[0] * v[0] + v[1] * v[1]), w = std::abs(v[2]);
  const bool inverse = y0 * T > w;
  const double k = inverse ? w / (y0 * T) : y0 * T / w;
  const ContensouProfile at = contensou_profile(pressure, k, inverse);
  const double d[2] = {T > 0 ? v[0] / T : 1, T > 0 ? v[1] / T : 0};  // the direction of slip
  const double sign = v[2] < 0 ? -1 : 1;
  out[0] = T * at.t + w * at.y / y0;
  for (int i = 0; i < 2; ++i) out[1 + i] = at.t * d[i];
  out[3] = sign * at.y / y0;
  for (int i = 0; i < 3; ++i) {
    out[0] += c[i] * v[i];
    out[1 + i] += c[i];
  }
  const double h_TT = inverse ? at.bend * k * k / T : at.bend * y0 / w;
  const double h_Tw = inverse ? -at.bend * k / (y0 * T) : -at.bend * k / w;
  const double h_ww = inverse ? at.bend / (y0 * y0 * T) : at.bend * k * k / (y0 * w);
  const double around = T > 0 ? at.t / T : h_TT;
  double* H = out + 4;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) H[3 * i + j] = h_TT * d[i] * d[j] + around * ((i == j ? 1 : 0) - d[i] * d[j]);
    H[3 * i + 2] = H[6 + i] = sign * h_Tw * d[i];
  }
  H[8] = h_ww;
}

}  // namespace

}  // namespace nsmc::rt

using nsmc::rt::Pressure;

void nsm_contensou_parabolic(const nsm_view* view, double* out) { nsmc::rt::support(Pressure::parabolic, view, out); }
void nsm_contensou_uniform(const nsm_view* view, double* out) { nsmc::rt::support(Pressure::uniform, view, out); }
