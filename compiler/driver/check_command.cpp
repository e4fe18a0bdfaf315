// nsmc check: is the model right?
#include <fmt/format.h>

#include "compiler/api/pipeline.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/terminal.hpp"

namespace nsmc {

int check_command(const CheckOptions& options) {
  Pipeline pipeline(options.file);
  const Equations* equations = pipeline.derived();
  if (options.json) {
    write_stdout(render_json(pipeline.diagnostics(), pipeline.sources()));
  } else {
    print_diagnostics(pipeline);
    if (equations != nullptr) {
      write_stdout(fmt::format(
          "{}: no errors ({}, {}, {})\n", options.file, counted(coordinate_count(*equations), "coordinate"),
          counted(contact_count(*equations), "contact"), counted(equations->parameters.size(), "parameter")));
    }
  }
  return equations != nullptr ? kDone : kModelErrors;
}

}  // namespace nsmc
