// nsmc run: compile, simulate, record, sum up.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>

#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/files.hpp"
#include "compiler/driver/pipeline.hpp"
#include "compiler/driver/quantity.hpp"
#include "compiler/driver/terminal.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "compiler/model/method_names.hpp"
#include "compiler/support/internal_check.hpp"
#include "runtime/output/csv_writer.hpp"
#include "runtime/simulation/simulate.hpp"

namespace nsmc {
namespace {

std::atomic<bool> g_stop{false};  // set by a signal, read by the run

void stop_run(int) { g_stop.store(true, std::memory_order_relaxed); }

// A parameter or setting from the command line: a bare number is SI, a unit must fit.
double read_value(const std::string& text, const std::string& what, const std::string& dimension) {
  const Quantity quantity = read_quantity(text, what);
  if (quantity.has_unit && quantity.dimension.text() != dimension) {
    throw UsageError(fmt::format("{}: '{}' is {}, expected {}", what, text, quantity.dimension.description(),
                                 dimension == "1" ? "a pure number" : "[" + dimension + "]"));
  }
  return quantity.value;
}

// The overrides that are plain numbers, before the model is known: the size of an array may be among them.
StructuralNumbers structural_numbers(const std::vector<std::string>& set) {
  StructuralNumbers numbers;
  for (const std::string& item : set) {
    const std::size_t equal = item.find('=');
    if (equal == std::string::npos || equal == 0) continue;
    const char* text = item.c_str() + equal + 1;
    char* end = nullptr;
    const double value = std::strtod(text, &end);
    if (end != text && *end == '\0') numbers[item.substr(0, equal)] = value;
  }
  return numbers;
}

std::map<std::string, double> read_overrides(const std::vector<std::string>& set, const Equations& equations) {
  std::map<std::string, double> overrides;
  std::vector<std::string> names;
  for (const ParameterEquation& p : equations.parameters) names.push_back(p.name);
  for (const std::string& item : set) {
    const std::size_t equal = item.find('=');
    if (equal == std::string::npos || equal == 0) {
      throw UsageError(fmt::format("--set {}: expected name=value, such as --set mu=0.3", item));
    }
    const std::string name = item.substr(0, equal);
    const auto found = std::find_if(equations.parameters.begin(), equations.parameters.end(),
                                    [&](const ParameterEquation& p) { return p.name == name; });
    if (found == equations.parameters.end()) {
      std::string hint = did_you_mean(name, names);
      if (hint.empty())
        hint = names.empty() ? "it has no parameters" : fmt::format("it has {}", fmt::join(names, ", "));
      throw UsageError(fmt::format("--set {}: the model has no parameter '{}'; {}", item, name, hint));
    }
    overrides[name] = read_value(item.substr(equal + 1), "--set " + name, found->dimension);
  }
  return overrides;
}

double positive(double value, const std::string& what) {
  if (!(value > 0) || !std::isfinite(value)) {
    throw UsageError(fmt::format("{} must be a finite number greater than 0, this is {}", what, value));
  }
  return value;
}

void require_finite(const std::vector<double>& p, const Equations& equations) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (std::isfinite(p[i])) continue;
    throw UsageError(fmt::format("parameter '{}' becomes {} with these parameters", equations.parameters[i].name,
                                 std::isnan(p[i]) ? "undefined" : "infinite"));
  }
}

// In the words of the model: the columns of q and u stand first.
std::string start_fault(const Kernels& kernels, const rt::System& system, const rt::StateFault& fault) {
  const rt::BlockInfo& block = system.blocks()[fault.block];
  const bool velocity = fault.kind == rt::StateFault::Kind::u_not_finite;
  const std::size_t column =
      (velocity ? system.n_q() + block.first_u : block.first_q) + static_cast<std::size_t>(fault.index);
  const std::string& name = kernels.plan().columns[column];
  if (fault.kind == rt::StateFault::Kind::quaternion_zero) {
    return fmt::format("the initial orientation at '{}' has no direction with these parameters", name);
  }
  return fmt::format("the initial value of '{}' is not a finite number with these parameters", name);
}

// The runtime's solvers in the order of solver_names.
constexpr std::array<rt::SolverKind, solver_names.size()> solver_kinds{
    rt::SolverKind::jor, rt::SolverKind::sor, rt::SolverKind::newton, rt::SolverKind::automatic};

rt::SolverKind solver_kind(const std::string& name) {
  if (name.empty()) return rt::default_solver;
  const auto* const at = std::find(solver_names.begin(), solver_names.end(), name);
  internal_check(at != solver_names.end(), "a solver that has a name but no place in the runtime");
  return solver_kinds[static_cast<std::size_t>(at - solver_names.begin())];
}

std::string_view solver_name(rt::SolverKind kind) {
  const auto* const at = std::find(solver_kinds.begin(), solver_kinds.end(), kind);
  return solver_names[static_cast<std::size_t>(at - solver_kinds.begin())];
}

rt::SimulationOptions simulation_options(const RunOptions& run, const Equations& e, const sym::ExprPool& pool,
                                         const std::vector<double>& p) {
  const SettingsEquation& s = e.settings;
  const auto time = [&](const std::string& given, const std::optional<sym::Expr>& written, const char* name) {
    if (!given.empty()) return std::optional(positive(read_value(given, fmt::format("--{}", name), "s"), name));
    if (written) return std::optional(positive(constant_value(pool, *written, p), name));
    return std::optional<double>();
  };
  rt::SimulationOptions options;
  const auto until = time(run.until, s.until, "until");
  if (!until) {
    throw UsageError("the model does not say how long to run: use --until T, or write simulate { until T step DT }");
  }
  options.until = *until;
  options.step = std::min(options.until, time(run.step, s.step, "step").value_or(options.until / 10000));
  const auto number = [&](const auto& given, const std::optional<sym::Expr>& written, double otherwise) {
    return given ? static_cast<double>(*given) : written ? constant_value(pool, *written, p) : otherwise;
  };
  options.solver.kind = solver_kind(run.solver.empty() ? s.solver : run.solver);
  options.solver.omega = number(run.omega, s.omega, options.solver.omega);
  options.solver.tolerance = positive(number(run.tolerance, s.tolerance, options.solver.tolerance), "tolerance");
  if (!(options.solver.omega > 0 && options.solver.omega < 2)) throw UsageError("omega must lie between 0 and 2");
  const double iterations = number(run.max_iterations, s.max_iterations, options.solver.max_iterations);
  if (!(iterations >= 1 && iterations <= 1e9)) throw UsageError("max-iterations must lie between 1 and 1e9");
  options.solver.max_iterations = static_cast<int>(iterations);

  // What the command line says about recording takes the place of all that the model says.
  const bool record_given = run.every || !run.record.empty();
  const auto record = time(run.record, record_given ? std::nullopt : s.record, "record");
  if (record) {
    options.record_dt = *record;
  } else {
    const double every = number(run.every, record_given ? std::nullopt : s.every, 1);
    if (!(every >= 1 && every <= 1e15)) throw UsageError("every must be a whole number of steps, at least 1");
    options.record_every = static_cast<std::uint64_t>(every);
  }
  options.solver.scaled = run.scaled;
  options.strict = run.strict;
  options.stop = &g_stop;
  return options;
}

// Passes a choice of columns on, and counts rows.
class SelectedColumns final : public rt::Recorder {
 public:
  SelectedColumns(rt::Recorder& target, std::vector<std::size_t> columns)
      : target_(target), columns_(std::move(columns)), row_(columns_.size()) {}

  void record(double t, std::span<const double> values) override {
    for (std::size_t i = 0; i < columns_.size(); ++i) row_[i] = values[columns_[i]];
    target_.record(t, row_);
    ++rows_;
  }

  std::uint64_t rows() const { return rows_; }

 private:
  rt::Recorder& target_;
  std::vector<std::size_t> columns_;
  std::vector<double> row_;
  std::uint64_t rows_ = 0;
};

std::vector<std::size_t> select_columns(const std::vector<std::string>& wanted, const std::vector<std::string>& all) {
  std::vector<std::size_t> selected;
  for (const std::string& name : wanted) {
    if (name == "t") continue;  // always there
    const std::size_t before = selected.size();
    for (std::size_t i = 0; i < all.size(); ++i) {
      // A vector by its name means all its components.
      if (all[i] == name || (all[i].starts_with(name) && all[i].substr(name.size()).starts_with("["))) {
        selected.push_back(i);
      }
    }
    if (selected.size() == before) {
      std::string hint = did_you_mean(name, all);
      if (hint.empty()) hint = fmt::format("there are {}", fmt::join(all, ", "));
      throw UsageError(fmt::format("--outputs: nothing is called '{}'; {}", name, hint));
    }
  }
  if (wanted.empty()) {
    for (std::size_t i = 0; i < all.size(); ++i) selected.push_back(i);
  }
  return selected;
}

void show_progress(const rt::Progress& progress) {
  constexpr int kWidth = 40;
  const double part =
      progress.n_steps > 0 ? static_cast<double>(progress.step) / static_cast<double>(progress.n_steps) : 1;
  const int filled = static_cast<int>(part * kWidth);
  std::fputs(fmt::format("\r[{:<{}}] {:3.0f}%  t = {:.4g}", std::string(static_cast<std::size_t>(filled), '#'), kWidth,
                         100 * part, progress.t)
                 .c_str(),
             stderr);
  if (progress.step >= progress.n_steps) std::fputs("\r\x1b[K", stderr);
}

std::string duration(double seconds) {
  return seconds < 1 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} s", seconds);
}

struct RunRecord {
  const rt::SimulationOptions& options;
  const rt::SimulationResult& result;
  double compile_seconds;
  std::string output;
  std::uint64_t rows;
};

std::string summary_text(const Equations& e, const RunRecord& run) {
  const rt::Summary& s = run.result.summary;
  std::string out = fmt::format("{}: {} of {} s (moreau, {})\n", e.name.empty() ? "model" : e.name,
                                counted(s.steps, "step"), run.options.step, solver_name(run.options.solver.kind));
  if (!e.contacts.empty()) {
    out += fmt::format("  contacts    closed in {}, {} at most, {:.3g} on average\n",
                       counted(s.steps_with_contact, "step"), s.closed_max, s.closed_mean);
    out += fmt::format("  iterations  {:.3g} mean, {} max\n", s.iterations_mean, s.iterations_max);
    out += s.unconverged_steps == 0
               ? fmt::format("  residual    {:.2g} at worst; every step converged (tolerance {:.2g})\n",
                             s.worst_residual, run.options.solver.tolerance)
               : fmt::format(
                     "  residual    {:.2g} at worst, in contact {} at t = {:.6g}; {} did not converge "
                     "(tolerance {:.2g})\n",
                     s.worst_residual, s.worst_contact_name, s.worst_time, counted(s.unconverged_steps, "step"),
                     run.options.solver.tolerance);
  }
  if (s.position_contact != rt::nobody) {
    out += fmt::format("  positions   constraints hold to {:.2g}, worst in {} at t = {:.6g}\n", s.position_error,
                       s.position_contact_name, s.position_time);
  }
  out += fmt::format("  energy      {:.6g} at the start, {:.6g} at the end (change {:.3g})\n", s.energy_first,
                     s.energy_last, s.energy_last - s.energy_first);
  out += fmt::format("  time        compile {}, run {}\n", duration(run.compile_seconds), duration(s.wall_seconds));
  if (!run.output.empty() && run.output != "-")
    out += fmt::format("  written     {} ({})\n", run.output, counted(run.rows, "row"));
  return out;
}

}  // namespace

int run_command(const RunOptions& run) {
  Pipeline pipeline(run.file, structural_numbers(run.set));
  const Equations* equations = pipeline.derived();
  print_diagnostics(pipeline);
  if (equations == nullptr) return kModelErrors;
  const std::vector<double> p = parameter_values(pipeline.pool(), *equations, read_overrides(run.set, *equations));
  require_finite(p, *equations);
  rt::SimulationOptions options = simulation_options(run, *equations, pipeline.pool(), p);

  const Kernels& kernels = *pipeline.compiled(Level::velocity);  // time-stepping needs no accelerations
  const std::vector<std::string>& names = kernels.plan().columns;
  const std::vector<std::size_t> selected = select_columns(run.outputs, names);

  const rt::System system(kernels.table(), p);
  rt::State state = rt::initial_state(system);
  if (const rt::StateFault fault = rt::find_fault(system, state)) {
    throw UsageError(start_fault(kernels, system, fault));
  }

  rt::NullRecorder nowhere;
  std::unique_ptr<rt::CsvWriter> csv;
  if (!run.output.empty()) {
    std::vector<std::string> header{"t"};
    for (const std::size_t i : selected) header.push_back(names[i]);
    rt::CsvOptions csv_options;
    csv_options.stream = run.stream;
    csv_options.time_column = true;
    csv = std::make_unique<rt::CsvWriter>(run.output, header, csv_options);
  }
  options.parts = csv ? rt::parts_of(system, selected) : rt::RowParts::none();
  SelectedColumns recorder(csv ? static_cast<rt::Recorder&>(*csv) : nowhere, selected);

  std::signal(SIGINT, stop_run);
  std::signal(SIGTERM, stop_run);
  const bool progress = !run.quiet && is_terminal(STDERR_FILENO);
  if (progress) options.progress = show_progress;
  const rt::SimulationResult result = rt::simulate(system, state, options, recorder);
  if (progress && result.reason != rt::EndReason::finished) std::fputs("\r\x1b[K", stderr);
  if (result.reason == rt::EndReason::invalid_options) throw UsageError(result.message);  // nothing is written
  // However the run ended, what was computed is kept, complete up to a row.
  if (csv) csv->commit();

  if (!run.quiet) {
    const std::string text =
        summary_text(*equations, {options, result, pipeline.times().total(), run.output, recorder.rows()});
    // The numbers own standard output if they go there.
    if (run.output == "-") {
      std::fputs(text.c_str(), stderr);
    } else {
      write_stdout(text);
    }
  } else if (result.summary.unconverged_steps > 0) {
    std::fputs(fmt::format("nsmc: warning: {} did not converge, worst residual {:.2g}\n",
                           counted(result.summary.unconverged_steps, "step"), result.summary.worst_residual)
                   .c_str(),
               stderr);
  }
  switch (result.reason) {
    case rt::EndReason::finished: return kDone;
    case rt::EndReason::interrupted:
      std::fputs(fmt::format("nsmc: {}\n", result.message).c_str(), stderr);
      return kInterrupted;
    case rt::EndReason::numerical_failure:
    case rt::EndReason::strict_failure:
      std::fputs(fmt::format("nsmc: {}\n", result.message).c_str(), stderr);
      return kNumericalFailure;
    case rt::EndReason::invalid_options: break;  // thrown above
  }
  return kDone;
}

}  // namespace nsmc
