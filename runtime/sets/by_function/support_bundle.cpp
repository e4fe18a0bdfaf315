// The nearest point x of C0 to y outside is y - v, v the minimum of Phi(v) + 1/2 |v - y|^2, that is
//     v + grad Phi(v) = y                                                                                        (*)
// if Phi is smooth at v, and v + sum_j w_j grad Phi_j(v) = y, w_j >= 0, sum_j w_j = 1, if several smooth pieces of
// Phi = max_j Phi_j meet there (flats).
//
// Points. Every gradient that was ever computed, p_i = grad Phi(n_i), is a point of C0. The nearest point of their
// convex hull, found by Wolfe's method, is that of C0 if no point of C0 lies beyond it; otherwise the point that does
// improves the collection. Polytopes are finished after finitely many. If y is in the hull (0 belongs to it as well),
// it is inside; if n . y > Phi(n) for any n, it is outside.
//
// Newton. Curved parts need second derivatives. With H_i = Hess Phi(n_i), H_i n_i = 0, and the largest distance
// m = n . y - Phi(n) so far, the problem
//     min_v  max_i p_i . v + 1/2 |v - y|^2 + 1/2 sum_i w_i/m v . H_i v,
// w_i the weights of the last one, is Newton's method for (*) with one point, and for the pieces that meet with one
// point per piece. With A = I + sum_i w_i H_i/m its dual is again a nearest point of a hull, in the norm of A^-1:
// v = A^-1 (y - sum_i w_i p_i). v is perpendicular to the differences of the points with weight to the last digit,
// also where |v| is small: across a kink nothing may be lost. Within 1e-7 of a kink counts as on it: curvature across
// is left out, the points on both sides say it all.
//
// Damping. With y + lambda n in place of y and m + lambda in place of m, n the best normal so far, what is maximised is
// n' . y - Phi(n') - lambda/2 |n' - n|^2. As long as no normal separates y from C0, lambda makes m positive; if a step
// leads to a normal far worse than the problem promised, lambda grows. Without progress, problems without second
// derivatives take turns: they converge for every convex set, if slowly.
//
// Done? x = y - (n . y - Phi(n)) n and sum_i w_i (p_i + H_i n), by the expansion of grad Phi at n, agree, and all
// pieces with weight reach as far as Phi(n), to second order: then the latter is a subgradient, and the difference
// bounds the error as in smooth_newton.hpp; provided that the expansions are exact, for which every piece is evaluated
// next to n once more. Or: the hull reaches as far as the set and its nearest point stands still.
//
// Not done after most_evaluations? The nearest point x of the hull belongs to the set, |y - x| is an upper bound of the
// distance and the largest n . y - Phi(n) a lower one, and x is off by at most the root of the difference of their
// squares.
#include "runtime/sets/by_function/support_bundle.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "runtime/sets/by_function/convex_hull.hpp"

namespace nsmc::rt {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int max_points = ConvexHull::max_points;
constexpr int most_evaluations = 200;
constexpr double most_curvature = 1e7;  // relative to the set; beyond it is a kink
constexpr double steep = 1e3;           // relative to the set: from here on rounding of a normal shows
constexpr double close = 2e-8;          // of a normal, so that its square is rounding
constexpr int most_closer_looks = 3;
constexpr double negligible_error = 2e-13;  // of the set or the point
// What answers miss, likewise, that were found three times but whose pieces were not seen next to them: the worst that
// build/bench/projections has seen.
constexpr double confirmed_error = 1e-10;
// What is enough, likewise, after so many evaluations: at the end rounding hides progress.
constexpr struct {
  int until;
  double error;
} enough[] = {{12, 1e-15}, {24, 1e-14}, {40, 5e-14}, {most_evaluations, 2e-13}};
constexpr double same_piece = 0.04;          // squared, of a change of the gradient: what the Hessian may leave of it
constexpr double same_point = 64 * epsilon;  // of a point, likewise
constexpr double known_piece = 1e-6;         // of the set: within this a point belongs to a piece
constexpr double small_gap = 1e-7;           // of the set: near the end steps need no damping
constexpr double least_damping = 1e-3;       // of the distance
constexpr double beside_kink = 1e-9;         // of a normal: where curvature is looked for if there is none
constexpr double unlimited = std::numeric_limits<double>::infinity();

using Vector = FewVector;
using Matrix = FewMatrix;

struct Point {
  Vector n;
  Vector p;
  Matrix H;
  double weight = 0;
  bool held = false;  // has weight in the last problem without second derivatives

  // Whether other lies on the same smooth piece of Phi: the gradient there is what the Hessian here predicts.
  bool explains(const Point& other) const {
    const Vector difference = other.p - p;
    const double rounding = same_point * p.norm();
    return (difference - H * other.n).squared_norm() <= same_piece * difference.squared_norm() + rounding * rounding;
  }
};

class SupportBundle {
 public:
  SupportBundle(const HomogeneousFunction& Phi, double rho, const double* e1, double slack)
      : Phi_(Phi), dim_(static_cast<int>(Phi.dim)), rho_(rho), inside_(slack * rho) {
    n_ = Vector(e1, dim_);
    y_ = rho * n_;
    // 0 belongs to C0.
    points_[0] = {Vector(dim_), Vector(dim_), Matrix(dim_, dim_)};
    count_ = 1;
  }

  NearestPoint run() {
    if (!look()) return report(NearestPoint::undefined);
    points_[1].weight = 1;
    hull_distance_ = (y_ - points_[1].p).norm();
    hull_x_ = points_[1].p;
    last_n_ = best_n_;
    // Newton's method, unless `pure` problems without second derivatives are due.
    int failures = 0, pure = 0, still = 0, closer = 0;
    double last_error = unlimited;
    while (evaluations_ < most_evaluations) {
      const bool newton = pure == 0, decided = distance_ > inside_;
      if (!newton) --pure;
      if (!solve(newton)) {
        hull_holds_y_ = !newton;
        if (hull_holds_y_) return report(NearestPoint::inside);
        pure = 1;
        continue;
      }
      const double before = distance_, way2 = (n_ - best_n_).squared_norm();
      if (!look()) return report(NearestPoint::undefined);
      const double error = error_of_answer(), scale = std::max(rho_, size_);
      const bool close_now = pieces_are_close();
      const bool better_known = close_now && !is_close_ && error <= negligible_error * scale;
      if ((better_known || (error < best_error_ && (close_now || !is_close_))) && n_.dot(y_) - value_ > inside_) {
        best_error_ = error;
        is_close_ = close_now;
        keep_answer();
      }
      if (best_error_ <= enough_now() * scale) {
        is_confirmed_ = closer == most_closer_looks;
        if (is_close_ || is_confirmed_) break;
        if (!look_closer(closer++ % 2 == 0)) return report(NearestPoint::undefined);
        continue;
      }
      if (newton) {
        damp(distance_ > before || error <= best_error_, way2);
        const bool better = error < last_error / 2 || distance_ - before > 0.1 * std::max(0.0, v_.norm() - before);
        failures = better ? 0 : failures + 1;
        last_error = error;
        pure = !decided ? 1 : failures >= 3 ? std::min(failures - 2, 4) : 0;
      } else {
        if (!decided) pure = 0;
        still += stands_still(scale) ? 1 : 0;
        last_n_ = n_;
        if (still == 3) {
          is_confirmed_ = stands_still_ = true;
          break;
        }
      }
    }
    if (!is_known() && !solve(false)) {
      hull_holds_y_ = true;
      return report(NearestPoint::inside);
    }
    return report(distance_ > inside_ ? NearestPoint::outside : NearestPoint::inside);
  }

 private:
  const HomogeneousFunction& Phi_;
  int dim_;
  double rho_, inside_;
  Vector y_, n_, v_, x_, hull_x_, answer_n_, best_n_, last_n_;
  Point points_[max_points];
  int count_ = 0;
  int evaluations_ = 0;
  double value_ = 0;                                            // Phi(n)
  double distance_ = -std::numeric_limits<double>::infinity();  // the largest n . y - Phi(n) so far
  double gap_ = std::numeric_limits<double>::infinity();        // Phi(n) - max_i n . p_i before the new point
  double size_ = 0;                                             // of the set, as far as seen
  double hull_distance_ = 0;                                    // of y, by the last pure problem
  double damping_ = 0;                                          // lambda
  double best_error_ = std::numeric_limits<double>::infinity();
  double noise_ = 0;  // what rounding of the answer's normal makes of its point, where Phi is steep
  bool hull_holds_y_ = false, is_close_ = false, is_confirmed_ = false, stands_still_ = false;
  Vector expanded_;
  ConvexHull hull_;

  NearestPoint report(NearestPoint::Place place) const {
    NearestPoint result;
    result.place = place;
    result.evaluations = evaluations_;
    const auto unless_negligible = [&](double residual) { return residual <= negligible() ? 0 : residual; };
    if (place == NearestPoint::inside) {
      result.residual = hull_holds_y_ ? 0 : unless_negligible(hull_distance_);
      std::copy_n(best_n_.v, dim_, result.n);
    } else if (place == NearestPoint::outside) {
      const double scale = std::max(rho_, size_), confirmed = is_confirmed_ ? confirmed_error * scale : unlimited;
      const double gap = std::max(0.0, hull_distance_ - distance_) + 4 * epsilon * scale;  // and what rounding hides
      const double bound = std::sqrt(gap * (hull_distance_ + distance_));
      const double own = is_close_ ? best_error_ + noise_ : std::max(best_error_ + noise_, confirmed);
      const double by_hull = std::min(bound, stands_still_ ? confirmed : unlimited);
      const bool is_better = by_hull < own;
      result.residual = unless_negligible(is_better ? by_hull : own);
      std::copy_n((is_better ? hull_x_ : x_).v, dim_, result.x);
      std::copy_n((is_better ? best_n_ : answer_n_).v, dim_, result.n);
    }
    return result;
  }

  double enough_now() const {
    return std::find_if(std::begin(enough), std::end(enough) - 1, [&](const auto& e) { return evaluations_ < e.until; })
        ->error;
  }
  double negligible() const { return negligible_error * std::max(rho_, size_); }
  // Whether the answer is right: its error is negligible, by pieces that were looked at next to it.
  bool is_known() const { return is_close_ && best_error_ <= negligible(); }

  // The error of x at n_, with the weights of the last problem.
  double error_of_answer() const {
    const double e = n_.dot(y_) - value_;
    // What the new gradient has that its piece did not predict; on a kink a formula may give another one.
    const Vector& p = points_[count_ - 1].p;
    double missed = 0, surprise = known_piece * size_;
    bool is_known = false;
    for (int i = 0; i + 1 < count_; ++i) {
      const Point& point = points_[i];
      if (!(point.weight > 0)) continue;
      missed += point.weight * std::abs(value_ - point.p.dot(n_) - n_.dot(point.H * n_) / 2);
      const double difference = (p - point.p - point.H * n_).norm();
      is_known = is_known || difference < surprise;
      surprise = std::min(surprise, difference);
    }
    return (y_ - e * n_ - expanded_).norm() + missed * (1 + e / size_) / 4 + (is_known ? surprise / 8 : 0);
  }
  // The expansions of all pieces with weight are as exact as their gradients are.
  bool is_close(const Point& point) const { return point.n.is_zero() || (point.n - n_).norm() <= close; }
  bool pieces_are_close() const {
    return std::all_of(points_, points_ + count_ - 1, [&](const Point& p) { return !(p.weight > 0) || is_close(p); });
  }
  // Evaluates each of the pieces once more beside n, on its side: where its point reaches farther than the others, or
  // where it was seen. Answers from before do not count any more.
  bool look_closer(bool by_points) {
    const Vector n = n_;
    Vector beside[max_points];
    int sides = 0;
    for (int i = 0; i + 1 < count_; ++i) {
      const Point& point = points_[i];
      if (!(point.weight > 0) || is_close(point)) continue;
      const Vector way = by_points ? point.p + point.H * n - expanded_ : point.n - n;
      beside[sides++] = (n + 0.1 * close * (way - way.dot(n) * n).normalized()).normalized();
    }
    for (int side = 0; side < sides; ++side) {
      n_ = beside[side];
      if (!look()) return false;
    }
    n_ = n;
    best_error_ = unlimited;
    is_close_ = false;
    return true;
  }
  // Takes the expression for x that an error of n hurts less.
  void keep_answer() {
    const double e = n_.dot(y_) - value_;
    x_ = e > size_ ? expanded_ : y_ - e * n_;
    answer_n_ = n_;
    noise_ = 0;
    for (int i = 0; i + 1 < count_; ++i) {
      const double curvature = points_[i].H.norm();
      if (points_[i].weight > 0 && curvature > steep * size_) noise_ += points_[i].weight * 2 * epsilon * curvature;
    }
  }
  bool stands_still(double scale) const {
    return gap_ <= 4 * epsilon * size_ && (n_ - last_n_).norm() * hull_distance_ <= 4 * epsilon * scale &&
           hull_distance_ - distance_ <= 16 * epsilon * scale;
  }
  // After a step of the squared length way2. At the end rounding hides what is good.
  void damp(bool good, double way2) {
    if (gap_ <= small_gap * size_) {
      damping_ = 0;
    } else if (good) {
      damping_ = damping_ > least_damping * hull_distance_ ? damping_ / 8 : 0;
    } else {
      damping_ = std::min(size_, std::max(8 * damping_, gap_ / way2 / 4));
    }
  }

  // Phi at n_: keeps the point, in place of one without weight that matters least. The newest comes last.
  bool look() {
    if (evaluations_ == 0) best_n_ = n_;
    double out[HomogeneousFunction::max_out];
    ++evaluations_;
    if (!Phi_.evaluate(n_.data(), out)) return false;
    value_ = out[0];
    double most = -std::numeric_limits<double>::infinity(), least = std::numeric_limits<double>::infinity();
    int place = count_ < max_points ? count_ : 0;
    for (int i = 0; i < count_; ++i) {
      const double reach = points_[i].p.dot(n_);
      most = std::max(most, reach);
      if (count_ == max_points && !(points_[i].weight > 0) && !points_[i].held && points_[i].p.dot(best_n_) < least) {
        least = points_[i].p.dot(best_n_);
        place = i;
      }
    }
    gap_ = out[0] - most;
    if (place == count_) ++count_;
    Point& point = points_[place];
    point.n = n_;
    point.p = Vector(out + 1, dim_);
    point.H = Matrix(out + 1 + dim_, dim_);
    if (!point.H.is_finite()) {
      // On a kink or a crease: the curvature beside it.
      Vector beside = n_;
      for (int i = 0; i < dim_; ++i) beside[i] += beside_kink * (1 + 0.3 * static_cast<double>(i));
      ++evaluations_;
      if (Phi_.evaluate(beside.data(), out)) point.H = Matrix(out + 1 + dim_, dim_);
      if (!point.H.is_finite()) point.H = Matrix(dim_, dim_);
    }
    point.weight = 0;
    point.held = false;
    size_ = std::max(size_, point.p.norm());
    if (point.H.norm() > most_curvature * size_) point.H = without_large_eigenvalues(point.H, most_curvature * size_);
    for (int i = place; i + 1 < count_; ++i) std::swap(points_[i], points_[i + 1]);
    if (n_.dot(y_) - value_ > distance_) {
      distance_ = n_.dot(y_) - value_;
      best_n_ = n_;
    }
    return true;
  }

  // The problem with or without second derivatives, damped; with them, only with the newest point of each piece, which
  // takes over the weights of the others. Out: v, its direction, and x by the expansion of grad Phi. False if the hull
  // holds the target.
  bool solve(bool newton) {
    Matrix A = Matrix::identity(dim_);
    const bool decided = distance_ > inside_;
    const double shift = !newton ? 0 : (decided ? 0 : 2 * (inside_ - distance_)) + damping_, m = distance_ + shift;
    int which[max_points];
    hull_.n = 0;
    for (int i = count_ - 1; i >= 0; --i) {
      int heir = -1;
      for (int a = 0; a < hull_.n && newton && heir < 0; ++a) {
        if (points_[which[a]].explains(points_[i])) heir = which[a];
      }
      if (heir < 0) {
        which[hull_.n++] = i;
      } else {
        points_[heir].weight += points_[i].weight;
        points_[i].weight = 0;
      }
    }
    if (newton) {
      for (int a = 0; a < hull_.n; ++a) {
        const Point& point = points_[which[a]];
        if (point.weight > 0) A.add(point.weight / m, point.H);
      }
    }
    const FewCholesky L(A);
    for (int a = 0; a < hull_.n; ++a) hull_.q[a] = L.solve_lower(points_[which[a]].p);
    hull_.target = L.solve_lower(y_ + shift * best_n_);
    v_ = -L.solve_upper(hull_.smallest());
    if (!newton) {
      hull_distance_ = v_.norm();
      hull_x_ = y_ - v_;
      for (int a = 0; a < hull_.n; ++a) points_[which[a]].held = hull_.weight[a] > 0;
    }
    if (!(v_.norm() > (newton ? 0 : inside_))) return false;
    n_ = v_.normalized();
    expanded_ = Vector(dim_);
    for (int a = 0; a < hull_.n; ++a) {
      Point& point = points_[which[a]];
      point.weight = hull_.weight[a];
      if (point.weight == 0) continue;
      expanded_ += point.weight * (point.p + point.H * n_);
    }
    return true;
  }
};

}  // namespace

NearestPoint nearest_by_points(const HomogeneousFunction& Phi, double rho, const double* e1, double slack) {
  return SupportBundle(Phi, rho, e1, slack).run();
}

}  // namespace nsmc::rt
