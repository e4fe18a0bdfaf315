// nsmc check: is the model right?
#include <fmt/core.h>

#include <cstdio>

#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/terminal.hpp"
#include "nsmc/errors.hpp"
#include "nsmc/run.hpp"

namespace nsmc {

namespace {

// What a run would say of its start: initial values that are moved, shapes that overlap.
void print_start(const std::string& file, const Model& model) {
  try {
    Run run = model.start({});
    for (const RunWarning& warning : run.result().summary.warnings)
      std::fputs(fmt::format("{}: warning {}: {}\n", file, warning.code, warning.message).c_str(), stderr);
  } catch (const SettingError&) {
    // The model leaves something to the command line; then `run` tells.
  }
}

}  // namespace

int check_command(const CheckOptions& options) {
  const Model model = open_model(options.file);
  if (options.json) {
    write_stdout(model.diagnostics_json());
  } else {
    print_diagnostics(model);
    if (model.ok()) {
      const ModelSize size = model.size();
      write_stdout(fmt::format("{}: no errors ({}, {}, {})\n", options.file.path,
                               counted(size.coordinates, "coordinate"), counted(size.contacts, "contact"),
                               counted(size.parameters, "parameter")));
      if (size.contacts > 0) print_start(options.file.path, model);
    }
  }
  return model.ok() ? kDone : kModelErrors;
}

}  // namespace nsmc
