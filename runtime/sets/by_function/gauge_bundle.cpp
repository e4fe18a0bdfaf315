// The nearest point x of C0 = { k(x) <= 1 } to y outside solves [Walker 2017, (26)]
//     x + beta grad k(x) = y,   k(x) = 1,   beta > 0,                                                            (*)
// if k is smooth at x, and x + sum_j beta_j grad k_j(x) = y, beta_j >= 0, if several smooth pieces k_j of k = max_j k_j
// meet there (corners, edges).
//
// Cuts. Every gradient that was ever computed, g_i = grad k(x_i), gives a half space g_i . x <= 1 around C0 (k is
// convex and homogeneous). The point of all half spaces nearest to y, a small quadratic program, is the nearest point
// of C0 if it lies in C0; otherwise its own cut improves the collection. Sets with plane faces are finished after
// finitely many.
//
// Newton. Curved parts need second derivatives. With H_i = Hess k(x_i), H_i x_i = 0, the program is
//     min 1/2 |x - y|^2 + 1/2 sum_i beta_i x . H_i x   subject to  g_i . x <= 1,
// beta_i the multipliers of the last one. With one cut this is Newton's method for (*), with one cut per piece Newton's
// method for the pieces that meet; cuts from before keep it from going astray, as a bracket would. (On the active
// half spaces g_i . x = 1, so that beta_i/2 (g_i . x - 1)^2 may be added. It is, for the sake of the condition number:
// far from y, where beta is large, I + beta H is nearly singular in the direction of x.) If a point improves neither
// the distance nor k(x) - 1, half of the step is tried, a quarter, and then programs without second derivatives.
//
// Done? The solution x of the program has g_i . x = 1 for its active cuts, and k(x) = 1 then says that the pieces are
// known to first order at x; second derivatives make this accurate to the order of k(x) - 1, provided the multipliers
// they were weighted with are right. The active pieces are looked at once more next to x, since on a kink the gradient
// at x itself may be that of none. Radial scaling puts every answer on the boundary.
//
// Not done after most_evaluations? The nearest point so far belongs to the set, its distance U from y is an upper
// bound, that of all half spaces a lower one, L, and it is off by at most the root of U^2 - L^2.
#include "runtime/sets/by_function/gauge_bundle.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "runtime/linear/few.hpp"
#include "runtime/sets/by_function/half_spaces.hpp"

namespace nsmc::rt {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int max_cuts = HalfSpaces::max_spaces;
constexpr int most_evaluations = 200;
constexpr double negligible_merit = 2e-13;  // of the point
// What is enough, likewise, after so many evaluations: at the end rounding hides progress.
constexpr struct {
  int until;
  double merit;
} enough[] = {{20, 1e-14}, {60, 1e-13}, {most_evaluations, 1e-12}};
constexpr double same_piece = 0.04;      // squared, of a change of the gradient: what the Hessian may leave of it
constexpr double most_curvature = 1e13;  // |H| |x|/|g|: what is more is the rounding of a gauge that is a root
constexpr double creased = 1e3;          // |H| |x|/|g| off the diagonal: rounding of x shows in the gradient
constexpr double known_piece = 1e-6;     // of a gradient: within this it belongs to a piece
// How far from x, of it, pieces are looked at: what is seen from far, from near, and where it is close already.
constexpr double near_x = 1e-9, far_from_x = 1e-3, close_to_x = 1e-8, beside_close = 1e-5;
constexpr double smooth_there = 1e-8;  // of y: what a piece that is close may miss beside

using Vector = FewVector;
using Matrix = FewMatrix;

struct Cut {
  Vector x;  // on the boundary
  Vector g;
  Matrix H;
  bool bent;  // H exists
  double beta = 0;

  // Whether other lies on the same smooth piece of k: the gradient there is what the Hessian here predicts.
  bool explains(const Cut& other) const {
    const Vector difference = other.g - g;
    return (difference - H * other.x).squared_norm() <= same_piece * difference.squared_norm();
  }
};

class GaugeBundle {
 public:
  GaugeBundle(const HomogeneousFunction& k, double rho, const double* e1) : k_(k), dim_(static_cast<int>(k.dim)) {
    y_ = rho * Vector(e1, dim_);
  }

  NearestPoint run(double slack) {
    double size = look(y_);
    if (size <= slack) return report(NearestPoint::inside);
    if (!(size > 0)) return report(NearestPoint::undefined);
    // What to do next: `halves` points half-way back to the nearest one so far, then `pure` programs without second
    // derivatives, then Newton's method again.
    int failures = 0, halves = 0, pure = 0;
    Vector x = y_, nearest = y_ / size;
    double distance = (y_ - nearest).norm(), last_excess = size - 1;
    double best_merit = std::numeric_limits<double>::infinity();
    best_ = nearest;
    do {
      keep_cut(x);
      const bool newton = halves == 0 && pure == 0;
      if (halves > 0) {
        --halves;
        x = 0.5 * (x / size + nearest);
        size = look(x);
        if (!(size > 0)) break;
      } else {
        pure = std::max(pure - 1, 0);
        double error;
        x = solve(newton, error);
        size = look(x);
        if (!(size > 0)) break;
        const double merit = std::max({std::abs(size - 1), error / 10, surprise() / 10});
        if (merit < best_merit) {
          best_merit = merit;
          best_ = x / std::max(size, 1.0);
        }
        if (merit <= enough_now()) {
          const bool is_told = (is_known_ && !is_creased()) || is_flat();
          residual_ = is_told ? merit : std::max(merit, missed_by_pieces(best_));
          residual_ = residual_ <= negligible_merit ? 0 : residual_ * y_.norm();
          break;
        }
      }
      const double here = (y_ - x / size).norm(), excess = std::abs(size - 1);
      if (newton) {
        const bool better =
            excess < last_excess / 2 || distance - here > 0.1 * std::min(last_excess, 1.0) * nearest.norm();
        failures = better ? 0 : failures + 1;
        halves = failures > 0 ? failures : 0;
        pure = failures >= 3 ? 3 : 0;
        if (failures >= 3) failures = halves = 0;
        last_excess = excess;
      }
      if (here <= distance) {
        distance = here;
        nearest = x / size;
      }
    } while (evaluations_ < most_evaluations);
    if (!(size > 0)) return report(NearestPoint::undefined);
    if (residual_ > 0) {
      double error;
      const double lower = (y_ - solve(false, error)).norm();
      if ((y_ - best_).norm() < distance) {
        distance = (y_ - best_).norm();
        nearest = best_;
      }
      const double gap = std::max(0.0, distance - lower) + 4 * epsilon * y_.norm();  // and what rounding hides
      const double bound = std::sqrt(gap * (distance + lower));
      if (bound < residual_) {
        residual_ = bound;
        best_ = nearest;
      }
    }
    return report(NearestPoint::outside);
  }

 private:
  const HomogeneousFunction& k_;
  int dim_;
  Vector y_, best_;
  Cut cut_;
  Cut cuts_[max_cuts];
  int n_ = 0;
  int evaluations_ = 0;
  bool is_known_ = false;  // see surprise
  double residual_ = std::numeric_limits<double>::infinity();
  HalfSpaces program_;

  NearestPoint report(NearestPoint::Place place) const {
    NearestPoint result;
    result.place = place;
    result.evaluations = evaluations_;
    if (place != NearestPoint::outside) return result;
    result.residual = residual_;
    std::copy_n(best_.data(), dim_, result.x);
    return result;
  }

  // k at x/|x| times |x|, with the cut there; NaN if k has no value.
  double look(const Vector& x) {
    double out[HomogeneousFunction::max_out];
    const double norm = x.norm();
    const Vector d = x / norm;
    ++evaluations_;
    if (!(norm > 0) || !k_.evaluate(d.data(), out) || !(out[0] > 0)) return std::numeric_limits<double>::quiet_NaN();
    cut_.x = d / out[0];
    cut_.g = Vector(out + 1, dim_);
    cut_.H = Matrix(dim_, dim_);
    cut_.H.add(out[0], Matrix(out + 1 + dim_, dim_));  // at x = d/k(d)
    // None, or what rounding made of one: a gauge that is a root may have such.
    cut_.bent = cut_.H.norm() * cut_.x.norm() <= most_curvature * cut_.g.norm();
    if (!cut_.bent) cut_.H = Matrix(dim_, dim_);
    cut_.beta = 0;
    return norm * out[0];
  }

  double enough_now() const {
    return std::find_if(std::begin(enough), std::end(enough) - 1, [&](const auto& e) { return evaluations_ < e.until; })
        ->merit;
  }
  // Whether no active cut is curved: x is the nearest point of all half spaces then, and there is nothing beyond it.
  bool is_flat() const {
    return std::all_of(cuts_, cuts_ + n_, [](const Cut& cut) { return !(cut.beta > 0) || cut.H.norm() == 0; });
  }
  // Whether k is curved so much at an active cut, across directions that are not the axes, that rounding of x shows in
  // its gradient.
  bool is_creased() const {
    return std::any_of(cuts_, cuts_ + n_, [](const Cut& cut) { return cut.beta > 0 && is_creased(cut); });
  }
  static bool is_creased(const Cut& cut) {
    Matrix oblique = cut.H;
    for (int i = 0; i < oblique.rows; ++i) oblique(i, i) = 0;
    return !cut.bent || oblique.norm() * cut.x.norm() > creased * cut.g.norm();
  }

  // What the gradient at the last point has that its piece did not predict there, as a part of y: the residual of (*).
  // 0 if it belongs to no active piece that is known, as a formula may have it on a kink.
  double surprise() {
    double beta = 0, least = known_piece * cut_.g.norm();
    is_known_ = false;
    for (int i = 0; i < n_; ++i) {
      const Cut& cut = cuts_[i];
      if (!(cut.beta > 0)) continue;
      beta += cut.beta;
      const double difference = (cut_.g - cut.g - cut.H * cut_.x).norm();
      is_known_ = is_known_ || difference < least;
      least = std::min(least, difference);
    }
    return is_known_ ? beta * least / y_.norm() : 0;
  }

  // By how much the active pieces are not what their cuts say next to x, on their sides, as a part of y: on a kink the
  // gradient at x itself may be that of none. At the tip of a cone the rounding of x turns the gradient; a little
  // farther away it does not, and there the cut must be as exact. Beside a cut that is close already: whether k is
  // smooth there. With one piece x may lie beyond its end, on the bend to another, by less than rounding of k(x) shows.
  double missed_by_pieces(const Vector& x) {
    const Cut here = cut_;
    if (is_creased(here) && std::count_if(cuts_, cuts_ + n_, [](const Cut& cut) { return cut.beta > 0; }) == 1) {
      return std::numeric_limits<double>::infinity();
    }
    double missed = 0;  // of y
    for (int i = 0; i < n_; ++i) {
      const Cut& cut = cuts_[i];
      if (!(cut.beta > 0)) continue;
      const Vector way = (cut.x - x) / x.norm();
      const auto missed_at = [&](double step) {
        const bool known = way.norm() > 0 && look(x + step * x.norm() * way.normalized()) > 0 && !is_creased(cut_);
        const double difference = (cut_.g - cut.g - cut.H * cut_.x).norm();
        return known ? cut.beta * difference / y_.norm() : std::numeric_limits<double>::infinity();
      };
      if (way.norm() > close_to_x) {
        missed += std::min(missed_at(near_x), missed_at(far_from_x));
      } else if (is_creased(cut) || missed_at(beside_close) > smooth_there) {
        missed = std::numeric_limits<double>::infinity();
      }
    }
    cut_ = here;
    return missed;
  }

  // In place of the one that matters least at x, if there are too many.
  void keep_cut(const Vector& x) {
    int place = n_;
    if (n_ == max_cuts) {
      double widest = -1;
      place = 0;
      for (int i = 0; i < n_; ++i) {
        const double gap = cuts_[i].beta > 0 ? -1 : 1 - cuts_[i].g.dot(x);
        if (gap > widest) {
          widest = gap;
          place = i;
        }
      }
    } else {
      ++n_;
    }
    // The first guess of the first multiplier is that of the nearest point of the half space.
    if (n_ == 1) cut_.beta = std::max(0.0, (cut_.g.dot(y_) - 1) / cut_.g.squared_norm());
    cuts_[place] = cut_;
    // The newest comes last.
    for (int i = place; i + 1 < n_; ++i) std::swap(cuts_[i], cuts_[i + 1]);
  }

  // The program with or without second derivatives; with them, only with the newest cut of each piece, which takes over
  // the multipliers of the others. `error`: how far the solution is off, relative to its size, because the curvature
  // was weighted with the multipliers from before.
  Vector solve(bool newton, double& error) {
    Matrix A = Matrix::identity(dim_);
    Vector b = y_;
    int which[max_cuts];
    program_.n = 0;
    for (int i = n_ - 1; i >= 0; --i) {
      int heir = -1;
      for (int a = 0; a < program_.n && newton && heir < 0; ++a) {
        if (cuts_[which[a]].explains(cuts_[i])) heir = which[a];
      }
      if (heir < 0) {
        which[program_.n++] = i;
      } else {
        cuts_[heir].beta += cuts_[i].beta;
        cuts_[i].beta = 0;
      }
    }
    if (newton) {
      for (int a = 0; a < program_.n; ++a) {
        const Cut& cut = cuts_[which[a]];
        if (!(cut.beta > 0)) continue;
        A.add(cut.beta, cut.H);
        A.add_outer(cut.beta, cut.g, cut.g);
        b += cut.beta * cut.g;
      }
    }
    const FewCholesky L(A);
    for (int a = 0; a < program_.n; ++a) program_.g[a] = L.solve_lower(cuts_[which[a]].g);
    const Vector x = L.solve_upper(program_.nearest(L.solve_lower(b)));
    Vector residual(dim_);
    for (int a = 0; a < program_.n; ++a) {
      Cut& cut = cuts_[which[a]];
      const double used = newton ? cut.beta : 0, excess = used * (cut.g.dot(x) - 1);
      cut.beta = program_.beta[a];
      residual += (used - cut.beta) * (cut.H * x) + excess * cut.g;
    }
    error = L.solve(residual).norm() / x.norm();
    return x;
  }
};

}  // namespace

NearestPoint nearest_by_half_spaces(const HomogeneousFunction& k, double rho, const double* e1, double slack) {
  return GaugeBundle(k, rho, e1).run(slack);
}

}  // namespace nsmc::rt
