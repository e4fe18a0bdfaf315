#include "compiler/driver/saved_state.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "compiler/api/files.hpp"
#include "compiler/api/quantity.hpp"
#include "compiler/driver/option_text.hpp"

namespace nsmc {

namespace {

// Where checkpoints go.
std::string state_path(const RunOptions& run) {
  return run.saving.save.empty() ? run.output + ".state" : run.saving.save;
}

// A span of simulated time; 0: there are no checkpoints.
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
    if (!path.empty() && !is_replaceable(path))
      throw UsageError(
          fmt::format("--checkpoint needs files that can be written again from a place in them, and {} is none",
                      path == "-" ? "standard output" : path));
  }
  if (run.output.empty() && saving.save.empty())
    throw UsageError("--checkpoint needs a place: OUTPUT.state beside -o OUTPUT, or --save STATE");
}

// Whether a value that is given now is the one that was given then, in whatever unit.
bool is_same(const Value& now, const Value& then) {
  if (text_of(now) == text_of(then)) return true;
  const auto number = [](const Value& value) -> std::optional<double> {
    if (value.number() != nullptr) return *value.number();
    try {
      return read_quantity(*value.text(), {}).value;
    } catch (const SettingError&) {
      return std::nullopt;  // a word
    }
  };
  const std::optional<double> a = number(now), b = number(then);
  return a && b && std::abs(*a - *b) <= 1e-15 * std::abs(*b);  // 100[us] is 1e-4 but for the last bit
}

// --resume goes on with a run, not with another one.
void require_same_run(const RunOptions& run, const SavedState& state) {
  const auto compare = [](const std::map<std::string, Value>& now, const std::map<std::string, Value>& then,
                          const auto& option) {
    for (const auto& [name, value] : now) {
      const auto before = then.find(name);
      if (before != then.end() && is_same(value, before->second)) continue;
      throw UsageError(in_options(fmt::format(
          "{}: the run that `resume` goes on with had {}; leave it out, run anew without `resume`, or go on with other "
          "values by `from`",
          option(name, value), before == then.end() ? "none" : option(name, before->second))));
    }
  };
  compare(run.model.settings, state.settings(),
          [](const std::string& name, const Value& value) { return fmt::format("`{}` {}", name, text_of(value)); });
  compare(run.model.overrides, state.overrides(),
          [](const std::string& name, const Value& value) { return fmt::format("`set` {}={}", name, text_of(value)); });
  for (const KeptFile& file : state.files()) {
    if (file.name == run.output || file.name == run.events) continue;
    throw UsageError(
        fmt::format("the run that --resume goes on with wrote to {}: give the same --output and --events", file.name));
  }
}

}  // namespace

SavedState read_state(const std::string& path, ModelChoices& choices) {
  SavedState state = SavedState::read(path);
  if (state.program() != NSMC_VERSION) {
    std::fputs(fmt::format("nsmc: note: the state in {} was saved by nsmc {}; what follows may differ in the last "
                           "digits from a run that was never stopped\n",
                           path, state.program())
                   .c_str(),
               stderr);
  }
  choices.overrides.merge(state.overrides());
  choices.settings.merge(state.settings());
  return state;
}

std::optional<SavedState> state_to_go_on_from(RunOptions& run) {
  require_sense(run);
  if (!run.saving.from.empty()) return read_state(run.saving.from, run.model);
  if (!run.saving.resume) return std::nullopt;
  const std::string path = state_path(run);
  if (!std::filesystem::exists(path)) return std::nullopt;  // nothing was saved yet
  ModelChoices kept;
  SavedState state = read_state(path, kept);
  require_same_run(run, state);
  run.model.overrides = kept.overrides;
  run.model.settings = kept.settings;
  return state;
}

FileMode file_mode(const RunOptions& run, const std::optional<SavedState>& from, const std::string& path) {
  FileMode mode{.stream = run.stream, .part = !run.saving.checkpoint.empty()};
  if (!run.saving.resume || !from) return mode;
  for (const KeptFile& file : from->files()) {
    if (file.name == path) mode.from = file;
  }
  if (!mode.from) throw UsageError(fmt::format("the run that --resume goes on with did not write to {}", path));
  return mode;
}

RunSaver::RunSaver(const RunOptions& options, RowFile* rows, EventFile* events)
    : options_(options), rows_(rows), events_(events) {
  every_ = checkpoint_interval(options);
  path_ = every_ > 0 ? state_path(options) : options.saving.save;
}

void RunSaver::run_to_end(Run& run) {
  const double until = run.until();
  if (path_.empty()) {
    run.advance(until);
    return;
  }
  if (every_ > 0 && !run.is_over()) write(run, true);
  while (every_ > 0 && run.t() + every_ < until) {
    if (!run.advance(run.t() + every_)) return;
    write(run, true);
  }
  if (!run.advance_to_last_time()) return;
  if (!options_.saving.save.empty()) write(run, every_ > 0);
  run.advance(until);
}

void RunSaver::write(Run& run, bool with_outputs) {
  std::vector<KeptFile> files;
  if (with_outputs && rows_ != nullptr) files.push_back(rows_->keep());
  if (with_outputs && events_ != nullptr) files.push_back(events_->keep());
  run.save(files).write(path_);
}

bool RunSaver::waits_for_resume(const Run& run) const { return every_ > 0 && run.is_interrupted(); }

void RunSaver::clear() const {
  if (every_ > 0 && options_.saving.save.empty()) std::remove(path_.c_str());
}

}  // namespace nsmc
