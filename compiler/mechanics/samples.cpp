#include "compiler/mechanics/samples.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace nsmc {

std::string point_text(const Point& x) {
  std::string out;
  for (const double v : x) out += (out.empty() ? "" : ", ") + fmt::format("{:.4g}", v == 0 ? 0.0 : v);  // no -0
  return "(" + out + ")";
}

Point scaled(const Point& x, double factor) {
  Point result = x;
  for (double& v : result) v *= factor;
  return result;
}

double norm(const Point& x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return std::sqrt(sum);
}

std::vector<Point> directions(std::size_t dim) {
  std::vector<Point> result;
  for (std::size_t k = 0; k < dim; ++k) {
    for (const double sign : {1.0, -1.0}) {
      result.emplace_back(dim, 0.0);
      result.back()[k] = sign;
    }
  }
  if (dim == 1) return result;
  if (dim == 2) {
    constexpr int kCount = 72;
    for (int i = 0; i < kCount; ++i) {
      if (i % (kCount / 4) == 0) continue;  // an axis
      // Every second one is off the grid of 10 degrees, where a function may be better or worse than elsewhere.
      const double angle = 2 * std::numbers::pi * (i + (i % 2 == 0 ? 0 : 0.1)) / kCount;
      result.push_back({std::cos(angle), std::sin(angle)});
    }
    return result;
  }
  std::uint64_t state = 88172645463325252U;
  const std::size_t count = result.size() + 60;
  while (result.size() < count) {
    Point x;
    double norm2 = 0;
    for (std::size_t k = 0; k < dim; ++k) {
      state ^= state << 13U;
      state ^= state >> 7U;
      state ^= state << 17U;
      x.push_back(static_cast<double>(state >> 11U) / static_cast<double>(1ULL << 52U) - 1);
      norm2 += x.back() * x.back();
    }
    if (norm2 > 0.01 && norm2 < 1) result.push_back(scaled(x, 1 / std::sqrt(norm2)));
  }
  return result;
}

namespace {

// A search by coordinates with steps that shrink: f may have kinks, so nothing smarter.
Smallest refine(Smallest best, double step, const std::function<double(const Point&)>& f) {
  while (step > 1e-6) {
    bool better = false;
    for (std::size_t k = 0; k < best.direction.size(); ++k) {
      for (const double sign : {1.0, -1.0}) {
        Point x = best.direction;
        x[k] += sign * step;
        const double length = norm(x);
        if (!(length > 0)) continue;
        x = scaled(x, 1 / length);
        const double value = f(x);
        // Not for less than rounding: a flat function would be walked along for ever.
        if (!(value < best.value - 1e-12 * std::abs(best.value))) continue;
        best = {std::move(x), value};
        better = true;
      }
    }
    if (!better) step /= 3;
  }
  return best;
}

}  // namespace

Smallest smallest_over_directions(std::size_t dim, const std::function<double(const Point&)>& f) {
  std::vector<Smallest> samples;
  for (const Point& x : directions(dim)) {
    const double value = f(x);
    if (!std::isnan(value)) samples.push_back({x, value});
  }
  if (samples.empty()) return {};
  // Of values that differ by rounding the first: what is shown does not depend on the machine.
  const auto lower = [](const Smallest& a, const Smallest& b) { return a.value < b.value - 1e-9 * std::abs(b.value); };
  Smallest best = samples[0];
  for (const Smallest& sample : samples) {
    if (lower(sample, best)) best = sample;
  }
  if (dim == 1 || !std::isfinite(best.value) || best.value == 0) return best;
  const auto rank = [&](const Smallest& sample) { return std::round(sample.value / std::abs(best.value) * 1e9); };
  std::stable_sort(samples.begin(), samples.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  constexpr std::size_t kStarts = 6;
  for (std::size_t i = 0; i < std::min(kStarts, samples.size()); ++i) {
    const Smallest found = refine(samples[i], dim == 2 ? 0.05 : 0.3, f);
    if (lower(found, best)) best = found;
  }
  return best;
}

}  // namespace nsmc
