// What runs of nsmc::Model and nsmc::Run have in common: rows and events on their way to the caller, and the result as
// plain values.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "nsmc/run.hpp"
#include "runtime/evaluation/event_sink.hpp"
#include "runtime/output/recorder.hpp"
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

RunResult result_of(const rt::SimulationResult& result, const rt::SimulationOptions& options);

}  // namespace nsmc
