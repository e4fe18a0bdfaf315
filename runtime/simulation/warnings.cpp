#include "runtime/simulation/warnings.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace nsmc::rt {

const std::array<WarningInfo, static_cast<std::size_t>(WarningKind::count)>& warning_catalogue() {
  static constexpr std::array<WarningInfo, static_cast<std::size_t>(WarningKind::count)> catalogue{{
#define NSMC_RUN_WARNING(name, code, summary) {#name, code, summary},
#include "runtime/simulation/warnings.def"
#undef NSMC_RUN_WARNING
  }};
  return catalogue;
}

void Warnings::add(WarningKind kind, double t, double value, double scale, std::uint32_t where) {
  Seen& seen = seen_[static_cast<std::size_t>(kind)];
  ++seen.times;
  // A value that is not a number is the worst of all.
  if (seen.times > 1 && value / scale <= seen.value / seen.scale) return;
  seen.t = t;
  seen.value = value;
  seen.scale = scale;
  seen.where = where;
}

bool Warnings::any() const {
  return std::any_of(seen_.begin(), seen_.end(), [](const Seen& seen) { return seen.times > 0; });
}

std::vector<Warning> Warnings::words(const System& system) const {
  std::vector<Warning> words;
  for (std::size_t k = 0; k < seen_.size(); ++k) {
    if (seen_[k].times == 0) continue;
    words.push_back({warning_catalogue()[k].code, text(static_cast<WarningKind>(k), seen_[k], system)});
  }
  return words;
}

std::string Warnings::text(WarningKind kind, const Seen& seen, const System& system) {
  switch (kind) {
    case WarningKind::unconverged:
      return fmt::format("{} step{} did not converge, worst residual {:.2g}, in contact {} at t = {:.6g}", seen.times,
                         seen.times == 1 ? "" : "s", seen.value, system.contact_name(seen.where), seen.t);
    case WarningKind::unstable_step:
      return fmt::format(
          "energy has grown {:.2g} times by t = {:.6g}, and the step is beyond stability: about {:.3g} s is the "
          "longest "
          "one that is stable",
          seen.value, seen.t, seen.scale);
    case WarningKind::count: break;
  }
  return {};
}

}  // namespace nsmc::rt
