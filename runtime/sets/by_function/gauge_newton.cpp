// smooth_newton.hpp comes first; most of this file is for kinks of k, where that gives up. Where neither is sure of its
// answer, nearest_by_cuts.cpp has the last word.
//
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
// they were weighted with are right. Radial scaling puts every answer on the boundary.
#include "runtime/sets/by_function/gauge_newton.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/sets/by_function/nearest_by_cuts.hpp"
#include "runtime/sets/by_function/smooth_newton.hpp"

namespace nsmc::rt {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int max_dim = static_cast<int>(HomogeneousFunction::max_dim);
constexpr int max_cuts = 24;
constexpr int most_evaluations = 200;

using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_dim, 1>;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, max_dim, max_dim>;

struct Cut {
  Vector x;  // on the boundary
  Vector g;
  Matrix H;
  bool bent;  // H exists
  double beta = 0;

  // Whether other lies on the same smooth piece of k: the gradient there is what the Hessian here predicts.
  bool explains(const Cut& other) const {
    const Vector difference = other.g - g;
    return (difference - H * other.x).squaredNorm() <= 0.04 * difference.squaredNorm();
  }
};

// min 1/2 |u - v|^2 subject to g_i . u <= 1: the dual active set method. One violated half space after the other is
// made active while the multipliers of the others stay positive; it ends with the last one, since the distance grows.
class Program {
 public:
  Vector g[max_cuts];
  double beta[max_cuts];
  int n = 0;

  Vector solve(const Vector& v) {
    const auto dim = v.size();
    n_active_ = 0;
    std::fill_n(beta, n, 0.0);
    Vector u = v;
    for (int round = 0; round < 4 * max_cuts; ++round) {
      int worst = -1;
      double most = 0;
      for (int i = 0; i < n; ++i) {
        if (is_active(i)) continue;
        const double excess = g[i].dot(u) - 1, rounding = 4 * epsilon * (1 + g[i].cwiseAbs().dot(u.cwiseAbs()));
        if (excess > rounding && excess > most * g[i].norm()) {
          most = excess / g[i].norm();
          worst = i;
        }
      }
      if (worst < 0) break;
      bool added = false;
      while (!added) {
        Vector r = Vector::Zero(n_active_), direction = g[worst];
        if (n_active_ > 0) {
          const Matrix N = active_normals(dim);
          const Eigen::HouseholderQR<Matrix> qr(N);
          r = qr.solve(g[worst]);
          direction -= N * r;
        }
        // As far as the new half space needs it, or until a multiplier vanishes.
        double step = std::numeric_limits<double>::infinity();
        int leaving = -1;
        const double reach = direction.dot(g[worst]);
        if (n_active_ < dim && reach > 1e-14 * g[worst].squaredNorm()) step = (g[worst].dot(u) - 1) / reach;
        for (int a = 0; a < n_active_; ++a) {
          if (r[a] <= 0) continue;
          const double ends = beta[active_[a]] / r[a];
          if (ends < step) {
            step = ends;
            leaving = a;
          }
        }
        if (step > std::numeric_limits<double>::max()) break;  // rounding: it is as good as satisfied
        if (reach > 0) u -= step * direction;
        for (int a = 0; a < n_active_; ++a) beta[active_[a]] -= step * r[a];
        beta[worst] += step;
        if (leaving >= 0) {
          beta[active_[leaving]] = 0;
          active_[leaving] = active_[--n_active_];
        } else {
          active_[n_active_++] = worst;
          added = true;
        }
      }
      if (!added) {
        beta[worst] = 0;
        break;
      }
      refine(v, u);
    }
    return u;
  }

 private:
  int active_[max_dim + 1];
  int n_active_ = 0;

  bool is_active(int i) const { return std::find(active_, active_ + n_active_, i) != active_ + n_active_; }

  Matrix active_normals(Eigen::Index dim) const {
    Matrix N(dim, n_active_);
    for (int a = 0; a < n_active_; ++a) N.col(a) = g[active_[a]];
    return N;
  }

  // u and the multipliers from the active half spaces alone, free of what rounding did on the way:
  //     u = v - N beta,  N^T u = 1,  with N = Q R:  u = v - Q (Q^T v - R^-T 1).
  void refine(const Vector& v, Vector& u) {
    const auto dim = v.size();
    const Eigen::HouseholderQR<Matrix> qr(active_normals(dim));
    Vector t = v;
    t.applyOnTheLeft(qr.householderQ().adjoint());
    const auto R = qr.matrixQR().topLeftCorner(n_active_, n_active_).template triangularView<Eigen::Upper>();
    Vector ones = Vector::Ones(n_active_);
    const Vector there = R.transpose().solve(ones);
    const Vector difference = t.head(n_active_) - there;
    const Vector fresh = R.solve(difference);
    if (!fresh.allFinite() || (fresh.array() < 0).any()) return;
    for (int a = 0; a < n_active_; ++a) beta[active_[a]] = fresh[a];
    t.head(n_active_) = there;
    t.applyOnTheLeft(qr.householderQ());
    u = t;
  }
};

class Search {
 public:
  Search(const HomogeneousFunction& k, double rho, const double* e1) : k_(k), dim_(k.dim) {
    y_ = rho * Eigen::Map<const Eigen::VectorXd>(e1, dim_);
  }

  // k at x/|x| times |x|, with the cut there; NaN if k has no value.
  double look(const Vector& x) {
    double out[HomogeneousFunction::max_out];
    const double norm = x.norm();
    const Vector d = x / norm;
    ++evaluations_;
    if (!(norm > 0) || !k_.evaluate(d.data(), out) || !(out[0] > 0)) return std::numeric_limits<double>::quiet_NaN();
    cut_.x = d / out[0];
    cut_.g = Eigen::Map<const Eigen::VectorXd>(out + 1, dim_);
    cut_.H = Eigen::Map<const Eigen::MatrixXd>(out + 1 + dim_, dim_, dim_) * out[0];  // at x = d/k(d)
    // None, or what rounding made of one: a gauge that is a root may have such.
    cut_.bent = cut_.H.norm() * cut_.x.norm() <= 1e13 * cut_.g.norm();
    if (!cut_.bent) cut_.H.setZero(dim_, dim_);
    cut_.beta = 0;
    return norm * out[0];
  }

  void run(double size) {
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
        x = (x / size + nearest) / 2;
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
          is_sure_ = merit <= 1e-14 && ((is_known_ && !is_creased()) || pieces_hold(best_));
        }
        if (merit <= (evaluations_ < 20 ? 1e-14 : evaluations_ < 60 ? 1e-13 : 1e-12)) return;
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
    if (!(size > 0)) best_.setConstant(dim_, size);
  }

  const Vector& best() const { return best_; }
  bool is_sure() const { return is_sure_; }
  int evaluations() const { return evaluations_; }

 private:
  const HomogeneousFunction& k_;
  Eigen::Index dim_;
  Vector y_, best_;
  Cut cut_;
  Cut cuts_[max_cuts];
  int n_ = 0;
  int evaluations_ = 0;
  bool is_sure_ = false, is_known_ = false;
  Program program_;

  // Whether k is curved so much at an active cut, across directions that are not the axes, that rounding of x shows in
  // its gradient.
  bool is_creased() const {
    return std::any_of(cuts_, cuts_ + n_, [](const Cut& cut) { return cut.beta > 0 && is_creased(cut); });
  }
  static bool is_creased(const Cut& cut) {
    const Matrix oblique = cut.H - Matrix(cut.H.diagonal().asDiagonal());
    return !cut.bent || oblique.norm() * cut.x.norm() > 1e3 * cut.g.norm();
  }

  // What the gradient at the last point has that its piece did not predict there, as a part of y: the residual of (*).
  // 0 if it belongs to no active piece that is known, as a formula may have it on a kink.
  double surprise() {
    double beta = 0, least = 1e-6 * cut_.g.norm();
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

  // Whether the active pieces are what their cuts say next to x, on their sides: on a kink the gradient at x itself may
  // be that of none. At the tip of a cone the rounding of x turns the gradient; a little farther away it does not, and
  // there the cut must be as exact. Beside a cut that is close already: whether k is smooth there. With one piece x may
  // lie beyond its end, on the bend to another, by less than rounding of k(x) shows.
  bool pieces_hold(const Vector& x) {
    const Cut here = cut_;
    if (is_creased(here) && std::count_if(cuts_, cuts_ + n_, [](const Cut& cut) { return cut.beta > 0; }) == 1) {
      return false;
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
      if (way.norm() > 1e-8) {
        missed += std::min(missed_at(1e-9), missed_at(1e-3));
      } else if (is_creased(cut) || missed_at(1e-5) > 1e-8) {
        missed = std::numeric_limits<double>::infinity();
      }
    }
    cut_ = here;
    return missed <= 2e-13;
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
    if (n_ == 1) cut_.beta = std::max(0.0, (cut_.g.dot(y_) - 1) / cut_.g.squaredNorm());
    cuts_[place] = cut_;
    // The newest comes last.
    for (int i = place; i + 1 < n_; ++i) std::swap(cuts_[i], cuts_[i + 1]);
  }

  // The program with or without second derivatives; with them, only with the newest cut of each piece, which takes over
  // the multipliers of the others. `error`: how far the solution is off, relative to its size, because the curvature
  // was weighted with the multipliers from before.
  Vector solve(bool newton, double& error) {
    Matrix A = Matrix::Identity(dim_, dim_);
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
        A += cut.beta * (cut.H + cut.g * cut.g.transpose());
        b += cut.beta * cut.g;
      }
    }
    const Eigen::LLT<Matrix> llt(A);
    for (int a = 0; a < program_.n; ++a) program_.g[a] = llt.matrixL().solve(cuts_[which[a]].g);
    const Vector v = llt.matrixL().solve(b);
    const Vector u = program_.solve(v);
    const Vector x = llt.matrixU().solve(u);
    Vector residual = Vector::Zero(dim_);
    for (int a = 0; a < program_.n; ++a) {
      Cut& cut = cuts_[which[a]];
      const double used = newton ? cut.beta : 0, excess = used * (cut.g.dot(x) - 1);
      cut.beta = program_.beta[a];
      residual += (used - cut.beta) * (cut.H * x) + excess * cut.g;
    }
    error = llt.solve(residual).norm() / x.norm();
    return x;
  }
};

// What is known of the nearest point of C0.
struct Answer {
  enum Place { inside, outside, unknown } place = unknown;
  bool sure = false;
  int evaluations = 0;
  double x[max_dim];
};

// Unknown at a kink.
template <int N>
Answer nearest_where_smooth(const HomogeneousFunction& k, double rho, const double* e1, double slack) {
  using Newton = SmoothNewton<N, Given::by_gauge>;
  Newton newton(k, rho, e1, slack - 1);
  Answer answer;
  const typename Newton::Result result = newton.run(smooth_evaluations);
  if (result == Newton::inside) answer.place = Answer::inside;
  if (result != Newton::outside) return answer;
  answer.place = Answer::outside;
  answer.sure = newton.is_sure();
  answer.evaluations = newton.evaluations();
  std::copy_n(newton.nearest().v, N, answer.x);
  return answer;
}

Answer nearest_where_smooth(const HomogeneousFunction& k, double rho, const double* e1, double slack) {
  switch (k.dim) {
    case 3: return nearest_where_smooth<3>(k, rho, e1, slack);
    case 4: return nearest_where_smooth<4>(k, rho, e1, slack);
    case 5: return nearest_where_smooth<5>(k, rho, e1, slack);
    default: return nearest_where_smooth<6>(k, rho, e1, slack);
  }
}

}  // namespace

int prox_by_newton(const HomogeneousFunction& k, double s, double rho, const double* e1, double slack, double* z) {
  Answer answer = nearest_where_smooth(k, rho, e1, slack);
  if (answer.place == Answer::inside) return 0;
  Eigen::Map<Eigen::VectorXd> x(z, k.dim);
  const Vector y = rho * Eigen::Map<const Eigen::VectorXd>(e1, k.dim);
  Search search(k, rho, e1);
  if (answer.place == Answer::unknown) {
    const double size = search.look(y);
    if (size <= slack) return 0;
    if (!(size > 0)) {
      x.setConstant(size);
      return search.evaluations();
    }
    search.run(size);
    answer.sure = search.is_sure();
    std::copy_n(search.best().data(), k.dim, answer.x);
  } else if (answer.sure) {
    x = s * Eigen::Map<const Eigen::VectorXd>(answer.x, k.dim);
    return answer.evaluations;
  }
  if (!answer.sure) nearest_by_cuts(k, Given::by_gauge, y.data(), answer.x, answer.evaluations);
  x = s * Eigen::Map<const Eigen::VectorXd>(answer.x, k.dim);
  // Inside for the next call, bit by bit.
  for (int round = 0; round < 4; ++round) {
    const double again = search.look(x / s);
    if (!(again > slack)) break;
    x /= again;
  }
  return answer.evaluations + search.evaluations();
}

}  // namespace nsmc::rt
