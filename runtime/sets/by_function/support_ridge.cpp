// Ridges of Phi: kinks, and creases where grad Phi changes like a small power of the distance, as for superellipsoids
// of large exponent, in directions that are not the axes.
//
// With e = n . y - Phi(n) the normal sought is the unit vector n with the largest e, and r(n) = y - grad Phi(n) - e n
// the gradient. Across a ridge the rounding of n moves r by far more than any tolerance, although n is well determined:
// where e > 0 the sets {e >= c} are convex cones, hence on a line n + t q the sign of r . q tells on which side the
// maximum is. So, in the eigenvectors q_i of Hess Phi at n, which near a ridge are its normal and the rest, one after
// the other
//     along each steep q_i (large eigenvalue) a bracket is closed by the sign of r . q_i until the rounding of n, with
//     steps of Newton's method from the ridge outwards: there they do not overshoot;
//     along all others together Newton's steps, with r and Hess Phi on them alone. The Hessian is taken a little beside
//     the ridges, whose curvature would drown the others by its rounding.
// r says nothing across a ridge, where grad Phi jumps; the direction of the jump is the normal of the ridge to the last
// digit, and all others, the less steep ones after it, are made perpendicular to it. (Eigenvectors are as exact as
// curvature is large.)
// Then all again with the eigenvectors there, until nothing moves. x = y - e n is as exact as n and Phi are.
//
// Seemingly inside: e <= 0 at the start. Then y is replaced by a point t y a little beyond n . x = Phi(n), whose normal
// lowers t = Phi(n)/n . y, until y itself is beyond; or t no longer falls, and y is inside.
#include "runtime/sets/by_function/support_ridge.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/sets/by_function/function_set.hpp"

namespace nsmc::rt {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int max_dim = static_cast<int>(HomogeneousFunction::max_dim);
constexpr int most_turns = 12, most_steps = 60, most_rounds = 8;
constexpr double first_steepness = 1e3;  // of an eigenvalue, against the size of the set
constexpr double least_steepness = 10;   // where Newton's steps jump to and fro across a ridge
constexpr double nothing = 4 * epsilon;  // on the ridge, as far as a kernel can tell

using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_dim, 1>;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, max_dim, max_dim>;

class RidgeSearch {
 public:
  RidgeSearch(const HomogeneousFunction& Phi, const Vector& y, const Vector& start) : Phi_(Phi), y_(y), n_(start) {
    H_.setZero(y.size(), y.size());
  }

  // Whether n with e > least was found, from a start near it, and is not worse than that.
  bool run(double least) {
    const Vector y = y_;
    if (!look(n_)) return false;
    const double first = e_;
    double t = reach(y);
    for (int round = 0; round < most_rounds && e_ <= least; ++round) {
      if (!(t < infinity)) return false;
      y_ = (1 + 1e-6) * t * y;
      if (!look(n_) || !converge(false)) return false;
      const double before = t;
      t = reach(y);
      y_ = y;
      if (!look(n_)) return false;
      if (!(t < before * (1 - 1e-14))) break;
    }
    return e_ > least && converge(true) && e_ >= first - 64 * epsilon * scale();
  }

  const Vector& normal() const { return n_; }
  double distance() const { return e_; }
  int evaluations() const { return evaluations_; }

 private:
  const HomogeneousFunction& Phi_;
  Vector y_, n_, p_, r_;  // p: grad Phi(n)
  Matrix H_, Q_;
  Vector lambda_;
  double value_ = 0, e_ = 0, size_ = 0;
  double steepness_ = first_steepness;
  int evaluations_ = 0;

  double scale() const { return std::max(y_.norm(), size_); }
  bool is_steep(Eigen::Index i) const { return lambda_[i] > steepness_ * size_; }
  double reach(const Vector& y) const { return n_.dot(y) > 0 ? value_ / n_.dot(y) : infinity; }

  // Phi in the direction of w. False if it has no value.
  bool look(const Vector& w) {
    double out[HomogeneousFunction::max_out];
    n_ = w.normalized();
    ++evaluations_;
    if (!Phi_.evaluate(n_.data(), out)) return false;
    p_ = Eigen::Map<const Eigen::VectorXd>(out + 1, n_.size());
    value_ = out[0];
    e_ = n_.dot(y_) - value_;
    r_ = y_ - p_ - e_ * n_;
    size_ = std::max(size_, p_.norm());
    H_ = Eigen::Map<const Eigen::MatrixXd>(out + 1 + n_.size(), n_.size(), n_.size());
    return true;
  }

  // Curvature where there is one, `aside` from n.
  Matrix curvature(const Vector& aside) {
    double out[HomogeneousFunction::max_out];
    const Vector w = (n_ + aside).normalized();
    ++evaluations_;
    if (!Phi_.evaluate(w.data(), out)) return Matrix::Zero(n_.size(), n_.size());
    const Matrix H = Eigen::Map<const Eigen::MatrixXd>(out + 1 + n_.size(), n_.size(), n_.size());
    return H.allFinite() ? H : Matrix::Zero(n_.size(), n_.size());
  }
  // Beside all ridges.
  Vector beside(double distance) const {
    Vector aside = Vector::Zero(n_.size());
    for (Eigen::Index i = 0; i < n_.size(); ++i) {
      const double part = distance * (1 + 0.3 * static_cast<double>(i));
      if (Q_.size() == 0) {
        aside[i] += part;
      } else if (is_steep(i)) {
        aside += part * Q_.col(i);
      }
    }
    return aside;
  }

  bool find_basis() {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(H_.allFinite() ? H_ : curvature(beside(1e-13)));
    if (eigen.info() != Eigen::Success) return false;
    Q_ = eigen.eigenvectors();
    lambda_ = eigen.eigenvalues();
    return true;
  }

  bool converge(bool to_the_end) {
    steepness_ = first_steepness;
    for (int turn = 0; turn < most_turns; ++turn) {
      if (turn > 2) steepness_ = std::max(0.2 * steepness_, least_steepness);
      const Vector before = n_;
      const double e_before = e_;
      if (!find_basis()) return false;
      for (Eigen::Index i = n_.size() - 1; i >= 0; --i) {
        if (!straighten(i) || (is_steep(i) && !search_along(i))) return false;
      }
      if (!move_the_rest()) return false;
      const double moved = (n_ - before).norm();
      const double enough = to_the_end ? 8 * epsilon * scale() : 0.01 * e_;
      const bool still = turn > 0 && e_ * moved <= enough && std::abs(e_ - e_before) <= enough;
      if (still && (!to_the_end || residual_of_the_rest() <= negligible_residual * scale())) return true;
    }
    return false;
  }

  // The maximum of e along a steep q, which becomes the normal of the ridge if that is where it is.
  bool search_along(Eigen::Index i) {
    const Vector q = Q_.col(i), n_before = n_;
    Vector p_low = p_, p_high = p_;
    const double u_before = q.dot(n_);
    const Vector w = n_ - u_before * q;
    double u = u_before, low = -infinity, high = infinity, last = infinity;
    for (int step = 0; step < most_steps; ++step) {
      const double slope = e_ > 0 ? r_.dot(q) : u_before - u;
      (slope > 0 ? low : high) = u;
      (slope > 0 ? p_low : p_high) = p_;
      if (high - low <= 2 * nothing) break;
      double next = u + slope / (q.dot(H_ * q) + e_);
      const bool shrinks = std::abs(next - u) <= 0.5 * last || step % 4 != 3;
      if (next > low && next < high && next * u > 0 && shrinks && e_ > 0) {
        last = std::abs(next - u);
        if (last <= epsilon / 2) break;
      } else {
        last = infinity;
        if (low > 0 || high < 0) {
          next = std::isinf(low) || std::isinf(high) ? 10 * u : std::copysign(std::sqrt(low * high), low);
        } else {  // the ridge is between them
          next = std::copysign(nothing, u);
          if (!(next > low && next < high)) next = -next;
          if (!(next > low && next < high)) next = 0.5 * (low + high);
        }
      }
      u = next;
      if (!look(w + u * q)) return false;
    }
    const Vector jump = p_high - p_low;
    if (high - low <= 2 * nothing && jump.norm() > 1e-3 * size_) Q_.col(i) = jump.normalized();
    if (low >= -nothing && high <= nothing && low < 0 && high > 0 && !look(w)) return false;
    return e_ > 0 || look(n_before);
  }

  // q_i becomes perpendicular to those before, the steeper ones; false if nothing is left.
  bool straighten(Eigen::Index i) {
    const Eigen::Index before = n_.size() - 1 - i;
    if (before == 0) return true;
    const Matrix N = Q_.rightCols(before);
    Vector q = Q_.col(i);
    const Eigen::HouseholderQR<Matrix> qr(N);
    for (int round = 0; round < 2; ++round) q -= N * qr.solve(q);  // to the last digit
    if (!(q.norm() > 1e-3)) return false;
    Q_.col(i) = q.normalized();
    return true;
  }

  // Across a ridge a sign change is all that can be had of r.
  double residual_of_the_rest() const {
    double sum = 0;
    for (Eigen::Index i = 0; i < n_.size(); ++i) {
      if (!is_steep(i)) sum += r_.dot(Q_.col(i)) * r_.dot(Q_.col(i));
    }
    return std::sqrt(sum);
  }

  // Newton's steps of the directions that are not steep.
  bool move_the_rest() {
    const Eigen::Index dim = n_.size();
    for (int step = 0; step < 4; ++step) {
      Matrix A = lambda_.maxCoeff() > 1e6 * std::max(size_, e_) || !H_.allFinite() ? curvature(beside(1e-7)) : H_;
      A = Q_.transpose() * (A + size_ * n_ * n_.transpose()) * Q_;
      Vector b = Q_.transpose() * r_;
      for (Eigen::Index i = 0; i < dim; ++i) {
        A(i, i) += e_;
        if (!is_steep(i)) continue;
        A.row(i).setZero();
        A.col(i).setZero();
        A(i, i) = 1;
        b[i] = 0;
      }
      const Eigen::LLT<Matrix> llt(A);
      if (llt.info() != Eigen::Success) return true;
      const Vector way = Q_ * llt.solve(b), before = n_;
      if (!way.allFinite()) return true;
      const double e_before = e_, gain = r_.dot(way), length = way.norm();
      double part = 1;
      do {
        if (!look(before + part * way)) return false;
        part *= 0.3;
      } while (e_ < e_before - 4 * epsilon * scale() && part > 1e-4);
      if (e_ < e_before - 4 * epsilon * scale()) return look(before);
      if (e_ * length <= 1e-9 * scale() && gain <= 1e-9 * e_) break;
    }
    return true;
  }
};

}  // namespace

bool settle_on_ridges(const HomogeneousFunction& Phi, double rho, const double* e1, double slack, SupportPoint& point) {
  using Part = Eigen::Map<const Eigen::VectorXd>;
  const Vector y = rho * Part(e1, Phi.dim);
  RidgeSearch search(Phi, y, Part(point.n, Phi.dim));
  const bool better = search.run(slack * rho);
  point.evaluations += search.evaluations();
  if (!better) return false;
  point.place = SupportPoint::outside;
  Eigen::Map<Eigen::VectorXd>(point.n, Phi.dim) = search.normal();
  Eigen::Map<Eigen::VectorXd>(point.x, Phi.dim) = y - search.distance() * search.normal();
  return true;
}

}  // namespace nsmc::rt
