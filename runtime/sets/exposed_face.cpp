// Exposed points of sets by functions; for gauge sets see exposed_by_gauge.hpp. The others have closed forms.
#include "runtime/sets/exposed_face.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/sets/by_function/exposed_by_gauge.hpp"

namespace nsmc::rt {

void GaugeSet::expose(const double* xi, double* x) const {
  double direction[HomogeneousFunction::max_dim];
  split_direction(xi, k.dim, direction);
  exposed_by_gauge(k, direction, x);
  for (std::uint32_t h = 0; h < k.dim; ++h) x[h] *= s;
}

// s grad Phi(xi)
void SupportSet::expose(const double* xi, double* x) const {
  double direction[HomogeneousFunction::max_dim], out[HomogeneousFunction::max_out];
  split_direction(xi, Phi.dim, direction);
  Phi.evaluate(direction, out);
  for (std::uint32_t h = 0; h < Phi.dim; ++h) x[h] = s * out[1 + h];
}

bool has_kinks(const ConvexSet& set) {
  const nsm_set& description = *set.set;
  const std::uint32_t dim = description.dim;
  if (description.kind != NSM_SET_GAUGE || dim == 2) return false;
  const HomogeneousFunction k{description.function, set.own() + 1, description.n_arguments - 1, dim};
  double xi[HomogeneousFunction::max_dim], direction[HomogeneousFunction::max_dim], x[HomogeneousFunction::max_dim];
  constexpr int directions = 32;
  constexpr double primes[HomogeneousFunction::max_dim] = {2, 3, 5, 7, 11, 13};
  for (int n = 1; n <= directions; ++n) {
    // Fractional parts of multiples of irrational numbers are spread evenly.
    for (std::uint32_t h = 0; h < dim; ++h) xi[h] = 2 * std::fmod(n * std::sqrt(primes[h]), 1.0) - 1;
    split_direction(xi, dim, direction);
    if (!exposed_where_smooth(k, direction, x)) return true;
  }
  return false;
}

void exposed_unit_point(const ConvexSet& set, const double* xi, double* x) {
  if (set.set->kind == NSM_SET_GAUGE) {
    GaugeSet{set.function(), 1}.expose(xi, x);
  } else {
    SupportSet{set.function(), 1}.expose(xi, x);
  }
}

void exposed_point(const ConvexSet& set, const double* xi, double* x) {
  set.visit([&](const auto& K) { K.expose(xi, x); });
  if (const double* centre = set.centre()) {
    for (std::uint32_t k = 0; k < set.set->dim; ++k) x[k] += centre[k];
  }
}

double exposed_end(const ConvexSet& set, std::uint32_t row, bool upper) {
  const double end = set.own()[upper ? 1 : 0];
  return set.centre() != nullptr ? end + set.centre()[row] : end;
}

std::uint32_t exposed_corner(const ConvexSet& set, const double* xi) {
  return Polygon{set.own(), set.set->n_arguments / 2}.exposed_corner(xi);
}

void corner_of(const ConvexSet& set, std::uint32_t corner, double* x) {
  const double* centre = set.centre();
  for (std::uint32_t k = 0; k < 2; ++k) x[k] = set.own()[2 * corner + k] + (centre != nullptr ? centre[k] : 0);
}

}  // namespace nsmc::rt
