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

// Events and contact problems to whom the request says.
class Events final : public rt::EventSink {
 public:
  Events(PreparedRun& run, const RunRequest& request);
  void record(const rt::Event& event) override;

 private:
  const std::function<void(const EventInfo&)>& call_;
  EventRecorder* recorder_;
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
      : prepared(model.prepare(from.overrides, from)),
        request(from),
        events(*prepared, request),
        rows(recorder != nullptr ? *recorder : nowhere, prepared->columns, prepared->kernels->plan().columns) {
    rt::SimulationOptions& options = prepared->options;
    if (recorder == nullptr) {
      const bool work = options.parts.work;
      options.parts = rt::RowParts::none();
      options.parts.work = work;  // for Run::value
      options.record_every = 0;
      options.record_dt = 0;
    }
    if (request.endless) options.until = std::numeric_limits<double>::infinity();
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

  Overrides set_inputs(const Overrides& given);

  std::unique_ptr<PreparedRun> prepared;
  RunRequest request;  // with the settings that are in force, and all overrides, of the model, too
  NoRows nowhere;
  Events events;
  SelectedRows rows;
  std::optional<rt::Run> run;
};

}  // namespace nsmc
