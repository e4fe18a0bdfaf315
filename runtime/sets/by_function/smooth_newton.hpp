// Newton's method for the nearest point of a set that is given by a homogeneous function f, where f is smooth: the
// first thing to try in three to six dimensions, and for most sets all there is. The unknown is a unit vector d.
//
// Gauge set, f = k: x = d/k(d) on the boundary minimises 1/2 |y - x|^2. With g = grad k and beta = g . (y - x)/|g|^2,
// the least squares multiplier of [Walker 2017, (26)], the downhill direction and the second derivative along the
// boundary are
//     r = y - x - beta g,   A = I + beta Hess k(x)              for steps dx with g . dx = 0.
// Support set, f = Phi: the unit normal n = d maximises e(n) = n . y - Phi(n). With p = grad Phi(n),
//     r = y - p - e n,      A = e I + Hess Phi(n)               for steps dn with n . dn = 0.
// A is positive definite wherever y is beyond the supporting plane, and every stationary point there is the answer:
// steps A^-1 r, shortened until they improve, converge from anywhere. Radial scaling brings d back.
//
// The first step is longer. With Q = grad f grad f^T + f Hess f, the function sqrt(d . Q d) agrees with f to second
// order, and exactly for ellipsoids. Its nearest point follows from a scalar equation, see model_direction; for
// ellipsoids this is the answer, and for others a start that is good for points far away, too.
//
// A kink of f at the answer makes the steps shrink without end; what comes then is up to the caller.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/linear/small_matrix.hpp"
#include "runtime/sets/by_function/function_set.hpp"
#include "runtime/sets/by_function/homogeneous_function.hpp"

namespace nsmc::rt {

// After so many it is taken for a kink.
inline constexpr int smooth_evaluations = 100;
inline constexpr int most_radial_evaluations = 16;

// Tolerances of Newton's method for smooth functions; pure numbers.
struct SmoothTolerances {
  static constexpr double vanishing = 1e-20;      // put in the place of a coordinate that is 0, where derivatives exist
  static constexpr double shortest_part = 1e-6;   // of a step: below it is a kink
  static constexpr double armijo = 1e-4;          // of the gain that a step promises
  static constexpr double least_tempered = 1e-3;  // of a coordinate, in one tempered step
  static constexpr double merit_rounding = 1e-14;  // of a merit
  static constexpr double regularised = 1e-13;     // of Q, whose rounding may make it singular, and of its decrement
  static constexpr double least_tau = 1e-12;       // of the trace of Q, where the secular equation begins
  static constexpr double secular = 1e-9;          // of its root: a start, not an answer
};

template <int N, Given given>
class SmoothNewton {
 public:
  enum Result { inside, outside, undefined, kink, beyond };

  // For the point rho e1; slack: what counts as inside, relative to rho.
  SmoothNewton(const HomogeneousFunction& f, double rho, const double* e1, double slack)
      : f_(f), rho_(rho), slack_(slack) {
    for (int i = 0; i < N; ++i) {
      y_[i] = rho * e1[i];
      now_.d[i] = e1[i] == 0 ? vanishing : e1[i];  // beside the axis, where more derivatives exist
    }
  }

  Result run(int most_evaluations) {
    if (!look(now_)) return undefined;
    if (given == Given::by_gauge && rho_ * now_.value <= 1 + slack_) return inside;
    radial_ = given == Given::by_support && !is_beyond(now_);
    const Result result = descend(radial_ ? std::min(most_radial_evaluations, most_evaluations) : most_evaluations);
    if (result != beyond) return result;
    radial_ = false;
    return descend(most_evaluations);
  }

  int evaluations() const { return evaluations_; }
  // After `outside`: the point and, for a support set, its normal; the last step applied without another look.
  Vec<N> nearest() const {
    Vec<N> x;
    if constexpr (given == Given::by_gauge) {
      // Only if x stays on the boundary: where k is steep and y far, the step is small but the bend is not.
      const double beyond_boundary = 0.5 * now_.value * dot(step_, now_.H * step_);
      x = beyond_boundary <= 4 * epsilon ? scaled(add(now_.x, 1, step_), 1 / (1 + beyond_boundary)) : now_.x;
    } else {
      x = add(y_, now_.merit - decrement_ / 2, turned(now_.d, 1, step_));
      // Far away an error of n hurts less in grad Phi(n), except where Phi bends more than y is away: near a kink, or
      // where a coordinate vanishes.
      const Vec<N> bent = now_.H * step_;
      for (int i = 0; i < N; ++i) {
        const bool far = -now_.merit > std::max(size_, now_.H.a[i][i]);
        if (far && !is_nothing(now_.d[i])) x[i] = now_.gradient[i] + bent[i];
      }
    }
    for (int i = 0; i < N; ++i) {
      if (y_[i] == 0 && std::abs(x[i]) <= 2 * vanishing * std::max(rho_, size_)) x[i] = 0;
    }
    return x;
  }
  Vec<N> normal() const { return turned(now_.d, 1, step_); }
  // The last one that was looked at, without the step.
  const Vec<N>& direction() const { return now_.d; }
  // x is the nearest point to y - r exactly, hence within |r| of that to y; if `inside`, p/t is a point of the set,
  // within |r| of y. 0 if that is negligible; without bound where r is not known on all sides.
  double residual() const {
    if (!knows_all_sides_) return std::numeric_limits<double>::infinity();
    return residual_ <= negligible_residual * std::max(rho_, size_) ? 0 : residual_;
  }

 private:
  struct Point {
    Vec<N> d;
    double value;
    Vec<N> gradient;
    Sym<N> H;   // at d
    bool bent;  // H exists
    double merit;
    Vec<N> x;         // gauge: d/k
    double beta = 0;  // gauge
  };

  static constexpr double epsilon = std::numeric_limits<double>::epsilon();
  using Tol = SmoothTolerances;
  static constexpr double vanishing = Tol::vanishing;
  static constexpr double unlimited = std::numeric_limits<double>::max();
  enum Trial { model, whole, tempered, part };

  const HomogeneousFunction& f_;
  double rho_, slack_;
  Vec<N> y_;
  Point now_;
  Vec<N> step_;  // of x or n
  Vec<N> r_;
  double decrement_ = 0;  // r . A^-1 r
  double residual_ = 0;   // |r|
  double size_ = 0;       // of the set, as far as seen
  int evaluations_ = 0;
  bool radial_ = false;  // see find_radial_step
  bool knows_all_sides_ = true;

  // From now_ downhill.
  Result descend(int most_evaluations) {
    if (!now_.bent || !find_step()) return kink;
    Point next;
    Trial trial = radial_ ? whole : model;
    next.d = radial_ ? turned(now_.d, 1, step_) : model_direction();
    bool tempered_first = false, was_small = false;
    double shorter = 1, last = 0;  // the length of the last step, 0 if it was not a whole one
    while (evaluations_ < most_evaluations && shorter > Tol::shortest_part) {
      if (!look(next)) return undefined;
      if (radial_ && is_beyond(next)) {
        now_ = next;
        return beyond;
      }
      const double gain = gain_of(next);
      if (accept(next, gain, trial == model ? unlimited : Tol::armijo * shorter * decrement_)) {
        const Vec<N> rest = step_of_the_rest();
        const double size = std::sqrt(dot(rest, rest)), ratio = last > 0 ? size / last : 1;
        const bool small = is_small(size);
        if ((is_settled(size, ratio) || (small && was_small)) && !is_on_wrong_side()) {
          leave_vanishing();
          return radial_ ? inside : outside;
        }
        was_small = small;
        last = trial == whole ? size : 0;
        tempered_first = trial == tempered;
        shorter = 1;
        trial = tempered_first && changes_sign() ? tempered : whole;
      } else if (trial == tempered && tempered_first) {
        trial = whole;
        tempered_first = false;
      } else if ((trial == model || trial == whole) && changes_sign()) {
        trial = tempered;
      } else if (trial == model) {
        trial = whole;
      } else {
        // The minimum of the parabola through what is known, between a tenth and a half.
        const double bend = shorter * decrement_ - gain;
        shorter *= trial == part && bend > 0 ? std::clamp(0.5 * shorter * decrement_ / bend, 0.1, 0.5) : 0.3;
        trial = part;
      }
      next.d = trial == tempered ? tempered_direction(now_.d, step_in_d()) : turned(now_.d, shorter, step_in_d());
    }
    return kink;
  }

  static Vec<N> scaled(Vec<N> a, double t) {
    for (int i = 0; i < N; ++i) a[i] *= t;
    return a;
  }
  static Vec<N> turned(const Vec<N>& d, double t, const Vec<N>& step) {
    Vec<N> result = add(d, t, step);
    const double inverse = 1 / std::sqrt(dot(result, result));
    for (int i = 0; i < N; ++i) result[i] *= inverse;
    return result;
  }

  // Where the gradient is like |d_i|^a with a small a, as for superellipsoids near their axes, a step to the root goes
  // far beyond zero; d_i exp(step_i/d_i) in place of d_i + step_i comes from the same side, and fast.
  static Vec<N> tempered_direction(const Vec<N>& d, const Vec<N>& step) {
    Vec<N> result;
    for (int i = 0; i < N; ++i) {
      const double next = d[i] + step[i];
      result[i] = next * d[i] < 0 ? d[i] * std::max(std::exp(step[i] / d[i]), Tol::least_tempered) : next;
    }
    return turned(result, 0, result);
  }
  bool changes_sign() const {
    const Vec<N> step = step_in_d();
    for (int i = 0; i < N; ++i) {
      if ((now_.d[i] + step[i]) * now_.d[i] < 0) return true;
    }
    return false;
  }
  Vec<N> step_in_d() const { return given == Given::by_gauge ? scaled(step_, now_.value) : step_; }

  // The gain of merit from now_ to next, by differences: far from the set the merit itself has too few digits.
  double gain_of(const Point& next) const {
    if constexpr (given == Given::by_gauge) {
      const Vec<N> way = add(next.x, -1, now_.x);
      return dot(way, add(add(y_, -1, now_.x), -0.5, way));
    } else {
      if (radial_) return now_.value / dot(now_.d, y_) - next.value / dot(next.d, y_);
      return dot(add(next.d, -1, now_.d), y_) - (next.value - now_.value);
    }
  }

  // Goes on to `next` if it is an improvement: enough gain, or where rounding hides the gain, a smaller decrement or a
  // slope that still leads ahead there, or back by less than half (the merit is convex).
  bool accept(const Point& next, double gain, double enough) {
    const bool visible = given == Given::by_gauge ? next.beta > 0 : radial_ ? dot(next.d, y_) > 0 : is_beyond(next);
    const double rounding = radial_                    ? Tol::merit_rounding * next.value / dot(next.d, y_)
                            : given == Given::by_gauge ? Tol::merit_rounding * size_ * rho_
                                                       : 8 * epsilon * (rho_ + size_);
    if (!visible || !next.bent || !(gain > -rounding)) return false;
    const Place before = here();
    now_ = next;
    if (find_step() && (gain >= enough || decrement_ <= std::max(before.decrement / 4, 0.0) ||
                        (!radial_ && gain <= rounding && dot(r_, before.step) >= -0.5 * before.decrement))) {
      return true;
    }
    go_to(before);
    return false;
  }

  struct Place {
    Point point;
    Vec<N> step, r;
    double decrement, residual;
  };
  Place here() const { return {now_, step_, r_, decrement_, residual_}; }
  void go_to(const Place& place) {
    now_ = place.point;
    step_ = place.step;
    r_ = place.r;
    decrement_ = place.decrement;
    residual_ = place.residual;
  }

  bool look(Point& point) {
    double out[HomogeneousFunction::max_out];
    ++evaluations_;
    if (!f_.evaluate(point.d.v, out)) return false;
    point.value = out[0];
    double sum = 0;
    for (int i = 0; i < N; ++i) {
      point.gradient[i] = out[1 + i];
      for (int j = 0; j < N; ++j) {
        point.H.a[i][j] = out[1 + N + i * N + j];
        sum += 0 * point.H.a[i][j];
      }
    }
    point.bent = sum == 0;
    if constexpr (given == Given::by_gauge) {
      if (!(point.value > 0)) return false;
      for (int i = 0; i < N; ++i) point.x[i] = point.d[i] / point.value;
      const Vec<N> way = add(y_, -1, point.x);
      point.merit = 0.5 * dot(way, way);
      point.beta = dot(point.gradient, way) / dot(point.gradient, point.gradient);
      size_ = std::max(size_, 1 / point.value);
    } else {
      point.merit = point.value - dot(point.d, y_);
      size_ = std::max(size_, std::sqrt(dot(point.gradient, point.gradient)));
    }
    return true;
  }

  bool is_beyond(const Point& point) const { return point.merit < -slack_ * rho_; }

  // Is there a normal that separates y from the support set? The set reaches as far as y/t, t = min Phi(n)/(n . y), in
  // the direction of y, and n = Q^-1 y is the minimum of the model.
  bool find_radial_step() {
    Sym<N> Q = ellipsoid();
    for (int i = 0; i < N; ++i) Q.a[i][i] *= 1 + Tol::regularised;
    const double along = dot(now_.d, y_);
    if (!Q.factorise() || !(along > 0)) return false;
    const Vec<N> v = Q.solve(y_);
    step_ = add(scaled(v, along / dot(v, y_)), -1, now_.d);
    const double t = now_.value / along;
    decrement_ = -dot(now_.gradient, step_) / along;
    const Vec<N> aside = add(now_.gradient, -dot(now_.gradient, y_) / (rho_ * rho_), y_);
    residual_ = std::sqrt(dot(aside, aside));
    return decrement_ >= -Tol::regularised * t;
  }

  // Newton's step at now_.
  bool find_step() {
    if (radial_) return find_radial_step();
    Sym<N> A = now_.H;
    const Vec<N>& g = now_.gradient;
    if constexpr (given == Given::by_gauge) {
      const double factor = now_.beta * now_.value;
      for (int i = 0; i < N; ++i) {
        for (int j = 0; j <= i; ++j) A.a[i][j] *= factor;
        A.a[i][i] += 1;
      }
      if (!A.factorise()) return false;
      r_ = add(add(y_, -1, now_.x), -now_.beta, g);
      const Vec<N> free = A.solve(r_), normal = A.solve(g);
      step_ = add(free, -dot(g, free) / dot(g, normal), normal);
    } else {
      const double e = -now_.merit;
      for (int i = 0; i < N; ++i) {
        for (int j = 0; j <= i; ++j) A.a[i][j] += size_ * now_.d[i] * now_.d[j];
        A.a[i][i] += e;
      }
      if (!A.factorise()) return false;
      r_ = add(add(y_, -1, g), -e, now_.d);
      step_ = A.solve(r_);
    }
    decrement_ = dot(r_, step_);
    residual_ = std::sqrt(dot(r_, r_));
    return decrement_ >= 0;
  }

  // Steps shrink quadratically, the next one to about size * ratio^2: where the answer is good enough already, the last
  // step is applied without another look.
  bool is_settled(double size, double ratio) const {
    const double scale = std::max(rho_, size_);
    if (residual_ <= 16 * epsilon * scale) return true;
    if (radial_) return residual_ <= negligible_residual * scale;
    if (!is_small_everywhere(step_in_d())) return false;
    if (residual_ > negligible_residual * scale) return false;
    if (given == Given::by_gauge) {
      if (size <= 4 * epsilon * scale) return true;
      return now_.value * dot(step_, now_.H * step_) <= epsilon && size * ratio * ratio <= epsilon * size_;
    }
    return size * size <= epsilon && size * ratio * ratio <= epsilon;
  }
  // Whether a step would not change x. It says nothing where it is large for a small coordinate, nor the first time.
  bool is_small(double size) const {
    const double nothing = 4 * epsilon * std::max(rho_, size_);
    if (radial_ || !is_small_everywhere(step_in_d())) return false;
    if (given == Given::by_gauge) return size <= nothing;
    return -now_.merit * size <= nothing && dot(r_, step_of_the_rest()) <= nothing;
  }
  bool is_small_everywhere(const Vec<N>& step) const {
    for (int i = 0; i < N; ++i) {
      if (std::abs(step[i]) > 0.1 * std::abs(now_.d[i]) && !vanishes(i, step[i])) return false;
    }
    return true;
  }
  // Nothing is left of a coordinate, and it still becomes smaller.
  bool vanishes(int i, double step) const { return is_nothing(now_.d[i]) && step * now_.d[i] <= 0; }
  static bool is_nothing(double coordinate) { return std::abs(coordinate) <= epsilon / 4; }

  // The step of the coordinates that do not vanish.
  Vec<N> step_of_the_rest() const {
    Vec<N> rest = step_;
    for (int i = 0; i < N && given == Given::by_support; ++i) {
      if (vanishes(i, step_[i])) rest[i] = 0;
    }
    return rest;
  }
  // A coordinate of the normal that vanishes does so from both sides, and needs no r; nor does one of x that is nothing
  // against the others, and where the gradient changes like a small power of it.
  void leave_vanishing() {
    for (int i = 0; i < N && !radial_; ++i) {
      if (given == Given::by_support && vanishes(i, step_[i])) step_[i] = r_[i] = 0;
      if (given == Given::by_gauge && std::abs(now_.x[i]) <= 64 * epsilon * size_) r_[i] = 0;
    }
    decrement_ = dot(r_, step_);
    if (!radial_) residual_ = std::sqrt(dot(r_, r_));
  }

  // Coordinates that vanish from one side may have to grow on another, where tempered steps do not get. If they lead
  // back from all sides, zero is the answer: r has a zero between those of the sides.
  bool is_on_wrong_side() {
    if (residual_ <= 16 * epsilon * std::max(rho_, size_)) return false;
    int which[N], count = 0;
    for (int i = 0; i < N; ++i) {
      if (vanishes(i, step_[i]) && now_.d[i] != 0) which[count++] = i;
    }
    const Place before = here();
    for (int sides = 1; sides < 1 << count; ++sides) {
      Point other = before.point;
      for (int k = 0; k < count; ++k) {
        if (sides >> k & 1) other.d[which[k]] *= -1;
      }
      const bool known = look(other) && other.bent;
      now_ = other;
      if (known && find_step()) {
        for (int k = 0; k < count; ++k) {
          if (step_[which[k]] * other.d[which[k]] > 0) return true;
        }
      } else {
        knows_all_sides_ = false;
      }
      go_to(before);
    }
    return false;
  }

  // Q at now_.
  Sym<N> ellipsoid() const {
    Sym<N> Q;
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j <= i; ++j) Q.a[i][j] = now_.gradient[i] * now_.gradient[j] + now_.value * now_.H.a[i][j];
    }
    return Q;
  }

  // The nearest point, or its normal, of the ellipsoid with the gauge (support) function sqrt(d . Q d):
  //     x = (I + tau Q)^-1 y,   x . Q x = 1      or      v = (t I + Q)^-1 y,   v . Q v = 1,
  // the secular equation of ellipsoid.cpp in coordinates that need no eigenvectors; Newton's method climbs likewise.
  Vec<N> model_direction() const {
    const Sym<N> Q = ellipsoid();
    double trace = 0;  // at least the largest eigenvalue
    for (int i = 0; i < N; ++i) trace += Q.a[i][i];
    double tau = given == Given::by_gauge ? std::max(0.0, (rho_ * now_.value - 1) / trace)
                                          : std::max(Tol::least_tau * trace, std::sqrt(dot(y_, Q * y_)) - trace);
    Vec<N> x = y_;
    for (int iteration = 0; iteration < 12; ++iteration) {
      Sym<N> M = Q;
      for (int i = 0; i < N; ++i) {
        if constexpr (given == Given::by_gauge) {
          for (int j = 0; j <= i; ++j) M.a[i][j] *= tau;
          M.a[i][i] += 1;
        } else {
          M.a[i][i] += tau;
        }
      }
      if (!M.factorise()) break;
      x = M.solve(y_);
      const Vec<N> w = Q * x, u = M.solve(given == Given::by_gauge ? w : x);
      const double level = dot(x, w), root = std::sqrt(level);
      if (!(root > 1 + Tol::secular)) break;
      tau += (root - 1) * level / dot(w, u);
    }
    return turned(x, 0, x);
  }
};

}  // namespace nsmc::rt
