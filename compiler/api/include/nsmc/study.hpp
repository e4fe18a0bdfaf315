// Many runs of one model: a grid of parameters and settings, and what is measured of each run.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "nsmc/settings.hpp"

namespace nsmc {

// What is varied, in one of these forms; `name` is a parameter of the model or a setting of the run:
//     name=from:to:n        n values from `from` to `to`, equally spaced
//     name=from:to:n:log    with a constant ratio
//     name=v1,v2,...        these values; words for settings that are words
// Where the name could be both, param.name or simulate.name says which. Values take units.
struct AxisText {
  std::string text;
  std::string option = "axis";  // what messages call it
};

// The axis of these values.
AxisText axis(const std::string& name, const std::vector<double>& values);

struct StudyRequest {
  std::vector<AxisText> axes{};         // the full grid is run, the last axis goes fastest
  std::vector<std::string> measures{};  // "z", "max(z)", "time(z > 5[mm])", "iterations", ..., see docs/commands.md
  Overrides overrides{};                // of all runs
  Settings settings{};                  // of all runs
  std::optional<int> lanes{};  // runs at once on a thread, where the model allows; absent: as the processor has
  bool reproducible = false;   // rows have the bits of single runs
  unsigned threads = 0;        // 0: one for each core
  const std::atomic<bool>* stop = nullptr;  // set from outside, ends the study with the rows that are there
  // Called about every 0.1 s, on the thread of the caller, also while no run comes to its end.
  std::function<void(std::uint64_t rows, std::uint64_t size)> progress{};
};

struct StudyRow {
  std::uint64_t index = 0;                    // in the grid
  std::vector<Value> point;                   // by axis
  std::vector<std::optional<double>> values;  // by measure; nothing for a time that never came, and if the run failed
  bool failed = false;
  bool converged = true;  // false: some steps did not
  std::string status;     // "ok", or what is to be said about the run
};

struct StudyResult {
  std::vector<std::string> axes, measures;  // names of the columns
  std::vector<StudyRow> rows;               // in the order of the grid; fewer than its size if it was stopped
  std::uint64_t size = 0;                   // of the grid
};

}  // namespace nsmc
