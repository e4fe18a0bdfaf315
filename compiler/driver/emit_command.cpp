// nsmc emit: every stage of the compilation can be seen.
#include "compiler/api/emit.hpp"
#include "compiler/api/load.hpp"
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
  const EmittedStage stage = emit(source_of(options.file), options.latex ? "latex" : options.stage, colours());
  print_diagnostics(stage.diagnostics, stage.errors);
  if (!stage.text) return kModelErrors;
  write_stdout(*stage.text);
  return kDone;
}

}  // namespace nsmc
