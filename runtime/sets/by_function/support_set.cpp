// Nearest point of a set that is given by its support function, on the line and in the plane; function_newton.cpp has
// the dimensions from three on.
//
// For y = z/s and a unit vector n let d(n) = n . y - Phi(n) be the signed distance of y from the half space n . x <=
// Phi(n) around C0. y is in C0 if d <= 0 for all n; otherwise the largest d is the distance, and the nearest point is
// x = y - d n (Moreau's decomposition: d n = prox_Phi(y)). As 0 is in C0, n is within 90 degrees of y.
//
// In the plane, with rho = |y| and n = (cos, sin) of the angle theta against e1 = y/rho, in the frame (n, n'):
//     grad Phi(n) = (Phi, Phi'),   Hess Phi(n) = h n' n'^T,
//     d = rho cos - Phi,   dd/dtheta = -rho sin - Phi',   d^2d/dtheta^2 = -d - h.
// Where d > 0 this is concave, and the sign of the slope tells on which side the maximum is. Where d <= 0, it is told
// by D(v) = v . y - Phi(v) along v = e1 + tau e2, which is concave everywhere and has the same sign as d: dD/dtau = -e2
// . grad Phi. This makes a bracket for Newton's method on the slope. The angle is kept as w = tan(theta/2), no
// trigonometric function is needed.
//
// Inside for sure: grad Phi(n) are points of C0, and so is the triangle that two of them form with 0.
//
// Flats are kinks of Phi, where the slope jumps. Where Newton fails, the segment between the points p = grad Phi at the
// ends of the bracket is tried: C0 contains it, and if it reaches as far as C0 in the direction of its normal, then the
// segment is part of a flat, as far as values can tell, and its nearest point the answer if the bracket closes around
// its normal. Otherwise, bisection.
#include "runtime/sets/by_function/support_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/sets/by_function/function_newton.hpp"
#include "runtime/sets/by_function/function_set.hpp"
#include "runtime/sets/by_function/support_gauge.hpp"

namespace nsmc::rt {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

constexpr double slack = function_slack;
constexpr double narrow = 16 * epsilon;  // of a bracket: closed
constexpr double negative = -1e-12;      // of |y|^2, for the support of a set that holds 0

// An end of the bracket: where it is and the point p = grad Phi there, in the frame (e1, e2).
struct End {
  double w;
  double p1 = 0, p2 = 0;
  double bend = 0;
  bool known = false;  // false: nothing was evaluated there
};

// The nearest point of the segment between the points of two ends, if it is no end itself.
struct Target {
  double x = 0, y = 0;    // the point
  double n1 = 0, n2 = 0;  // normal of the segment
  double reach = 0;       // of the segment in the direction of the normal
  bool exists = false;
};

Target nearest_on_segment(const End& a, const End& b, double rho) {
  Target target;
  const double e1 = b.p1 - a.p1, e2 = b.p2 - a.p2, length2 = e1 * e1 + e2 * e2;
  const double t = (e1 * (rho - a.p1) - e2 * a.p2) / length2;
  // A flat turns the normal by nothing while the point moves on: far more than curvature explains.
  const double smooth_way = 2 * (b.w - a.w) * (std::abs(a.bend) + std::abs(b.bend));
  if (!(t > 0 && t < 1) || !(std::abs(e1) + std::abs(e2) > 50 * smooth_way)) return target;
  const double inverse = 1 / std::sqrt(length2);
  target = {a.p1 + t * e1, a.p2 + t * e2, e2 * inverse, -e1 * inverse, 0, true};
  target.reach = target.n1 * a.p1 + target.n2 * a.p2;
  return target;
}

NearestPoint nearest_in_plane(const HomogeneousFunction& Phi, double rho, const double* e1) {
  NearestPoint result;
  const auto finish = [&](double x, double y, double n1, double n2) {
    result.place = NearestPoint::outside;
    result.x[0] = x * e1[0] - y * e1[1];
    result.x[1] = x * e1[1] + y * e1[0];
    result.n[0] = n1 * e1[0] - n2 * e1[1];
    result.n[1] = n1 * e1[1] + n2 * e1[0];
    return result;
  };
  const auto inside = [&] {
    result.place = NearestPoint::inside;
    return result;
  };
  End low{-1}, high{1};
  double w = 0, cosine = 1, sine = 0;
  double last = 0, before = 8;  // steps of Newton's method in theta: the last (0: it was another), the one before
  double width_at_segment = 8;  // of the bracket in w when the segment was last used
  double probe = 0;             // how far beside the normal of the segment to look next
  bool at_target = false, outside = false;
  Target target;
  for (result.evaluations = 1;; ++result.evaluations) {
    const HomogeneousFunction::Plane f = Phi.in_plane(cosine * e1[0] - sine * e1[1], cosine * e1[1] + sine * e1[0]);
    if (!f.ok) return result;
    const double d = rho * cosine - f.value, slope = -rho * sine - f.slope;
    const double p1 = f.value * cosine - f.slope * sine, p2 = f.value * sine + f.slope * cosine;
    const bool here_outside = d > slack * rho;
    outside = outside || here_outside;
    (here_outside ? (slope > 0 ? low : high) : (p2 < 0 ? low : high)) = {w, p1, p2, std::isfinite(f.bend) ? f.bend : 0,
                                                                         true};

    if (!outside) {
      if (p2 == 0) return inside();
      if (low.known && high.known && low.p2 <= 0 && high.p2 >= 0) {
        const double where = (low.p1 * high.p2 - high.p1 * low.p2) / (high.p2 - low.p2);
        if (where >= rho * (1 - epsilon)) return inside();
      }
    }
    if (at_target && f.value - target.reach <= 4 * epsilon * (std::abs(f.value) + std::abs(target.reach))) {
      if (target.n1 * rho - target.reach <= slack * rho) return inside();
      probe = narrow / 2;
    }

    const double step = here_outside ? slope / (d + f.bend) : -p2 / (f.bend * cosine);
    const bool settled = here_outside && std::abs(slope) <= negligible_residual_in_plane(std::hypot(p1, p2), rho);
    const bool closed = !(high.w - low.w > narrow) || result.evaluations >= most_evaluations_in_plane;
    if (closed && !outside) return inside();
    if (closed) {
      // The normals at the ends are the same: x lies on the segment between the two points. Where this is short, its
      // direction is less exact than the normal, and the foot of y - d n is taken in place of that of y.
      const double x1 = rho - d * cosine, x2 = -d * sine;
      if (!low.known || !high.known) return finish(x1, x2, cosine, sine);
      const double along1 = high.p1 - low.p1, along2 = high.p2 - low.p2, length2 = along1 * along1 + along2 * along2;
      const bool is_long = 256 * length2 > p1 * p1 + p2 * p2;
      const double t = (along1 * ((is_long ? rho : x1) - low.p1) + along2 * ((is_long ? 0 : x2) - low.p2)) / length2;
      const double clipped = length2 > 0 ? std::clamp(t, 0.0, 1.0) : 0;
      return finish(low.p1 + clipped * along1, low.p2 + clipped * along2, cosine, sine);
    }
    if (settled) {
      // The point of C0, not y - d n: far away its rounding is smaller.
      const double turn = std::isfinite(step) ? step : 0, way = std::isfinite(f.bend) ? f.bend * turn : 0;
      return finish(p1 - way * sine, p2 + way * cosine, cosine - turn * sine, sine + turn * cosine);
    }

    // From the first normal to that of the nearest point of an ellipse, then Newton's steps.
    const bool by_model = result.evaluations == 1 && here_outside && f.bend > 0;
    const double half = step / 2;
    double next = by_model ? half_angle(model_tangent(f, rho, true)) : (w + half) / (1 - w * half);
    const double turn = by_model ? 2 * std::abs(next) : std::abs(step);
    at_target = false;
    if (probe > 0) {
      next = low.w == w ? low.w + probe : high.w - probe;
      probe = next > low.w && next < high.w ? 8 * probe : 0;
      if (probe == 0) next = low.w + (high.w - low.w) / 2;
      before = 8;
      last = 0;
    } else if (turn <= before / 2 && next > low.w && next < high.w) {
      before = last > 0 ? last : 8;
      last = turn;
    } else {
      before = 8;
      last = 0;
      const double width = high.w - low.w;
      if (low.known && high.known && width <= width_at_segment / 1.5) {
        width_at_segment = width;
        target = nearest_on_segment(low, high, rho);
        next = target.n2 / (1 + target.n1);
        at_target = target.exists && next > low.w && next < high.w;
      }
      if (!at_target) next = low.w + width / 2;
    }
    w = next;
    const double scale = 1 / (1 + w * w);
    cosine = (1 - w * w) * scale;
    sine = 2 * w * scale;
  }
}

NearestPoint nearest_on_line(const HomogeneousFunction& Phi, double rho, const double* e1) {
  NearestPoint result;
  double out[3];
  result.evaluations = 1;
  if (!Phi.evaluate(e1, out)) return result;
  result.place = rho - out[0] <= slack * rho ? NearestPoint::inside : NearestPoint::outside;
  result.x[0] = out[0] * e1[0];
  result.n[0] = e1[0];
  return result;
}

NearestPoint nearest(const HomogeneousFunction& Phi, double rho, const double* e1) {
  switch (Phi.dim) {
    case 1: return nearest_on_line(Phi, rho, e1);
    case 2: return nearest_in_plane(Phi, rho, e1);
    default: return nearest_of_support(Phi, rho, e1, slack);
  }
}

}  // namespace

bool SupportSet::contains(const double* x) const {
  const Ray ray(Phi, s, x);
  if (ray.decided) return ray.gauge == 0;
  return nearest(Phi, ray.distance(), ray.direction).place == NearestPoint::inside;
}

double SupportSet::gauge(const double* x) const { return gauge_and_normal(*this, x, nullptr); }

// x/t is in the set for t = gauge(x) and not for smaller t. From below: if x/t is outside and n the normal at its
// nearest point, then n . x/Phi(n) is better than t and still at most the gauge; this converges faster than linearly.
double gauge_and_normal(const SupportSet& set, const double* x, double* normal) {
  const HomogeneousFunction& Phi = set.Phi;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double out[HomogeneousFunction::max_out];
  const Ray ray(Phi, set.s, x);
  if (ray.decided) return ray.gauge;
  const double* e1 = ray.direction;
  if (!Phi.evaluate(e1, out)) return std::numeric_limits<double>::quiet_NaN();
  if (out[0] <= 0) return infinity;
  double rho = out[0];  // of x/t
  if (normal != nullptr) std::copy_n(e1, Phi.dim, normal);
  for (int round = 0; round < 100; ++round) {
    const NearestPoint point = nearest(Phi, rho, e1);
    if (point.place == NearestPoint::undefined) return std::numeric_limits<double>::quiet_NaN();
    if (point.place == NearestPoint::inside) break;
    if (!Phi.evaluate(point.n, out)) return std::numeric_limits<double>::quiet_NaN();
    double cosine = 0;
    for (std::uint32_t k = 0; k < Phi.dim; ++k) cosine += point.n[k] * e1[k];
    if (!(cosine > 0)) break;
    if (out[0] <= 0) return infinity;
    if (!(out[0] / cosine < rho)) break;
    rho = out[0] / cosine;
    if (normal != nullptr) std::copy_n(point.n, Phi.dim, normal);
  }
  return ray.rho / rho;
}

int SupportSet::prox(double* z, double* residual) const {
  const Ray ray(Phi, s, z);
  if (ray.decided) return ray.prox(z, Phi.dim) ? 0 : 1;
  const NearestPoint point = nearest(Phi, ray.distance(), ray.direction);
  if (residual != nullptr) *residual += s * point.residual;
  if (point.place == NearestPoint::inside) return 0;
  // Phi(z - x) = (z - x) . x: below zero, beyond rounding, there is no set with 0 in it.
  double reach = 0;
  for (std::uint32_t k = 0; k < Phi.dim; ++k) {
    reach += (ray.distance() * ray.direction[k] - point.x[k]) * point.x[k];
  }
  if (point.place == NearestPoint::undefined || reach < negative * ray.distance() * ray.distance()) {
    std::fill_n(z, Phi.dim, std::numeric_limits<double>::quiet_NaN());
    return 1;
  }
  for (std::uint32_t k = 0; k < Phi.dim; ++k) z[k] = s * point.x[k];
  return point.evaluations;
}

}  // namespace nsmc::rt
