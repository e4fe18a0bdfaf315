#include "runtime/simulation/warnings.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace nsmc::rt {

const std::array<WarningInfo, static_cast<std::size_t>(WarningKind::count)>& warning_catalogue() {
  static constexpr std::array<WarningInfo, static_cast<std::size_t>(WarningKind::count)> catalogue{{
#define NSMC_RUN_WARNING(name, code, summary) {#name, code, summary},
#include "runtime/simulation/warnings.def"
#undef NSMC_RUN_WARNING
  }};
  return catalogue;
}

namespace {

std::string column_name(const std::vector<std::string>* columns, std::uint32_t k) {
  return columns != nullptr && k < columns->size() ? (*columns)[k] : fmt::format("column {}", k + 1);
}

std::string others(std::uint64_t times) {
  if (times == 1) return "";
  return times == 2 ? " (and one other)" : fmt::format(" (and {} others)", times - 1);
}

}  // namespace

void Warnings::add(WarningKind kind, double t, double value, double scale, std::uint32_t where, double before,
                   std::uint64_t times) {
  Seen& seen = seen_[static_cast<std::size_t>(kind)];
  const bool first = seen.times == 0;
  seen.times += times;
  // A value that is not a number is the worst of all.
  if (!first && value / scale <= seen.value / seen.scale) return;
  seen.t = t;
  seen.value = value;
  seen.scale = scale;
  seen.where = where;
  seen.before = before;
}

namespace {

bool names_contact(WarningKind kind) {
  return kind == WarningKind::overlap || kind == WarningKind::unconverged || kind == WarningKind::passed;
}

}  // namespace

void Warnings::renumber(const Renumbering& contacts) {
  for (std::size_t k = 0; k < seen_.size(); ++k) {
    if (names_contact(static_cast<WarningKind>(k))) contacts.number(seen_[k].where);
  }
}

void Warnings::add_contacts(std::vector<std::uint32_t>& named) const {
  for (std::size_t k = 0; k < seen_.size(); ++k) {
    if (names_contact(static_cast<WarningKind>(k))) named.push_back(seen_[k].where);
  }
}

bool Warnings::any() const {
  return std::any_of(seen_.begin(), seen_.end(), [](const Seen& seen) { return seen.times > 0; });
}

std::vector<Warning> Warnings::words(const System& system, const std::vector<std::string>* columns) const {
  std::vector<Warning> words;
  for (std::size_t k = 0; k < seen_.size(); ++k) {
    if (seen_[k].times == 0) continue;
    words.push_back({warning_catalogue()[k].code, text(static_cast<WarningKind>(k), seen_[k], system, columns)});
  }
  return words;
}

std::string Warnings::text(WarningKind kind, const Seen& seen, const System& system,
                           const std::vector<std::string>* columns) {
  switch (kind) {
    case WarningKind::start_moved:
      return fmt::format("the initial values do not fit the constraints; the run starts with {} = {:.6g}, not {:.6g}{}",
                         column_name(columns, seen.where), seen.value, seen.before, others(seen.times));
    case WarningKind::overlap:
      return fmt::format("contact {} overlaps at the start, {:.3g} deep{}", system.contact_name(seen.where), seen.value,
                         others(seen.times));
    case WarningKind::velocities_moved:
      return fmt::format(
          "the initial velocities do not fit the constraints; the run starts with {} = {:.6g}, not {:.6g}{}, which "
          "{} an energy of {:.3g}",
          column_name(columns, system.n_q() + seen.where), seen.value, seen.before, others(seen.times),
          seen.scale < 0 ? "adds" : "takes", std::abs(seen.scale));
    case WarningKind::unconverged:
      return fmt::format("{} step{} did not converge, worst residual {:.2g}, in contact {} at t = {:.6g}", seen.times,
                         seen.times == 1 ? "" : "s", seen.value, system.contact_name(seen.where), seen.t);
    case WarningKind::accuracy_missed:
      return fmt::format(
          "contacts open and close faster than the accuracy can be kept, in {} step{}, first at t = {:.6g}", seen.times,
          seen.times == 1 ? "" : "s", seen.t);
    case WarningKind::events_chatter:
      return fmt::format("event {} of the model happens again and again, first at t = {:.6g}: {}", seen.where + 1,
                         seen.t,
                         seen.value > 1 ? "each time its condition is true anew at once"
                                        : "in every step of many one after the other");
    case WarningKind::unstable_step:
      return fmt::format(
          "energy has grown {:.2g} times by t = {:.6g}, and the step is not below the border of stability, about "
          "{:.3g} s",
          seen.value, seen.t, seen.scale);
    case WarningKind::passed:
      return fmt::format(
          "contact {} was passed within a step {} time{}, {:.3g} deep at t = {:.6g}, and had no effect; a step of "
          "{:.2g} "
          "would see it",
          system.contact_name(seen.where), seen.times, seen.times == 1 ? "" : "s", seen.value, seen.t, seen.scale);
    case WarningKind::count: break;
  }
  return {};
}

}  // namespace nsmc::rt
