// nsmc emit: every stage of the compilation can be seen.
#include <optional>

#include "compiler/api/emit.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/terminal.hpp"

namespace nsmc {

int emit_command(const EmitOptions& options) {
  if (options.latex && options.stage != "equations") throw UsageError("--latex goes with --stage equations");
  if (options.stage == "scene") {
    const Model model = open_model(options.file);
    print_diagnostics(model);
    if (!model.ok()) return kModelErrors;
    write_stdout(model.emit("scene"));
    return kDone;
  }
  Pipeline pipeline(source_of(options.file));
  const std::optional<std::string> text = emit(pipeline, options.latex ? "latex" : options.stage);
  const Diagnostics& found = pipeline.diagnostics();
  print_diagnostics(render(found, pipeline.sources(), colours()), found.error_count());
  if (!text) return kModelErrors;
  write_stdout(*text);
  return kDone;
}

}  // namespace nsmc
