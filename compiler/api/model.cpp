// nsmc::Model: construction, diagnostics, stages, runs.
#include "nsmc/model.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "compiler/api/emit.hpp"
#include "compiler/api/model_impl.hpp"
#include "compiler/api/study.hpp"
#include "compiler/mechanics/derive.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "runtime/names.hpp"
#include "runtime/simulation/make_integrator.hpp"

namespace nsmc {
namespace {

// Rows to the recorder of the caller, with the columns that were asked for.
class SelectedRows final : public rt::Recorder {
 public:
  SelectedRows(nsmc::Recorder& target, const std::vector<std::size_t>& columns, const std::vector<std::string>& all)
      : target_(target), columns_(columns), row_(columns.size()) {
    std::vector<std::string> names;
    for (const std::size_t i : columns) names.push_back(all[i]);
    target.begin(names);
  }

  void record(double t, std::span<const double> values) override {
    for (std::size_t i = 0; i < columns_.size(); ++i) row_[i] = values[columns_[i]];
    target_.record(t, row_);
  }

 private:
  nsmc::Recorder& target_;
  const std::vector<std::size_t>& columns_;
  std::vector<double> row_;
};

class Events final : public rt::EventSink {
 public:
  Events(const rt::System& system, const std::function<void(const EventInfo&)>& target)
      : system_(system), target_(target) {}

  void record(const rt::Event& event) override {
    const auto copy = [](std::span<const double> values) { return std::vector<double>(values.begin(), values.end()); };
    target_({event.t, system_.contact_name(event.contact),
             std::string(rt::event_names[static_cast<std::size_t>(event.kind)]), copy(event.before), copy(event.after),
             copy(event.percussion)});
  }

 private:
  const rt::System& system_;
  const std::function<void(const EventInfo&)>& target_;
};

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

Overrides together(const Overrides& own, Overrides more) {
  more.insert(own.begin(), own.end());
  return more;
}

}  // namespace

Model::Impl::Impl(ModelSource from, const ModelOptions& with)
    : source(std::move(from)),
      options(with),
      parameters(with.overrides),
      pipeline(source, parameters.values()),
      equations(pipeline.derived()) {
  if (!with.cache.directory.empty() && with.cache.bytes > 0) cache.emplace(with.cache.directory, with.cache.bytes);
  if (equations == nullptr) return;
  parameters.values_for(*equations);
  law_parameters_ = parameters_of_laws(pipeline.pool(), *equations);
}

const Equations& Model::Impl::good_equations() const {
  if (equations != nullptr) return *equations;
  for (const Diagnostic& d : pipeline.diagnostics().sorted()) {
    if (entry(d.kind).severity == Severity::error) throw ModelError(d.message);
  }
  throw ModelError("the model has errors");
}

// Under the mutex. Sizes of arrays are part of the compiled model; laws are looked at with numbers.
bool Model::Impl::fits(const ParameterValues& overrides) const {
  const std::vector<double> own = parameter_values(pipeline.pool(), *equations, parameters.values()),
                            p = parameter_values(pipeline.pool(), *equations, overrides);
  const std::vector<TypedParameter>& typed = pipeline.checked()->parameters;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (typed[i].structural && p[i] != own[i]) return false;
  }
  std::vector<double> key;
  bool same = true;
  for (const std::size_t i : law_parameters_) {
    key.push_back(p[i]);
    same = same && p[i] == own[i];
  }
  if (same) return true;
  const auto known = law_fits_.find(key);
  if (known != law_fits_.end()) return known->second;
  return law_fits_[key] = fault_of_laws(*pipeline.checked(), pipeline.pool(), *equations, overrides).empty();
}

// Under the mutex. Once for each level, and once more if the fused step is wanted and was not compiled.
const Kernels& Model::Impl::compiled(Level level, Fusing fusing) const {
  if (const auto fused = kernels_.find({level, true}); fused != kernels_.end()) return *fused->second;
  std::unique_ptr<Kernels>& kernels = kernels_[{level, fusing == Fusing::always}];
  if (!kernels) kernels = compile(*equations, pipeline.pool(), level, cache ? &*cache : nullptr, fusing);
  return *kernels;
}

std::shared_ptr<const Model::Impl> Model::Impl::with(const GivenParameters& given) const {
  const ParameterValues values = given.values_for(good_equations());
  const std::lock_guard lock(mutex);
  if (fits(values)) return shared_from_this();
  if (other_.second == nullptr || other_.first != values) {
    ModelOptions changed = options;
    changed.overrides.clear();
    for (const auto& [name, value] : values) changed.overrides[name] = value;
    other_ = {values, std::make_shared<Impl>(source, changed)};
  }
  return other_.second;
}

std::unique_ptr<PreparedRun> Model::Impl::prepare(const RunRequest& request) const {
  const GivenParameters given(together(options.overrides, request.overrides));
  const std::shared_ptr<const Impl> model = with(given);
  model->good_equations();
  return model->prepare_here(request, given.values());
}

std::unique_ptr<PreparedRun> Model::Impl::prepare_here(const RunRequest& request,
                                                       const ParameterValues& overrides) const {
  const SettingValues<double> settings = read_settings(request.settings);
  std::unique_lock lock(mutex);
  const std::vector<double> p = parameters_with(overrides, *equations, pipeline.pool());
  rt::SimulationOptions run = simulation_options(settings, *equations, pipeline.pool(), p, Recording::yes);
  const Kernels* kernels =
      &compiled(rt::needs_zeta(run.method) ? Level::acceleration : Level::velocity, fusing_for(run));
  lock.unlock();
  std::vector<std::size_t> columns = select_columns(request.outputs, kernels->plan().columns);
  rt::System system(kernels->table(), p);
  rt::State state = start_state(*kernels, system);
  run.parts = rt::parts_of(system, columns);
  run.stop = request.stop;
  if (request.progress) {
    run.progress = [call = request.progress](const rt::Progress& progress) { call(progress.t, progress.until); };
  }
  return std::make_unique<PreparedRun>(PreparedRun{shared_from_this(), kernels, std::move(columns), std::move(run),
                                                   std::move(system), std::move(state)});
}

Model Model::open(const std::string& path, const ModelOptions& options) {
  ModelSource source(path);
  source.files = options.files;
  return Model(std::make_shared<Impl>(std::move(source), options));
}

Model Model::from_text(const std::string& text, const std::string& name, const ModelOptions& options) {
  return Model(std::make_shared<Impl>(ModelSource(name, text, options.files), options));
}

bool Model::ok() const { return impl_->equations != nullptr; }

std::string Model::diagnostics_text(bool colour) const {
  return render(impl_->pipeline.diagnostics(), impl_->pipeline.sources(), colour);
}

std::string Model::diagnostics_json() const {
  return render_json(impl_->pipeline.diagnostics(), impl_->pipeline.sources());
}

std::string Model::emit(const std::string& stage) const {
  const std::lock_guard lock(impl_->mutex);
  std::optional<std::string> text = nsmc::emit(impl_->pipeline, stage);
  if (!text) impl_->good_equations();
  return *text;
}

RunResult Model::run(const RunRequest& request) const {
  class Nowhere final : public Recorder {
    void record(double, std::span<const double>) override {}
  } nowhere;
  return run(request, nowhere);
}

RunResult Model::run(const RunRequest& request, Recorder& recorder) const {
  const std::unique_ptr<PreparedRun> run = impl_->prepare(request);
  SelectedRows rows(recorder, run->columns, run->kernels->plan().columns);
  Events events(run->system, request.event);
  if (request.event) run->options.integrator.events = &events;
  const rt::SimulationResult result = rt::simulate(run->system, run->state, run->options, rows);
  if (result.reason == rt::EndReason::invalid_options) throw SettingError("", result.message);
  return {end_of(result.reason),
          result.message,
          summary_of(result.summary),
          run->options.step,
          run->options.until,
          std::string(rt::name_of(run->options.method)),
          std::string(rt::name_of(run->options.solver.kind))};
}

StudyResult Model::study(const StudyRequest& request, const std::function<void(const StudyRow&)>& finished) const {
  StudyRequest whole = request;
  whole.overrides = together(impl_->options.overrides, request.overrides);
  const std::unique_ptr<Study> study =
      Study::prepare(impl_->source, whole, impl_->cache ? &*impl_->cache : nullptr, [](const Pipeline&) {});
  if (study == nullptr) throw ModelError("the model has errors");
  StudyResult result;
  for (const Axis& axis : study->grid().axes()) result.axes.push_back(axis.name);
  result.measures = study->measures();
  result.size = study->size();
  const std::atomic<bool> never = false;
  const std::atomic<bool>& stop = request.stop != nullptr ? *request.stop : never;
  const unsigned wanted = request.threads > 0 ? request.threads : std::max(1U, std::thread::hardware_concurrency());
  const auto threads = static_cast<unsigned>(std::clamp<std::uint64_t>(result.size, 1, wanted));
  rt::WorkerPool pool(study->crew(result.size, threads, stop));
  std::uint64_t next = 0;
  while (!stop.load(std::memory_order_relaxed) && (next < result.size || pool.outstanding() > 0)) {
    while (next < result.size && pool.hungry()) pool.give(next++);
    const std::optional<rt::StudyRow> row = pool.take(std::chrono::milliseconds(50));
    if (!row || row->abandoned) continue;
    result.rows.push_back(
        {row->index, study->grid().point(row->index).values, row->values, row->failed, row->converged, row->status});
    if (finished) finished(result.rows.back());
  }
  std::sort(result.rows.begin(), result.rows.end(),
            [](const StudyRow& a, const StudyRow& b) { return a.index < b.index; });
  return result;
}

}  // namespace nsmc
