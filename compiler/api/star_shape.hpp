// A star-shaped set {x : k(x) <= 1} by its gauge function k, where it is not convex: what is left of projection and
// support function. Both are looked for over the directions of the boundary points d/k(d): from the best of a mesh, by
// ever smaller steps.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace nsmc {

class StarShape {
 public:
  using Gauge = std::function<double(std::span<const double>)>;

  // Of two or three dimensions.
  StarShape(std::size_t dim, Gauge gauge) : dim_(dim), gauge_(std::move(gauge)) {}

  std::size_t dim() const { return dim_; }
  double gauge(std::span<const double> x) const { return gauge_(x); }
  // The nearest point, in place, to 1e-7 of the size of the set. SettingError where there are several.
  void nearest(std::span<double> z) const;
  double support(std::span<const double> v) const;  // that of its convex hull
  std::vector<std::vector<double>> boundary(int detail) const;

 private:
  struct Candidate {
    double value;
    std::vector<double> point;
  };
  // The local minima of f over the points of the boundary, the lowest first.
  std::vector<Candidate> minima(const std::function<double(std::span<const double>)>& f) const;
  std::vector<double> boundary_point(std::span<const double> direction) const;

  std::size_t dim_;
  Gauge gauge_;
};

}  // namespace nsmc
