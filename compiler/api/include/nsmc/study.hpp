// Many runs of one model: a grid of parameters and settings, and what is measured of each run.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nsmc/settings.hpp"

namespace nsmc {

namespace rt {
class Ranks;
}

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
  Inputs inputs{};                      // of all runs: inputs that follow samples
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

struct StudyAxis {
  std::string name;           // of its column
  std::string parameter;      // empty: a setting
  std::string setting;        // empty: a parameter
  std::vector<Value> values;  // numbers in SI, or words
};

// Who did the runs.
struct StudyCrew {
  unsigned threads = 1, wanted = 1;  // that there were, and that were asked for
  unsigned at_once = 1;              // runs that a thread had in hand
};

// A study that is ready to run: compiled, its axes and measures read. It is constant, and copies are the same study.
class Study {
 public:
  const std::vector<StudyAxis>& axes() const;
  const std::vector<std::string>& measures() const;     // names of columns
  std::uint64_t size() const;                           // of the grid
  std::vector<Value> point(std::uint64_t index) const;  // by axis

  // Does these of the runs. `finished` sees rows as they come, on the thread of the caller; what it throws ends the
  // study and passes through. Under mpirun, for nsmc itself: rank 0 shares the runs with the others, who work for it in
  // here.
  StudyCrew run(const std::vector<std::uint64_t>& runs, const std::function<void(const StudyRow&)>& finished,
                rt::Ranks* ranks = nullptr) const;

  std::string identity() const;             // of the model and its own settings: rows of equal ones may share a table
  bool exact_lanes() const;                 // rows have the bits of single runs
  unsigned lanes() const;                   // that runs may share a register in; 1: none
  std::size_t compilations() const;         // one for each size of arrays
  std::size_t cached_compilations() const;  // of which the machine code was there already
  double compile_seconds() const;

  class Impl;
  explicit Study(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace nsmc
