// What is doubtful about a run that went on: each kind of it with a code, once for the whole run, with how often it was
// seen, how bad it was at worst, when and where. With `strict`, the first one ends the run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/saved_run.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

enum class WarningKind : std::uint8_t {
#define NSMC_RUN_WARNING(name, code, summary) name,
#include "runtime/simulation/warnings.def"
#undef NSMC_RUN_WARNING
  count
};

// In words, as a user reads it.
struct Warning {
  std::string code;  // "R0201", stable
  std::string message;
};

// The codes with their summaries, in their order.
struct WarningInfo {
  const char *name, *code, *summary;
};
const std::array<WarningInfo, static_cast<std::size_t>(WarningKind::count)>& warning_catalogue();
inline const WarningInfo& warning_info(WarningKind kind) { return warning_catalogue()[static_cast<std::size_t>(kind)]; }

class Warnings {
 public:
  // Seen at time t: how bad, against what it is measured (`scale`; a limit, a size), and in which contact or block. The
  // worst one by value/scale is kept. before: what the value was, if it was changed.
  void add(WarningKind kind, double t, double value, double scale = 1, std::uint32_t where = NSM_NONE,
           double before = 0, std::uint64_t times = 1);

  // Candidates have come and gone; and the contacts that were named.
  void renumber(const Renumbering& contacts);
  void add_contacts(std::vector<std::uint32_t>& named) const;

  std::uint64_t times(WarningKind kind) const { return seen(kind).times; }
  bool any() const;
  // A warning of every kind that was seen. columns: the names of what is recorded, q and u first, if they are known.
  std::vector<Warning> words(const System& system, const std::vector<std::string>* columns = nullptr) const;

  void remember(Memory& memory) { memory(seen_); }

 private:
  struct Seen {
    std::uint64_t times = 0;
    double t = 0, value = 0, scale = 1, before = 0;
    std::uint32_t where = NSM_NONE;

    void remember(Memory& memory) { memory(times, t, value, scale, before, where); }
  };
  const Seen& seen(WarningKind kind) const { return seen_[static_cast<std::size_t>(kind)]; }
  static std::string text(WarningKind kind, const Seen& seen, const System& system,
                          const std::vector<std::string>* columns);

  std::array<Seen, static_cast<std::size_t>(WarningKind::count)> seen_{};
};

}  // namespace nsmc::rt
