// By the ellipsoid method (shrinking_ellipsoid.hpp).
//
// Gauge.   min 1/2 |x - y|^2 in { k <= 1 }. At a centre c outside, k(x) >= k(c) + grad k . (x - c) cuts off what
//          has k > 1; inside, what is farther from y is cut off. Points c/k(c) belong to the set.
// Support. The nearest point is y - v, v the minimum of 1/2 |v - y|^2 + Phi(v) (Moreau's decomposition), and what has
//          a larger value than the best one so far is cut off.
// As 0 belongs to the set, the solution lies in the ball around y/2 that has 0 and y on its rim.
//
// How exact? Both objectives F are strongly convex: |v - v*|^2 <= 2 (F(v) - F*), and F* is not less than the smallest
// value in the ellipsoid of F's linear bound at its centre. For a distance of 1e-13 both have to agree to 1e-26.
#include "runtime/sets/nearest_by_cuts.hpp"

#include <algorithm>

#include "runtime/sets/shrinking_ellipsoid.hpp"

namespace nsmc::rt {

namespace {

constexpr double accuracy = 1e-13, rounding = 2e-16;

class Search {
 public:
  Search(const HomogeneousFunction& f, Given given, const QuadVector& y)
      : f_(f),
        given_(given),
        n_(f.dim),
        y_(y),
        distance_(length(y, f.dim)),
        ellipsoid_(f.dim, half(y), distance_ / 2) {}

  bool run() {
    const int most = 200 * static_cast<int>((n_ + 1) * (n_ + 1));
    while (evaluations_ < most) {
      if (!(given_ == Given::by_gauge ? cut_at_gauge() : cut_at_support())) return false;
      const Quad size = given_ == Given::by_gauge ? length(best_, n_) : size_;
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
  QuadVector y_, best_;
  Quad distance_;  // |y|
  ShrinkingEllipsoid ellipsoid_;
  Quad size_ = 0;  // of a support set, as far as seen
  bool has_bounds_ = false, empty_ = false;
  Quad upper_ = 0, lower_ = 0;  // of the smallest F
  int evaluations_ = 0;

  QuadVector half(QuadVector y) const {
    for (std::uint32_t i = 0; i < n_; ++i) y[i] /= 2;
    return y;
  }

  bool look(Quad& value, QuadVector& g) {
    ++evaluations_;
    return look_precisely(f_, ellipsoid_.c, distance_, value, g);
  }

  // A value F that v has, and a bound below from F(c) and its gradient.
  void bound(const QuadVector& v, Quad F, Quad F_at_centre, const QuadVector& gradient) {
    if (!has_bounds_ || F < upper_) {
      upper_ = F;
      best_ = v;
    }
    const Quad below = F_at_centre - ellipsoid_.half_width(gradient);
    if (!has_bounds_ || below > lower_) lower_ = below;
    has_bounds_ = true;
  }

  bool cut_at_support() {
    Quad Phi;
    QuadVector g;
    if (!look(Phi, g)) return false;
    size_ = std::max(size_, length(g, n_));
    Quad F = Phi;
    for (std::uint32_t i = 0; i < n_; ++i) {
      const Quad difference = ellipsoid_.c[i] - y_[i];
      F += difference * difference / 2;
      g[i] += difference;
    }
    bound(ellipsoid_.c, F, F, g);
    empty_ = !ellipsoid_.cut(g, F - upper_);
    return true;
  }

  bool cut_at_gauge() {
    Quad k;
    QuadVector g, difference;
    if (!look(k, g)) return false;
    QuadVector inside = ellipsoid_.c;
    Quad F = 0, F_inside = 0;
    for (std::uint32_t i = 0; i < n_; ++i) {
      difference[i] = ellipsoid_.c[i] - y_[i];
      if (k > 1) inside[i] /= k;
      const Quad from_inside = inside[i] - y_[i];
      F += difference[i] * difference[i] / 2;
      F_inside += from_inside * from_inside / 2;
    }
    bound(inside, F_inside, F, difference);
    empty_ = k > 1 ? !ellipsoid_.cut(g, k - 1) : !ellipsoid_.cut(difference, F - upper_);
    return true;
  }
};

}  // namespace

bool nearest_by_cuts(const HomogeneousFunction& f, Given given, const double* y, double* x, int& evaluations) {
  if (f.precise == nullptr) return false;
  QuadVector from{};
  std::copy_n(y, f.dim, from.v);
  Search search(f, given, from);
  const bool found = search.run();
  evaluations += search.evaluations();
  if (found) search.nearest(x);
  return found;
}

}  // namespace nsmc::rt
