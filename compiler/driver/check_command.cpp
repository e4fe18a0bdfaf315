// nsmc check: is the model right?
#include <fmt/core.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/terminal.hpp"
#include "nsmc/errors.hpp"
#include "nsmc/run.hpp"

namespace nsmc {

namespace {

// What a run would say of its start: initial values that are moved, shapes that overlap, constraints that contradict
// each other. Nothing if the model leaves something to the command line; then `run` tells.
RunResult look_at_start(const Model& model, const Overrides& overrides) {
  try {
    return model.start({.overrides = overrides}).result();
  } catch (const SettingError&) {
    return {};
  }
}

std::string json_of(const Model& model, const RunResult& start) {
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(model.diagnostics_json());
  json["start"] = nlohmann::ordered_json::array();
  for (const RunWarning& warning : start.summary.warnings)
    json["start"].push_back({{"code", warning.code}, {"severity", "warning"}, {"message", warning.message}});
  if (start.end == RunEnd::numerical_failure)
    json["start"].push_back({{"severity", "error"}, {"message", start.message}});
  return json.dump(2) + "\n";
}

}  // namespace

int check_command(const CheckOptions& options) {
  const Model model = open_model(options.file, {.overrides = options.overrides});
  const ModelSize size = model.ok() ? model.size() : ModelSize{};
  const RunResult start = size.contacts > 0 ? look_at_start(model, options.overrides) : RunResult{};
  const bool impossible = start.end == RunEnd::numerical_failure;
  if (options.json) {
    write_stdout(json_of(model, start));
  } else {
    print_diagnostics(model);
    if (model.ok()) {
      write_stdout(fmt::format("{}: no errors ({}, {}, {})\n", options.file.path,
                               counted(size.coordinates, "coordinate"), counted(size.contacts, "contact"),
                               counted(size.parameters, "parameter")));
    }
    for (const RunWarning& warning : start.summary.warnings)
      std::fputs(fmt::format("{}: warning {}: {}\n", options.file.path, warning.code, warning.message).c_str(), stderr);
    if (impossible) std::fputs(fmt::format("{}: no run: {}\n", options.file.path, start.message).c_str(), stderr);
  }
  if (!model.ok()) return kModelErrors;
  const bool doubtful = has_warnings(model) || !start.summary.warnings.empty();
  return impossible || (options.strict && doubtful) ? kNumericalFailure : kDone;
}

}  // namespace nsmc
