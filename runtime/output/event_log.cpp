#include "runtime/output/event_log.hpp"

#include <fmt/format.h>

#include <vector>

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

EventLog::EventLog(const std::string& path, const System& system, CsvOptions options)
    : system_(system), writer_(path, header(system), options) {}

void EventLog::record(const Event& event) {
  line_.clear();
  append_cell(line_, event.t);
  line_ += ',';
  append_cell(line_, system_.contact_name(event.contact));
  line_ += ',';
  line_ += event_names[static_cast<std::size_t>(event.kind)];
  for (const std::span<const double> velocities : {event.before, event.after}) {
    for (std::uint32_t k = 0; k < system_.max_contact_rows(); ++k) {
      line_ += ',';
      if (k < velocities.size()) append_cell(line_, velocities[k]);
    }
  }
  writer_.record_line(line_);
  ++rows_;
}

}  // namespace nsmc::rt
