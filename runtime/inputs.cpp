#include "runtime/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nsmc::rt {

namespace {

// Times of steps are rounded: a sample counts from the step on that begins there.
double later(double time) { return time + 1e-12 * std::max(1.0, std::abs(time)); }

}  // namespace

// The interval that begins at or before the time; straight lines and cubics by Hermite's polynomials.
double InputSamples::at(double time) const {
  const auto after = std::upper_bound(t.begin(), t.end(), later(time));
  if (after == t.begin()) return value.front();
  const auto i = static_cast<std::size_t>(after - t.begin()) - 1;
  if (form == InputForm::held || i + 1 == t.size()) return value[i];
  const double h = t[i + 1] - t[i], s = std::max(0.0, (time - t[i]) / h);
  if (form == InputForm::linear) return value[i] + s * (value[i + 1] - value[i]);
  return value[i] * ((2 * s - 3) * s * s + 1) + value[i + 1] * (3 - 2 * s) * s * s +
         h * (slope[i] * s * (s - 1) * (s - 1) + slope[i + 1] * s * s * (s - 1));
}

double InputSamples::rate(double time) const {
  const auto after = std::upper_bound(t.begin(), t.end(), later(time));
  if (form == InputForm::held || after == t.begin() || after == t.end()) return 0;
  const auto i = static_cast<std::size_t>(after - t.begin()) - 1;
  const double h = t[i + 1] - t[i], s = std::max(0.0, (time - t[i]) / h), d = (value[i + 1] - value[i]) / h;
  if (form == InputForm::linear) return d;
  return 6 * s * (1 - s) * d + slope[i] * ((3 * s - 4) * s + 1) + slope[i + 1] * (3 * s - 2) * s;
}

double InputSamples::next_time(double time) const {
  const auto after = std::upper_bound(t.begin(), t.end(), later(time));
  return after == t.end() ? std::numeric_limits<double>::infinity() : *after;
}

}  // namespace nsmc::rt
