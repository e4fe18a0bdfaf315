// An independent integrator for smooth phases: the classical Runge-Kutta method of order 4 with small fixed steps, and
// events by bisection of the step in which a function changes its sign.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace nsmc::test {

template <std::size_t n>
using Vec = std::array<double, n>;

template <std::size_t n, class F>
Vec<n> rk4_step(F&& f, double t, const Vec<n>& y, double h) {
  const auto moved = [&](const Vec<n>& slope, double by) {
    Vec<n> result = y;
    for (std::size_t i = 0; i < n; ++i) result[i] += by * slope[i];
    return result;
  };
  const Vec<n> k1 = f(t, y);
  const Vec<n> k2 = f(t + h / 2, moved(k1, h / 2));
  const Vec<n> k3 = f(t + h / 2, moved(k2, h / 2));
  const Vec<n> k4 = f(t + h, moved(k3, h));
  Vec<n> result = y;
  for (std::size_t i = 0; i < n; ++i) result[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  return result;
}

// From t to t_end, or to the first change of sign of event(t, y) after `t`; true if there was one.
template <std::size_t n, class F, class Event>
bool integrate_until(F&& f, double& t, Vec<n>& y, double t_end, double h, Event&& event) {
  while (t < t_end) {
    const double dt = std::min(h, t_end - t);
    const Vec<n> next = rk4_step(f, t, y, dt);
    if (event(t + dt, next) <= 0) {
      double low = 0, high = dt;
      while (high - low > 1e-15) {
        const double middle = (low + high) / 2;
        (event(t + middle, rk4_step(f, t, y, middle)) <= 0 ? high : low) = middle;
      }
      y = rk4_step(f, t, y, high);
      t += high;
      return true;
    }
    y = next;
    t = t_end - t <= h ? t_end : t + dt;
  }
  return false;
}

template <std::size_t n, class F>
void integrate(F&& f, double& t, Vec<n>& y, double t_end, double h) {
  integrate_until(f, t, y, t_end, h, [](double, const Vec<n>&) { return 1.0; });
}

// A solution sampled at increasing times, with cubic Hermite interpolation between them.
template <std::size_t n>
class Sampled {
 public:
  void add(double t, const Vec<n>& y, const Vec<n>& slope) {
    t_.push_back(t);
    y_.push_back(y);
    slope_.push_back(slope);
  }

  double operator()(double t, std::size_t i) const {
    std::size_t low = 0, high = t_.size() - 1;
    if (t >= t_[high]) return y_[high][i];
    while (high - low > 1) {
      const std::size_t middle = (low + high) / 2;
      (t_[middle] <= t ? low : high) = middle;
    }
    const double h = t_[high] - t_[low];
    if (h == 0) return y_[high][i];
    const double s = (t - t_[low]) / h;
    return (1 + 2 * s) * (1 - s) * (1 - s) * y_[low][i] + s * (1 - s) * (1 - s) * h * slope_[low][i] +
           s * s * (3 - 2 * s) * y_[high][i] + s * s * (s - 1) * h * slope_[high][i];
  }

  double end() const { return t_.back(); }

 private:
  std::vector<double> t_;
  std::vector<Vec<n>> y_, slope_;
};

}  // namespace nsmc::test
