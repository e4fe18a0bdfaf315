// nsmc::Run: a run in the hand of the caller, and the state that it can be saved as.
#include "nsmc/run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>

#include "compiler/api/contact_problem_files.hpp"
#include "compiler/api/files.hpp"
#include "compiler/api/run_impl.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "runtime/names.hpp"

namespace nsmc {
namespace {

EnergyShares shares_of(const rt::Summary& s, const KernelPlan& plan) {
  EnergyShares shares;
  if (!s.work) return shares;
  std::map<std::string, double> by_law;
  std::size_t row = 0;
  for (const InstancePlan& contact : plan.contact_instances) {
    const ContactKernels& type = plan.contact_classes[contact.type];
    for (std::size_t law = 0; law < type.laws.size(); ++law) {
      const std::size_t end = law + 1 < type.laws.size() ? type.laws[law + 1] : type.n_rows;
      for (std::size_t h = type.laws[law]; h < end; ++h) by_law[type.law_names[law]] += s.work->dissipated[row + h];
    }
    row += type.n_rows;
  }
  by_law["damping"] += s.work->damped;
  for (const auto& [law, work] : by_law) {
    if (work != 0) shares.losses.emplace_back(law, work);
  }
  std::stable_sort(shares.losses.begin(), shares.losses.end(),
                   [](const auto& a, const auto& b) { return std::abs(a.second) > std::abs(b.second); });
  shares.counted = true;
  shares.supplied = s.work->supplied;
  shares.rest = s.energy_rest;
  return shares;
}

RunSummary summary_of(const rt::Summary& s, const KernelPlan& plan) {
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
  to.rejected_steps = s.rejected;
  to.switching_steps = s.switches;
  to.forced_steps = s.forced;
  to.shortest_step = s.shortest;
  to.longest_step = s.longest;
  for (std::size_t k = 0; k < rt::n_event_kinds; ++k) to.events.emplace_back(rt::event_names[k], s.events[k]);
  to.energy_first = s.energy_first;
  to.energy_last = s.energy_last;
  to.energy_min = s.energy_min;
  to.energy_max = s.energy_max;
  to.energy = shares_of(s, plan);
  to.watched = s.watched;
  to.penetration = s.penetration;
  to.penetration_time = s.penetration_time;
  to.penetration_contact = s.penetration_contact;
  to.corrections = s.corrections;
  to.energy_rise = s.energy_rise;
  to.stopped = s.stopped;
  to.stopped_by = s.stopped_by;
  to.stop_time = s.stop_time;
  to.wall_seconds = s.wall_seconds;
  for (const rt::Warning& warning : s.warning_words) to.warnings.push_back({warning.code, warning.message});
  return to;
}

// 2 and 5 of "touch[2,5]".
std::vector<std::int64_t> indices_in(const std::string& name) {
  std::vector<std::int64_t> indices;
  for (std::size_t at = name.find('['); at < name.size() && name[at] != ']'; at = name.find_first_of(",]", at + 1))
    indices.push_back(std::strtoll(name.c_str() + at + 1, nullptr, 10));
  return indices;
}

// Of the shapes that touch in the contact of this name; 0: it has none.
double smallest_length(const Model::Impl& model, const std::vector<double>& p, const std::string& name) {
  if (name.empty()) return 0;
  const std::lock_guard lock(model.mutex);
  for (const ContactEquation& contact : model.equations->contacts) {
    if (contact.measures.empty() || !name.starts_with(contact.name.substr(0, contact.name.find('@')))) continue;
    const std::optional<std::size_t> k = contact.instances.find(indices_in(name));
    if (!k || with_index(contact.name, contact.instances.suffix(*k)) != name) continue;
    double smallest = 0;
    for (const MeasureEquation& measure : contact.measures) {
      for (const sym::Expr e : measure.value) {
        const double length = constant_value(model.pipeline.pool(), e, p, contact.instances.self(*k));
        if (length > 0 && (smallest == 0 || length < smallest)) smallest = length;
      }
    }
    return smallest;
  }
  return 0;
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

// As the caller had it, or a number.
Value value_of(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  return text;
}

std::map<std::string, Value> values_of(const std::vector<std::pair<std::string, std::string>>& texts) {
  std::map<std::string, Value> values;
  for (const auto& [name, text] : texts) values[name] = value_of(text);
  return values;
}

}  // namespace

// Before any file is touched: whether there will be events, and problems that can be written.
Events::Events(PreparedRun& run, const RunRequest& request) : call_(request.event), recorder_(request.events) {
  if (recorder_ != nullptr && run.options.method != rt::Method::event) {
    throw SettingError("events",
                       fmt::format("`events` belongs to `method` event, not to {}", rt::name_of(run.options.method)));
  }
  if (request.problems != nullptr) run.options.solver.observer = &request.problems->impl().observe(run.system);
  if (recorder_ != nullptr) recorder_->begin(run.system.max_contact_rows());
  if (recorder_ != nullptr || call_) run.options.integrator.events = this;
}

void Events::record(const rt::Event& event) {
  const auto copy = [](std::span<const double> values) { return std::vector<double>(values.begin(), values.end()); };
  const EventInfo info{event.t,
                       event.system->contact_name(event.contact),
                       std::string(rt::event_names[static_cast<std::size_t>(event.kind)]),
                       copy(event.before),
                       copy(event.after),
                       copy(event.percussion)};
  if (recorder_ != nullptr) recorder_->record(info);
  if (call_) call_(info);
}

RunResult result_of(const rt::SimulationResult& result, const PreparedRun& run) {
  if (result.reason == rt::EndReason::invalid_options) throw SettingError("", result.message);
  const rt::SimulationOptions& options = run.options;
  RunSummary summary = summary_of(result.summary, run.kernels->plan());
  if (const double length = smallest_length(*run.model, run.parameters, summary.penetration_contact); length > 0)
    summary.penetration_share = summary.penetration / length;
  const bool rk = options.method == rt::Method::rk && options.integrator.tableau != nullptr;
  return {end_of(result.reason),
          result.message,
          summary,
          options.step,
          options.until,
          std::string(rt::name_of(options.method)),
          std::string(rt::name_of(options.solver.kind)),
          std::string(rk ? options.integrator.tableau->name : ""),
          options.integrator.accuracy,
          options.default_steps,
          options.solver.tolerance,
          options.integrator.rtol,
          options.integrator.atol,
          run.compile_seconds,
          run.kernels->times().cached};
}

std::string SavedState::program() const { return data_->file.program; }
Overrides SavedState::overrides() const { return values_of(data_->file.parameters); }
Settings SavedState::settings() const { return values_of(data_->file.settings); }

std::vector<KeptFile> SavedState::files() const {
  std::vector<KeptFile> files;
  for (const rt::StateFile::Output& output : data_->file.outputs)
    files.push_back({output.name, output.bytes, output.rows});
  return files;
}

SavedState SavedState::read(const std::string& path) {
  try {
    return SavedState(std::make_shared<Data>(Data{rt::read_state_file(path)}));
  } catch (const rt::StateFileError& error) {
    throw FileError(error.what());
  }
}

void SavedState::write(const std::string& path) const {
  as_file_errors([&] { rt::write_state_file(path, data_->file); });
}

Run::Run(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Run::~Run() = default;
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;

bool Run::step() { return impl_->run->step(); }
bool Run::advance(double t) { return impl_->run->advance(t); }
bool Run::advance_to_last_time() { return impl_->run->advance_to_last_time(); }
bool Run::is_over() const { return impl_->run->is_over(); }
bool Run::is_interrupted() const { return impl_->run->is_interrupted(); }
double Run::t() const { return impl_->run->t(); }
double Run::until() const { return impl_->prepared->options.until; }
std::size_t Run::coordinates() const { return impl_->run->system().n_q(); }
std::size_t Run::velocities() const { return impl_->run->system().n_u(); }
std::uint64_t Run::steps() const { return impl_->run->steps(); }
const std::vector<std::string>& Run::columns() const { return impl_->prepared->kernels->plan().columns; }
std::span<const double> Run::row() { return impl_->run->row(); }

double Run::value(const std::string& column) {
  const auto found = std::find(columns().begin(), columns().end(), column);
  if (found == columns().end()) throw SettingError(column, "nothing is called '" + column + "'");
  const auto index = static_cast<std::size_t>(found - columns().begin());
  const double value = row()[index];
  if (std::isnan(value) && index >= impl_->prepared->kernels->plan().work_column && !impl_->run->counts_work()) {
    throw SettingError(column, "'" + column + "' is counted on request: name it in `outputs`, or set `energy`");
  }
  return value;
}

std::vector<std::string> Run::closed() const {
  std::vector<std::string> names;
  const std::vector<std::uint8_t>& closed = impl_->run->state().closed;
  for (std::uint32_t i = 0; i < closed.size(); ++i) {
    if (closed[i] != 0) names.push_back(impl_->run->system().contact_name(i));
  }
  return names;
}

void Run::set(const Overrides& given) {
  const Overrides parameters = impl_->set_inputs(given);
  if (parameters.empty()) return;
  Overrides all = impl_->request.overrides;
  for (const auto& [name, value] : parameters) all[name] = value;
  const std::unique_ptr<PreparedRun> changed = impl_->prepared->model->prepare(all, impl_->request);
  if (changed->model != impl_->prepared->model) {
    throw SettingError(parameters.begin()->first, "sizes of arrays cannot change within a run");
  }
  if (changed->parameters != impl_->prepared->parameters) impl_->run->set_parameters(changed->parameters);
  impl_->prepared->parameters = changed->parameters;
  impl_->request.overrides = std::move(all);
}

// What is left of them are parameters.
Overrides Run::Impl::set_inputs(const Overrides& given) {
  const Equations& equations = *prepared->model->equations;
  Overrides parameters;
  std::vector<std::pair<std::uint32_t, double>> values;
  for (const auto& [name, value] : given) {
    const std::optional<std::uint32_t> signal = find_input(name, equations);
    if (!signal) {
      parameters[name] = value;
      continue;
    }
    const std::string what = "`set` " + name;
    const double number = value.number() != nullptr
                              ? *value.number()
                              : read_value(*value.text(), {name, what}, equations.signals[*signal].dimension);
    if (!std::isfinite(number)) throw SettingError(name, what + ": this is not a finite number");
    values.emplace_back(*signal, number);
  }
  for (const auto& [signal, value] : values) run->set_signal(signal, value);
  return parameters;
}

SavedState Run::save(const std::vector<KeptFile>& files) {
  rt::StateFile file;
  file.program = NSMC_VERSION;
  file.model = impl_->prepared->model->identity(IdentityOf::runs);
  for (const auto& [name, value] : impl_->request.settings) file.settings.emplace_back(name, text_of(value));
  for (const auto& [name, value] : impl_->request.overrides) file.parameters.emplace_back(name, text_of(value));
  for (const KeptFile& kept : files) file.outputs.push_back({kept.name, kept.bytes, kept.rows});
  file.run = impl_->run->save();
  return SavedState(std::make_shared<SavedState::Data>(SavedState::Data{std::move(file)}));
}

RunResult Run::result() { return result_of(impl_->run->result(), *impl_->prepared); }

Run Model::start(const RunRequest& request, Recorder* recorder) const {
  RunRequest whole = request;
  whole.overrides = impl_->overrides_of(request.overrides);
  auto run = std::make_unique<Run::Impl>(*impl_, whole, recorder);
  run->start();
  return Run(std::move(run));
}

// It goes on with the parameters that it had, so that what has just been computed is what would have been; others are
// set as between two steps.
Run Model::resume(const SavedState& state, const RunRequest& request, Recorder* recorder) const {
  impl_->good_equations();
  if (state.data().file.model != impl_->identity(IdentityOf::runs)) {
    throw SettingError("state", "the state was saved with another model, or with this one before it was changed");
  }
  RunRequest whole = request;
  whole.overrides = state.overrides();
  whole.settings.merge(state.settings());
  auto impl = std::make_unique<Run::Impl>(*impl_, whole, recorder);
  impl->resume(state.data().file.run);
  Run run(std::move(impl));
  if (run.is_over()) run.result();  // throws if the settings do not fit the state
  Overrides others = request.overrides;
  for (const auto& [name, value] : impl_->options.overrides) {
    if (!whole.overrides.contains(name)) others.try_emplace(name, value);
  }
  if (!others.empty()) run.set(others);
  return run;
}

}  // namespace nsmc
