// The scaling alpha of a force in a normal cone is positive for every force [Walker 2017, (21)]. Of a two-set law,
// alpha = 1/(k_D - k_C + 1), this is k_D >= k_C in every direction, D inside C, whatever the unit of force.
#include <fmt/core.h>

#include <cmath>

#include "compiler/mechanics/trial.hpp"

namespace nsmc {

using sym::Expr;
using Fault = std::optional<Diagnostic>;

namespace {

Label used_here(const LawEquation& law) { return {law.span, fmt::format("in law '{}', used here", law.name)}; }

// Digits off, towards 0: what the hint proposes must be small enough.
double rounded_down(double x) {
  const double digit = std::pow(10, std::floor(std::log10(x)) - 2);
  return std::floor(x / digit) * digit;
}

Fault outside_reservoir(const Trial& trial, const LawEquation& law, std::uint32_t first) {
  const std::vector<Expr> gauges{law.reservoir->k_D, law.reservoir->k_C};
  const double sign = law.positive_sign ? 1 : -1;  // the gauges are taken at sign * lambda
  const auto at = [&](const Point& direction) { return trial.values(gauges, scaled(direction, sign), first); };
  const Smallest worst = smallest_over_directions(law.size, [&](const Point& direction) {
    const auto k = at(direction);
    return k[1] == 0 ? HUGE_VAL : k[0] / k[1];  // C has no end there
  });
  if (worst.direction.empty()) return Diagnostic{};
  if (worst.value >= 1 - 1e-9) return std::nullopt;
  const auto k = at(worst.direction);
  return Diagnostic{
      Kind::scaling_not_positive,
      law.argument_span,
      fmt::format("the set D of the two-set law reaches beyond the reservoir C: in the direction {} the gauge of D is "
                  "{:.6g}, that of C is {:.6g}",
                  point_text(worst.direction), k[0], k[1]),
      {used_here(law)},
      worst.value > 0
          ? fmt::format("D lies inside C: scale it by {:.3g} or less, its size does not matter, only its shape",
                        rounded_down(worst.value))
          : "D lies inside C"};
}

Fault not_positive(const Trial& trial, const LawEquation& law, std::uint32_t first) {
  for (int decade = -6; decade <= 9; ++decade) {
    for (const Point& direction : directions(law.size)) {
      const Point force = scaled(direction, std::pow(10, decade));
      const double alpha = trial.value(*law.alpha, force, first);
      if (alpha > 0 && std::isfinite(alpha)) continue;
      return Diagnostic{Kind::scaling_not_positive,
                        law.argument_span,
                        fmt::format("the force is scaled by alpha = {} = {:.4g} at the force {}; a scaling is positive",
                                    sym::to_infix(trial.d.pool, *law.alpha, 80), alpha, point_text(force)),
                        {used_here(law)},
                        fmt::format("the argument is {}alpha times the force, with alpha > 0 for every force",
                                    law.positive_sign ? "" : "-")};
    }
  }
  return std::nullopt;
}

}  // namespace

void verify_scaling(Trial& trial, const ContactEquation& contact, const LawEquation& law) {
  if (!law.alpha) return;
  const std::uint32_t first = trial.d.pool.symbol(contact.lambda[law.first]).index;
  trial.expect(
      std::span(&*law.alpha, 1),
      [&] { return law.reservoir ? outside_reservoir(trial, law, first) : not_positive(trial, law, first); }, first,
      law.size);
}

}  // namespace nsmc
