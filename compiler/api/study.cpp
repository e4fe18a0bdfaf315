#include "compiler/api/study_impl.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <mutex>
#include <new>
#include <numeric>
#include <set>
#include <thread>

#include "compiler/mechanics/derive.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "runtime/methods/make_integrator.hpp"
#include "runtime/simulation/lane_group.hpp"
#include "runtime/study/share_runs.hpp"

namespace nsmc {
namespace {

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::vector<StudyAxis> plain(const std::vector<Axis>& axes) {
  std::vector<StudyAxis> list;
  for (const Axis& axis : axes) {
    const bool setting = axis.parameter.empty();
    list.push_back({axis.name, axis.parameter, setting ? std::string(row(axis.setting).name) : "", axis.values});
  }
  return list;
}

// Calls `progress` about every 0.1 s, however often it is called itself.
std::function<void()> at_intervals(const std::function<void(std::uint64_t, std::uint64_t)>& progress,
                                   const std::uint64_t& done, std::uint64_t all) {
  if (!progress) return {};
  return [&progress, &done, all, last = std::chrono::steady_clock::now()]() mutable {
    const auto now = std::chrono::steady_clock::now();
    if (now - last < std::chrono::milliseconds(100)) return;
    last = now;
    progress(done, all);
  };
}

}  // namespace

Study::Impl::Impl(std::shared_ptr<const Model::Impl> front, const StudyRequest& request) : request_(request) {
  const Equations& equations = front->good_equations();
  const std::lock_guard alone(front->mutex);
  add(front);
  request_.overrides = front->overrides_of(request.overrides);
  const GivenParameters parameters(request_.overrides);
  const SettingValues<double> settings = read_settings(request.settings);
  grid_.emplace(read_axes(request.axes, parameters, settings, equations), parameters.values_for(equations), settings);
  axes_ = plain(grid_->axes());
  add_sizes();
  compile();
  find_measures();
}

// Nothing is added if it has errors.
bool Study::Impl::add(std::shared_ptr<const Model::Impl> model) {
  if (model->equations == nullptr) return false;
  SizedModel& added = models_.emplace_back();
  added.equations = model->equations;
  added.law_parameters = parameters_of_laws(model->pipeline.pool(), *model->equations);
  added.model = std::move(model);
  return true;
}

// With accelerations if any of the runs needs them.
void Study::Impl::compile() {
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
  const Fusing fusing = fusing_for(first_good_options(), static_cast<double>(grid_->size()));
  for (SizedModel& model : models_) model.kernels = model.model->pipeline.compiled(level, cache(), fusing);
  compile_lanes(level);
}

// The options of the first run that has any. What is wrong with all of them is wrong with the study: the first reason
// is thrown.
rt::SimulationOptions Study::Impl::first_good_options() const {
  constexpr std::uint64_t enough = 100'000;  // beyond these, rows will tell
  const Equations& equations = *models_.front().equations;
  const sym::ExprPool& pool = front().pipeline.pool();
  std::optional<SettingError> first;
  for (std::uint64_t k = 0; k < std::min(grid_->size(), enough); ++k) {
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
void Study::Impl::compile_lanes(Level level) {
  const unsigned most = rt::lanes_of_processor(),
                 lanes = request_.lanes ? static_cast<unsigned>(*request_.lanes) : most;
  if (lanes > most)
    throw SettingError("lanes", fmt::format("`lanes` {}: the registers of this processor have {}", lanes,
                                            most == 1 ? "no lanes" : fmt::format("{} lanes", most)));
  if (lanes == 1 || grid_->size() < 3 || models_.size() > 1) return;
  const nsm_model& table = models_.front().kernels->table();
  if (!rt::fits_lanes(rt::System(table, std::vector<double>(table.n_p, 1.0)))) return;
  lanes_ = front().pipeline.compiled_lanes(level, {lanes, request_.reproducible}, cache());
}

// Parameters that the sizes of arrays depend on are part of the compiled model.
void Study::Impl::add_sizes() {
  const std::vector<TypedParameter>& parameters = front().pipeline.checked()->parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].structural) size_parameters_.push_back(i);
  }
  by_size_[sizes_at(front().structure)] = 0;
  const bool varied =
      std::any_of(grid_->axes().begin(), grid_->axes().end(), [](const Axis& axis) { return !axis.parameter.empty(); });
  const std::uint64_t last = size_parameters_.empty() ? 0 : varied ? grid_->size() : 1;
  for (std::uint64_t k = 0; k < last; ++k) add_size(grid_->point(k).overrides);
}

// What is wrong with a size is the reason of its rows.
void Study::Impl::add_size(const ParameterValues& overrides) {
  const std::vector<double> sizes = sizes_at(overrides);
  const bool undefined = std::any_of(sizes.begin(), sizes.end(), [](double size) { return std::isnan(size); });
  if (undefined || by_size_.contains(sizes) || bad_sizes_.contains(sizes)) return;
  const std::size_t index = models_.size();
  const auto sized = [this](const ParameterValues& values) {
    return std::make_shared<const Model::Impl>(front().source, front().options, values);
  };
  std::shared_ptr<const Model::Impl> model = sized(overrides);  // its warnings are those of all sizes
  if (model->equations == nullptr) {
    // It may be another of these parameters that is wrong, for some of the runs of this size.
    ParameterValues only;
    for (const std::size_t i : size_parameters_) {
      const std::string& name = models_.front().equations->parameters[i].name;
      if (overrides.contains(name)) only[name] = overrides.at(name);
    }
    model = sized(only);
  }
  if (add(model)) {
    by_size_[sizes] = index;
    return;
  }
  try {
    model->good_equations();
  } catch (const ModelError& error) {
    bad_sizes_[sizes] = error.what();
  }
}

std::vector<double> Study::Impl::sizes_at(const ParameterValues& overrides) const {
  std::vector<double> sizes;
  if (size_parameters_.empty()) return sizes;
  const SizedModel& model = models_.front();
  const std::vector<double> p = parameter_values(front().pipeline.pool(), *model.equations, overrides);
  for (const std::size_t i : size_parameters_) {
    sizes.push_back(p[i]);
  }
  return sizes;
}

void Study::Impl::find_measures() {
  std::vector<MeasureText> texts;
  for (const std::string& text : request_.measures) texts.push_back(parse_measure(text));
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

std::size_t Study::Impl::cached_compilations() const {
  const bool lanes_cached = lanes_ == nullptr || lanes_->times().cached;
  return static_cast<std::size_t>(std::count_if(models_.begin(), models_.end(), [&](const SizedModel& model) {
    return model.kernels->times().cached && lanes_cached;
  }));
}

double Study::Impl::compile_seconds() const {
  double seconds = 0;
  for (const SizedModel& model : models_) seconds += model.model->pipeline.times().total();
  return seconds;
}

// A run of the study, from its parameters to its measures.
struct Study::Impl::Run {
  Run(const SizedModel& of, const std::vector<double>& p, rt::SimulationOptions given)
      : options(std::move(given)),
        system(of.kernels->table(), p, options.inputs),
        state(start_state(*of.kernels, system)),
        recorder(system, of.measures.measures, &state) {
    if (options.method == rt::Method::event) options.integrator.events = &recorder;
    options.columns = &of.kernels->plan().columns;
    options.record_every = rt::need_every_step(of.measures.measures) ? 1 : 0;
    options.parts = rt::parts_of(system, rt::columns_of(of.measures.measures));
  }

  rt::SimulationOptions options;
  rt::System system;
  rt::State state;
  rt::MeasureRecorder recorder;
};

std::unique_ptr<Study::Impl::Run> Study::Impl::begin(std::uint64_t index, const std::atomic<bool>& stop) const {
  const StudyPoint point = grid_->point(index);
  std::unique_lock alone(front().mutex);
  const std::vector<double> sizes = sizes_at(point.overrides);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!std::isnan(sizes[i])) continue;
    const ParameterEquation& parameter = models_.front().equations->parameters[size_parameters_[i]];
    throw SettingError(parameter.name,
                       fmt::format("parameter '{}' becomes undefined with these parameters", parameter.name));
  }
  if (const auto bad = bad_sizes_.find(sizes); bad != bad_sizes_.end()) throw SettingError("", bad->second);
  const SizedModel& model = models_[by_size_.at(sizes)];
  const sym::ExprPool& pool = model.model->pipeline.pool();
  const std::vector<double> p = parameters_with(point.overrides, *model.equations, pool);
  rt::SimulationOptions options = simulation_options(point.settings, *model.equations, pool, p, Recording::no);
  if (const std::string why = fault(model, point.overrides, p); !why.empty()) throw SettingError("", why);
  options.inputs = input_samples(request_.inputs, *model.equations);
  alone.unlock();
  options.stop = &stop;
  return std::make_unique<Run>(model, p, std::move(options));
}

rt::StudyRow Study::Impl::row_of(std::uint64_t index, const Run& run, const rt::SimulationResult& result) {
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
  const auto doubt = [&](const std::string& words) { row.status += (row.status.empty() ? "" : "; ") + words; };
  if (!row.converged) doubt(fmt::format("{} step{} did not converge", unconverged, unconverged == 1 ? "" : "s"));
  const std::string_view unconverged_code = rt::warning_info(rt::WarningKind::unconverged).code;
  for (const rt::Warning& warning : result.summary.warning_words) {
    if (warning.code != unconverged_code) doubt(warning.code + ": " + warning.message);
  }
  if (row.status.empty()) row.status = "ok";
  return row;
}

std::string Study::Impl::fault(const SizedModel& model, const ParameterValues& overrides,
                               const std::vector<double>& p) {
  std::vector<double> values;
  for (const std::size_t i : model.law_parameters) values.push_back(p[i]);
  const auto known = model.law_faults.find(values);
  if (known != model.law_faults.end()) return known->second;
  Pipeline& pipeline = model.model->pipeline;
  return model.law_faults[values] = fault_of_laws(*pipeline.checked(), pipeline.pool(), *model.equations, overrides);
}

// The row that `work` makes of a run. What it throws is a row as well.
template <class Work>
rt::StudyRow Study::Impl::guarded(std::uint64_t index, Work&& work) const {
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

rt::StudyRow Study::Impl::run(std::uint64_t index, const std::atomic<bool>& stop) const {
  return guarded(index, [&] {
    const std::unique_ptr<Run> run = begin(index, stop);
    return row_of(index, *run, rt::simulate(run->system, run->state, run->options, run->recorder));
  });
}

unsigned Study::Impl::at_once(std::uint64_t runs, unsigned threads) const {
  if (lanes_ == nullptr) return 1;
  const unsigned lanes = lanes_->table().lanes;
  const std::uint64_t share = (runs + threads - 1) / std::max(threads, 1U);
  // One or two runs are faster without lanes. But the rows of a study must not depend on how many threads there are.
  if (share < 3 && exact_lanes()) return 1;
  return static_cast<unsigned>(std::clamp<std::uint64_t>(share, 1, lanes));
}

rt::Crew Study::Impl::crew(std::uint64_t runs, unsigned threads, const std::atomic<bool>& stop) const {
  const unsigned width = at_once(runs, threads);
  if (lanes_ == nullptr || (width == 1 && exact_lanes()))
    return rt::crew_of_single_pieces(threads, [this, &stop](std::uint64_t index) { return run(index, stop); });
  return {threads, width, [this, width, &stop](rt::WorkQueue& queue) { run_in_lanes(queue, width, stop); }};
}

void Study::Impl::run_in_lanes(rt::WorkQueue& queue, unsigned at_once, const std::atomic<bool>& stop) const {
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

// ------------------------------------------------------------------------------------------------- nsmc::Study

const std::vector<StudyAxis>& Study::axes() const { return impl_->axes(); }
const std::vector<std::string>& Study::measures() const { return impl_->measures(); }
std::uint64_t Study::size() const { return impl_->grid().size(); }
std::vector<Value> Study::point(std::uint64_t index) const { return impl_->grid().point(index).values; }
std::string Study::identity() const { return impl_->front().identity(IdentityOf::rows); }
bool Study::exact_lanes() const { return impl_->exact_lanes(); }
unsigned Study::lanes() const { return impl_->lanes(); }
std::size_t Study::compilations() const { return impl_->compilations(); }
std::size_t Study::cached_compilations() const { return impl_->cached_compilations(); }
double Study::compile_seconds() const { return impl_->compile_seconds(); }

StudyCrew Study::run(const std::vector<std::uint64_t>& runs, const std::function<void(const StudyRow&)>& finished,
                     rt::Ranks* ranks) const {
  const StudyRequest& request = impl_->request();
  const bool follows = ranks != nullptr && ranks->rank() > 0;
  const std::uint64_t all = follows ? size() : runs.size();
  const std::uint64_t share = all / static_cast<std::uint64_t>(ranks != nullptr ? ranks->size() : 1);
  StudyCrew crew;
  const unsigned cores = ranks != nullptr ? ranks->fair_threads() : std::max(1U, std::thread::hardware_concurrency());
  const unsigned asked = request.threads > 0 ? request.threads : cores;
  crew.wanted = static_cast<unsigned>(std::clamp<std::uint64_t>(all, 1, asked));
  crew.at_once = impl_->at_once(share, crew.wanted);
  std::atomic<bool> over = false;
  const rt::Crew workers = impl_->crew(share, crew.wanted, over);
  std::uint64_t done = 0;
  const rt::Stop stop{over, request.stop, at_intervals(request.progress, done, runs.size())};
  if (follows) {
    rt::work_for_others(*ranks, workers, stop);
    return crew;
  }
  crew.threads = rt::share_runs(ranks, workers, runs, stop, [&](const rt::StudyRow& row) {
    ++done;
    finished({row.index, point(row.index), row.values, row.failed, row.converged, row.status});
  });
  return crew;
}

Model Model::at_start_of(const StudyRequest& request) const { return Model(impl_->at_start_of(request)); }

std::vector<StudyAxis> Model::axes(const StudyRequest& request) const {
  return plain(read_axes(request.axes, GivenParameters(impl_->overrides_of(request.overrides)),
                         read_settings(request.settings), impl_->good_equations()));
}

Study Model::prepare(const StudyRequest& request) const {
  return Study(std::make_shared<const Study::Impl>(impl_->at_start_of(request), request));
}

StudyResult Model::study(const StudyRequest& request, const std::function<void(const StudyRow&)>& finished) const {
  const Study study = prepare(request);
  StudyResult result;
  result.measures = study.measures();
  result.size = study.size();
  for (const StudyAxis& axis : study.axes()) result.axes.push_back(axis.name);
  std::vector<std::uint64_t> all(study.size());
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  study.run(all, [&](const StudyRow& row) {
    result.rows.push_back(row);
    if (finished) finished(result.rows.back());
  });
  std::sort(result.rows.begin(), result.rows.end(),
            [](const StudyRow& a, const StudyRow& b) { return a.index < b.index; });
  return result;
}

}  // namespace nsmc
