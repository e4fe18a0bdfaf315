// The ellipsoid method (Shor; Yudin & Nemirovski; Grötschel, Lovász & Schrijver 1988). The solution is known to lie in
// an ellipsoid; a plane through or beyond its centre cuts off a part where the solution is not; the smallest ellipsoid
// around the rest takes its place. Its volume falls by a factor that depends on the dimension n <= 6 alone, whatever
// the function looks like: kinks, ridges, flats, curvature without bounds.
//
// Gauge.   min 1/2 |x - y|^2 in { k <= 1 }. At a centre c outside, k(x) >= k(c) + grad k . (x - c) cuts off what
//          has k > 1; inside, what is farther from y is cut off. Points c/k(c) belong to the set.
// Support. The nearest point is y - v, v the minimum of 1/2 |v - y|^2 + Phi(v) (Moreau's decomposition), and what has
//          a larger value than the best one so far is cut off.
// As 0 belongs to the set, the solution lies in the ball around y/2 that has 0 and y on its rim.
//
// How exact? Both objectives F are strongly convex: |v - v*|^2 <= 2 (F(v) - F*), and F* is not less than the smallest
// value in the ellipsoid of F's linear bound at its centre. For a distance of 1e-13 both have to agree to 1e-26, and
// across a kink the ellipsoid is as thin as that: hence numbers of 113 bits, and the matrix J of the ellipsoid
// { c + J z : |z| <= 1 } in place of J J^T.
#include "runtime/sets/nearest_by_cuts.hpp"

#include <algorithm>
#include <cmath>

namespace nsmc::rt {

namespace {

using Quad = nsm_quad;
constexpr std::uint32_t max_dim = HomogeneousFunction::max_dim;
constexpr double accuracy = 1e-13, rounding = 2e-16;

struct QuadVector {
  Quad v[max_dim];
  Quad& operator[](std::uint32_t i) { return v[i]; }
  const Quad& operator[](std::uint32_t i) const { return v[i]; }
};

bool is_finite(Quad x) { return x - x == 0; }

// Heron's rule; the first guess has half of the digits.
Quad square_root(Quad x) {
  if (!(x > 0)) return 0;
  Quad root = std::sqrt(static_cast<double>(x));
  if (!(root > 0)) return 0;
  for (int i = 0; i < 2; ++i) root = (root + x / root) / 2;
  return root;
}

class Search {
 public:
  Search(const HomogeneousFunction& f, Given given, const double* y) : f_(f), given_(given), n_(f.dim) {
    Quad square = 0;
    for (std::uint32_t i = 0; i < n_; ++i) {
      y_[i] = y[i];
      square += y_[i] * y_[i];
      c_[i] = y_[i] / 2;
    }
    distance_ = square_root(square);
    for (std::uint32_t i = 0; i < n_; ++i) {
      for (std::uint32_t j = 0; j < n_; ++j) J_[i][j] = i == j ? distance_ / 2 : Quad(0);
    }
  }

  bool run() {
    const int most = 200 * static_cast<int>((n_ + 1) * (n_ + 1));
    while (evaluations_ < most) {
      if (!(given_ == Given::by_gauge ? cut_at_gauge() : cut_at_support())) return false;
      const Quad size = given_ == Given::by_gauge ? square_root(dot(best_, best_)) : size_;
      const Quad error = std::max(accuracy * size, rounding * distance_);
      if (!(upper_ - lower_ > error * error / 2) || empty_) return true;
    }
    return false;
  }

  void nearest(double* x) const {
    for (std::uint32_t i = 0; i < n_; ++i) {
      x[i] = static_cast<double>(given_ == Given::by_gauge ? best_[i] : y_[i] - best_[i]);
    }
  }
  int evaluations() const { return evaluations_; }

 private:
  const HomogeneousFunction& f_;
  Given given_;
  std::uint32_t n_;
  QuadVector y_, c_, best_;
  Quad J_[max_dim][max_dim];
  Quad distance_;  // |y|
  Quad size_ = 0;  // of a support set, as far as seen
  bool has_bounds_ = false, empty_ = false;
  Quad upper_ = 0, lower_ = 0;  // of the smallest F
  int evaluations_ = 0;

  Quad dot(const QuadVector& a, const QuadVector& b) const {
    Quad sum = 0;
    for (std::uint32_t i = 0; i < n_; ++i) sum += a[i] * b[i];
    return sum;
  }

  // f and its gradient g at v, by homogeneity from the unit vector. A formula may be homogeneous up to the rounding of
  // its constants only (|x|^s with a rounded 1/s): what is meant is |v| f(v/|v|), and its gradient has n . g = f. Where
  // there is no gradient, at a kink, v moves aside, by less than matters.
  bool look(QuadVector& v, Quad& value, QuadVector& g) {
    for (int trial = 0; trial < 4; ++trial) {
      const Quad length = square_root(dot(v, v));
      Quad out[1 + max_dim];
      QuadVector n;
      if (length > 0) {
        for (std::uint32_t i = 0; i < n_; ++i) n[i] = v[i] / length;
        nsm_quad_view view{};
        view.self = f_.coefficients;
        view.lambda = n.v;
        f_.precise(&view, out);
        ++evaluations_;
        if (std::all_of(out, out + 1 + n_, is_finite)) {
          std::copy_n(out + 1, n_, g.v);
          const Quad excess = dot(n, g) - out[0];
          for (std::uint32_t i = 0; i < n_; ++i) g[i] -= excess * n[i];
          value = length * out[0];
          return true;
        }
      }
      Quad aside = static_cast<double>(1 << trial) * 1e-30 * distance_;
      for (std::uint32_t i = 0; i < n_; ++i, aside *= Quad(1.3)) v[i] += trial % 2 == 0 ? aside : -aside;
    }
    return false;
  }

  // A value F that v has, and a bound below from F(c) and its gradient.
  void bound(const QuadVector& v, Quad F, Quad F_at_centre, const QuadVector& gradient) {
    if (!has_bounds_ || F < upper_) {
      upper_ = F;
      best_ = v;
    }
    const Quad below = F_at_centre - half_width(gradient);
    if (!has_bounds_ || below > lower_) lower_ = below;
    has_bounds_ = true;
  }

  bool cut_at_support() {
    Quad Phi;
    QuadVector g;
    if (!look(c_, Phi, g)) return false;
    size_ = std::max(size_, square_root(dot(g, g)));
    Quad F = Phi;
    for (std::uint32_t i = 0; i < n_; ++i) {
      const Quad difference = c_[i] - y_[i];
      F += difference * difference / 2;
      g[i] += difference;
    }
    bound(c_, F, F, g);
    cut(g, F - upper_);
    return true;
  }

  bool cut_at_gauge() {
    Quad k;
    QuadVector g, difference, inside = c_;
    if (!look(c_, k, g)) return false;
    Quad F = 0, F_inside = 0;
    for (std::uint32_t i = 0; i < n_; ++i) {
      difference[i] = c_[i] - y_[i];
      if (k > 1) inside[i] /= k;
      const Quad from_inside = inside[i] - y_[i];
      F += difference[i] * difference[i] / 2;
      F_inside += from_inside * from_inside / 2;
    }
    bound(inside, F_inside, F, difference);
    if (k > 1) {
      cut(g, k - 1);
    } else {
      cut(difference, F - upper_);
    }
    return true;
  }

  // |J^T g|: how much a function with this gradient varies from the centre to the rim.
  Quad half_width(const QuadVector& g) const {
    const QuadVector w = to_ball(g);
    return square_root(dot(w, w));
  }
  QuadVector to_ball(const QuadVector& g) const {
    QuadVector w;
    for (std::uint32_t j = 0; j < n_; ++j) {
      w[j] = 0;
      for (std::uint32_t i = 0; i < n_; ++i) w[j] += J_[i][j] * g[i];
    }
    return w;
  }

  // The smallest ellipsoid around what has g . (x - c) <= -depth.
  void cut(const QuadVector& g, Quad depth) {
    QuadVector w = to_ball(g);
    const Quad width = square_root(dot(w, w)), n = n_;
    const Quad a = width > 0 ? depth / width : Quad(1);
    if (!(a < 1)) {  // nothing is left but rounding
      empty_ = true;
      return;
    }
    const Quad step = (1 + n * a) / (n + 1), stretch = square_root(n * n * (1 - a * a) / (n * n - 1));
    const Quad shrink = 1 - square_root((n - 1) * (1 - a) / ((n + 1) * (1 + a)));
    for (std::uint32_t j = 0; j < n_; ++j) w[j] /= width;
    for (std::uint32_t i = 0; i < n_; ++i) {
      Quad b = 0;
      for (std::uint32_t j = 0; j < n_; ++j) b += J_[i][j] * w[j];
      c_[i] -= step * b;
      for (std::uint32_t j = 0; j < n_; ++j) J_[i][j] = stretch * (J_[i][j] - shrink * b * w[j]);
    }
  }
};

}  // namespace

bool nearest_by_cuts(const HomogeneousFunction& f, Given given, const double* y, double* x, int& evaluations) {
  if (f.precise == nullptr) return false;
  Search search(f, given, y);
  const bool found = search.run();
  evaluations += search.evaluations();
  if (found) search.nearest(x);
  return found;
}

}  // namespace nsmc::rt
