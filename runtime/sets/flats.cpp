#include "runtime/sets/flats.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "runtime/sets/exposed_face.hpp"

namespace nsmc::rt {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double near = 1e-9, least_jump = 1e-5;  // rad, of the size of the set
constexpr double fastest = 1e4;                   // of the size per rad
constexpr double widest = 1e-3;                   // of a bend, rad
constexpr double narrowest = 1e-15;               // of the bracket around a flat, rad

struct Sample {
  double angle, x[2];
};

Sample sample(const ConvexSet& set, double angle) {
  Sample s{angle, {0, 0}};
  exposed_at(set, angle, s.x);
  return s;
}

double chord(const Sample& a, const Sample& b) { return std::hypot(b.x[0] - a.x[0], b.x[1] - a.x[1]); }

// Follows the half that the boundary is longer in, as long as chord/angle grows. Around a smooth point it tends to the
// radius of curvature; a jump doubles it with every halving, a root multiplies it by sqrt(2).
bool closes_in(const ConvexSet& set, Sample low, Sample high, double& angle) {
  constexpr int look_back = 4;
  double slope = chord(low, high) / (high.angle - low.angle);
  for (int round = 1; high.angle - low.angle > narrowest; ++round) {
    const Sample middle = sample(set, low.angle + (high.angle - low.angle) / 2);
    if (!(middle.angle > low.angle && middle.angle < high.angle)) break;
    if (chord(low, middle) >= chord(middle, high)) {
      high = middle;
    } else {
      low = middle;
    }
    if (round % look_back != 0 || high.angle - low.angle < near) continue;
    const double now = chord(low, high) / (high.angle - low.angle);
    if (!(now > 2 * slope)) return false;
    slope = now;
  }
  angle = low.angle + (high.angle - low.angle) / 2;
  return true;
}

double half_width(const ConvexSet& set, double angle, double size) {
  double half = flat_angle;
  for (; half < widest; half *= 2) {
    const double before = chord(sample(set, angle - 2 * half), sample(set, angle - half));
    const double behind = chord(sample(set, angle + half), sample(set, angle + 2 * half));
    if (std::max(before, behind) <= fastest * size * half) break;
  }
  return half;
}

}  // namespace

bool may_have_flats(const nsm_set& set) { return set.dim == 2 && is_by_function(set); }

void exposed_at(const ConvexSet& set, double angle, double* x) {
  const double direction[2] = {std::cos(angle), std::sin(angle)};
  exposed_point(set, direction, x);
}

bool find_flats(const ConvexSet& set, std::vector<Flat>& flats, const std::atomic<bool>* stop) {
  flats.clear();
  constexpr int n = 1024;
  constexpr double offset = 0.4 * 2 * pi / n;  // flats along the axes shall not lie at the ends of intervals
  const auto at = [](int k) { return -pi + offset + 2 * pi * k / n; };
  double size = 0;
  Sample low = sample(set, at(0));
  const Sample first = low;
  std::vector<double> found;
  for (int k = 1; k <= n; ++k) {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) return false;
    Sample high = k < n ? sample(set, at(k)) : first;
    high.angle = at(k);
    size = std::max(size, chord(first, high));
    double angle = 0;
    if (closes_in(set, low, high, angle)) found.push_back(angle);
    low = high;
  }
  if (!(size > 0) || !std::isfinite(size)) return false;
  for (const double angle : found) {
    const double jump = chord(sample(set, angle - near), sample(set, angle + near));
    if (jump > least_jump * size) flats.push_back({angle > pi ? angle - 2 * pi : angle, half_width(set, angle, size)});
  }
  std::sort(flats.begin(), flats.end(), [](const Flat& a, const Flat& b) { return a.normal < b.normal; });
  const auto same = [](const Flat& a, const Flat& b) {
    return b.normal - a.normal < std::max(2 * near, a.half + b.half);
  };
  flats.erase(std::unique(flats.begin(), flats.end(), same), flats.end());
  return true;
}

}  // namespace nsmc::rt
