// nsmc check: is the model right?
#include <fmt/core.h>

#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/terminal.hpp"

namespace nsmc {

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
    }
  }
  return model.ok() ? kDone : kModelErrors;
}

}  // namespace nsmc
