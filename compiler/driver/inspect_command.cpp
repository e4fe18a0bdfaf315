// nsmc inspect: the matrices of a step, at the start of a run, at a time, or at a state that was saved.
#include <fmt/format.h>

#include <limits>
#include <memory>

#include "compiler/api/files.hpp"
#include "compiler/api/pipeline.hpp"
#include "compiler/api/simulation_setup.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/inspect_text.hpp"
#include "compiler/driver/saved_state.hpp"
#include "compiler/driver/stop_signal.hpp"
#include "compiler/driver/terminal.hpp"
#include "runtime/methods/make_integrator.hpp"
#include "runtime/simulation/run.hpp"

namespace nsmc {

int inspect_command(InspectOptions inspect) {
  ModelChoices& choices = inspect.model;
  std::optional<rt::StateFile> from;
  if (!inspect.from.empty()) from = read_state(inspect.from, choices);
  const GivenParameters parameters(choices.overrides);
  Pipeline pipeline(source_of(choices.file), parameters.values());
  const Equations* equations = pipeline.derived();
  print_diagnostics(pipeline);
  if (equations == nullptr) return kModelErrors;
  if (from) require_same_model(*from, model_identity(pipeline));
  const std::vector<double> p = parameters_with(parameters.values_for(*equations), *equations, pipeline.pool());
  // Where nothing runs, nothing needs to say how long; the step matters for c.
  if (!choices.settings.contains("until") && !equations->settings.number("until")) choices.settings["until"] = 1;
  rt::SimulationOptions options =
      simulation_options(read_settings(choices.settings), *equations, pipeline.pool(), p, Recording::no);
  options.until = std::numeric_limits<double>::infinity();
  options.parts = rt::RowParts::none();
  options.record_every = 0;
  options.stop = &stop_on_signals();

  const std::optional<KernelCache> cache = kernel_cache(choices);
  const Kernels& kernels = *pipeline.compiled(rt::needs_zeta(options.method) ? Level::acceleration : Level::velocity,
                                              cache ? &*cache : nullptr, Fusing::if_cached);
  rt::NullRecorder nowhere;
  rt::Run run =
      from ? go_on(kernels, *equations, pipeline.pool(), *from, p, options, nowhere)
           : rt::Run(kernels.table(), p, start_state(kernels, rt::System(kernels.table(), p)), options, nowhere);
  if (!inspect.at.empty()) {
    const double t = read_value(inspect.at, {"at", "--at"}, "s");
    if (t < run.t()) throw UsageError(fmt::format("--at {}: the run begins at t = {:.9g} s", inspect.at, run.t()));
    if (!run.advance(t)) {
      const rt::SimulationResult result = run.result();
      std::fputs(fmt::format("nsmc: {}\n", result.message).c_str(), stderr);
      return result.reason == rt::EndReason::interrupted ? kInterrupted : kNumericalFailure;
    }
  } else if (run.is_over()) {
    throw UsageError(run.result().message);
  }
  const rt::StepNumbers numbers = run.numbers();
  if (numbers.trouble) {
    std::fputs(
        "nsmc: the equations cannot be evaluated at this state: a value is not finite, or the mass matrix is not "
        "positive definite\n",
        stderr);
    return kNumericalFailure;
  }
  const NumberNames names(kernels.plan(), run.system(), numbers);
  const std::string model = equations->name.empty() ? "model" : equations->name;
  write_stdout(inspect.json ? inspect_json(model, numbers, names) : inspect_text(model, numbers, names));
  return kDone;
}

}  // namespace nsmc
