// smooth_newton.hpp comes first; the rest of this file is for kinks of Phi, where that gives up.
//
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
// Newton. Curved parts need second derivatives. With H_i = Hess Phi(n_i), H_i n_i = 0, and a guess m of |v|, the
// problem
//     min_v  max_i p_i . v + 1/2 |v - y|^2 + 1/2 sum_i w_i/m v . H_i v,
// w_i the weights of the last one, is Newton's method for (*) with one point, and for the pieces that meet with one
// point per piece. With A = I + sum_i w_i H_i/m its dual is again a nearest point of a hull, in the norm of A^-1:
// v = A^-1 (y - sum_i w_i p_i). If a normal does not improve the distance n . y - Phi(n), half of the step is
// tried, half of the half, and then problems without second derivatives.
//
// Done? At the solution v all p_i with weight have the same p_i . v, and Phi(v) = p_i . v then says that the pieces are
// known to first order; second derivatives make this accurate to the order of the difference.
#include "runtime/sets/support_newton.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <limits>

#include "runtime/sets/smooth_newton.hpp"

namespace nsmc::rt {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int max_dim = static_cast<int>(HomogeneousFunction::max_dim);
constexpr int max_points = 24;
constexpr int most_evaluations = 200;

using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_dim, 1>;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, max_dim, max_dim>;

// The point of smallest norm in the convex hull of q_1 ... q_n: Wolfe's method. A corral of affinely independent points
// with positive weights grows by the point that lies farthest beyond, and loses those whose weights vanish.
class Hull {
 public:
  Vector q[max_points];
  double weight[max_points];
  int n = 0;

  Vector smallest() {
    std::fill_n(weight, n, 0.0);
    size_ = 1;
    corral_[0] = 0;
    for (int i = 1; i < n; ++i) {
      if (q[i].squaredNorm() < q[corral_[0]].squaredNorm()) corral_[0] = i;
    }
    weight[corral_[0]] = 1;
    Vector x = q[corral_[0]];
    double largest = 0;
    for (int i = 0; i < n; ++i) largest = std::max(largest, q[i].norm());
    double best = x.squaredNorm();
    for (int round = 0; round < 4 * max_points; ++round) {
      int beyond = -1;
      double least = best - 4 * epsilon * largest * std::sqrt(best);
      for (int i = 0; i < n; ++i) {
        const double value = q[i].dot(x);
        if (value < least && !in_corral(i)) {
          least = value;
          beyond = i;
        }
      }
      if (beyond < 0 || size_ > x.size()) break;
      corral_[size_++] = beyond;
      shrink_to_hull();
      x = perpendicular();
      const double norm2 = x.squaredNorm();
      if (!(norm2 < best)) break;
      best = norm2;
    }
    return x;
  }

 private:
  int corral_[max_dim + 2];
  int size_ = 0;

  bool in_corral(int i) const { return std::find(corral_, corral_ + size_, i) != corral_ + size_; }

  Matrix differences() const {
    Matrix result(q[0].size(), size_ - 1);
    for (int a = 1; a < size_; ++a) result.col(a - 1) = q[corral_[a]] - q[corral_[0]];
    return result;
  }

  // The part of the corral that is perpendicular to its affine hull. Near a face it is the small difference of large
  // vectors, but of the normal of a face nothing is lost this way.
  Vector perpendicular() const {
    if (size_ == 1) return q[corral_[0]];
    const Eigen::ColPivHouseholderQR<Matrix> qr(differences());
    Vector x = q[corral_[0]];
    x.applyOnTheLeft(qr.householderQ().adjoint());
    x.head(size_ - 1).setZero();
    x.applyOnTheLeft(qr.householderQ());
    return x;
  }

  // From the present weights towards those of the smallest point of the affine hull; where a weight vanishes on the
  // way, its point is dropped.
  void shrink_to_hull() {
    for (;;) {
      double ideal[max_dim + 2];
      if (size_ == 1) {
        ideal[0] = 1;
      } else {
        const Vector rest = differences().colPivHouseholderQr().solve(-q[corral_[0]]);
        ideal[0] = 1 - rest.sum();
        for (int a = 1; a < size_; ++a) ideal[a] = rest[a - 1];
      }
      double way = 1;
      int leaving = -1;
      for (int a = 0; a < size_; ++a) {
        const double now = weight[corral_[a]];
        if (ideal[a] > 0) continue;
        const double until = now > ideal[a] ? now / (now - ideal[a]) : 0;
        if (until < way || leaving < 0) {
          way = std::min(way, until);
          leaving = a;
        }
      }
      for (int a = 0; a < size_; ++a) weight[corral_[a]] += way * (ideal[a] - weight[corral_[a]]);
      if (leaving < 0) return;
      weight[corral_[leaving]] = 0;
      corral_[leaving] = corral_[--size_];
    }
  }
};

struct Point {
  Vector n;
  Vector p;
  Matrix H;
  double weight = 0;

  // Whether other lies on the same smooth piece of Phi: the gradient there is what the Hessian here predicts.
  bool explains(const Point& other) const {
    const Vector difference = other.p - p;
    return (difference - H * other.n).squaredNorm() <= 0.04 * difference.squaredNorm();
  }
};

class Search {
 public:
  Search(const HomogeneousFunction& Phi, double rho, const double* e1, double slack)
      : Phi_(Phi), dim_(Phi.dim), inside_(slack * rho) {
    n_vector_ = Eigen::Map<const Eigen::VectorXd>(e1, dim_);
    y_ = rho * n_vector_;
    // 0 belongs to C0.
    points_[0] = {Vector::Zero(dim_), Vector::Zero(dim_), Matrix::Zero(dim_, dim_), 0};
    count_ = 1;
  }

  SupportPoint run() {
    if (!look()) return report(SupportPoint::undefined);
    points_[1].weight = 1;
    // What to do next: `halves` normals half-way back to the best one so far, then `pure` problems without second
    // derivatives, then Newton's method again: on one piece as long as it is `smooth`, otherwise on the pieces that
    // meet. As long as y may be inside, Newton's method and the pure problem take turns.
    int failures = 0, halves = 0, pure = 0;
    int almost = 0;  // how often the hull reached as far as the set
    bool smooth = true;
    while (evaluations_ < most_evaluations) {
      const bool outside = distance_ > inside_;
      const bool newton = halves == 0 && pure == 0;
      bool certain = false;  // the hull was asked
      double error = 0;
      if (halves > 0) {
        --halves;
        n_vector_ = (n_vector_ + best_.n).normalized();
      } else if (newton && (smooth || !outside) && climb()) {
        if (outside && settled_) return report(SupportPoint::outside);
      } else {
        certain = true;
        pure = std::max(pure - 1, 0);
        const bool bent = outside && newton;
        if (!solve(bent, error) && (!bent || !solve(false, error))) return report(SupportPoint::inside);
      }
      if (!look()) return report(SupportPoint::undefined);
      if (!certain) {
        for (int i = 0; i < count_; ++i) points_[i].weight = i == count_ - 1 ? 1 : 0;
      }
      const double tolerance = evaluations_ < 20 ? 1e-14 : evaluations_ < 60 ? 1e-13 : 1e-12;
      if (certain && gap_ <= tolerance * size_ && (error <= 10 * tolerance || ++almost == 6)) {
        const double distance = v_.norm();
        if (distance <= inside_) return report(SupportPoint::inside);
        // Of the two expressions for x the one that an error of n hurts less, if they agree at all.
        best_x_ = y_ - v_;
        if (distance > size_ && (best_x_ - expanded_).norm() <= 1e-13 * distance) best_x_ = expanded_;
        best_.n = n_vector_;
        return report(SupportPoint::outside);
      }
      if (!outside) {
        pure = certain ? 0 : 1;
      } else if (newton) {
        failures = improved_ || (certain && gap_ < last_gap_ / 2) ? 0 : failures + 1;
        halves = failures < 3 ? failures : 0;
        if (failures >= 3) {
          failures = 0;
          pure = smooth ? 0 : 3;
          smooth = false;
        }
        if (certain) last_gap_ = gap_;
      }
    }
    double error;
    if (!(distance_ > inside_) || !solve(false, error)) return report(SupportPoint::inside);
    best_x_ = y_ - v_;
    return report(SupportPoint::outside);
  }

 private:
  const HomogeneousFunction& Phi_;
  Eigen::Index dim_;
  double inside_;
  Vector y_, n_vector_, v_, expanded_, best_x_;
  Point best_;  // with the largest n . y - Phi(n)
  Point points_[max_points];
  int count_ = 0;
  int evaluations_ = 0;
  double distance_ = -std::numeric_limits<double>::infinity();  // the largest n . y - Phi(n) so far
  double gap_ = std::numeric_limits<double>::infinity();        // Phi(n) - max_i n . p_i before the new point
  double size_ = 0;                                             // of the set, as far as seen
  bool improved_ = false;
  bool climbed_ = false;  // from the best point
  bool settled_ = false;  // that was the last step
  double last_step_ = 0;
  double last_gap_ = std::numeric_limits<double>::infinity();
  Hull hull_;

  // Newton's method for the largest n . y - Phi(n) on the unit sphere, one step from the best point. Where it comes to
  // rest with y beyond Phi(n), y - grad Phi(n) is parallel to n, hence x found. (Nearer and nearer to the boundary this
  // stays well-conditioned, while 1/m above does not.) False if it was done already, or if there is no curvature to go
  // by.
  bool climb() {
    const double d = best_.n.dot(y_ - best_.p);
    if (climbed_ || best_.H.isZero(0)) return false;
    climbed_ = true;
    const Vector slope = y_ - best_.p - d * best_.n;
    Matrix B = best_.H + size_ * best_.n * best_.n.transpose();
    B.diagonal().array() += std::max(d, 1e-12 * size_);
    const Vector step = B.llt().solve(slope);
    if (!step.allFinite()) return false;
    n_vector_ = (best_.n + step).normalized();
    // Steps shrink quadratically; the last one is applied to x without another evaluation.
    const Vector bent = best_.H * step;
    const double size = step.norm(), ratio = last_step_ > 0 ? size / last_step_ : 1;
    settled_ = size <= 4 * epsilon ||
               (size * size + step.dot(bent) / size_ <= epsilon && size * ratio * ratio <= epsilon) ||
               (size <= 1e-13 && ratio >= 0.5);
    last_step_ = size;
    if (settled_) {
      best_x_ = d > size_ ? Vector(best_.p + bent) : Vector(y_ - (d + slope.dot(step) / 2) * n_vector_);
      best_.n = n_vector_;
    }
    return true;
  }

  SupportPoint report(SupportPoint::Place place) const {
    SupportPoint result;
    result.place = place;
    result.evaluations = evaluations_;
    if (place == SupportPoint::outside) {
      Eigen::Map<Eigen::VectorXd>(result.x, dim_) = best_x_;
      Eigen::Map<Eigen::VectorXd>(result.n, dim_) = best_.n;
    }
    return result;
  }

  // Phi at n_vector_: keeps the point, in place of one without weight that matters least. The newest comes last.
  bool look() {
    double out[HomogeneousFunction::max_out];
    ++evaluations_;
    if (!Phi_.evaluate(n_vector_.data(), out)) return false;
    double most = -std::numeric_limits<double>::infinity(), least = std::numeric_limits<double>::infinity();
    int place = count_;
    for (int i = 0; i < count_; ++i) {
      const double reach = points_[i].p.dot(n_vector_);
      most = std::max(most, reach);
      if (count_ == max_points && !(points_[i].weight > 0) && reach < least) {
        least = reach;
        place = i;
      }
    }
    gap_ = out[0] - most;
    if (place == count_) ++count_;
    Point& point = points_[place];
    point.n = n_vector_;
    point.p = Eigen::Map<const Eigen::VectorXd>(out + 1, dim_);
    point.H = Eigen::Map<const Eigen::MatrixXd>(out + 1 + dim_, dim_, dim_);
    if (!point.H.allFinite()) point.H.setZero(dim_, dim_);
    point.weight = 0;
    size_ = std::max(size_, point.p.norm());
    for (int i = place; i + 1 < count_; ++i) std::swap(points_[i], points_[i + 1]);
    const double d = n_vector_.dot(y_) - out[0];
    improved_ = d > distance_ + 1e-13 * std::abs(distance_);
    if (d > distance_) {
      distance_ = d;
      best_ = points_[count_ - 1];
      climbed_ = false;
    }
    return true;
  }

  // The problem with or without second derivatives; with them, only with the newest point of each piece, which takes
  // over the weights of the others. Out: v, its direction, and x by the expansion of grad Phi. `error`: how far v is
  // off, relative to the set, because the curvature was weighted with the weights from before. False if the hull holds
  // y.
  bool solve(bool newton, double& error) {
    Matrix A = Matrix::Identity(dim_, dim_);
    const double m = distance_;
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
        if (point.weight > 0) A += point.weight / m * point.H;
      }
    }
    const Eigen::LLT<Matrix> llt(A);
    for (int a = 0; a < hull_.n; ++a) {
      const Vector difference = points_[which[a]].p - y_;
      hull_.q[a] = llt.matrixL().solve(difference);
    }
    const Vector smallest = hull_.smallest();
    v_ = -llt.matrixU().solve(smallest);
    const double norm = v_.norm();
    if (!(norm > inside_)) return false;
    n_vector_ = v_ / norm;
    Vector residual = Vector::Zero(dim_);
    expanded_ = Vector::Zero(dim_);
    for (int a = 0; a < hull_.n; ++a) {
      Point& point = points_[which[a]];
      const double used = newton ? point.weight * norm / m : 0;
      point.weight = hull_.weight[a];
      if (used == 0 && point.weight == 0) continue;
      const Vector bent = point.H * n_vector_;
      residual += (used - point.weight) * bent;
      expanded_ += point.weight * (point.p + bent);
    }
    error = llt.solve(residual).norm() / size_;
    return true;
  }
};

// False at a kink.
template <int N>
bool nearest_smooth(const HomogeneousFunction& Phi, double rho, const double* e1, double slack, SupportPoint& point) {
  using Newton = SmoothNewton<N, Given::by_support>;
  Newton newton(Phi, rho, e1, slack);
  const typename Newton::Result result = newton.run(smooth_evaluations);
  if (result != Newton::inside && result != Newton::outside) return false;
  point.evaluations = newton.evaluations();
  point.place = SupportPoint::inside;
  if (result == Newton::inside) return true;
  point.place = SupportPoint::outside;
  const Vec<N> x = newton.nearest(), n = newton.normal();
  std::copy_n(x.v, N, point.x);
  std::copy_n(n.v, N, point.n);
  return true;
}

bool nearest_smooth(const HomogeneousFunction& Phi, double rho, const double* e1, double slack, SupportPoint& point) {
  switch (Phi.dim) {
    case 3: return nearest_smooth<3>(Phi, rho, e1, slack, point);
    case 4: return nearest_smooth<4>(Phi, rho, e1, slack, point);
    case 5: return nearest_smooth<5>(Phi, rho, e1, slack, point);
    default: return nearest_smooth<6>(Phi, rho, e1, slack, point);
  }
}

}  // namespace

SupportPoint nearest_by_newton(const HomogeneousFunction& Phi, double rho, const double* e1, double slack) {
  SupportPoint point;
  if (nearest_smooth(Phi, rho, e1, slack, point)) return point;
  point = Search(Phi, rho, e1, slack).run();
  // The hull is exact to about 1e-13 of the point: what is nearer counts as inside, so that points which were projected
  // stay.
  double distance2 = 0;
  for (std::uint32_t k = 0; k < Phi.dim; ++k) distance2 += (rho * e1[k] - point.x[k]) * (rho * e1[k] - point.x[k]);
  if (point.place == SupportPoint::outside && distance2 <= 4e-26 * rho * rho) point.place = SupportPoint::inside;
  return point;
}

}  // namespace nsmc::rt
