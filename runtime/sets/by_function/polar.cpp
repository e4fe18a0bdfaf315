// k(d) = max v . d/Phi(v), and every v gives a bound below, k(d') >= v . d'/Phi(v) for all d'. Hence value and gradient
// fit together however good v is, and only the value has to be exact. A bound above: gradients of Phi are points of the
// set, and so are convex combinations p of them; k(d) <= k(p)/t + |r| max |v| for d/t = p + r.
//
// Newton's steps with the residual d/k - grad Phi(v) in 113 bits and second derivatives in doubles: every step adds the
// digits that these have. They end at kinks of Phi.
//
// Pieces. At a kink the directions w in which one can leave v tell the smooth pieces of Phi that meet there: their
// gradients p_i are those at v + epsilon w. Wolfe's method, which asks for the p_i that lies farthest beyond, finds
// those whose hull is next to d/k = sum lambda_i p_i + r. Newton's step for
//     sum lambda_i grad Phi_i(v) = d/k,   Phi_i(v) = Phi_j(v)
// goes, perpendicular to the differences of the p_i, by the second derivatives of sum lambda_i Phi_i, and along them to
// where the pieces are equal. epsilon becomes smaller as v becomes better; r = 0 is a proof.
//
// Cuts. Where the residual does not fall (gradients like |v|^(1/7) are neither smooth nor a kink), the minimum of Phi
// in the plane v . d = 1 is found by the ellipsoid method, from a ball around what is known, a larger one if the
// minimum is at its rim: since Phi is convex, one that is not is the smallest of all.
#include "runtime/sets/by_function/polar.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime/sets/by_function/convex_hull.hpp"
#include "runtime/sets/by_function/gauge_set.hpp"
#include "runtime/sets/by_function/shrinking_ellipsoid.hpp"
#include "runtime/sets/exposed_face.hpp"

namespace nsmc::rt {

namespace {

// Of cuts: half of the digits of k are those of v.
constexpr double all_digits = 1e-29;

using Vector = Hull::Vector;
using Matrix = Hull::Matrix;

Vector rounded(const QuadVector& v, std::uint32_t n) {
  Vector result(n);
  for (std::uint32_t i = 0; i < n; ++i) result[i] = static_cast<double>(v[i]);
  return result;
}

class Search {
 public:
  Search(const HomogeneousFunction& Phi, const QuadVector& d, double accuracy, PolarPoint& at)
      : Phi_(Phi), n_(Phi.dim), d_(d), accuracy_(accuracy), at_(at) {}

  bool run() {
    at_.has_P = false;
    const QuadVector start = at_.v;
    if (!look_at(start)) return false;
    return n_ == 1 || by_newton() || (look_at(start) && by_pieces()) || (look_at(start) && by_cuts());
  }

 private:
  const HomogeneousFunction& Phi_;
  std::uint32_t n_;
  QuadVector d_;
  double accuracy_;
  PolarPoint& at_;
  QuadVector g_{};  // grad Phi(v)
  Quad value_ = 0;  // of Phi at what was looked at last

  Quad k() const { return dot(at_.v, d_, n_); }

  bool look_at(QuadVector v) {
    if (!look_precisely(Phi_, v, length(v, n_), value_, g_) || !(value_ > 0)) return false;
    at_.v = scaled(v, 1 / value_, n_);
    return k() > 0;
  }

  // Hess Phi beside v.
  bool add_hessian(const Vector& aside, double weight, Matrix& H) const {
    const Vector v = rounded(at_.v, n_), there = v.normalized() + aside;
    double out[HomogeneousFunction::max_out];
    if (!Phi_.evaluate(Vector(there.normalized()).data(), out)) return false;
    H += weight * Eigen::Map<const Matrix>(out + 1 + n_, n_, n_) / v.norm();
    return H.allFinite();
  }

  bool by_newton() {
    Quad missed = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 8; ++round) {
      const QuadVector r = difference(scaled(d_, 1 / k(), n_), g_, n_);
      const Quad size = length(r, n_), residual = size / length(g_, n_);
      if (!(residual < missed / 8)) return false;
      const Vector g = rounded(g_, n_);
      Matrix M = g * g.transpose();
      if (!add_hessian(Vector::Zero(n_), 1, M)) return false;
      at_.P = Eigen::PartialPivLU<Matrix>(M).inverse();
      at_.has_P = at_.P.allFinite();
      if (!at_.has_P) return false;
      if (residual <= accuracy_) return true;
      const Vector right = rounded(scaled(r, 1 / size, n_), n_), step = at_.P * right;
      // What is left of k is half of r . P r; believed where the steps are as good as this one promises to be.
      const bool last = size * size * Quad(std::abs(right.dot(step))) <= accuracy_ && residual <= 1e-3 * missed;
      QuadVector next = at_.v;
      for (std::uint32_t i = 0; i < n_; ++i) next[i] += size * step[i];
      const Quad before = k();
      // A v that gives less than another is farther from the maximum: second derivatives were rounding.
      if (!look_at(next) || k() < before * (1 - accuracy_)) return false;
      if (last) return true;
      missed = residual;
    }
    return false;
  }

  struct Piece {
    Vector w;
    QuadVector p;
    double weight;
  };

  // The pieces around v whose hull is next to the target. Those that are known already show where to look.
  bool find_pieces(double epsilon, const QuadVector& target, std::vector<Piece>& pieces) {
    Hull hull;
    hull.target = Vector::Zero(n_);
    std::vector<Piece> found;
    const QuadVector v = at_.v;
    const Quad reach = epsilon * length(v, n_);
    const auto look = [&](const Vector& w) {
      QuadVector beside = v;
      for (std::uint32_t i = 0; i < n_; ++i) beside[i] += reach * w[i];
      Piece piece{w, {}, 0};
      Quad value;
      if (!look_precisely(Phi_, beside, reach, value, piece.p)) return false;
      hull.weight[hull.n] = 0;
      hull.q[hull.n++] = rounded(difference(piece.p, target, n_), n_);
      found.push_back(piece);
      return true;
    };
    for (const Piece& piece : pieces) {
      if (!look(piece.w)) return false;
    }
    if (found.empty()) {
      const QuadVector r = difference(target, g_, n_);
      const Vector w = rounded(scaled(r, 1 / length(r, n_), n_), n_);
      if (!w.allFinite() || !look(w)) return false;
    }
    Vector x = hull.smallest();
    const double scale = rounded(target, n_).norm();
    while (hull.n < Hull::max_points && x.norm() > 1e-15 * scale) {
      if (!look(-x.normalized())) return false;
      if (hull.q[hull.n - 1].dot(x) >= (1 - 1e-3) * x.squaredNorm()) break;
      const double before = x.norm();
      x = hull.smallest();
      if (!(x.norm() < before)) break;
    }
    pieces.clear();
    for (int i = 0; i < hull.n; ++i) {
      found[i].weight = hull.weight[i];
      if (hull.weight[i] > 1e-14) pieces.push_back(found[i]);
    }
    // All p . v are the same but for epsilon: more than n of them would say the same twice.
    const auto lighter = [](const Piece& a, const Piece& b) { return a.weight < b.weight; };
    while (pieces.size() > n_) pieces.erase(std::min_element(pieces.begin(), pieces.end(), lighter));
    return !pieces.empty();
  }

  bool by_pieces() {
    std::vector<Piece> pieces;
    for (const double epsilon : {1e-5, 1e-7, 1e-9, 1e-12, 1e-15, 1e-19, 1e-25, 1e-31, 1e-31}) {
      const QuadVector target = scaled(d_, 1 / k(), n_);
      if (!find_pieces(epsilon, target, pieces)) return false;
      const auto m = static_cast<Eigen::Index>(pieces.size()) - 1;
      const QuadVector first = pieces[0].p;
      Matrix D(n_, m);
      for (Eigen::Index j = 0; j < m; ++j) D.col(j) = rounded(difference(pieces[j + 1].p, first, n_), n_);
      Eigen::ColPivHouseholderQR<Matrix> qr;  // of nothing where Phi is smooth
      if (m > 0) qr.compute(D);
      // lambda to all digits.
      Quad weight[PolarPoint::max_dim];
      for (Eigen::Index j = 0; j < m; ++j) weight[j] = pieces[j + 1].weight;
      QuadVector r;
      Quad size = 0;
      for (int round = 0; round < 4; ++round) {
        r = difference(target, first, n_);
        for (Eigen::Index j = 0; j < m; ++j) add(r, -weight[j], difference(pieces[j + 1].p, first, n_));
        size = length(r, n_);
        if (m == 0 || !(size > 0)) break;
        const Vector change = qr.solve(rounded(scaled(r, 1 / size, n_), n_));
        for (Eigen::Index j = 0; j < m; ++j) weight[j] += size * change[j];
      }
      bool convex = true;
      Quad rest = 1;
      Matrix M = Matrix::Zero(n_, n_);
      for (Eigen::Index j = 0; j < m; ++j) {
        rest -= weight[j];
        convex = convex && weight[j] >= 0;
        if (!add_hessian(std::max(epsilon, 1e-8) * pieces[j + 1].w, static_cast<double>(weight[j]), M)) return false;
      }
      if (!convex || !(rest >= 0)) return false;
      if (!add_hessian(std::max(epsilon, 1e-8) * pieces[0].w, static_cast<double>(rest), M)) return false;
      const Vector g = rounded(first, n_);
      M += g * g.transpose();
      Matrix Q = Matrix::Identity(n_, n_);
      if (m > 0) Q.applyOnTheLeft(qr.householderQ());
      const Matrix E = Q.rightCols(n_ - m);
      at_.P = E * Eigen::PartialPivLU<Matrix>(Matrix(E.transpose() * M * E)).inverse() * E.transpose();
      at_.has_P = at_.P.allFinite();
      if (!at_.has_P) return false;
      if (size <= accuracy_ * length(first, n_)) return true;

      QuadVector next = at_.v;
      if (m > 0) {
        Quad apart[PolarPoint::max_dim], most = 0;
        for (Eigen::Index j = 0; j < m; ++j) {
          apart[j] = dot(difference(pieces[j + 1].p, first, n_), at_.v, n_);
          most = std::max(most, apart[j] < 0 ? -apart[j] : apart[j]);
        }
        Vector right(m);
        for (Eigen::Index j = 0; j < m; ++j) right[j] = most > 0 ? -static_cast<double>(apart[j] / most) : 0;
        add(next, most, Vector(D.transpose().completeOrthogonalDecomposition().solve(right)));
      }
      if (size > 0) add(next, size, Vector(at_.P * rounded(scaled(r, 1 / size, n_), n_)));
      if (!look_at(next)) return false;
    }
    return false;
  }

  void add(QuadVector& a, Quad factor, const QuadVector& b) const {
    for (std::uint32_t i = 0; i < n_; ++i) a[i] += factor * b[i];
  }
  void add(QuadVector& a, Quad factor, const Vector& b) const {
    for (std::uint32_t i = 0; i < n_; ++i) a[i] += factor * b[i];
  }

  // Of the plane v . d = 0: what Householder's reflection that takes an axis to d makes of the other axes.
  void find_tangents(QuadVector* T) const {
    const auto smaller = [](Quad a, Quad b) { return a * a < b * b; };
    const auto pivot = static_cast<std::uint32_t>(std::max_element(d_.v, d_.v + n_, smaller) - d_.v);
    QuadVector w = d_;
    w[pivot] += d_[pivot] > 0 ? 1 : -1;
    const Quad square = dot(w, w, n_);
    for (std::uint32_t j = 0; j < n_; ++j) {
      if (j == pivot) continue;
      for (std::uint32_t i = 0; i < n_; ++i) (*T)[i] = (i == j ? 1 : 0) - 2 * w[i] * w[j] / square;
      ++T;
    }
  }

  // P stays what it was: second derivatives of what is near.
  bool by_cuts() {
    const std::uint32_t m = n_ - 1;
    QuadVector T[PolarPoint::max_dim];
    find_tangents(T);
    QuadVector best = scaled(at_.v, 1 / k(), n_);
    Quad upper = 1 / k(), radius = 1e-6 * length(best, n_);
    for (int trial = 0; trial < 8; ++trial, radius *= 1e3) {
      const QuadVector from = best;
      ShrinkingEllipsoid ellipsoid(m, QuadVector{}, radius);
      QuadVector z_best{};
      Quad lower = 0;
      const int most = 300 * static_cast<int>(n_ * n_);
      bool done = false;
      for (int evaluations = 0; evaluations < most && !done; ++evaluations) {
        QuadVector v = from, slope;
        for (std::uint32_t j = 0; j < m; ++j) add(v, ellipsoid.c[j], T[j]);
        if (!look_at(v)) return false;
        for (std::uint32_t j = 0; j < m; ++j) slope[j] = dot(T[j], g_, n_);
        if (value_ < upper) {
          upper = value_;
          best = v;
          z_best = ellipsoid.c;
        }
        lower = std::max(lower, value_ - ellipsoid.half_width(slope));
        done = !(upper - lower > all_digits * upper) || !ellipsoid.cut(slope, value_ - upper);
      }
      if (length(z_best, m) < radius / 2) return look_at(best);
    }
    return false;
  }
};

}  // namespace

bool find_polar(const HomogeneousFunction& Phi, const QuadVector& d, double accuracy, PolarPoint& at) {
  return Search(Phi, d, accuracy, at).run();
}

// At kinks by projections on { Phi <= 1 }: v is that of v + far d for every `far`, and a guess becomes better by 1/far.
bool guess_polar(const HomogeneousFunction& Phi, const double* d, double* v) {
  constexpr double far = 1e3;
  const HomogeneousFunction in_doubles{Phi.function, Phi.coefficients, Phi.n_coefficients, Phi.dim};
  double out[HomogeneousFunction::max_out];
  if (!Phi.evaluate(d, out) || !(out[0] > 0)) return false;
  if (Phi.dim > 1 && exposed_where_smooth(in_doubles, d, v)) return true;
  const double reach = far / out[0];
  std::fill_n(v, Phi.dim, 0.0);
  for (int round = 0; round < 12; ++round) {
    double before[HomogeneousFunction::max_dim], change = 0, size = 0;
    std::copy_n(v, Phi.dim, before);
    for (std::uint32_t i = 0; i < Phi.dim; ++i) v[i] += reach * d[i];
    GaugeSet{in_doubles, 1}.prox(v);
    for (std::uint32_t i = 0; i < Phi.dim; ++i) {
      change = std::max(change, std::abs(v[i] - before[i]));
      size = std::max(size, std::abs(v[i]));
    }
    if (!(change > 1e-8 * size)) break;
  }
  return std::all_of(v, v + Phi.dim, [](double x) { return std::isfinite(x); });
}

}  // namespace nsmc::rt
