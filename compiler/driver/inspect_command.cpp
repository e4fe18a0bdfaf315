// nsmc inspect: the matrices of a step, at the start of a run, at a time, or at a state that was saved.
#include <fmt/format.h>

#include "compiler/api/quantity.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/inspect_text.hpp"
#include "compiler/driver/saved_state.hpp"
#include "compiler/driver/stop_signal.hpp"
#include "compiler/driver/terminal.hpp"

namespace nsmc {

int inspect_command(InspectOptions inspect) {
  ModelChoices& choices = inspect.model;
  std::optional<SavedState> from;
  if (!inspect.from.empty()) from = read_state(inspect.from, choices);
  const Model model = open_model(choices.file, model_options(choices));
  print_diagnostics(model);
  if (!model.ok()) return kModelErrors;
  RunRequest request{.overrides = choices.overrides,
                     .settings = choices.settings,
                     .inputs = choices.inputs,
                     .stop = &stop_on_signals()};
  request.endless = true;
  Run run = from ? model.resume(*from, request) : model.start(request);
  if (!inspect.at.empty()) {
    const double t = read_value(inspect.at, {"at", "--at"}, "s");
    if (t < run.t()) throw UsageError(fmt::format("--at {}: the run begins at t = {:.9g} s", inspect.at, run.t()));
    if (!run.advance(t)) {
      const RunResult result = run.result();
      std::fputs(fmt::format("nsmc: {}\n", result.message).c_str(), stderr);
      return result.end == RunEnd::interrupted ? kInterrupted : kNumericalFailure;
    }
  } else if (run.is_over()) {
    throw UsageError(run.result().message);
  }
  const std::optional<StepNumbers> numbers = step_numbers(run);
  if (!numbers) {
    std::fputs(
        "nsmc: the equations cannot be evaluated at this state: a value is not finite, or the mass matrix is not "
        "positive definite\n",
        stderr);
    return kNumericalFailure;
  }
  const std::string name = shown_name(model.name());
  write_stdout(inspect.json ? inspect_json(name, *numbers) : inspect_text(name, *numbers));
  return kDone;
}

}  // namespace nsmc
