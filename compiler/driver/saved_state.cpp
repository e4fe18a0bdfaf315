#include "compiler/driver/saved_state.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "compiler/api/quantity.hpp"
#include "compiler/api/simulation_setup.hpp"

namespace nsmc {

namespace {

// Where checkpoints go.
std::string state_path(const RunOptions& run) {
  return run.saving.save.empty() ? run.output + ".state" : run.saving.save;
}

// As the command line had it, or a number.
Value value_of(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  return text;
}

// Of simulated time; 0: there are no checkpoints.
double checkpoint_interval(const RunOptions& run) {
  if (run.saving.checkpoint.empty()) return 0;
  const double interval = read_value(run.saving.checkpoint, {"checkpoint", "--checkpoint"}, "s");
  if (!(interval > 0)) throw UsageError("--checkpoint must be a time greater than 0");
  return interval;
}

void require_sense(const RunOptions& run) {
  const SaveOptions& saving = run.saving;
  if (saving.resume && !saving.from.empty())
    throw UsageError("--resume goes on from the last checkpoint, and --from from another state: give one of them");
  if (saving.resume && saving.checkpoint.empty()) throw UsageError("--resume belongs to --checkpoint DT");
  if (checkpoint_interval(run) == 0) return;
  if (run.stream) throw UsageError("--stream and --checkpoint cannot go together: rows wait in OUTPUT.part");
  for (const std::string& path : {run.output, run.events}) {
    if (!path.empty() && !rt::is_replaceable(path))
      throw UsageError(
          fmt::format("--checkpoint needs files that can be written again from a place in them, and {} "
                      "is none",
                      path == "-" ? "standard output" : path));
  }
  if (run.output.empty() && saving.save.empty())
    throw UsageError("--checkpoint needs a place: OUTPUT.state beside -o OUTPUT, or --save STATE");
}

}  // namespace

rt::StateFile read_state(const std::string& path, ModelChoices& choices) {
  rt::StateFile state = rt::read_state_file(path);
  if (state.program != NSMC_VERSION) {
    std::fputs(fmt::format("nsmc: note: the state in {} was saved by nsmc {}; what follows may differ in the last "
                           "digits from a run that was never stopped\n",
                           path, state.program)
                   .c_str(),
               stderr);
  }
  for (const auto& [name, text] : state.parameters) choices.overrides.try_emplace(name, value_of(text));
  for (const auto& [name, text] : state.settings) choices.settings.try_emplace(name, value_of(text));
  return state;
}

std::optional<rt::StateFile> state_to_go_on_from(RunOptions& run) {
  require_sense(run);
  if (!run.saving.from.empty()) return read_state(run.saving.from, run.model);
  if (!run.saving.resume) return std::nullopt;
  const std::string path = state_path(run);
  if (!std::filesystem::exists(path)) return std::nullopt;  // nothing was saved yet
  return read_state(path, run.model);
}

bool is_saved(const RunOptions& run) {
  return !run.saving.save.empty() || !run.saving.from.empty() || !run.saving.checkpoint.empty();
}

void require_same_model(const rt::StateFile& state, const std::string& identity) {
  if (state.model == identity) return;
  throw UsageError("the state was saved with another model, or with this one before it was changed");
}

rt::Run go_on(const Kernels& kernels, const Equations& equations, const sym::ExprPool& pool, const rt::StateFile& from,
              const std::vector<double>& p, const rt::SimulationOptions& options, rt::Recorder& recorder) {
  Overrides given;
  for (const auto& [name, text] : from.parameters) given[name] = value_of(text);
  const std::vector<double> before = parameters_with(GivenParameters(given).values_for(equations), equations, pool);
  try {
    rt::Run run(kernels.table(), before, from.run, options, recorder);
    if (run.is_over()) {
      const rt::SimulationResult result = run.result();
      if (result.reason == rt::EndReason::invalid_options) throw UsageError(result.message);
    }
    if (p != before) run.set_parameters(p);
    return run;
  } catch (const rt::SavedRunError& error) {
    throw UsageError(fmt::format("the run cannot go on from this state: {}", error.what()));
  }
}

namespace {

const rt::StateFile::Output* kept_output(const RunOptions& run, const std::optional<rt::StateFile>& from,
                                         const std::string& path) {
  if (!run.saving.resume || !from) return nullptr;
  for (const rt::StateFile::Output& output : from->outputs) {
    if (output.name == path) return &output;
  }
  throw UsageError(fmt::format("the run that --resume goes on with did not write to {}", path));
}

}  // namespace

rt::OutputMode output_mode(const RunOptions& run, const std::optional<rt::StateFile>& from, const std::string& path) {
  rt::OutputMode mode;
  mode.stream = run.stream;
  mode.part = !run.saving.checkpoint.empty();
  if (const rt::StateFile::Output* output = kept_output(run, from, path)) mode.go_on_at = output->bytes;
  return mode;
}

std::uint64_t rows_kept(const RunOptions& run, const std::optional<rt::StateFile>& from, const std::string& path) {
  const rt::StateFile::Output* output = kept_output(run, from, path);
  return output == nullptr ? 0 : output->rows;
}

RunSaver::RunSaver(const RunOptions& run, std::string identity, Outputs outputs)
    : run_(run), identity_(std::move(identity)), outputs_(outputs) {
  every_ = checkpoint_interval(run);
  path_ = every_ > 0 ? state_path(run) : run.saving.save;
}

void RunSaver::run_to_end(rt::Run& simulation, double until) {
  if (path_.empty()) {
    simulation.advance(until);
    return;
  }
  if (every_ > 0 && !simulation.is_over()) write(simulation, true);
  while (every_ > 0 && simulation.t() + every_ < until) {
    if (!simulation.advance(simulation.t() + every_)) return;
    write(simulation, true);
  }
  if (!simulation.advance_to_last_time()) return;
  if (!run_.saving.save.empty()) write(simulation, every_ > 0);
  simulation.advance(until);
}

void RunSaver::write(rt::Run& simulation, bool with_outputs) {
  rt::StateFile state;
  state.program = NSMC_VERSION;
  state.model = identity_;
  for (const auto& [name, value] : run_.model.settings) state.settings.emplace_back(name, text_of(value));
  for (const auto& [name, value] : run_.model.overrides) state.parameters.emplace_back(name, text_of(value));
  if (with_outputs && outputs_.rows != nullptr)
    state.outputs.push_back({run_.output, outputs_.rows->keep(), *outputs_.n_rows});
  if (with_outputs && outputs_.events != nullptr)
    state.outputs.push_back({run_.events, outputs_.events->keep(), outputs_.events->rows()});
  state.run = simulation.save();
  rt::write_state_file(path_, state);
}

bool RunSaver::waits_for_resume(const rt::Run& simulation) const { return every_ > 0 && simulation.is_interrupted(); }

void RunSaver::clear() const {
  if (every_ > 0 && run_.saving.save.empty()) std::remove(path_.c_str());
}

}  // namespace nsmc
