// By the ellipsoid method (shrinking_ellipsoid.hpp).
//
// Gauge.   min 1/2 |x - y|^2 in { k <= 1 }. At a centre c outside, k(x) >= k(c) + grad k . (x - c) cuts off what
//          has k > 1; inside, what is farther from y is cut off. Points c/k(c) belong to the set.
// Support. The nearest point is y - v, v the minimum of 1/2 |v - y|^2 + Phi(v) (Moreau's decomposition), and what has
//          a larger value than the best one so far is cut off.
// As 0 belongs to the set, the solution lies in the ball around y/2 that has 0 and y on its rim. But an answer that
// another method is not sure of is nearly always right to some digits, and every digit of the radius costs as much: the
// search begins in a small ball around that answer. The objectives F below are convex, so that a minimum in the ball
// that is not at its rim is the minimum everywhere. If it is, a larger ball follows, and then all of the first one.
//
// How exact? Both objectives F are strongly convex: |v - v*|^2 <= 2 (F(v) - F*), and F* is not less than the smallest
// value in the ellipsoid of F's linear bound at its centre. For a distance of 1e-13 both have to agree to 1e-26.
#include "runtime/sets/by_function/nearest_by_cuts.hpp"

#include <algorithm>
#include <iterator>

#include "runtime/sets/by_function/shrinking_ellipsoid.hpp"

namespace nsmc::rt {

namespace {

constexpr double accuracy = 1e-13, rounding = 2e-16;
// Radii of the balls around the answer at hand, of |y|.
constexpr double small_balls[] = {1e-11, 1e-7};

class Search {
 public:
  // In a ball, which may be too small.
  Search(const HomogeneousFunction& f, Given given, const QuadVector& y, const QuadVector& centre, Quad radius,
         bool is_small)
      : f_(f),
        given_(given),
        n_(f.dim),
        y_(y),
        centre_(centre),
        distance_(length(y, f.dim)),
        radius_(radius),
        is_small_(is_small),
        ellipsoid_(f.dim, centre, radius) {}

  bool run() {
    const int most = 200 * static_cast<int>((n_ + 1) * (n_ + 1));
    while (evaluations_ < most) {
      if (!(given_ == Given::by_gauge ? cut_at_gauge() : cut_at_support())) return false;
      if (is_exact() || empty_) return true;
      if (is_small_ && !(off_centre() < radius_))
        return false;  // ellipsoids reach beyond the ball, and there it is better
    }
    return false;
  }

  // Whether the answer is the minimum of the ball, and not at its rim. The former is within `error` of it.
  bool is_inner() const { return is_exact() && off_centre() + error() < radius_; }

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
  QuadVector y_, centre_, best_;
  Quad distance_, radius_;  // |y|; of the ball
  bool is_small_;
  ShrinkingEllipsoid ellipsoid_;
  Quad size_ = 0;  // of a support set, as far as seen
  bool has_bounds_ = false, empty_ = false;
  Quad upper_ = 0, lower_ = 0;  // of the smallest F
  int evaluations_ = 0;

  Quad error() const {
    const Quad size = given_ == Given::by_gauge ? length(best_, n_) : size_;
    return std::max(accuracy * size, rounding * distance_);
  }
  Quad off_centre() const { return length(difference(best_, centre_, n_), n_); }
  bool is_exact() const { return !(upper_ - lower_ > error() * error() / 2); }

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
  QuadVector from{}, middle{}, answer{};
  std::copy_n(y, f.dim, from.v);
  std::copy_n(x, f.dim, answer.v);
  if (given == Given::by_support) answer = difference(from, answer, f.dim);
  for (std::uint32_t i = 0; i < f.dim; ++i) middle[i] = from[i] / 2;
  const auto look_in = [&](const QuadVector& centre, Quad radius, bool is_small) {
    Search search(f, given, from, centre, radius, is_small);
    const bool found = search.run() && (!is_small || search.is_inner());
    evaluations += search.evaluations();
    if (found) search.nearest(x);
    return found;
  };
  const Quad distance = length(from, f.dim);
  return std::any_of(std::begin(small_balls), std::end(small_balls),
                     [&](double part) { return look_in(answer, part * distance, true); }) ||
         look_in(middle, distance / 2, false);
}

}  // namespace nsmc::rt
