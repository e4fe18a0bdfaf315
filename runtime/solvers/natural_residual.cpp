// The stopping rule, evaluated.
#include "runtime/solvers/natural_residual.hpp"

#include <cmath>

namespace nsmc::rt {

NaturalResidual natural_residual(ContactProblem& problem, const double* Lambda) {
  NaturalResidual residual;
  double delta2_max = 0, Lambda2_max = 0;
  for (std::size_t n = 0; n < problem.sets.size(); ++n) {
    const SetBlock& s = problem.sets[n];
    const double missed = problem.prox_step(s, s.D > 0 ? 1 / s.D : 0, Lambda).residual;
    double delta2 = 0, Lambda2 = 0;
    for (std::uint32_t h = 0; h < s.dim; ++h) {
      const double x = Lambda[s.first_row + h];
      const double delta = x + problem.z[h];
      delta2 += delta * delta;
      Lambda2 += x * x;
    }
    if (missed > 0) delta2 = (std::sqrt(delta2) + missed) * (std::sqrt(delta2) + missed);
    delta2 *= s.D;
    Lambda2 *= s.D;
    if (!std::isfinite(delta2) || !std::isfinite(Lambda2)) {
      return {std::numeric_limits<double>::quiet_NaN(), static_cast<std::uint32_t>(n), false};
    }
    if (delta2 > delta2_max) {
      delta2_max = delta2;
      residual.worst = static_cast<std::uint32_t>(n);
    }
    if (Lambda2 > Lambda2_max) Lambda2_max = Lambda2;
  }
  residual.value = residual_ratio(delta2_max, Lambda2_max, problem.c_scale);
  return residual;
}

}  // namespace nsmc::rt
