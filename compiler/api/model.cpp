// nsmc::Model: construction, diagnostics, stages, runs.
#include "nsmc/model.hpp"

#include "compiler/api/emit.hpp"
#include "compiler/api/model_impl.hpp"
#include "compiler/api/run_impl.hpp"
#include "compiler/api/scene_json.hpp"
#include "compiler/api/study_axes.hpp"
#include "compiler/mechanics/derive.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "runtime/methods/make_integrator.hpp"

namespace nsmc {
namespace {

// Names and units of overrides are looked at once the model is known.
std::shared_ptr<const Model::Impl> opened(ModelSource source, const ModelOptions& options) {
  source.files = options.files;
  source.import_paths = options.import_paths;
  auto impl = std::make_shared<const Model::Impl>(std::move(source), options);
  if (impl->equations != nullptr) impl->parameters.values_for(*impl->equations);
  return impl;
}

ParameterValues merged(ParameterValues first, ParameterValues second) {
  first.merge(second);
  return first;
}

}  // namespace

Model::Impl::Impl(ModelSource from, const ModelOptions& with, ParameterValues others)
    : source(std::move(from)),
      options(with),
      parameters(with.overrides),
      structure(merged(std::move(others), parameters.values())),
      cache(kernel_cache(with.cache)),
      pipeline(source, structure, with.scene),
      equations(pipeline.derived()) {}

const Equations& Model::Impl::good_equations() const {
  if (equations != nullptr) return *equations;
  std::vector<DiagnosticInfo> all = diagnostics();
  const auto first = std::find_if(all.begin(), all.end(), [](const DiagnosticInfo& d) { return d.error; });
  const std::string message = first != all.end() ? first->message : "the model has errors";
  throw ModelError(message, std::move(all), render(pipeline.diagnostics(), pipeline.sources(), false));
}

// Under the mutex. Sizes of arrays are part of the compiled model; laws are looked at with numbers.
bool Model::Impl::fits(const ParameterValues& overrides) const {
  const std::vector<double> own = parameter_values(pipeline.pool(), *equations, structure),
                            p = parameter_values(pipeline.pool(), *equations, overrides);
  const std::vector<TypedParameter>& typed = pipeline.checked()->parameters;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (typed[i].structural && p[i] != own[i]) return false;
  }
  if (!law_parameters_) law_parameters_ = parameters_of_laws(pipeline.pool(), *equations);
  std::vector<double> key;
  bool same = true;
  for (const std::size_t i : *law_parameters_) {
    key.push_back(p[i]);
    same = same && p[i] == own[i];
  }
  if (same) return true;
  const auto known = law_fits_.find(key);
  if (known != law_fits_.end()) return known->second;
  return law_fits_[key] = fault_of_laws(*pipeline.checked(), pipeline.pool(), *equations, overrides).empty();
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

std::shared_ptr<const Model::Impl> Model::Impl::at_start_of(const StudyRequest& request) const {
  const ParameterValues own = GivenParameters(overrides_of(request.overrides)).values(),
                        first = merged(own, first_numbers(request.axes));
  const auto compiled_with = [&](const ParameterValues& values) {
    const std::lock_guard lock(mutex);
    if (values == structure || (equations != nullptr && fits(values))) return shared_from_this();
    return std::shared_ptr<const Impl>(std::make_shared<Impl>(source, options, values));
  };
  const std::shared_ptr<const Impl> model = compiled_with(first);
  if (model->equations != nullptr) return model;
  const std::shared_ptr<const Impl> plain = compiled_with(own);
  return plain->equations != nullptr ? plain : model;
}

Overrides Model::Impl::overrides_of(const Overrides& request) const {
  Overrides all = request;
  all.insert(options.overrides.begin(), options.overrides.end());
  return all;
}

// The pool may grow on another thread.
std::string Model::Impl::identity(IdentityOf what) const {
  const std::lock_guard lock(mutex);
  return model_identity(pipeline, what);
}

std::unique_ptr<PreparedRun> Model::Impl::prepare(const RunRequest& request) const {
  return prepare(overrides_of(request.overrides), request);
}

std::unique_ptr<PreparedRun> Model::Impl::prepare(const Overrides& overrides, const RunRequest& request) const {
  const GivenParameters given(overrides);
  const std::shared_ptr<const Impl> model = with(given);
  model->good_equations();
  return model->prepare_here(request, given.values());
}

std::unique_ptr<PreparedRun> Model::Impl::prepare_here(const RunRequest& request,
                                                       const ParameterValues& overrides) const {
  SettingValues<double> settings = read_settings(request.settings);
  // Where nothing says how long, the default of the step still has to follow from something.
  if (request.endless && !settings.number("until") && !equations->settings.number("until"))
    settings.numbers[setting("until")] = 1;
  std::unique_lock lock(mutex);
  const std::vector<double> p = parameters_with(overrides, *equations, pipeline.pool());
  rt::SimulationOptions run = simulation_options(settings, *equations, pipeline.pool(), p, Recording::yes);
  if (request.rows > 0 && !request.settings.contains("record") && !request.settings.contains("every"))
    run.record_dt = std::max(run.step, run.until / static_cast<double>(request.rows));
  const Kernels* kernels = pipeline.compiled(rt::needs_zeta(run.method) ? Level::acceleration : Level::velocity,
                                             cache ? &*cache : nullptr, fusing_for(run));
  const double compile_seconds = pipeline.times().total();
  run.passable = passable_contacts(pipeline.pool(), *equations);
  lock.unlock();
  std::vector<std::size_t> columns = select_columns(request.outputs, kernels->plan());
  run.inputs = input_samples(request.inputs, *equations);
  rt::System system(kernels->table(), p, run.inputs);
  rt::State state = start_state(*kernels, system);
  run.parts = rt::parts_of(system, columns);
  run.columns = &kernels->plan().columns;
  run.stop = request.stop;
  if (request.progress) {
    run.progress = [call = request.progress](const rt::Progress& progress) { call(progress.t, progress.until); };
  }
  return std::make_unique<PreparedRun>(PreparedRun{shared_from_this(), kernels, p, std::move(columns), compile_seconds,
                                                   std::move(run), std::move(system), std::move(state)});
}

Model Model::open(const std::string& path, const ModelOptions& options) {
  return Model(opened(ModelSource(path), options));
}

Model Model::from_text(const std::string& text, const std::string& name, const ModelOptions& options) {
  return Model(opened(ModelSource(name, text), options));
}

bool Model::ok() const { return impl_->equations != nullptr; }

std::string Model::diagnostics_text(bool colour) const {
  return render(impl_->pipeline.diagnostics(), impl_->pipeline.sources(), colour);
}

std::string Model::diagnostics_json() const {
  return render_json(impl_->pipeline.diagnostics(), impl_->pipeline.sources());
}

std::vector<SourceInfo> Model::sources() const {
  std::vector<SourceInfo> files;
  const SourceModels* parsed = impl_->pipeline.parsed();
  for (std::size_t i = 0; parsed != nullptr && i < parsed->files.size(); ++i) {
    const SourceFile& file = impl_->pipeline.sources().file(parsed->files[i].file);
    files.push_back({file.name(), file.text()});
  }
  return files;
}

Model Model::with_scene() const {
  ModelOptions options = impl_->options;
  options.scene = true;
  return Model(std::make_shared<const Impl>(impl_->source, options));
}

std::string Model::emit(const std::string& stage) const {
  if (stage == "scene") {
    impl_->good_equations();
    return scene_text(with_scene().scene());
  }
  const std::lock_guard lock(impl_->mutex);
  std::optional<std::string> text = nsmc::emit(impl_->pipeline, stage);
  if (!text) impl_->good_equations();
  return *text;
}

RunResult Model::run(const RunRequest& request) const {
  NoRows nowhere;
  return run(request, nowhere);
}

RunResult Model::run(const RunRequest& request, Recorder& recorder) const {
  const std::unique_ptr<PreparedRun> run = impl_->prepare(request);
  Events events(*run, request);
  SelectedRows rows(recorder, run->columns, run->kernels->plan().columns);
  return result_of(rt::simulate(run->system, run->state, run->options, rows), *run);
}

}  // namespace nsmc
