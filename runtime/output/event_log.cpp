#include "runtime/output/event_log.hpp"

#include <fmt/core.h>

#include <vector>

#include "runtime/output/csv_text.hpp"

namespace nsmc::rt {

namespace {

std::vector<std::string> header(const System& system) {
  std::vector<std::string> names{"t", "contact", "kind"};
  for (const char* when : {"before", "after"}) {
    for (std::uint32_t k = 1; k <= system.max_contact_rows(); ++k) names.push_back(fmt::format("{}[{}]", when, k));
  }
  return names;
}

}  // namespace

EventLog::EventLog(const std::string& path, const System& system, const OutputMode& mode, std::uint64_t rows)
    : system_(system), file_(path, mode), rows_(rows) {
  if (mode.go_on_at) return;
  file_.buffer() += csv_header(header(system));
  file_.flush();
}

void EventLog::record(const Event& event) {
  std::string& line = file_.buffer();
  append_number(line, event.t);
  line += ',';
  append_cell(line, system_.contact_name(event.contact));
  line += ',';
  line += event_names[static_cast<std::size_t>(event.kind)];
  for (const std::span<const double> velocities : {event.before, event.after}) {
    for (std::uint32_t k = 0; k < system_.max_contact_rows(); ++k) {
      line += ',';
      if (k < velocities.size()) append_number(line, velocities[k]);
    }
  }
  line += '\n';
  file_.flush_if_full();
  ++rows_;
}

}  // namespace nsmc::rt
