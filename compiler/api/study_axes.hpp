// What a study varies (nsmc/study.hpp): axes of values, whose full grid is run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/api/simulation_setup.hpp"
#include "nsmc/study.hpp"

namespace nsmc {

struct Axis {
  std::string name;       // as in the table
  std::string parameter;  // empty: a setting
  Setting setting{};
  std::vector<Value> values;  // numbers in SI, or words
};

// Throws SettingError, also for what is given for all runs already.
std::vector<Axis> read_axes(const std::vector<AxisText>& texts, const GivenParameters& parameters,
                            const SettingValues<double>& settings, const Equations& equations);

// The first value of each axis that is a plain number: what the structure of the model may need before it is known.
ParameterValues first_numbers(const std::vector<AxisText>& texts);

// One point of the grid.
struct StudyPoint {
  ParameterValues overrides;
  SettingValues<double> settings;
  std::vector<Value> values;  // by axis
};

// All combinations; the last axis goes fastest.
class StudyGrid {
 public:
  StudyGrid(std::vector<Axis> axes, ParameterValues overrides, SettingValues<double> settings);

  std::uint64_t size() const { return size_; }
  const std::vector<Axis>& axes() const { return axes_; }
  StudyPoint point(std::uint64_t index) const;

 private:
  std::vector<Axis> axes_;
  ParameterValues overrides_;  // of all runs
  SettingValues<double> settings_;
  std::uint64_t size_ = 1;
};

}  // namespace nsmc
