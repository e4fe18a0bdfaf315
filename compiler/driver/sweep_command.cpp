// nsmc sweep: many runs of one model, a row of a table for each.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "compiler/api/files.hpp"
#include "compiler/api/study.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/stop_signal.hpp"
#include "compiler/driver/terminal.hpp"
#include "runtime/study/journal.hpp"
#include "runtime/study/share_runs.hpp"
#include "runtime/study/study_table.hpp"

namespace nsmc {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

unsigned threads_for(const SweepOptions& options, const rt::Ranks& ranks, std::uint64_t runs) {
  const auto wanted = options.threads ? static_cast<std::uint64_t>(*options.threads) : ranks.fair_threads();
  return static_cast<unsigned>(std::clamp<std::uint64_t>(runs, 1, wanted));
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
    return std::make_unique<rt::Journal>(options.output, study.description(),
                                         options.resume    ? rt::JournalUse::resume
                                         : options.restart ? rt::JournalUse::restart
                                                           : rt::JournalUse::fresh);
  } catch (const rt::JournalError& error) {
    throw UsageError(error.what());
  }
}

struct Tally {
  std::uint64_t done = 0, failed = 0, unclean = 0, resumed = 0;
  std::string first_failure;  // its row

  void add(const rt::StudyRow& row) {
    ++done;
    if (row.failed) {
      if (failed++ == 0) first_failure = row.line;
    } else if (!row.line.ends_with(",ok")) {
      ++unclean;
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

struct Workers {
  unsigned threads, at_once;
  int ranks;
};

std::string summary_text(const SweepOptions& options, const Study& study, const Tally& tally, const Workers& workers,
                         double seconds) {
  std::string out = fmt::format("{}: {} in {} ({}{}{})\n", study.model_name().empty() ? "model" : study.model_name(),
                                tally.done == study.size() ? counted(study.size(), "run")
                                                           : fmt::format("{} of {} runs", tally.done, study.size()),
                                duration(seconds), counted(workers.threads, "thread"),
                                workers.at_once > 1 ? fmt::format(" of {} lanes", workers.at_once) : "",
                                workers.ranks > 1 ? fmt::format(" on each of {} ranks", workers.ranks) : "");
  const std::size_t compilations = study.compilations(), cached = study.cached_compilations();
  out += fmt::format("  compiled    {} in {}{}\n", compilations == 1 ? "once" : counted(compilations, "time"),
                     duration(study.compile_seconds()),
                     cached == 0              ? ""
                     : cached == compilations ? " (cached)"
                                              : fmt::format(" ({} cached)", cached));
  if (tally.resumed > 0) out += fmt::format("  resumed     {} were done before\n", tally.resumed);
  if (tally.failed > 0)
    out += fmt::format("  failed      {}; the first is {}\n", counted(tally.failed, "run"), tally.first_failure);
  if (tally.unclean > 0)
    out += fmt::format("  converged   not every step of {}, see the column 'status'\n", counted(tally.unclean, "run"));
  if (options.output != "-" && tally.done > 0)
    out += fmt::format("  written     {} ({})\n", options.output, counted(tally.done, "row"));
  return out;
}

// What rank 0 does.
int lead(const SweepOptions& options, rt::Ranks& ranks, const Study& study, rt::Journal* journal,
         rt::StudyTable& table) {
  const Clock::time_point start = Clock::now();
  Tally tally;
  if (journal != nullptr) {
    for (const rt::StudyRow& row : journal->rows()) {
      if (row.index >= study.size() || table.has(row.index)) continue;
      table.add(row);
      tally.add(row);
      ++tally.resumed;
    }
  }
  std::vector<std::uint64_t> missing;
  for (std::uint64_t k = 0; k < study.size(); ++k) {
    if (!table.has(k)) missing.push_back(k);
  }

  std::atomic<bool>& stop = stop_on_signals();
  const unsigned threads = threads_for(options, ranks, missing.size());
  const std::uint64_t share = missing.size() / static_cast<std::uint64_t>(ranks.size());
  {
    SweepProgress progress(!options.quiet && is_terminal(STDERR_FILENO), study.size());
    progress.show(tally);
    rt::share_runs(ranks, study.crew(share, threads, stop), missing, stop, [&](const rt::StudyRow& row) {
      if (journal != nullptr) journal->add(row);
      table.add(row);
      tally.add(row);
      progress.show(tally);
    });
  }
  const bool complete = table.rows() == study.size();
  // A sweep that was stopped before its first row leaves everything as it was.
  if (table.rows() > 0) table.finish();
  if (journal != nullptr && complete) journal->remove();

  if (!options.quiet) {
    const std::string text = summary_text(options, study, tally, {threads, study.at_once(share, threads), ranks.size()},
                                          seconds_since(start));
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
  std::unique_ptr<Study> study;
  try {
    study = Study::prepare(options.study, [](const Pipeline& pipeline) {
      if (pipeline.diagnostics().has_errors()) print_diagnostics(pipeline);  // warnings are those of rank 0
    });
  } catch (...) {
    rt::decline_work(ranks);
    throw;
  }
  if (study == nullptr) {
    rt::decline_work(ranks);
    return kModelErrors;
  }
  std::atomic<bool>& stop = stop_on_signals();
  const unsigned threads = threads_for(options, ranks, study->size());
  const std::uint64_t share = study->size() / static_cast<std::uint64_t>(ranks.size());
  rt::work_for_others(ranks, study->crew(share, threads, stop), stop);
  return kDone;
}

}  // namespace

int sweep_command(const SweepOptions& options) {
  std::optional<rt::Ranks> ranks;
  try {
    ranks.emplace();
  } catch (const rt::RanksError& error) {
    throw UsageError(error.what());
  }
  if (ranks->rank() > 0) return follow(options, *ranks);
  std::unique_ptr<Study> study;
  std::unique_ptr<rt::StudyTable> table;
  std::unique_ptr<rt::Journal> journal;
  try {
    if (ranks->size() > 1 && options.study.file == "-")
      throw UsageError("under mpirun the model must be a file, not standard input");
    study = Study::prepare(options.study, print_diagnostics);
    if (study != nullptr) {
      table = std::make_unique<rt::StudyTable>(options.output, study->header());
      journal = open_journal(options, *study);
    }
  } catch (...) {
    ranks->agree(kWrongUsage);  // one message is enough
    throw;
  }
  if (ranks->agree(study == nullptr ? kModelErrors : kDone) != kDone) return kModelErrors;
  return lead(options, *ranks, *study, journal.get(), *table);
}

}  // namespace nsmc
