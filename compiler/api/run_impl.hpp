// What stands behind nsmc::Run and nsmc::SavedState, and what runs have in common: rows and events on their way to the
// caller, and the result as plain values.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/api/model_impl.hpp"
#include "nsmc/run.hpp"
#include "runtime/evaluation/event_sink.hpp"
#include "runtime/output/recorder.hpp"
#include "runtime/output/state_file.hpp"
#include "runtime/simulation/run.hpp"
#include "runtime/simulation/simulate.hpp"
#include "runtime/system.hpp"

namespace nsmc {

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

class NoRows final : public Recorder {
 public:
  void record(double, std::span<const double>) override {}
};

RunResult result_of(const rt::SimulationResult& result, const PreparedRun& run);

struct SavedState::Data {
  rt::StateFile file;
};

struct Run::Impl {
  // from.overrides: all that there are.
  Impl(const Model::Impl& model, const RunRequest& from, Recorder* recorder)
      : prepared(made(model, from)),
        request(from),
        rows(recorder != nullptr ? *recorder : nowhere, prepared->columns, prepared->kernels->plan().columns),
        events(prepared->system, request.event) {
    rt::SimulationOptions& options = prepared->options;
    if (request.event) options.integrator.events = &events;
    if (recorder == nullptr) {
      const bool work = options.parts.work;
      options.parts = rt::RowParts::none();
      options.parts.work = work;  // for Run::value
      options.record_every = 0;
      options.record_dt = 0;
    }
    if (request.endless) options.until = std::numeric_limits<double>::infinity();
  }

  static std::unique_ptr<PreparedRun> made(const Model::Impl& model, const RunRequest& request) {
    std::unique_ptr<PreparedRun> run = model.prepare(request.overrides, request);
    if (request.prepared) request.prepared(*run);
    return run;
  }

  void start() {
    run.emplace(prepared->kernels->table(), prepared->parameters, prepared->state, prepared->options, rows);
  }
  void resume(const rt::SavedRun& from) {
    try {
      run.emplace(prepared->kernels->table(), prepared->parameters, from, prepared->options, rows);
    } catch (const rt::SavedRunError& error) {
      throw SettingError("state", std::string("the run cannot go on from this state: ") + error.what());
    }
  }

  std::unique_ptr<PreparedRun> prepared;
  RunRequest request;  // with the settings that are in force, and all overrides, of the model, too
  NoRows nowhere;
  SelectedRows rows;
  Events events;
  std::optional<rt::Run> run;
};

}  // namespace nsmc
