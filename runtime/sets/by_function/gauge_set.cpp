// Nearest point of a set that is given by its gauge function, on the line and in the plane; function_newton.cpp has the
// dimensions from three on.
//
// In the plane, with y = z/s outside C0 and rho = |y|: points of the boundary are x = d/k(d), d = (cos, sin) of the
// angle theta against e1 = y/rho. In the frame (d, d') with d' = dd/dtheta,
//     grad k(d) = (k, k'),   y - x = (rho cos - 1/k, -rho sin),   Hess k(d) = h d' d'^T.
// The nearest point has y - x parallel to the normal grad k [Walker 2017, (26)]:
//     phi(theta) = cross(grad k, y - x) = -k rho sin - k' (rho cos - 1/k) = 0.
// phi > 0 says that the distance falls in the direction of growing theta. On the visible arc, grad k . y > 1, the only
// zero is the nearest point; points off the arc are too far on their side. As 0 is in C0, |theta| < 90 degrees. This
// makes a bracket, in which Newton's method is safe:
//     dphi/dtheta = -h (rho cos - 1/k) - (1 + (k'/k)^2).
// The angle is kept as w = tan(theta/2), no trigonometric function is needed.
//
// Corners and flats. Where Newton fails, the supporting lines grad k . x = 1 at the ends of the bracket are tried: C0
// lies below them, and the nearest point of y below the two lines is where to look next. Sets with straight edges are
// finished in a few such steps. Where that does not halve the bracket, bisection does.
#include "runtime/sets/by_function/gauge_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "runtime/sets/by_function/function_newton.hpp"
#include "runtime/sets/by_function/function_set.hpp"
#include "runtime/sets/interval.hpp"

namespace nsmc::rt {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double slack = 1 + function_slack;

// An end of the bracket: where it is and the supporting line g . x <= 1 there, in the frame (e1, e2).
struct End {
  double w;
  double g1 = 0, g2 = 0;
  double bend = 0;
  bool known = false;  // false: nothing was evaluated there
};

// The point nearest to (rho, 0) below the supporting lines at the ends of the bracket.
struct Target {
  double x = 0, y = 0;
  bool corner = false;  // of two lines between which the gradient turns by far more than their curvature explains
};

Target nearest_below(const End& a, const End& b, double rho) {
  for (const auto& [on, below] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    if (!on->known || on->g1 * rho <= 1) continue;
    const double excess = (on->g1 * rho - 1) / (on->g1 * on->g1 + on->g2 * on->g2);
    const Target foot{rho - excess * on->g1, -excess * on->g2, false};
    if (!below->known || below->g1 * foot.x + below->g2 * foot.y <= 1) return foot;
  }
  const double determinant = a.g1 * b.g2 - a.g2 * b.g1;
  const double turn = std::abs(b.g1 - a.g1) + std::abs(b.g2 - a.g2);
  const double smooth_turn = 2 * (b.w - a.w) * (std::abs(a.bend) + std::abs(b.bend));
  return {(b.g2 - a.g2) / determinant, (a.g1 - b.g1) / determinant, turn > 50 * smooth_turn};
}

}  // namespace

bool GaugeSet::contains(const double* x) const { return gauge(x) <= slack; }

double GaugeSet::gauge(const double* x) const {
  double out[HomogeneousFunction::max_out];
  const Ray ray(k, s, x);
  if (ray.decided) return ray.gauge;
  if (!k.evaluate(ray.direction, out)) return std::numeric_limits<double>::quiet_NaN();
  return ray.rho * out[0];
}

int GaugeSet::prox(double* z, double* residual) const {
  const Ray ray(k, s, z);
  if (ray.decided) return ray.prox(z, k.dim) ? 0 : 1;
  if (k.dim == 1) return prox_on_line(z);
  if (k.dim == 2) return prox_in_plane(z, ray.distance(), ray.direction);
  return prox_in_space(z, ray.distance(), ray.direction, residual);
}

int GaugeSet::prox_in_space(double* z, double rho, const double* e1, double* residual) const {
  const NearestPoint point = nearest_of_gauge(k, rho, e1, slack);
  if (point.place == NearestPoint::inside) return 0;
  if (point.place == NearestPoint::undefined) {
    std::fill_n(z, k.dim, std::numeric_limits<double>::quiet_NaN());
    return 1;
  }
  if (residual != nullptr) *residual += s * point.residual;
  for (std::uint32_t i = 0; i < k.dim; ++i) z[i] = s * point.x[i];
  // Inside for the next call, bit by bit.
  for (int round = 0; round < 4; ++round) {
    const double size = gauge(z);
    if (!(size > slack)) break;
    for (std::uint32_t i = 0; i < k.dim; ++i) z[i] /= size;
  }
  return point.evaluations;
}

int GaugeSet::prox_on_line(double* z) const {
  double out[3];
  const double d = z[0] < 0 ? -1 : 1;
  if (!k.evaluate(&d, out)) {
    z[0] = std::numeric_limits<double>::quiet_NaN();
    return 1;
  }
  const double end = s / out[0];
  if (out[0] <= 0 || std::abs(z[0]) <= end * slack) return 0;
  z[0] = d * end;
  return 1;
}

int GaugeSet::prox_in_plane(double* z, double rho, const double* e1) const {
  const auto set = [&](double along, double across) {  // in the frame (e1, e2), in units of s
    z[0] = s * (along * e1[0] - across * e1[1]);
    z[1] = s * (along * e1[1] + across * e1[0]);
  };
  HomogeneousFunction::Plane f = k.in_plane(e1[0], e1[1]);
  if (!f.ok) {
    z[0] = z[1] = std::numeric_limits<double>::quiet_NaN();
    return 1;
  }
  if (rho * f.value <= slack) return 0;

  End low{-1}, high{1};
  double w = 0, cosine = 1, sine = 0;
  double last = 0, before = 8;  // steps of Newton's method in theta: the last (0: it was another) and the one before
  double width_at_lines = 8;    // of the bracket in w when the supporting lines were last used
  Target target;
  bool at_target = false;
  for (int evaluations = 1;; ++evaluations) {
    const double inverse = 1 / f.value;
    const double ahead = rho * cosine - inverse, aside = -rho * sine;
    const double phi = f.value * aside - f.slope * ahead;
    const bool visible = f.value * rho * cosine + f.slope * aside > 1;
    const bool too_far_up = visible ? phi < 0 : w > 0;
    (too_far_up ? high : low) = {w, f.value * cosine - f.slope * sine, f.value * sine + f.slope * cosine,
                                 std::isfinite(f.bend) ? f.bend : 0, true};

    if (at_target && target.corner) {
      const double size = std::sqrt(target.x * target.x + target.y * target.y) * f.value;
      if (size <= 1 + 4 * epsilon) {
        const double shrink = 1 / std::max(size, 1.0);
        set(target.x * shrink, target.y * shrink);
        return evaluations;
      }
    }

    const double q = f.slope * inverse;
    const double step = phi / (f.bend * ahead + 1 + q * q);
    const double normal = f.value * std::sqrt(1 + q * q);
    const bool settled = visible && std::abs(phi) <= normal * negligible_residual_in_plane(inverse, rho);
    const bool closed = !(high.w - low.w > 4 * epsilon) || evaluations >= most_evaluations_in_plane;
    if (settled || closed) {
      const double turn = settled && std::isfinite(step) ? step : 0;
      const double along = inverse * (1 - q * turn), across = inverse * turn;
      set(cosine * along - sine * across, sine * along + cosine * across);
      return evaluations;
    }

    // From the first point to the nearest one of an ellipse, then Newton's steps.
    const bool by_model = evaluations == 1 && f.bend > 0;
    const double half = step / 2;
    double next = by_model ? half_angle(model_tangent(f, rho, false)) : (w + half) / (1 - w * half);
    const double turn = by_model ? 2 * std::abs(next) : std::abs(step);
    at_target = false;
    if (visible && turn <= before / 2 && next > low.w && next < high.w) {
      before = last > 0 && !by_model ? last : 8;
      last = turn;
    } else {
      before = 8;
      last = 0;
      const double width = high.w - low.w;
      if (width <= width_at_lines / 2) {
        width_at_lines = width;
        target = nearest_below(low, high, rho);
        next = target.y / (std::sqrt(target.x * target.x + target.y * target.y) + target.x);
        at_target = next > low.w && next < high.w;
      }
      if (!at_target) next = low.w + width / 2;
    }
    w = next;
    const double scale = 1 / (1 + w * w);
    cosine = (1 - w * w) * scale;
    sine = 2 * w * scale;
    f = k.in_plane(cosine * e1[0] - sine * e1[1], cosine * e1[1] + sine * e1[0]);
    if (!f.ok || !(f.value > 0)) {
      z[0] = z[1] = std::numeric_limits<double>::quiet_NaN();
      return evaluations;
    }
  }
}

}  // namespace nsmc::rt
