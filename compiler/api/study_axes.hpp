// What a study varies: axes of values, whose full grid is run.
//
//     NAME=FROM:TO:N        N values from FROM to TO, equally spaced
//     NAME=FROM:TO:N:log    with a constant ratio
//     NAME=V1,V2,...        these values; names for solver and method
//
// NAME is a parameter of the model or a setting of the run (kNumbers and kWords in study_axes.cpp). Where it could be
// both, param.NAME or simulate.NAME says which. Values take units.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/api/simulation_setup.hpp"

namespace nsmc {

// An axis as it was written, with the option that it was written behind.
struct AxisText {
  std::string option;  // --vary or --list
  std::string text;    // study_axes.hpp
};

struct Axis {
  std::string name;       // as in the table
  std::string parameter;  // empty: a setting
  std::optional<double> ChosenSettings::*number = nullptr;
  std::string ChosenSettings::*word = nullptr;
  std::vector<double> numbers;  // SI
  std::vector<std::string> words;
  std::vector<std::string> cells;  // as text, which reads back as the same number

  std::size_t size() const { return cells.size(); }
};

// Throws UsageError, also for what `choices` says already.
std::vector<Axis> read_axes(const std::vector<AxisText>& texts, const SimulationChoices& choices,
                            const Equations& equations);

// The first value of each axis that is a plain number: what the structure of the model may need before it is known.
StructuralNumbers first_numbers(const std::vector<AxisText>& texts);

// One point of the grid.
struct StudyPoint {
  Overrides overrides;
  ChosenSettings settings;
  std::vector<std::string> cells;  // by axis
};

// All combinations; the last axis goes fastest.
class StudyGrid {
 public:
  StudyGrid(std::vector<Axis> axes, Overrides overrides, ChosenSettings settings);

  std::uint64_t size() const { return size_; }
  const std::vector<Axis>& axes() const { return axes_; }
  StudyPoint point(std::uint64_t index) const;

 private:
  std::vector<Axis> axes_;
  Overrides overrides_;  // of all runs
  ChosenSettings settings_;
  std::uint64_t size_ = 1;
};

}  // namespace nsmc
