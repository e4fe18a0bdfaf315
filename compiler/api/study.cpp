#include "compiler/api/study.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <set>

#include "compiler/api/model_identity.hpp"
#include "compiler/mechanics/derive.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "runtime/methods/make_integrator.hpp"
#include "runtime/simulation/lane_group.hpp"

namespace nsmc {
namespace {

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

}  // namespace

std::unique_ptr<Study> Study::prepare(const ModelSource& source, const StudyRequest& request, const KernelCache* cache,
                                      const std::function<void(const Pipeline&)>& report) {
  std::unique_ptr<Study> study(new Study);
  study->source_ = source;
  const GivenParameters parameters(request.overrides);
  if (!study->derive_any(request, parameters.values(), report)) return nullptr;
  const Equations& equations = *study->models_.front().equations;
  const SettingValues<double> settings = read_settings(request.settings);
  study->grid_.emplace(read_axes(request.axes, parameters, settings, equations), parameters.values_for(equations),
                       settings);
  study->derive_sizes();
  study->compile(request, cache);
  study->find_measures(request);
  return study;
}

// The model as the first run has it. If that is wrong the run is a row like any other, and the model is taken with its
// own parameters; if it is wrong with these as well, there is no study.
bool Study::derive_any(const StudyRequest& request, const ParameterValues& own,
                       const std::function<void(const Pipeline&)>& report) {
  ParameterValues first = own;
  first.merge(first_numbers(request.axes));
  bool found = derive(first);
  const std::unique_ptr<Pipeline> failed = std::move(failed_);
  const ParameterValues& used = found ? first : own;
  if (!found) found = derive(own);
  report(found ? *models_.front().pipeline : *failed);
  if (!found) return false;
  for (const ParameterEquation& p : models_.front().equations->parameters) {
    if (const auto given = used.find(p.name); given != used.end()) front_overrides_[p.name] = given->second;
  }
  return true;
}

bool Study::derive(const ParameterValues& structure) {
  SizedModel model;
  model.pipeline = std::make_unique<Pipeline>(*source_, structure);
  model.equations = model.pipeline->derived();
  if (model.equations == nullptr) {
    failed_ = std::move(model.pipeline);
    return false;
  }
  model.law_parameters = parameters_of_laws(model.pipeline->pool(), *model.equations);
  models_.push_back(std::move(model));
  return true;
}

// With accelerations if any of the runs needs them.
void Study::compile(const StudyRequest& request, const KernelCache* cache) {
  Level level = Level::velocity;
  const auto look_at = [&](const std::string& method) {
    if (rt::needs_zeta(method_of(method, *models_.front().equations))) level = Level::acceleration;
  };
  look_at(grid_->point(0).settings.word("method"));
  for (const Axis& axis : grid_->axes()) {
    if (axis.parameter.empty() && axis.setting == setting("method")) {
      for (const Value& value : axis.values) look_at(*value.text());
    }
  }
  // As long as one of them, the runs have so many steps.
  const Fusing fusing = fusing_for(first_good_options(), static_cast<double>(size()));
  for (SizedModel& model : models_) model.kernels = model.pipeline->compiled(level, cache, fusing);
  compile_lanes(request, level, cache);
}

// The options of the first run that has any. What is wrong with all of them is wrong with the study: the first reason
// is thrown.
rt::SimulationOptions Study::first_good_options() const {
  constexpr std::uint64_t enough = 100'000;  // beyond these, rows will tell
  const Equations& equations = *models_.front().equations;
  const sym::ExprPool& pool = models_.front().pipeline->pool();
  std::optional<SettingError> first;
  for (std::uint64_t k = 0; k < std::min(size(), enough); ++k) {
    const StudyPoint point = grid_->point(k);
    try {
      return simulation_options(point.settings, equations, pool, parameters_with(point.overrides, equations, pool),
                                Recording::no);
    } catch (const SettingError& error) {
      if (!first) first = error;
    }
  }
  throw SettingError(*first);
}

// Kernels over lanes, where the model allows and there are runs enough to fill more of them than a single run is worth.
void Study::compile_lanes(const StudyRequest& request, Level level, const KernelCache* cache) {
  const unsigned most = rt::lanes_of_processor(), lanes = request.lanes ? static_cast<unsigned>(*request.lanes) : most;
  if (lanes > most)
    throw SettingError("lanes", fmt::format("`lanes` {}: the registers of this processor have {}", lanes,
                                            most == 1 ? "no lanes" : fmt::format("{} lanes", most)));
  if (lanes == 1 || size() < 3 || models_.size() > 1) return;
  const nsm_model& table = models_.front().kernels->table();
  if (!rt::fits_lanes(rt::System(table, std::vector<double>(table.n_p, 1.0)))) return;
  lanes_ = models_.front().pipeline->compiled_lanes(level, {lanes, request.reproducible}, cache);
}

// Parameters that the sizes of arrays depend on are part of the compiled model.
void Study::derive_sizes() {
  const std::vector<TypedParameter>& parameters = models_.front().pipeline->checked()->parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].structural) size_parameters_.push_back(i);
  }
  by_size_[sizes_at(front_overrides_)] = 0;
  const bool varied =
      std::any_of(grid_->axes().begin(), grid_->axes().end(), [](const Axis& axis) { return !axis.parameter.empty(); });
  const std::uint64_t last = size_parameters_.empty() ? 0 : varied ? size() : 1;
  for (std::uint64_t k = 0; k < last; ++k) derive_size(grid_->point(k).overrides);
}

// What is wrong with a size is the reason of its rows.
void Study::derive_size(const ParameterValues& overrides) {
  const std::vector<double> sizes = sizes_at(overrides);
  const bool undefined = std::any_of(sizes.begin(), sizes.end(), [](double size) { return std::isnan(size); });
  if (undefined || by_size_.contains(sizes) || bad_sizes_.contains(sizes)) return;
  const std::size_t index = models_.size();
  bool found = derive(overrides);  // its warnings are those of all sizes
  if (!found) {
    // It may be another of these parameters that is wrong, for some of the runs of this size.
    ParameterValues only;
    for (const std::size_t i : size_parameters_) {
      const std::string& name = models_.front().equations->parameters[i].name;
      if (overrides.contains(name)) only[name] = overrides.at(name);
    }
    found = derive(only);
  }
  if (found) {
    by_size_[sizes] = index;
    return;
  }
  for (const Diagnostic& d : failed_->diagnostics().sorted()) {
    if (entry(d.kind).severity == Severity::error) {
      bad_sizes_[sizes] = d.message;
      return;
    }
  }
}

std::vector<double> Study::sizes_at(const ParameterValues& overrides) const {
  std::vector<double> sizes;
  if (size_parameters_.empty()) return sizes;
  const SizedModel& model = models_.front();
  const std::vector<double> p = parameter_values(model.pipeline->pool(), *model.equations, overrides);
  for (const std::size_t i : size_parameters_) {
    sizes.push_back(p[i]);
  }
  return sizes;
}

void Study::find_measures(const StudyRequest& request) {
  std::vector<MeasureText> texts;
  for (const std::string& text : request.measures) texts.push_back(parse_measure(text));
  for (SizedModel& model : models_) {
    model.measures = resolve_measures(texts, model.kernels->plan());
    if (model.measures.names != models_.front().measures.names) {
      throw SettingError("measure",
                         "the vectors that are measured change their size from run to run: measure single components");
    }
  }
  std::set<std::string> names{"status"};
  for (const Axis& axis : grid_->axes()) names.insert(axis.name);
  for (const std::string& name : models_.front().measures.names) {
    if (!names.insert(name).second) {
      throw SettingError("measure", fmt::format("two columns of the table are called '{0}'; give the measure a label: "
                                                "`measure` my_{0}=...",
                                                name));
    }
  }
}

std::string Study::model_identity() const { return nsmc::model_identity(*models_.front().pipeline, IdentityOf::rows); }

std::size_t Study::cached_compilations() const {
  const bool lanes_cached = lanes_ == nullptr || lanes_->times().cached;
  return static_cast<std::size_t>(std::count_if(models_.begin(), models_.end(), [&](const SizedModel& model) {
    return model.kernels->times().cached && lanes_cached;
  }));
}

double Study::compile_seconds() const {
  double seconds = 0;
  for (const SizedModel& model : models_) seconds += model.pipeline->times().total();
  return seconds;
}

// A run of the study, from its parameters to its measures.
struct Study::Run {
  Run(const SizedModel& of, const std::vector<double>& p, rt::SimulationOptions given)
      : options(std::move(given)),
        system(of.kernels->table(), p),
        state(start_state(*of.kernels, system)),
        recorder(system, of.measures.measures, &state) {
    if (options.method == rt::Method::event) options.integrator.events = &recorder;
    options.record_every = rt::need_every_step(of.measures.measures) ? 1 : 0;
    options.parts = rt::parts_of(system, rt::columns_of(of.measures.measures));
  }

  rt::SimulationOptions options;
  rt::System system;
  rt::State state;
  rt::MeasureRecorder recorder;
};

std::unique_ptr<Study::Run> Study::begin(std::uint64_t index, const std::atomic<bool>& stop) const {
  const StudyPoint point = grid_->point(index);
  std::unique_lock alone(pools_);
  const std::vector<double> sizes = sizes_at(point.overrides);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!std::isnan(sizes[i])) continue;
    const ParameterEquation& parameter = models_.front().equations->parameters[size_parameters_[i]];
    throw SettingError(parameter.name,
                       fmt::format("parameter '{}' becomes undefined with these parameters", parameter.name));
  }
  if (const auto bad = bad_sizes_.find(sizes); bad != bad_sizes_.end()) throw SettingError("", bad->second);
  const SizedModel& model = models_[by_size_.at(sizes)];
  const std::vector<double> p = parameters_with(point.overrides, *model.equations, model.pipeline->pool());
  rt::SimulationOptions options =
      simulation_options(point.settings, *model.equations, model.pipeline->pool(), p, Recording::no);
  if (const std::string why = fault(model, point.overrides, p); !why.empty()) throw SettingError("", why);
  alone.unlock();
  options.stop = &stop;
  return std::make_unique<Run>(model, p, std::move(options));
}

rt::StudyRow Study::row_of(std::uint64_t index, const Run& run, const rt::SimulationResult& result) {
  rt::StudyRow row{.index = index};
  row.abandoned = result.reason == rt::EndReason::interrupted;
  row.failed = result.reason != rt::EndReason::finished;
  if (row.failed) {
    row.status = result.message;
    return row;
  }
  const std::uint64_t unconverged = result.summary.unconverged_steps;
  row.values = run.recorder.values(result.summary);
  row.converged = unconverged == 0;
  row.status =
      row.converged ? "ok" : fmt::format("{} step{} did not converge", unconverged, unconverged == 1 ? "" : "s");
  return row;
}

std::string Study::fault(const SizedModel& model, const ParameterValues& overrides, const std::vector<double>& p) {
  std::vector<double> values;
  for (const std::size_t i : model.law_parameters) values.push_back(p[i]);
  const auto known = model.law_faults.find(values);
  if (known != model.law_faults.end()) return known->second;
  Pipeline& pipeline = *model.pipeline;
  return model.law_faults[values] = fault_of_laws(*pipeline.checked(), pipeline.pool(), *model.equations, overrides);
}

// The row that `work` makes of a run. What it throws is a row as well.
template <class Work>
rt::StudyRow Study::guarded(std::uint64_t index, Work&& work) const {
  rt::StudyRow row{.index = index, .failed = true};
  try {
    row = work();
  } catch (const std::bad_alloc&) {
    row.status = "not enough memory";
  } catch (const std::exception& error) {
    row.status = error.what();
  }
  row.values.resize(measures().size());
  row.status = one_line(std::move(row.status));
  return row;
}

rt::StudyRow Study::run(std::uint64_t index, const std::atomic<bool>& stop) const {
  return guarded(index, [&] {
    const std::unique_ptr<Run> run = begin(index, stop);
    return row_of(index, *run, rt::simulate(run->system, run->state, run->options, run->recorder));
  });
}

unsigned Study::at_once(std::uint64_t runs, unsigned threads) const {
  if (lanes_ == nullptr) return 1;
  const unsigned lanes = lanes_->table().lanes;
  const std::uint64_t share = (runs + threads - 1) / std::max(threads, 1U);
  // One or two runs are faster without lanes. But the rows of a study must not depend on how many threads there are.
  if (share < 3 && exact_lanes()) return 1;
  return static_cast<unsigned>(std::clamp<std::uint64_t>(share, 1, lanes));
}

rt::Crew Study::crew(std::uint64_t runs, unsigned threads, const std::atomic<bool>& stop) const {
  const unsigned width = at_once(runs, threads);
  if (lanes_ == nullptr || (width == 1 && exact_lanes()))
    return rt::crew_of_single_pieces(threads, [this, &stop](std::uint64_t index) { return run(index, stop); });
  return {threads, width, [this, width, &stop](rt::WorkQueue& queue) { run_in_lanes(queue, width, stop); }};
}

void Study::run_in_lanes(rt::WorkQueue& queue, unsigned at_once, const std::atomic<bool>& stop) const {
  struct Busy {
    std::uint64_t index = 0;
    std::unique_ptr<Run> run;
    std::unique_ptr<rt::Simulation> simulation;
  };
  std::array<Busy, rt::max_lanes> lane;
  const nsm_model& table = models_.front().kernels->table();
  rt::LaneGroup group(rt::System(table, std::vector<double>(table.n_p, 1.0)), lanes_->table());
  constexpr std::uint64_t look_again = 100;  // steps, while there are free lanes
  for (;;) {
    bool alone = false;
    while (group.running() < at_once && !alone) {
      const auto index = group.running() == 0 ? queue.next() : queue.next_if_any();
      if (!index && group.running() == 0) return;
      if (!index) {
        alone = true;
        break;
      }
      Busy next{*index, nullptr, nullptr};
      bool started = false;
      rt::StudyRow row = guarded(*index, [&] {
        next.run = begin(*index, stop);
        Run& run = *next.run;
        const bool fits = run.options.method == rt::Method::moreau && !run.options.parts.work &&
                          !(run.options.integrator.accuracy > 0) && rt::fits_lanes(run.options.solver);
        if (!fits) return row_of(*index, run, rt::simulate(run.system, run.state, run.options, run.recorder));
        next.simulation = std::make_unique<rt::Simulation>(run.system, run.state, run.options, run.recorder);
        const unsigned l = group.start({&run.system, &run.state, next.simulation.get(), &run.options.solver});
        lane[l] = std::move(next);
        started = true;
        return rt::StudyRow{};
      });
      if (!started) queue.done(std::move(row));
    }
    const bool full = group.running() == at_once;
    const std::optional<unsigned> ended = group.run(full ? ~std::uint64_t{0} : look_again, alone);
    if (!ended) continue;
    Busy done = std::move(lane[*ended]);
    queue.done(guarded(done.index, [&] { return row_of(done.index, *done.run, done.simulation->finish()); }));
  }
}

}  // namespace nsmc
