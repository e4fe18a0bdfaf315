// nsmc run: compile, simulate, record, sum up.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <vector>

#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/run_summary.hpp"
#include "compiler/driver/saved_state.hpp"
#include "compiler/driver/stop_signal.hpp"
#include "compiler/driver/targets.hpp"
#include "compiler/driver/terminal.hpp"
#include "compiler/support/diagnostics.hpp"

namespace nsmc {
namespace {

struct RunRecord {
  const RunResult& result;
  std::string output;
  std::uint64_t rows;
  const ContactProblemFiles* problems;
  std::string events;
  std::uint64_t event_rows;
  const std::string* estimate;  // null: was not asked for
};

constexpr double rounding = 1e-13;  // what is below this part of the others is not worth a word

// "lost 0.98 by unilateral, 0.2 by damping; supplied 0.3; the method has gained 1e-06, 0.0001 % of what was turned
// over"
std::string energy_text(const RunSummary& s) {
  constexpr std::size_t most = 6;  // laws that are named
  const EnergyShares& energy = s.energy;
  double largest = std::max({std::abs(s.energy_first), std::abs(s.energy_last), std::abs(energy.supplied)});
  if (!energy.losses.empty()) largest = std::max(largest, std::abs(energy.losses.front().second));
  std::string lost, gained;
  double others = 0;
  for (std::size_t k = 0; k < energy.losses.size(); ++k) {
    const auto& [law, work] = energy.losses[k];
    if (std::abs(work) <= rounding * largest) break;  // they are sorted
    if (k >= most) {
      others += work;
    } else {
      std::string& list = work > 0 ? lost : gained;
      list += fmt::format("{}{:.3g} by {}", !list.empty() ? ", " : work > 0 ? "lost " : "gained ", std::abs(work), law);
    }
  }
  if (others != 0) lost += fmt::format(", {:.3g} by other laws", others);
  if (!lost.empty() && !gained.empty()) lost += "; ";
  lost += gained;
  double turned = std::abs(energy.supplied);  // lost or supplied: an exchange within the system is not seen
  double all_lost = 0;
  for (const auto& [law, work] : energy.losses) all_lost += std::abs(work);
  turned = std::max(turned, all_lost);
  std::string method = "the method has changed nothing";
  if (std::abs(energy.rest) > rounding * largest) {
    method = fmt::format("the method has {} {:.2g}", energy.rest > 0 ? "gained" : "lost", std::abs(energy.rest));
    if (turned > 1e-6 * largest)
      method += fmt::format(", {:.2g} % of what was turned over", 100 * std::abs(energy.rest) / turned);
  }
  return fmt::format("              {}; {}{}\n", lost.empty() ? "nothing lost" : lost,
                     energy.supplied != 0 ? fmt::format("supplied {:.3g}; ", energy.supplied) : "", method);
}

// How a run by moreau or rk chose its steps.
std::string steps_text(const RunResult& r) {
  if (r.accuracy > 0) return fmt::format(", accuracy {:.2g}{}", r.accuracy, r.default_steps ? " by default" : "");
  return r.default_steps ? ", fixed steps by default" : "";
}

// "deepest penetration 1.6e-06 (0.008 % of its smallest length), in corners[1] at t = 0.43, put right 3 times; energy
// rose by 2e-05 at most". The rise is the method's where nothing supplies energy; an account of the work says more.
std::string watched_text(const RunSummary& s, bool has_contacts) {
  const std::string share =
      s.penetration_share > 0 ? fmt::format(" ({:.2g} % of its smallest length)", 100 * s.penetration_share) : "";
  const bool nothing = s.penetration_contact.empty() || (s.penetration_share > 0 && s.penetration_share < rounding);
  std::string out = nothing ? "no penetration seen"
                            : fmt::format("deepest penetration {:.2g}{}, in {} at t = {:.6g}", s.penetration, share,
                                          s.penetration_contact, s.penetration_time);
  if (s.corrections > 0) out += fmt::format(", put right {}", counted(s.corrections, "time"));
  const std::string rise = s.energy.counted ? "" : fmt::format("energy rose by {:.2g} at most", s.energy_rise);
  if (!has_contacts) return rise;
  return out + (rise.empty() ? "" : "; ") + rise;
}

// The error of the end state, from a second run that is half as good: twice the step, or ten times the accuracy. With a
// method of order one, what is left of the error is about the difference; with more, less.
std::string estimated_error(const Model& model, const RunRequest& asked, const std::optional<SavedState>& from,
                            Run& run, const RunResult& result) {
  RunRequest coarse = asked;
  coarse.progress = nullptr;
  coarse.events = nullptr;
  coarse.problems = nullptr;
  coarse.settings["until"] = result.until;
  const bool by_accuracy = result.accuracy > 0;
  if (by_accuracy) {
    coarse.settings["accuracy"] = std::min(10 * result.accuracy, 0.1);
    coarse.settings["step"] = result.step;
  } else {
    coarse.settings["step"] = 2 * result.step;
  }
  Run second = from ? model.resume(*from, coarse) : model.start(coarse);
  second.advance(result.until);
  if (second.result().end != RunEnd::finished) return "  estimate    none: the second run did not reach the end\n";
  const std::size_t n = run.coordinates() + run.velocities();
  const std::vector<double> fine(run.row().begin(), run.row().begin() + static_cast<std::ptrdiff_t>(n));
  const std::span<const double> rough = second.row();
  std::vector<std::size_t> order(n);
  for (std::size_t k = 0; k < n; ++k) order[k] = k;
  const auto relative = [&](std::size_t k) {
    const double size = std::max(std::abs(fine[k]), std::abs(rough[k]));
    return size > 0 ? std::abs(fine[k] - rough[k]) / size : 0;
  };
  const auto absolute = [&](std::size_t k) { return std::abs(fine[k] - rough[k]); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return absolute(a) > absolute(b); });
  std::string out = fmt::format("  estimate    error of the end state {:.2g} at worst, in {}, by a second run at {}\n",
                                n > 0 ? absolute(order[0]) : 0, n > 0 ? run.columns()[order[0]] : "",
                                by_accuracy ? "ten times the accuracy" : "twice the step");
  constexpr std::size_t shown = 8;
  for (std::size_t k = 0; k < std::min(n, shown); ++k) {
    out += fmt::format("              {} = {:.9g}, off by {:.2g} ({:.2g} of it)\n", run.columns()[order[k]],
                       fine[order[k]], absolute(order[k]), relative(order[k]));
  }
  return out;
}

std::string problems_text(const ContactProblemFiles& problems) {
  std::string out = fmt::format("  dumped      {} of {} contact problems to {}\n", problems.kept(), problems.seen(),
                                problems.directory());
  if (problems.left_out() > 0)
    out += fmt::format("              {} left out: {}\n", problems.left_out(), problems.outside());
  return out;
}

std::string summary_text(const Model& model, const RunRecord& run) {
  const RunResult& r = run.result;
  const RunSummary& s = r.summary;
  std::string out = fmt::format("{}: {} of {} s ({}{}{}, {}{})\n", shown_name(model.name()), counted(s.steps, "step"),
                                r.step, r.method, r.tableau.empty() ? "" : " ", r.tableau, r.solver, steps_text(r));
  if (r.accuracy > 0) {
    out += fmt::format(
        "  accuracy    {} of their own between {:.2g} and {:.2g} s, {} with switching points{}; {} done again\n",
        counted(s.internal_steps, "step"), s.shortest_step, s.longest_step, s.switching_steps,
        s.forced_steps == 0 ? "" : fmt::format(" ({} shortest ones)", s.forced_steps), s.rejected_steps);
  }
  if (model.size().contacts > 0) {
    out += fmt::format("  contacts    closed in {}, {} at most, {:.3g} on average\n",
                       counted(s.steps_with_contact, "step"), s.closed_max, s.closed_mean);
    out += fmt::format("  iterations  {:.3g} mean, {} max{}\n", s.iterations_mean, s.iterations_max,
                       s.newton_steps == 0 ? "" : ", with " + counted(s.newton_steps, "Newton step"));
    out +=
        s.unconverged_steps == 0
            ? fmt::format("  residual    {:.2g} at worst; every step{} converged (tolerance {:.2g})\n",
                          s.worst_residual, r.end == RunEnd::numerical_failure ? " before the failure" : "",
                          r.tolerance)
            : fmt::format(
                  "  residual    {:.2g} at worst, in contact {} at t = {:.6g}; {} did not converge "
                  "(tolerance {:.2g})\n",
                  s.worst_residual, s.worst_contact, s.worst_time, counted(s.unconverged_steps, "step"), r.tolerance);
  }
  if (r.method == "event") {
    out +=
        fmt::format("  smooth      {}, {} of the accelerations (rtol {:.2g}, atol {:.2g})\n",
                    counted(s.internal_steps, "internal step"), counted(s.evaluations, "evaluation"), r.rtol, r.atol);
    std::string kinds;
    for (const auto& [kind, number] : s.events) {
      if (number > 0) kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", kind, number);
    }
    out += fmt::format("  events      {}\n", kinds.empty() ? "none" : kinds);
  }
  if (!s.position_contact.empty()) {
    out += fmt::format("  positions   constraints hold to {:.2g}, worst in {} at t = {:.6g}\n", s.position_error,
                       s.position_contact, s.position_time);
  }
  out += fmt::format("  energy      {:.6g} at the start, {:.6g} at the end (change {:.3g})\n", s.energy_first,
                     s.energy_last, s.energy_last - s.energy_first);
  if (s.stopped) {
    out += fmt::format("  stopped     by the model at t = {:.9g}{}\n", s.stop_time,
                       s.stopped_by.empty() ? "" : ": " + shown_line(s.stopped_by));
  }
  if (s.energy.counted) out += energy_text(s);
  if (s.watched && (model.size().contacts > 0 || !s.energy.counted))
    out += fmt::format("  method      {}\n", watched_text(s, model.size().contacts > 0));
  if (run.estimate != nullptr) out += *run.estimate;
  out += fmt::format("  time        compile {}{}, run {}\n", duration(r.compile_seconds), r.cached ? " (cached)" : "",
                     duration(s.wall_seconds));
  if (!run.output.empty() && run.output != "-")
    out += fmt::format("  written     {} ({})\n", run.output, counted(run.rows, "row"));
  if (!run.events.empty() && run.events != "-")
    out += fmt::format("  written     {} ({})\n", run.events, counted(run.event_rows, "event"));
  if (run.problems != nullptr) out += problems_text(*run.problems);
  return out;
}

// Warnings to standard error, the rest to standard output, unless the numbers go there.
void print_summary(const RunOptions& run, const Model& model, const RunRecord& record) {
  if (record.result.end != RunEnd::strict_failure) {  // whose message is the warning
    for (const RunWarning& warning : record.result.summary.warnings)
      std::fputs(fmt::format("nsmc: warning {}: {}\n", warning.code, warning.message).c_str(), stderr);
  }
  if (run.quiet) return;
  const std::string text = summary_text(model, record);
  if (run.output == "-" || run.events == "-") {
    std::fputs(text.c_str(), stderr);
  } else {
    write_stdout(text);
  }
}

// Nothing that a run writes takes the place of what it reads. A state may be replaced by a later one.
void require_targets_apart(const RunOptions& run, const Model& model) {
  std::vector<NamedFile> targets{{"--output", run.output}, {"--events", run.events}};
  require_apart(targets, model, {{"--from", run.saving.from}});
  targets.push_back({"--save", run.saving.save});
  if (!run.saving.checkpoint.empty()) {
    for (const std::string& path : {run.output, run.events}) {
      if (!path.empty()) targets.push_back({"--checkpoint", path + ".part"});
    }
    if (run.saving.save.empty()) targets.push_back({"--checkpoint", run.output + ".state"});
  }
  require_apart(targets, model);
}

}  // namespace

std::string run_summary(const Model& model, const RunResult& result) {
  return summary_text(model, {result, "", 0, nullptr, "", 0, nullptr});
}

ModelOptions model_options(const ModelChoices& choices) {
  ModelOptions options{.overrides = choices.overrides};
  if (!choices.no_cache) options.cache = cache_of_environment();
  return options;
}

int run_command(RunOptions run) {
  const std::optional<SavedState> from = state_to_go_on_from(run);
  const Model model = open_model(run.model.file, model_options(run.model));
  print_diagnostics(model);
  if (!model.ok()) return kModelErrors;
  if (ends_strictly(model, run.model.settings)) return kNumericalFailure;
  require_targets_apart(run, model);

  RunRequest request{.overrides = run.model.overrides,
                     .settings = run.model.settings,
                     .inputs = run.model.inputs,
                     .outputs = run.outputs};
  const RunWatch watch = watch_run(run.quiet);
  request.stop = watch.stop;
  request.progress = watch.progress;
  if (run.events == "-" && run.output == "-") throw UsageError("--events and --output cannot share standard output");
  std::optional<RowFile> rows;
  if (!run.output.empty()) rows.emplace(run.output, file_mode(run, from, run.output));
  std::optional<EventFile> events;
  if (!run.events.empty()) request.events = &events.emplace(run.events, file_mode(run, from, run.events));
  std::optional<ContactProblemFiles> problems;
  if (!run.problems.directory.empty()) request.problems = &problems.emplace(run.problems, shown_name(model.name()));

  RowFile* const row_file = rows ? &*rows : nullptr;
  Run simulation = from ? model.resume(*from, request, row_file) : model.start(request, row_file);
  if (from && !run.saving.resume && simulation.is_over()) {
    throw UsageError(
        fmt::format("the saved state is at t = {:.9g}, where the run ends: --until T goes on", simulation.t()));
  }
  RunSaver saver(run, row_file, events ? &*events : nullptr);
  saver.run_to_end(simulation);
  const bool waits = saver.waits_for_resume(simulation);
  const RunResult result = simulation.result();  // throws for settings that do not fit: then nothing is written
  std::string estimate;
  if (run.estimate && result.end == RunEnd::finished)
    estimate = estimated_error(model, request, from, simulation, result);
  if (watch.progress) clear_progress_bar();
  // However the run ended, what was computed is kept, complete up to a row.
  if (problems) problems->write();
  if (!waits) {
    if (rows) rows->commit();
    if (events) events->commit();
    saver.clear();
  }

  print_summary(run, model,
                {result, waits ? "" : run.output, rows ? rows->rows() : 0, problems ? &*problems : nullptr,
                 waits ? "" : run.events, events ? events->rows() : 0, run.estimate ? &estimate : nullptr});
  if (result.end == RunEnd::finished) return kDone;
  const std::string later = waits ? "; --resume goes on from the last checkpoint, in " + saver.path() : "";
  std::fputs(fmt::format("nsmc: {}{}\n", result.message, later).c_str(), stderr);
  return result.end == RunEnd::interrupted ? kInterrupted : kNumericalFailure;
}

}  // namespace nsmc
