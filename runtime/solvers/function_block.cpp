#include "runtime/solvers/function_block.hpp"

#include <algorithm>
#include <cmath>

namespace nsmc::rt {

namespace {

constexpr std::uint32_t max_dim = HomogeneousFunction::max_dim;
// Elements of G_ii besides its diagonal that count as none.
constexpr double nothing = 1e-14;

// f(R v), asked at the unit vector in the direction of R v.
struct Stretched {
  HomogeneousFunction f;
  double R[max_dim];
};

void stretched(const nsm_view* view, double* out) {
  const Stretched& s = *static_cast<const Stretched*>(view->context);
  const std::uint32_t dim = s.f.dim;
  double unit[max_dim], square = 0;
  for (std::uint32_t h = 0; h < dim; ++h) {
    unit[h] = s.R[h] * view->lambda[h];
    square += unit[h] * unit[h];
  }
  const double size = std::sqrt(square);
  for (std::uint32_t h = 0; h < dim; ++h) unit[h] /= size;
  nsm_view own{};
  own.self = s.f.coefficients;
  own.lambda = unit;
  own.context = s.f.context;
  s.f.function(&own, out);
  out[0] *= size;
  double* H = out + 1 + dim;
  for (std::uint32_t h = 0; h < dim; ++h) {
    out[1 + h] *= s.R[h];
    for (std::uint32_t k = 0; k < dim; ++k) H[h * dim + k] *= s.R[h] * s.R[k] / size;
  }
}

}  // namespace

bool solve_function_block(ContactProblem& p, const SetBlock& s) {
  const bool by_gauge = s.set->kind == NSM_SET_GAUGE;
  if (!is_by_function(*s.set) || s.set->scaled != 0 || s.dim < 3 || s.dim > max_dim) return false;
  const ContactRows& i = p.contacts[s.contact];
  const std::uint32_t local = s.first_row - i.first_row;
  const double* G = p.G.data() + i.first_value + std::size_t{local} * i.width + i.own + local;
  const auto g = [&](std::uint32_t h, std::uint32_t k) { return G[std::size_t{h} * i.width + k]; };
  for (std::uint32_t h = 0; h < s.dim; ++h) {
    if (!(g(h, h) > nothing * s.D)) return false;
    for (std::uint32_t k = 0; k < s.dim; ++k) {
      if (k != h && !(std::abs(g(h, k)) <= nothing * s.D)) return false;
    }
  }
  double* Lambda = p.Lambda.data();
  if (!s.constant) p.update_arguments(i, *s.set, Lambda);
  const ConvexSet set{s.set, p.arguments.data() + i.first_argument};
  Stretched f{set.function(), {}};
  if (!f.f.has_finite_coefficients()) return false;
  // In units in which the largest G is 1.
  double R[max_dim], z[max_dim];
  for (std::uint32_t h = 0; h < s.dim; ++h) {
    const double centre = set.centre() != nullptr ? set.centre()[h] : 0;
    R[h] = std::sqrt(g(h, h) / s.D);
    f.R[h] = by_gauge ? 1 / R[h] : R[h];
    z[h] = (p.xi(i, local + h, Lambda) - g(h, h) * (Lambda[s.first_row + h] + centre)) / (s.D * R[h]);
  }
  const HomogeneousFunction function{stretched, nullptr, 0, s.dim, &f};
  const double size = set.own()[0];
  if (by_gauge) {
    GaugeSet{function, size}.prox(z);
  } else {
    SupportSet{function, size}.prox(z);
  }
  if (!std::all_of(z, z + s.dim, [](double x) { return std::isfinite(x); })) return false;
  for (std::uint32_t h = 0; h < s.dim; ++h)
    Lambda[s.first_row + h] = -z[h] / R[h] - (set.centre() != nullptr ? set.centre()[h] : 0);
  return true;
}

}  // namespace nsmc::rt
