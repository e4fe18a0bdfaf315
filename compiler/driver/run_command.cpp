// nsmc run: compile, simulate, record, sum up.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "compiler/api/files.hpp"
#include "compiler/api/pipeline.hpp"
#include "compiler/api/simulation_setup.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/problem_dump.hpp"
#include "compiler/driver/saved_state.hpp"
#include "compiler/driver/stop_signal.hpp"
#include "compiler/driver/terminal.hpp"
#include "nsmc/model.hpp"
#include "runtime/methods/make_integrator.hpp"
#include "runtime/names.hpp"
#include "runtime/output/csv_writer.hpp"
#include "runtime/output/event_log.hpp"
#include "runtime/simulation/run.hpp"

namespace nsmc {
namespace {

// Passes a choice of columns on, and counts rows.
class SelectedColumns final : public rt::Recorder {
 public:
  // rows: that are there already.
  SelectedColumns(rt::Recorder& target, std::vector<std::size_t> columns, std::uint64_t rows)
      : target_(target), columns_(std::move(columns)), row_(columns_.size()), rows_(rows) {}

  void record(double t, std::span<const double> values) override {
    for (std::size_t i = 0; i < columns_.size(); ++i) row_[i] = values[columns_[i]];
    target_.record(t, row_);
    ++rows_;
  }

  const std::uint64_t& rows() const { return rows_; }

 private:
  rt::Recorder& target_;
  std::vector<std::size_t> columns_;
  std::vector<double> row_;
  std::uint64_t rows_;
};

void show_progress(const rt::Progress& progress) {
  const double part =
      progress.n_steps > 0 ? static_cast<double>(progress.step) / static_cast<double>(progress.n_steps) : 1;
  show_progress_bar(part, fmt::format("t = {:.4g}", progress.t));
  if (progress.step >= progress.n_steps) clear_progress_bar();
}

struct RunRecord {
  const rt::SimulationOptions& options;
  const rt::SimulationResult& result;
  double compile_seconds;
  bool cached;
  std::string output;
  std::uint64_t rows;
  const ProblemDump* dump;
  std::string events;
  std::uint64_t event_rows;
};

std::string method_text(const rt::SimulationOptions& options) {
  const std::string_view name = rt::name_of(options.method);
  if (options.method != rt::Method::rk || options.integrator.tableau == nullptr) return std::string(name);
  return fmt::format("{} {}", name, options.integrator.tableau->name);
}

std::string summary_text(const Equations& e, const RunRecord& run) {
  const rt::Summary& s = run.result.summary;
  std::string out =
      fmt::format("{}: {} of {} s ({}, {})\n", e.name.empty() ? "model" : e.name, counted(s.steps, "step"),
                  run.options.step, method_text(run.options), rt::name_of(run.options.solver.kind));
  if (!e.contacts.empty()) {
    out += fmt::format("  contacts    closed in {}, {} at most, {:.3g} on average\n",
                       counted(s.steps_with_contact, "step"), s.closed_max, s.closed_mean);
    out += fmt::format("  iterations  {:.3g} mean, {} max{}\n", s.iterations_mean, s.iterations_max,
                       s.newton_steps == 0 ? "" : ", with " + counted(s.newton_steps, "Newton step"));
    out += s.unconverged_steps == 0
               ? fmt::format("  residual    {:.2g} at worst; every step{} converged (tolerance {:.2g})\n",
                             s.worst_residual,
                             run.result.reason == rt::EndReason::numerical_failure ? " before the failure" : "",
                             run.options.solver.tolerance)
               : fmt::format(
                     "  residual    {:.2g} at worst, in contact {} at t = {:.6g}; {} did not converge "
                     "(tolerance {:.2g})\n",
                     s.worst_residual, s.worst_contact_name, s.worst_time, counted(s.unconverged_steps, "step"),
                     run.options.solver.tolerance);
  }
  if (run.options.method == rt::Method::event) {
    out += fmt::format("  smooth      {}, {} of the accelerations (rtol {:.2g}, atol {:.2g})\n",
                       counted(s.internal_steps, "internal step"), counted(s.evaluations, "evaluation"),
                       run.options.integrator.rtol, run.options.integrator.atol);
    std::string kinds;
    for (std::size_t k = 0; k < rt::n_event_kinds; ++k) {
      if (s.events[k] > 0) kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", rt::event_names[k], s.events[k]);
    }
    out += fmt::format("  events      {}\n", kinds.empty() ? "none" : kinds);
  }
  if (s.position_contact != NSM_NONE) {
    out += fmt::format("  positions   constraints hold to {:.2g}, worst in {} at t = {:.6g}\n", s.position_error,
                       s.position_contact_name, s.position_time);
  }
  out += fmt::format("  energy      {:.6g} at the start, {:.6g} at the end (change {:.3g})\n", s.energy_first,
                     s.energy_last, s.energy_last - s.energy_first);
  out += fmt::format("  time        compile {}{}, run {}\n", duration(run.compile_seconds),
                     run.cached ? " (cached)" : "", duration(s.wall_seconds));
  if (!run.output.empty() && run.output != "-")
    out += fmt::format("  written     {} ({})\n", run.output, counted(run.rows, "row"));
  if (!run.events.empty() && run.events != "-")
    out += fmt::format("  written     {} ({})\n", run.events, counted(run.event_rows, "event"));
  if (run.dump != nullptr) out += run.dump->text();
  return out;
}

// To standard output, unless the numbers go there.
void print_summary(const RunOptions& run, const Equations& equations, const RunRecord& record) {
  const rt::Summary& summary = record.result.summary;
  if (run.quiet) {
    if (summary.unconverged_steps > 0) {
      std::fputs(fmt::format("nsmc: warning: {} did not converge, worst residual {:.2g}\n",
                             counted(summary.unconverged_steps, "step"), summary.worst_residual)
                     .c_str(),
                 stderr);
    }
    return;
  }
  const std::string text = summary_text(equations, record);
  if (run.output == "-" || run.events == "-") {
    std::fputs(text.c_str(), stderr);
  } else {
    write_stdout(text);
  }
}

}  // namespace

std::optional<KernelCache> kernel_cache(const ModelChoices& choices) {
  if (choices.no_cache) return std::nullopt;
  Cache cache = cache_of_environment();
  if (cache.directory.empty() || cache.bytes == 0) return std::nullopt;
  return KernelCache(std::move(cache.directory), cache.bytes);
}

int run_command(RunOptions run) {
  const std::optional<rt::StateFile> from = state_to_go_on_from(run);
  const GivenParameters parameters(run.model.overrides);
  Pipeline pipeline(source_of(run.model.file), parameters.values());
  const Equations* equations = pipeline.derived();
  print_diagnostics(pipeline);
  if (equations == nullptr) return kModelErrors;
  const std::vector<double> p = parameters_with(parameters.values_for(*equations), *equations, pipeline.pool());
  rt::SimulationOptions options =
      simulation_options(read_settings(run.model.settings), *equations, pipeline.pool(), p, Recording::yes);
  if (!run.events.empty() && options.method != rt::Method::event) {
    throw UsageError(fmt::format("--events belongs to --method event, not to {}", rt::name_of(options.method)));
  }
  if (run.events == "-" && run.output == "-") throw UsageError("--events and --output cannot share standard output");
  if (!run.events.empty() && is_same_file(run.events, run.output))
    throw UsageError(fmt::format("--events and --output cannot share the file {}", run.events));

  const std::optional<KernelCache> cache = kernel_cache(run.model);
  const Kernels& kernels = *pipeline.compiled(rt::needs_zeta(options.method) ? Level::acceleration : Level::velocity,
                                              cache ? &*cache : nullptr, fusing_for(options));
  const std::vector<std::string>& names = kernels.plan().columns;
  const std::vector<std::size_t> selected = select_columns(run.outputs, names);

  const std::string identity = is_saved(run) ? model_identity(pipeline) : "";
  if (from) require_same_model(*from, identity);
  const rt::System system(kernels.table(), p);

  rt::NullRecorder nowhere;
  std::unique_ptr<rt::CsvWriter> csv;
  if (!run.output.empty()) {
    std::vector<std::string> header{"t"};
    for (const std::size_t i : selected) header.push_back(names[i]);
    rt::CsvOptions csv_options;
    csv_options.mode = output_mode(run, from, run.output);
    csv_options.time_column = true;
    csv = std::make_unique<rt::CsvWriter>(run.output, header, csv_options);
  }
  std::unique_ptr<rt::EventLog> events;
  if (!run.events.empty()) {
    events = std::make_unique<rt::EventLog>(run.events, system, output_mode(run, from, run.events),
                                            rows_kept(run, from, run.events));
    options.integrator.events = events.get();
  }
  options.parts = csv ? rt::parts_of(system, selected) : rt::RowParts::none();
  SelectedColumns recorder(csv ? static_cast<rt::Recorder&>(*csv) : nowhere, selected,
                           csv ? rows_kept(run, from, run.output) : 0);

  options.stop = &stop_on_signals();
  std::unique_ptr<ProblemDump> dump;
  if (!run.dump.directory.empty()) {
    dump = std::make_unique<ProblemDump>(system, run.dump, equations->name.empty() ? "model" : equations->name);
    options.solver.observer = dump.get();
  }

  const bool progress = !run.quiet && is_terminal(STDERR_FILENO);
  if (progress) options.progress = show_progress;
  rt::Run simulation = from ? go_on(kernels, *equations, pipeline.pool(), *from, p, options, recorder)
                            : rt::Run(kernels.table(), p, start_state(kernels, system), options, recorder);
  if (from && !run.saving.resume && simulation.is_over()) {
    throw UsageError(
        fmt::format("the saved state is at t = {:.9g}, where the run ends: --until T goes on", simulation.t()));
  }
  RunSaver saver(run, identity, {csv.get(), &recorder.rows(), events.get()});
  saver.run_to_end(simulation, options.until);
  const bool waits = saver.waits_for_resume(simulation);
  const rt::SimulationResult result = simulation.result();
  if (progress && result.reason != rt::EndReason::finished) clear_progress_bar();
  if (result.reason == rt::EndReason::invalid_options) throw UsageError(result.message);  // nothing is written
  // However the run ended, what was computed is kept, complete up to a row.
  if (dump) dump->write();
  if (!waits) {
    if (csv) csv->commit();
    if (events) events->commit();
    saver.clear();
  }

  print_summary(run, *equations,
                {options, result, pipeline.times().total(), kernels.times().cached, waits ? "" : run.output,
                 recorder.rows(), dump.get(), waits ? "" : run.events, events ? events->rows() : 0});
  if (result.reason == rt::EndReason::finished) return kDone;
  const std::string later = waits ? "; --resume goes on from the last checkpoint, in " + saver.path() : "";
  std::fputs(fmt::format("nsmc: {}{}\n", result.message, later).c_str(), stderr);
  return result.reason == rt::EndReason::interrupted ? kInterrupted : kNumericalFailure;
}

}  // namespace nsmc
