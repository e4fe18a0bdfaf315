// nsmc sweep: many runs of one model, a row of a table for each.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "compiler/api/files.hpp"
#include "compiler/api/quantity.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/option_text.hpp"
#include "compiler/driver/stop_signal.hpp"
#include "compiler/driver/sweep_report.hpp"
#include "compiler/driver/targets.hpp"
#include "compiler/driver/terminal.hpp"
#include "compiler/model/settings.hpp"
#include "runtime/output/csv_text.hpp"
#include "runtime/study/journal.hpp"
#include "runtime/study/share_runs.hpp"
#include "runtime/study/study_table.hpp"

namespace nsmc {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

// Lines that two studies share if and only if a row of one is a row of the other.
std::vector<std::string> description(const SweepOptions& options, const Study& study) {
  std::vector<std::string> lines{"nsmc " NSMC_VERSION ", sweep", "the model with the hash " + study.identity()};
  const auto say = [&](std::string_view option, const std::string& text) {
    lines.push_back(one_line(fmt::format("--{} {}", option, text)));
  };
  for (const AxisText& axis : options.study.axes) say("vary", axis.text);
  for (const std::string& text : options.study.measures) say("measure", text);
  for (const auto& [name, value] : options.model.overrides) say("set", name + "=" + text_of(value));
  for (const SettingRow& row : setting_rows()) {
    const auto given = options.model.settings.find(std::string(row.name));
    if (given == options.model.settings.end()) continue;
    if (row.kind == SettingKind::flag) {
      lines.push_back("--" + std::string(row.option));
    } else {
      say(row.option, text_of(given->second));
    }
  }
  // With other functions come other last digits.
  if (!study.exact_lanes()) lines.push_back(fmt::format("--lanes {} without --reproducible", study.lanes()));
  return lines;
}

// Columns of the table: the axes, the measures, `status`.
std::string header(const Study& study) {
  std::string line;
  for (const StudyAxis& axis : study.axes()) {
    rt::append_cell(line, axis.name);
    line += ',';
  }
  for (const std::string& name : study.measures()) {
    rt::append_cell(line, name);
    line += ',';
  }
  return line + "status";
}

std::string line_of(const Study& study, const rt::StudyRow& row) {
  std::string line;
  for (const Value& value : study.point(row.index)) {
    rt::append_cell(line, text_of(value));
    line += ',';
  }
  for (const std::optional<double>& value : row.values) {
    if (value) rt::append_number(line, *value);
    line += ',';
  }
  rt::append_cell(line, in_options(row.status));
  return line;
}

// As the files of a study have it.
rt::StudyRow plain(const StudyRow& row) {
  return {
      .index = row.index, .failed = row.failed, .converged = row.converged, .values = row.values, .status = row.status};
}

// A table that can be replaced has a journal; what goes to a pipe is gone.
std::unique_ptr<rt::Journal> open_journal(const SweepOptions& options, const Study& study) {
  if (!rt::is_replaceable(options.output)) {
    if (options.resume || options.restart) {
      throw UsageError(fmt::format("{} needs a file: -o table.csv", options.resume ? "--resume" : "--restart"));
    }
    return nullptr;
  }
  if (options.resume && !std::filesystem::exists(options.output + ".part") && std::filesystem::exists(options.output)) {
    throw UsageError(
        fmt::format("{0} is there, but nothing that was left to do ({0}.part): the sweep that wrote it came "
                    "to its end. Without --resume it is written anew",
                    options.output));
  }
  try {
    return std::make_unique<rt::Journal>(options.output, description(options, study),
                                         options.resume    ? rt::JournalUse::resume
                                         : options.restart ? rt::JournalUse::restart
                                                           : rt::JournalUse::fresh);
  } catch (const rt::JournalError& error) {
    throw UsageError(error.what());
  }
}

// What is run: the study, and the model whose diagnostics it has.
struct Sweep {
  Model model;
  Study study;
};

// Nothing if there are errors in the model.
std::optional<Sweep> prepare(const SweepOptions& options, const std::function<void(const Model&)>& report) {
  const Model model = open_model(options.model.file, model_options(options.model)).at_start_of(options.study);
  report(model);
  if (!model.ok()) return std::nullopt;
  return Sweep{model, model.prepare(options.study)};
}

struct Tally {
  std::uint64_t done = 0, failed = 0, unclean = 0, doubtful = 0, resumed = 0, damaged = 0;
  std::optional<rt::StudyRow> first_failure;

  void add(const rt::StudyRow& row) {
    ++done;
    if (row.failed) {
      if (failed++ == 0) first_failure = row;
    } else if (!row.converged) {
      ++unclean;
    } else if (row.status != "ok") {
      ++doubtful;
    }
  }
};

class SweepProgress {
 public:
  SweepProgress(bool shown, std::uint64_t size) : shown_(shown), size_(size) {}
  ~SweepProgress() {
    if (shown_) clear_progress_bar();
  }

  void show(const Tally& tally) {
    if (!shown_ || seconds_since(last_) < 0.1) return;
    last_ = Clock::now();
    const std::uint64_t own = tally.done - tally.resumed;
    const double left =
        own == 0 ? 0 : seconds_since(start_) / static_cast<double>(own) * static_cast<double>(size_ - tally.done);
    show_progress_bar(static_cast<double>(tally.done) / static_cast<double>(size_),
                      fmt::format("{} of {} runs{}, {} left", tally.done, size_,
                                  tally.failed > 0 ? fmt::format(", {} failed", tally.failed) : "", duration(left)));
  }

 private:
  bool shown_;
  std::uint64_t size_;
  Clock::time_point start_ = Clock::now(), last_{};
};

std::string summary_text(const SweepOptions& options, const Sweep& sweep, const Tally& tally, const StudyCrew& workers,
                         int ranks, double seconds) {
  const Study& study = sweep.study;
  std::string out = fmt::format("{}: {} in {} ({}{}{})\n", shown_name(sweep.model.name()),
                                tally.done == study.size() ? counted(study.size(), "run")
                                                           : fmt::format("{} of {} runs", tally.done, study.size()),
                                duration(seconds), counted(workers.threads, "thread"),
                                workers.at_once > 1 ? fmt::format(" of {} lanes", workers.at_once) : "",
                                ranks > 1 ? fmt::format(" on each of {} ranks", ranks) : "");
  const std::size_t compilations = study.compilations(), cached = study.cached_compilations();
  out += fmt::format("  compiled    {} in {}{}\n", compilations == 1 ? "once" : counted(compilations, "time"),
                     duration(study.compile_seconds()),
                     cached == 0              ? ""
                     : cached == compilations ? " (cached)"
                                              : fmt::format(" ({} cached)", cached));
  if (tally.resumed > 0) out += fmt::format("  resumed     {} were done before\n", tally.resumed);
  if (tally.damaged > 0)
    out += fmt::format("  damaged     {} of {}.part, done again\n", counted(tally.damaged, "line"), options.output);
  if (tally.failed > 0)
    out += fmt::format("  failed      {}; the first is {}\n", counted(tally.failed, "run"),
                       line_of(study, *tally.first_failure));
  if (tally.unclean > 0)
    out += fmt::format("  converged   not every step of {}, see the column 'status'\n", counted(tally.unclean, "run"));
  if (tally.doubtful > 0)
    out += fmt::format("  warned      of {}, see the column 'status'\n", counted(tally.doubtful, "run"));
  if (options.output != "-" && tally.done > 0)
    out += fmt::format("  written     {} ({})\n", options.output, counted(tally.done, "row"));
  if (!options.report.empty() && tally.done > 0) out += fmt::format("  written     {}\n", options.report);
  return out;
}

// What rank 0 does.
int lead(const SweepOptions& options, rt::Ranks& ranks, const Sweep& sweep, rt::Journal* journal, rt::StudyTable& table,
         SweepReport& report) {
  const Study& study = sweep.study;
  const Clock::time_point start = Clock::now();
  Tally tally;
  if (journal != nullptr) {
    for (const rt::StudyRow& row : journal->rows()) {
      if (row.index >= study.size() || table.has(row.index)) continue;
      table.add(row);
      report.add(row);
      tally.add(row);
      ++tally.resumed;
    }
    tally.damaged = journal->damaged();
  }
  std::vector<std::uint64_t> missing;
  for (std::uint64_t k = 0; k < study.size(); ++k) {
    if (!table.has(k)) missing.push_back(k);
  }

  StudyCrew crew;
  {
    SweepProgress progress(!options.quiet && is_terminal(STDERR_FILENO), study.size());
    progress.show(tally);
    const auto finished = [&](const StudyRow& finished_row) {
      const rt::StudyRow row = plain(finished_row);
      if (journal != nullptr) journal->add(row);
      table.add(row);
      report.add(row);
      tally.add(row);
      progress.show(tally);
    };
    crew = study.run(missing, finished, &ranks);
  }
  if (crew.threads < crew.wanted)
    std::fputs(fmt::format("nsmc: note: {} of {} threads could be created\n", crew.threads, crew.wanted).c_str(),
               stderr);
  if (journal != nullptr) journal->sync();
  const bool complete = table.rows() == study.size();
  // A sweep that was stopped before its first row leaves everything as it was.
  if (table.rows() > 0) table.finish();
  report.write(sweep.model, study);
  if (journal != nullptr && complete) journal->remove();

  if (!options.quiet) {
    const std::string text = summary_text(options, sweep, tally, crew, ranks.size(), seconds_since(start));
    if (options.output == "-") {
      std::fputs(text.c_str(), stderr);
    } else {
      write_stdout(text);
    }
  }
  if (!complete) {
    std::fputs(fmt::format("nsmc: interrupted after {} of {} runs{}\n", tally.done, study.size(),
                           journal != nullptr && tally.done > 0 ? "; the same command with --resume goes on" : "")
                   .c_str(),
               stderr);
    return kInterrupted;
  }
  return tally.failed == study.size() ? kNumericalFailure : kDone;
}

// What the other ranks do.
int follow(const SweepOptions& options, rt::Ranks& ranks) {
  if (ranks.agree(kDone) != kDone) return kDone;  // rank 0 has said why, and its exit code counts
  std::optional<Sweep> sweep;
  try {
    sweep = prepare(options, [](const Model& model) {
      if (!model.ok()) print_diagnostics(model);  // warnings are those of rank 0
    });
  } catch (...) {
    rt::decline_work(ranks);
    throw;
  }
  if (!sweep) {
    rt::decline_work(ranks);
    return kModelErrors;
  }
  sweep->study.run({}, {}, &ranks);
  return kDone;
}

}  // namespace

int sweep_command(SweepOptions options) {
  options.study.overrides = options.model.overrides;
  options.study.settings = options.model.settings;
  options.study.inputs = options.model.inputs;
  options.study.threads = static_cast<unsigned>(options.threads.value_or(0));
  options.study.stop = &stop_on_signals();
  std::optional<rt::Ranks> ranks;
  try {
    ranks.emplace();
  } catch (const rt::RanksError& error) {
    throw UsageError(error.what());
  }
  if (ranks->rank() > 0) return follow(options, *ranks);
  std::optional<Sweep> sweep;
  std::unique_ptr<rt::StudyTable> table;
  std::unique_ptr<rt::Journal> journal;
  std::optional<SweepReport> report;
  try {
    report.emplace(options);
    if (ranks->size() > 1 && options.model.file.path == "-")
      throw UsageError("under mpirun the model must be a file, not standard input");
    sweep = prepare(options, [&](const Model& model) {
      print_diagnostics(model);
      if (rt::is_replaceable(options.output))
        require_apart({{"--output", options.output}, {"--output", options.output + ".part"}}, model);
      require_apart({{"--report", options.report}}, model, {{"--output", options.output}});
    });
    if (sweep) {
      const Study& study = sweep->study;
      report->require_room(study.size());
      table = std::make_unique<rt::StudyTable>(options.output, header(study),
                                               [&study](const rt::StudyRow& row) { return line_of(study, row); });
      journal = open_journal(options, study);
    }
  } catch (...) {
    ranks->agree(kWrongUsage);  // one message is enough
    throw;
  }
  const int ready = !sweep                                                ? kModelErrors
                    : ends_strictly(sweep->model, options.model.settings) ? kNumericalFailure
                                                                          : kDone;
  if (ranks->agree(ready) != kDone) return ready;
  return lead(options, *ranks, *sweep, journal.get(), *table, *report);
}

}  // namespace nsmc
