// The stopping rule, evaluated.
#include "runtime/solvers/natural_residual.hpp"

#include <cmath>

namespace nsmc::rt {

NaturalResidual natural_residual(ContactProblem& problem, const double* Lambda) {
  NaturalResidual residual;
  double delta2_max = 0, Lambda2_max = 0;
  problem.look_at(Lambda);
  for (std::size_t n = 0; n < problem.sets.size(); ++n) {
    const SetBlock& s = problem.sets[n];
    const double missed = problem.prox_step(s, s.D > 0 ? 1 / s.D : 0, Lambda).residual;
    for (std::uint32_t h = 0; h < s.dim; ++h) problem.z[h] += Lambda[s.first_row + h];
    double delta2 = problem.squares(s, problem.z.data()), Lambda2 = problem.squares(s, Lambda + s.first_row);
    if (missed > 0) {
      const double off = std::sqrt(delta2) + missed * (s.plain ? 1 : problem.row_unit[s.first_row]);
      delta2 = off * off;
    }
    delta2 *= s.measure;
    Lambda2 *= s.measure;
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
