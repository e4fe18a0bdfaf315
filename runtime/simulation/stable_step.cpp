#include "runtime/simulation/stable_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime/evaluation/evaluation.hpp"

namespace nsmc::rt {

namespace {

constexpr int most_rounds = 60;
constexpr double settled = 1e-3;  // of the eigenvalue

// What omega dt and d dt may be. Moreau's rule and the centred scheme of lie: 2, as Verlet's. Of the methods of Runge
// and Kutta where the region of stability ends on the imaginary axis; those of order 1 and 2 leave it at once, slowly,
// and end on the real axis at 2.
struct Limits {
  double oscillation, decay;
};

Limits limits_of(Method method, const IntegratorOptions& options) {
  if (method != Method::rk) return {2, method == Method::lie ? 2.0 * options.inner_steps : 2};
  switch ((options.tableau != nullptr ? *options.tableau : classical_tableau()).order) {
    case 3: return {1.73, 2.51};
    case 4: return {2.83, 2.79};
    case 5: return {3.3, 3.2};
    default: return {2, 2};
  }
}

// The largest eigenvalue of v -> apply(v), if it is real and positive; else 0. apply: false where it is not defined.
template <class Apply>
double largest_eigenvalue(std::size_t n, const Apply& apply) {
  std::vector<double> v(n), Av(n);
  for (std::size_t k = 0; k < n; ++k) v[k] = 1 + 0.5 * std::sin(1.0 + 2.7 * static_cast<double>(k));
  double last = 0;
  for (int round = 0; round < most_rounds; ++round) {
    double length = 0;
    for (const double x : v) length = std::hypot(length, x);
    if (!(length > 0) || !std::isfinite(length)) return 0;
    for (double& x : v) x /= length;
    if (!apply(v.data(), Av.data())) return 0;
    double along = 0;
    for (std::size_t k = 0; k < n; ++k) along += v[k] * Av[k];
    std::swap(v, Av);
    if (round > 3 && std::abs(along - last) <= settled * std::abs(along)) return std::max(along, 0.0);
    last = along;
  }
  return std::max(last, 0.0);
}

}  // namespace

double largest_stable_step(const System& system, Workspace& work, const State& state, Method method,
                           const IntegratorOptions& options) {
  const std::size_t n_q = system.n_q(), n_u = system.n_u();
  std::vector<double> q = state.q, u = state.u, rate(n_q), before(n_u);
  if (evaluate_dynamics(system, work, state.t, q.data(), u.data())) return std::numeric_limits<double>::infinity();
  std::copy_n(work.free_acceleration.data(), n_u, before.data());
  const auto size = [](const std::vector<double>& x) {
    double largest = 1e-3;
    for (const double value : x) largest = std::max(largest, std::abs(value));
    return largest;
  };
  const double dq = 1e-6 * size(state.q), du = 1e-6 * size(state.u);
  const auto difference = [&](double step, double* out) {
    if (evaluate_dynamics(system, work, state.t, q.data(), u.data())) return false;
    for (std::size_t k = 0; k < n_u; ++k) out[k] = (before[k] - work.free_acceleration[k]) / step;
    return true;
  };
  const double omega2 = largest_eigenvalue(n_u, [&](const double* v, double* out) {
    evaluate_displacement(system, work, state.t, state.q.data(), v, rate.data());
    for (std::size_t k = 0; k < n_q; ++k) q[k] = state.q[k] + dq * rate[k];
    return difference(dq, out);
  });
  q = state.q;
  const double decay = largest_eigenvalue(n_u, [&](const double* v, double* out) {
    for (std::size_t k = 0; k < n_u; ++k) u[k] = state.u[k] + du * v[k];
    return difference(du, out);
  });
  const Limits limits = limits_of(method, options);
  double longest = std::numeric_limits<double>::infinity();
  if (omega2 > 0) longest = limits.oscillation / std::sqrt(omega2);
  if (decay > 0) longest = std::min(longest, limits.decay / decay);
  return longest;
}

}  // namespace nsmc::rt
