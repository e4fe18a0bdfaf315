// nsmc::Run: a run in the hand of the caller, and the state that it can be saved as.
#include "nsmc/run.hpp"

#include <algorithm>

#include "compiler/api/model_identity.hpp"
#include "compiler/api/model_impl.hpp"
#include "compiler/api/run_parts.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "runtime/names.hpp"
#include "runtime/output/output_file.hpp"
#include "runtime/output/state_file.hpp"
#include "runtime/simulation/run.hpp"

namespace nsmc {
namespace {

RunSummary summary_of(const rt::Summary& s) {
  RunSummary to;
  to.steps = s.steps;
  to.steps_with_contact = s.steps_with_contact;
  to.closed_max = s.closed_max;
  to.closed_mean = s.closed_mean;
  to.iterations_max = s.iterations_max;
  to.iterations_mean = s.iterations_mean;
  to.iterations_total = s.iterations_total;
  to.newton_steps = s.newton_steps;
  to.unconverged_steps = s.unconverged_steps;
  to.worst_residual = s.worst_residual;
  to.worst_time = s.worst_time;
  to.worst_contact = s.worst_contact_name;
  to.position_error = s.position_error;
  to.position_time = s.position_time;
  to.position_contact = s.position_contact_name;
  to.internal_steps = s.internal_steps;
  to.evaluations = s.evaluations;
  for (std::size_t k = 0; k < rt::n_event_kinds; ++k) to.events.emplace_back(rt::event_names[k], s.events[k]);
  to.energy_first = s.energy_first;
  to.energy_last = s.energy_last;
  to.energy_min = s.energy_min;
  to.energy_max = s.energy_max;
  to.wall_seconds = s.wall_seconds;
  return to;
}

RunEnd end_of(rt::EndReason reason) {
  switch (reason) {
    case rt::EndReason::finished: return RunEnd::finished;
    case rt::EndReason::interrupted: return RunEnd::interrupted;
    case rt::EndReason::strict_failure: return RunEnd::strict_failure;
    case rt::EndReason::numerical_failure:
    case rt::EndReason::invalid_options: break;
  }
  return RunEnd::numerical_failure;
}

// The pool of the model may grow on another thread.
std::string identity_of(const Model::Impl& model) {
  const std::lock_guard lock(model.mutex);
  return model_identity(model.pipeline);
}

Settings settings_of(const rt::StateFile& state) {
  Settings settings;
  for (const auto& [name, text] : state.settings) settings[name] = text;
  return settings;
}

Overrides overrides_of(const rt::StateFile& state) {
  Overrides overrides;
  for (const auto& [name, text] : state.parameters) overrides[name] = text;
  return overrides;
}

}  // namespace

RunResult result_of(const rt::SimulationResult& result, const rt::SimulationOptions& options) {
  if (result.reason == rt::EndReason::invalid_options) throw SettingError("", result.message);
  return {end_of(result.reason),
          result.message,
          summary_of(result.summary),
          options.step,
          options.until,
          std::string(rt::name_of(options.method)),
          std::string(rt::name_of(options.solver.kind))};
}

struct SavedState::Data {
  rt::StateFile file;
};

SavedState SavedState::read(const std::string& path) {
  try {
    return SavedState(std::make_shared<Data>(Data{rt::read_state_file(path)}));
  } catch (const rt::StateFileError& error) {
    throw FileError(error.what());
  }
}

void SavedState::write(const std::string& path) const {
  try {
    rt::write_state_file(path, data_->file);
  } catch (const rt::OutputError& error) {
    throw FileError(error.what());
  }
}

struct Run::Impl {
  Impl(std::unique_ptr<PreparedRun> ready, const RunRequest& from, Recorder* recorder)
      : prepared(std::move(ready)),
        request(from),
        rows(recorder != nullptr ? *recorder : nowhere, prepared->columns, prepared->kernels->plan().columns),
        events(prepared->system, request.event) {
    if (request.event) prepared->options.integrator.events = &events;
    // Rows may be read at any time, whatever is recorded.
    prepared->options.parts = {};
  }

  void start() {
    run.emplace(prepared->kernels->table(), prepared->parameters, prepared->state, prepared->options, rows);
  }
  void resume(const rt::SavedRun& from) {
    try {
      run.emplace(prepared->kernels->table(), prepared->parameters, from, prepared->options, rows);
    } catch (const rt::SavedRunError& error) {
      throw SettingError("state", error.what());
    }
  }

  std::unique_ptr<PreparedRun> prepared;
  RunRequest request;  // with the overrides and settings that are in force
  NoRows nowhere;
  SelectedRows rows;
  Events events;
  std::optional<rt::Run> run;
};

Run::Run(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Run::~Run() = default;
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;

bool Run::step() { return impl_->run->step(); }
bool Run::advance(double t) { return impl_->run->advance(t); }
bool Run::is_over() const { return impl_->run->is_over(); }
double Run::t() const { return impl_->run->t(); }
std::uint64_t Run::steps() const { return impl_->run->steps(); }
const std::vector<std::string>& Run::columns() const { return impl_->prepared->kernels->plan().columns; }
std::span<const double> Run::row() { return impl_->run->row(); }

double Run::value(const std::string& column) {
  const auto found = std::find(columns().begin(), columns().end(), column);
  if (found == columns().end()) throw SettingError(column, "nothing is called '" + column + "'");
  return row()[static_cast<std::size_t>(found - columns().begin())];
}

std::vector<std::string> Run::closed() const {
  std::vector<std::string> names;
  const std::vector<std::uint8_t>& closed = impl_->run->state().closed;
  for (std::uint32_t i = 0; i < closed.size(); ++i) {
    if (closed[i] != 0) names.push_back(impl_->run->system().contact_name(i));
  }
  return names;
}

void Run::set(const Overrides& parameters) {
  RunRequest request = impl_->request;
  for (const auto& [name, value] : parameters) request.overrides[name] = value;
  const std::unique_ptr<PreparedRun> changed = impl_->prepared->model->prepare(request);
  if (changed->model != impl_->prepared->model) {
    throw SettingError(parameters.begin()->first, "sizes of arrays cannot change within a run");
  }
  impl_->run->set_parameters(changed->parameters);
  impl_->request.overrides = request.overrides;
}

SavedState Run::save() {
  rt::StateFile file;
  file.program = NSMC_VERSION;
  file.model = identity_of(*impl_->prepared->model);
  for (const auto& [name, value] : impl_->request.settings) file.settings.emplace_back(name, text_of(value));
  for (const auto& [name, value] : impl_->request.overrides) file.parameters.emplace_back(name, text_of(value));
  file.run = impl_->run->save();
  return SavedState(std::make_shared<SavedState::Data>(SavedState::Data{std::move(file)}));
}

RunResult Run::result() { return result_of(impl_->run->result(), impl_->prepared->options); }

Run Model::start(const RunRequest& request, Recorder* recorder) const {
  auto run = std::make_unique<Run::Impl>(impl_->prepare(request), request, recorder);
  run->start();
  return Run(std::move(run));
}

Run Model::resume(const SavedState& state, const RunRequest& request, Recorder* recorder) const {
  impl_->good_equations();
  const rt::StateFile& file = state.data().file;
  if (file.model != identity_of(*impl_)) {
    throw SettingError("state", "the state is that of another model");
  }
  RunRequest whole = request;
  whole.overrides.merge(overrides_of(file));
  whole.settings.merge(settings_of(file));
  auto run = std::make_unique<Run::Impl>(impl_->prepare(whole), whole, recorder);
  run->resume(file.run);
  return Run(std::move(run));
}

}  // namespace nsmc
